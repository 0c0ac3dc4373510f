"""Languages: text in, transition system and properties out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from homing.core.errors import HomingError, Place
from homing.core.model import Model
from homing.core.stop import leavable

SUFFIXES = {".py": "Python", ".csp": "CSP#", ".cfg": "TLA+", ".tla": "TLA+", ".xml": "UPPAAL", ".smv": "NuSMV"}
"""What a model file may end in, and what it then is written in."""
TLA = (".cfg", ".tla")
OLDER = (".ta", ".xta")


FAIRNESS = ("none", "event-weak", "event-strong", "process-weak", "process-strong", "strong-global")
"""What a formula of CSP# may be checked under, as PAT offers it."""


@dataclass(frozen=True)
class Reading:
    """How to read a model, where its notation leaves that open."""

    python: bool = False
    """Whether Python files may be executed."""
    fairness: str | None = None
    """For formulas of CSP# that name none."""
    config: Path | None = None
    """For specifications in TLA+, instead of the file of their name."""
    deadlock: bool = True
    """Whether the deadlock that a configuration of TLA+ asks about by default is checked."""
    seed: int = 0
    """What `RandomElement` and its like draw in TLA+ depends on it."""
    allow_write: Path | None = None
    """The folder that specifications in TLA+ may write files to; None is nowhere."""
    env: tuple[str, ...] = ()
    """Variables of the environment that specifications in TLA+ may see, through `IOEnv`."""


def load(path: Path, reading: Reading | None = None) -> tuple[Model, ...]:
    """The models in a file, one a system."""
    reading = reading or Reading()
    from homing.languages.sources import Recipe

    def packed(model: Model, number: int) -> Model:
        recipe = Recipe(str(path), reading, number, model.digest, model.files or (str(path),))
        return replace(model, portable=model.portable or recipe.packed)

    return tuple(packed(model, number) for number, model in enumerate(_load(path, reading)))


@leavable
def _load(path: Path, reading: Reading) -> tuple[Model, ...]:
    place = Place(str(path))
    if path.suffix in OLDER:
        raise HomingError("is in UPPAAL's older format of text, which is not read: save it as XML", place)
    if path.suffix not in SUFFIXES:
        raise HomingError(f"is in no notation known here, by its ending '{path.suffix}'", place, SUFFIXES)
    if not path.is_file():
        raise HomingError("no such file" if not path.exists() else "is no file", place)
    # Each language is imported when a file needs it, so that the others do not slow the start.
    if path.suffix == ".csp":
        from homing.languages import csp

        return csp.load(path, reading.fairness)
    if path.suffix == ".smv":
        from homing.languages import smv

        return smv.load(path)
    if path.suffix in TLA:
        from homing.languages import tla

        return tla.load(path, reading.config, reading.deadlock, reading.seed, reading.allow_write, reading.env)
    if path.suffix == ".xml":
        from homing.languages import uppaal

        return uppaal.load(path)
    if not reading.python:
        raise HomingError("is a Python model, which would be executed; give --python to allow that", place)
    from homing.languages import python_model

    return (python_model.load(path),)


def find(path: Path, reading: Reading | None = None) -> list[Path]:
    """The model files that a path stands for: itself, or all in a folder; folders named `faults` are left out.

    A specification in TLA+ is there once for each of its configurations.
    """
    reading = reading or Reading()
    if not path.exists():
        raise HomingError("no such file or folder", Place(str(path)))
    if reading.config is not None and path.suffix != ".tla":
        raise HomingError("is no specification (.tla), so --config means nothing for it", Place(str(path)))
    if reading.fairness is not None and path.suffix in TLA:
        what = "says itself what is fair (WF and SF in its SPECIFICATION), so --fairness means nothing for it"
        raise HomingError(what, Place(str(path)))
    if not path.is_dir():
        return [_named(path) if reading.config is None else path]
    listed = sorted(file for file in path.rglob("*") if file.suffix in SUFFIXES and _counts(file.relative_to(path)))
    found = [file for file in listed if _is_model(file)]
    allowed = [file for file in found if reading.python or file.suffix != ".py"]
    if not allowed:
        raise HomingError(f"the folder holds {_hint(found, listed)}", Place(str(path)), () if listed else SUFFIXES)
    return allowed


def _named(file: Path) -> Path:
    if file.suffix != ".tla":
        return file
    from homing.languages.tla import files

    return files.named(file)


def _is_model(file: Path) -> bool:
    """Whether a file with the ending of a model is one; there is much XML that is none."""
    if file.suffix == ".xml":
        from homing.languages.uppaal.document import is_model

        return is_model(file)
    return file.suffix not in TLA or _is_configuration(file)


def _is_configuration(file: Path) -> bool:
    """Whether to check it; a `.cfg` file without a specification in its folder is something else's.

    A specification has a configuration of its own name, several or, as a module of others, none, so these count.
    """
    return file.suffix == ".cfg" and any(file.parent.glob("*.tla"))


def _hint(found: list[Path], listed: list[Path]) -> str:
    if found:
        return "only Python models, which --python would execute"
    if any(file.suffix == ".tla" for file in listed):
        return "specifications in TLA+, but no configuration (.cfg) of one"
    return "no model"


def _counts(file: Path) -> bool:
    skipped = any(part.startswith((".", "_")) or part == "faults" for part in file.parts)
    return not skipped
