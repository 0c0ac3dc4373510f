"""TLA+: the specifications and configurations that TLC takes."""

from __future__ import annotations

from pathlib import Path

from homing.core.model import Model
from homing.languages.tla.load import load as load_one

__all__ = ["load", "load_one"]


def load(
    path: Path,
    config: Path | None = None,
    deadlock: bool = True,
    seed: int = 0,
    allow_write: Path | None = None,
    env: tuple[str, ...] = (),
) -> tuple[Model, ...]:
    """The model of a .cfg file, or of a .tla file with the one given or that of its name."""
    return (load_one(path, config, deadlock, seed, allow_write, env),)
