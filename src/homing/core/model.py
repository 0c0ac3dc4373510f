"""A model: a transition system with the properties that its author asks about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from homing.core.errors import Place
from homing.core.formula import Happens
from homing.core.property import Property
from homing.core.system import TransitionSystem


@dataclass(frozen=True)
class Model:
    """What a language makes of a source; `digest` identifies the text it was made from."""

    name: str
    system: TransitionSystem
    properties: tuple[Property, ...]
    digest: str = ""
    place: Place | None = None
    part: str = ""
    """Which system of its source it is, where a source has several: the process that an assertion names."""
    pattern: Callable[[str], Happens] | None = None
    """What an event that a person wrote stands for; raises HomingError on names that are not declared."""

    seed: int | None = None
    """What draws at random in its text depend on; None where there are none."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """By the name of a property, a choice of its language that its verdict may depend on; its result says so."""
    files: tuple[str, ...] = ()
    """What it was made from, where that is more than the file that it is named for."""
    portable: Callable[[], Callable[[], Model]] | None = field(default=None, compare=False, repr=False)
    """Makes something that can be pickled and builds the model again, in any process."""

    def wrapped(self, wrapper: Callable[[TransitionSystem], Any]) -> Model:
        """The same with its system wrapped, here and wherever it is built again."""
        portable = self.portable
        again = None if portable is None else lambda: Wrapped(portable(), wrapper)
        return replace(self, system=wrapper(self.system), portable=again)

    def only(self, names: tuple[str, ...]) -> Model:
        """The same model, asked only about those properties of it that are named."""
        known = {prop.name: prop for prop in self.properties}
        return replace(self, properties=tuple(known[name] for name in dict.fromkeys(names) if name in known))


@dataclass(frozen=True)
class Wrapped:
    """Builds a model, with its system wrapped."""

    build: Callable[[], Model]
    wrapper: Callable[[TransitionSystem], Any]

    def __call__(self) -> Model:
        model = self.build()
        return replace(model, system=self.wrapper(model.system))
