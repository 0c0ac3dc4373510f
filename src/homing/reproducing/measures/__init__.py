"""Measures: each takes what a question is about and returns facts, by running what Homing has for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from homing.core.errors import HomingError
from homing.core.result import Progress, Result
from homing.reproducing.claims import Facts, Question

if TYPE_CHECKING:
    from homing.report.plots import Plot

LIMIT = 120.0
"""Seconds for one model; what is not decided by then is unknown."""
MODULES = ("models", "networks", "simulations", "comparisons")


@dataclass(frozen=True)
class Measured:
    """Facts, and how they are shown."""

    facts: Facts
    text: str
    where: str
    """What was measured, and how to do it again."""
    seconds: float = 0.0
    vacuous: str | None = None
    unknown: str | None = None
    result: Result | None = None
    """Has the trace, where there is one."""
    plots: tuple[Plot, ...] = field(default=())


@dataclass(frozen=True)
class Bench:
    """What measures share: all that will be asked, so that a model is loaded once, and whom to tell how far it is."""

    questions: tuple[Question, ...]
    show: Callable[[Progress], None] = lambda progress: None
    interrupted: Callable[[], bool] = lambda: False
    known: dict[str, object] = field(default_factory=dict)
    """What was measured already, by whatever a measure goes by."""


class Measure(Protocol):
    def __call__(self, bench: Bench, about: Facts) -> Measured: ...


def measure(bench: Bench, question: Question) -> Measured:
    """Answers a question."""
    return _named(question.by)(bench, question.about)


def _named(name: str) -> Measure:
    for module in MODULES:
        found: dict[str, Measure] = import_module(f"homing.reproducing.measures.{module}").MEASURES
        if name in found:
            return found[name]
    raise HomingError(f"unknown measure '{name}'", None, names())


def names() -> Iterable[str]:
    """All measures."""
    return [name for module in MODULES for name in import_module(f"{__name__}.{module}").MEASURES]
