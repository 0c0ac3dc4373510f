"""The Python API: `homing.load(path).check()`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path

from homing import checking, languages
from homing.core.model import Model
from homing.core.property import Property
from homing.core.result import Options, Report
from homing.core.wrappers import Debugged


@dataclass(frozen=True)
class CheckedModel:
    """A model, ready to be checked."""

    model: Model

    @property
    def properties(self) -> tuple[Property, ...]:
        """What the model asks about."""
        return self.model.properties

    def check(
        self,
        properties: Iterable[str] = (),
        *,
        engine: str = "local",
        options: Options | None = None,
        debug: bool = False,
        unsound: bool = False,
    ) -> Report:
        """Checks all properties, or those named; `debug` watches that groups keep to what they declare.

        Temporal properties are UNKNOWN under a symmetry or a view, unless `unsound` has them checked all the same.
        """
        model = self.model.only(tuple(properties))
        if debug:
            model = replace(model, system=Debugged(model.system))
        return checking.check(model, engine, options, unsound=unsound)


def load(path: str | PathLike[str], *, python: bool = False) -> CheckedModel:
    """The model in a file; Python files are executed, so they need `python=True`."""
    return CheckedModel(languages.load(Path(path), python))
