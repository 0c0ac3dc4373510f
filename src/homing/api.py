"""The Python API: `homing.load(path).check()`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path

from homing import checking, languages
from homing.core.errors import HomingError
from homing.core.model import Model
from homing.core.property import Property
from homing.core.result import Options, Report
from homing.core.showing import Shown
from homing.core.wrappers import Debugged
from homing.languages import Reading


@dataclass(frozen=True)
class CheckedModel:
    """What a source holds, ready to be checked: one model, or several where assertions are about several systems."""

    models: tuple[Model, ...]

    @property
    def properties(self) -> tuple[Property, ...]:
        """What the source asks about."""
        return tuple(prop for model in self.models for prop in model.properties)

    def only(self, names: tuple[str, ...]) -> CheckedModel:
        """Asked only about the properties named; about all when none is."""
        if not names:
            return self
        known = dict.fromkeys(prop.name for prop in self.properties)
        for name in names:
            if name not in known:
                raise HomingError(f"unknown property '{name}'", self.models[0].place, known)
        chosen = (model.only(names) for model in self.models)
        return CheckedModel(tuple(model for model in chosen if model.properties))

    def check(
        self,
        properties: Iterable[str] = (),
        *,
        engine: str = "auto",
        options: Options | None = None,
        debug: bool = False,
        unsound: bool = False,
    ) -> Report:
        """Checks all properties, or those named; `debug` watches that groups keep to what they declare.

        Temporal properties are UNKNOWN under a symmetry or a view, unless `unsound` has them checked all the same.
        """
        options = options or Options()
        options = replace(options, limits=options.limits.started())  # one limit for all models of a file
        models = self.only(tuple(properties)).models
        reports = []
        for model, each in zip(models, _options(options, len(models)), strict=True):
            checked = model.wrapped(Debugged) if debug else model
            report = checking.check(checked, engine, each, unsound=unsound)
            reports.append(replace(report, results=tuple(replace(r, part=model.part) for r in report.results)))
        return _joined(reports)


def _options(options: Options, number: int) -> Iterator[Options]:
    """Options for each of so many models: each has a checkpoint of its own."""
    for index in range(number):
        path = options.checkpoint
        if path is not None and index:
            path = path.with_name(f"{path.stem}-{index + 1}{path.suffix}")
        yield replace(options, checkpoint=path)


def _joined(reports: list[Report]) -> Report:
    """One report on all; what went wrong first, and where the first that was stopped can be resumed."""
    failed = next((report for report in reports if report.error is not None), reports[0])
    return Report(
        reports[0].model,
        tuple(result for report in reports for result in report.results),
        failed.error,
        failed.error_trace,
        next((report.checkpoint for report in reports if report.checkpoint is not None), None),
        next((report.engine for report in reports if report.engine), {}),
    )


def load(
    path: str | PathLike[str],
    *,
    python: bool = False,
    fairness: str | None = None,
    config: str | PathLike[str] | None = None,
    deadlock: bool = True,
    seed: int = 0,
    allow_write: str | PathLike[str] | None = None,
    env: Iterable[str] = (),
) -> CheckedModel:
    """The model in a file; Python files are executed, so they need `python=True`. The rest is as in `homing check`."""
    given, folder = (None if name is None else Path(name) for name in (config, allow_write))
    reading = Reading(python, fairness, given, deadlock, seed, folder, tuple(env))
    return CheckedModel(languages.load(Path(path), reading))


def _drawn(shown: Shown) -> str:
    # Drawing needs more than a check does, and only a notebook asks for it.
    from homing.report import notebook

    return notebook.html(shown)


Shown.draw = _drawn
