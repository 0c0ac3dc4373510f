"""A search on disk, so that a run that was stopped or killed can go on."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from homing.core.errors import HomingError, Place
from homing.core.model import Model
from homing.core.values import decode, encode
from homing.engines.local import restoring
from homing.engines.local.kernels import PARTITIONS, Array
from homing.engines.local.monitors import Finding, Monitor
from homing.engines.local.restoring import Position, demand
from homing.engines.local.search import Search
from homing.storage import arrays
from homing.storage.damage import Damaged
from homing.storage.tree import Tree

VERSION = 2


@dataclass(frozen=True)
class Kept:
    """What a checkpoint says of itself."""

    identity: str
    states: int


WRITTEN = 400e6
"""Bytes per second that a disk takes."""


def identity(model: Model) -> str:
    """Tells apart models whose runs must not be mixed: other source, slots, groups or properties."""
    shape = model.system.shape
    parts = [model.digest, repr(model.properties), repr(shape.constraints), repr(sorted(shape.hidden))]
    parts += [*map(str, shape.slots), *(f"{group.name} {group.writes}" for group in shape.groups)]
    parts += [repr([element.slots for element in shape.symmetry]), "joint" if shape.joint else ""]
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()


def kept(path: Path) -> Kept | None:
    """What is there to go on from; None where there is nothing, or nothing of use."""
    try:
        with _tree(path).open(path.name) as file:
            said = arrays.about(file, path.name)
    except OSError:
        return None
    states = said.get("states")
    return (
        Kept(str(said.get("identity")), states) if said.get("version") == VERSION and isinstance(states, int) else None
    )


def remove(path: Path) -> None:
    """Removes a checkpoint that is needed no more."""
    if path.parent.exists():
        _tree(path).remove(path.name)


def save(path: Path, model: Model, search: Search, position: Position, monitors: list[Monitor]) -> None:
    """Writes the search to a new file, then puts it in its place: a kill leaves the old one or the new one."""
    said = {
        "version": VERSION,
        "identity": identity(model),
        "states": len(search.visited),
        "position": asdict(position),
        "tally": asdict(search.tally),
        "evaluations": search.evaluator.evaluations,
        "findings": [_finding(monitor.finding) for monitor in monitors],
    }
    saved: dict[str, Array] = {}
    for slot, interner in enumerate(search.evaluator.numbering.slots):
        saved[f"values{slot}"] = np.frombuffer(encode(tuple(interner.values)), np.uint8)
    layout = search.evaluator.layout
    saved["layout"] = np.array([layout.word, layout.shift, layout.mask], np.uint32)
    for part, rows in enumerate(search.visited.contents()):
        saved[f"rows{part}"] = rows
    for name, column, dtype in (("level_parts", 0, np.uint8), ("level_sizes", 1, np.uint32)):
        columns = [level[column] for level in search.visited.levels]
        saved[name] = np.concatenate(columns) if columns else np.empty(0, dtype)
    saved["level_lengths"] = np.array([len(parts) for parts, _ in search.visited.levels], np.int64)
    path.parent.mkdir(parents=True, exist_ok=True)
    with _tree(path).replacing(path.name, sync=True) as file:
        arrays.write(file, said, saved)


def _tree(path: Path) -> Tree:
    """The folder of a checkpoint, which the user may have named by a link."""
    return Tree(path.parent.resolve())


def cost(search: Search) -> float:
    """Seconds that it will take to save a search: its values are encoded once more, and its rows written."""
    words = len(search.visited) * search.evaluator.layout.words
    return sum(slot.seconds for slot in search.evaluator.numbering.slots) + words * 4 / WRITTEN


def _finding(finding: Finding | None) -> dict[str, Any] | None:
    if finding is None:
        return None
    return {"state": encode(finding.state).hex(), "level": finding.level, "value": finding.value}


def load(path: Path, model: Model, search: Search, monitors: list[Monitor]) -> Position:
    """Puts a fresh search where the saved one was; raises HomingError when it is of another model or damaged."""
    place = Place(str(path))
    try:
        with _tree(path).open(path.name) as file:
            said, saved = arrays.read(file, path.name)
        return _load(said, saved, place, model, search, monitors)
    except Damaged as error:
        raise HomingError(f"cannot be resumed from: {error}; --restart begins anew", place) from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise HomingError(f"cannot be resumed from: {error}", place) from None


def _load(
    said: dict[str, Any], saved: dict[str, Array], place: Place, model: Model, search: Search, monitors: list[Monitor]
) -> Position:
    if said["version"] != VERSION:
        raise HomingError(f"is a checkpoint of format {said['version']}, not {VERSION}", place)
    if said["identity"] != identity(model):
        raise HomingError(f"is a checkpoint of another model than '{model.name}', or of other properties", place)
    slots = len(model.system.shape.slots)
    values = [decode(saved[f"values{slot}"].tobytes()) for slot in range(slots)]
    contents = [saved[f"rows{part}"] for part in range(PARTITIONS)]
    levels = restoring.levels(saved, contents)
    restoring.check_rows(saved["layout"], contents, values)
    position = restoring.position(said["position"], levels)
    search.tally = restoring.tally(said["tally"], contents, levels)
    search.evaluator.evaluations = restoring.count(said["evaluations"])
    search.restore(values, saved["layout"], contents, levels)
    restoring.check_places(search)
    demand(len(said["findings"]) == len(monitors), "findings")
    for monitor, finding in zip(monitors, said["findings"], strict=True):
        if finding is not None:
            state = decode(bytes.fromhex(finding["state"]))
            demand(isinstance(state, tuple) and len(state) == slots, "findings")
            demand(0 <= finding["level"] <= position.level, "findings")
            monitor.finding = Finding(state, finding["level"], finding["value"])  # type: ignore[arg-type]
    return position
