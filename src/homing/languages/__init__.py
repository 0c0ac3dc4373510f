"""Languages: text in, transition system and properties out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from homing.core.errors import HomingError, Place
from homing.core.model import Model

SUFFIXES = {".py": "Python", ".csp": "CSP#", ".cfg": "TLA+", ".tla": "TLA+"}
"""What a model file may end in, and what it then is written in."""


FAIRNESS = ("none", "process-weak", "process-strong", "strong-global")
"""What a formula of CSP# may be checked under, as PAT offers it."""


@dataclass(frozen=True)
class Reading:
    """How to read a model, where its notation leaves that open."""

    python: bool = False
    """Whether Python files may be executed."""
    fairness: str | None = None
    """For formulas of CSP# that name none."""


def load(path: Path, reading: Reading | None = None) -> tuple[Model, ...]:
    """The models in a file, one a system."""
    reading = reading or Reading()
    place = Place(str(path))
    if path.suffix not in SUFFIXES:
        raise HomingError(f"is in no notation known here, by its ending '{path.suffix}'", place, SUFFIXES)
    if not path.is_file():
        raise HomingError("no such file" if not path.exists() else "is no file", place)
    # Each language is imported when a file needs it, so that the others do not slow the start.
    if path.suffix == ".csp":
        from homing.languages import csp

        return csp.load(path, reading.fairness)
    if path.suffix in (".cfg", ".tla"):
        from homing.languages import tla

        return tla.load(path)
    if not reading.python:
        raise HomingError("is a Python model, which would be executed; give --python to allow that", place)
    from homing.languages import python_model

    return (python_model.load(path),)


def find(path: Path, python: bool = False) -> list[Path]:
    """The model files that a path stands for: itself, or all in a folder; folders named `faults` are left out."""
    if not path.exists():
        raise HomingError("no such file or folder", Place(str(path)))
    if not path.is_dir():
        return [path]
    found = sorted(file for file in path.rglob("*") if file.suffix in SUFFIXES and _counts(file.relative_to(path)))
    allowed = [file for file in found if python or file.suffix != ".py"]
    if not allowed:
        hint = "only Python models, which --python would execute" if found else "no model"
        raise HomingError(f"the folder holds {hint}", Place(str(path)), () if found else SUFFIXES)
    return allowed


def _counts(file: Path) -> bool:
    skipped = any(part.startswith((".", "_")) or part == "faults" for part in file.parts)
    return not skipped
