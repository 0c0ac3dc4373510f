"""Which files belong together: a configuration and its specification, a module and those that it extends."""

from __future__ import annotations

import re
from pathlib import Path

from homing.core.errors import HomingError, Place

_SPEC = re.compile(rb"^\s*\\\*\s*SPEC\s+(\S+\.tla)\s*$", re.MULTILINE)
BELOW = ("faults", "traces")
"""Folders whose files belong to models in the folder above."""


def pair(path: Path, config: Path | None = None) -> tuple[Path, Path]:
    """A specification and its configuration, from either; one that is given goes with a specification only."""
    if path.suffix == ".cfg":
        if config is not None:
            raise HomingError(
                "is a configuration itself, so there can be no other; give the .tla file", Place(str(path))
            )
        return specification_of(path), path
    if config is None:
        config = path.with_suffix(".cfg")
        if not config.is_file():
            others = sorted(file.name for file in path.parent.glob("*.cfg"))
            raise HomingError(f"has no configuration '{config.name}' beside it", Place(str(path)), others)
    return path, config


def specification_of(config: Path) -> Path:
    """The file that a line `\\* SPEC name.tla` names, or else the one whose name the configuration's starts with."""
    try:
        found = _SPEC.search(config.read_bytes())
    except OSError as error:
        raise HomingError(f"cannot be read: {error.strerror or error}", Place(str(config))) from None
    if found is not None:
        name = found.group(1).decode("utf-8", "replace")
        spec = config.parent / name
        if not _may_name(config, spec):
            raise HomingError(f"names '{name}', which is outside its folder", Place(str(config)))
        if not spec.is_file():
            raise HomingError(f"names '{spec.name}', which is not beside it", Place(str(config)))
        return spec
    beside = [file for file in config.parent.glob("*.tla") if config.stem.startswith(file.stem)]
    if not beside:
        known = sorted(file.name for file in config.parent.glob("*.tla"))
        raise HomingError("no specification beside it has a name that its own starts with", Place(str(config)), known)
    return max(beside, key=lambda file: len(file.stem))


def _may_name(config: Path, spec: Path) -> bool:
    """Is the specification in the folder of its configuration, or where planted faults and traces have theirs?"""
    folder, where = config.parent.resolve(), spec.resolve()
    return where.is_relative_to(folder) or (folder.name in BELOW and where.parent == folder.parent)


def named(spec: Path) -> Path:
    """What a specification named by a person stands for: its configuration, if that says the same of itself.

    So the two are one model, also where a folder was given too, and expectations are found under one name.
    """
    config = spec.with_suffix(".cfg")
    try:
        return config if config.is_file() and specification_of(config).samefile(spec) else spec
    except (HomingError, OSError):
        return spec


def module(name: str, spec: Path) -> Path | None:
    """The file of a module that a specification mentions; a planted fault extends what is in the folder above it."""
    folders = [spec.parent]
    if spec.resolve().parent.name == BELOW[0]:
        folders.append(spec.resolve().parent.parent)
    files = (folder / f"{name}.tla" for folder in folders)
    return next((file for file in files if file.is_file()), None)
