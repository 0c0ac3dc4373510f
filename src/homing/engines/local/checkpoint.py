"""A search on disk, so that a run that was stopped or killed can go on."""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from homing.core.errors import HomingError, Place
from homing.core.model import Model
from homing.core.values import decode, encode
from homing.engines.local.kernels import PARTITIONS, Array
from homing.engines.local.monitors import Finding, Monitor
from homing.engines.local.search import Search, Tally

VERSION = 1


@dataclass
class Position:
    """Where a search stands: in which level, how many of its rows are expanded, whether it was observed."""

    level: int = 0
    done: int = 0
    observed: bool = False


def identity(model: Model) -> str:
    """Tells apart models whose runs must not be mixed: other source, slots, groups or properties."""
    shape = model.system.shape
    parts = [model.digest, repr(model.properties), repr(shape.constraints), repr(sorted(shape.hidden))]
    parts += [*map(str, shape.slots), *(f"{group.name} {group.writes}" for group in shape.groups)]
    parts += [repr([element.slots for element in shape.symmetry]), "joint" if shape.joint else ""]
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()


def save(path: Path, model: Model, search: Search, position: Position, monitors: list[Monitor]) -> None:
    """Writes the search beside the file, then puts it in its place: a kill leaves the old one or the new one."""
    header = {
        "version": VERSION,
        "identity": identity(model),
        "position": asdict(position),
        "tally": asdict(search.tally),
        "evaluations": search.evaluator.evaluations,
        "findings": [_finding(monitor.finding) for monitor in monitors],
        "levels": len(search.visited.levels),
    }
    arrays: dict[str, Array] = {"header": _bytes(json.dumps(header).encode())}
    for slot, interner in enumerate(search.evaluator.numbering.slots):
        arrays[f"values{slot}"] = _bytes(encode(tuple(interner.values)))
    layout = search.evaluator.layout
    arrays["layout"] = np.array([layout.word, layout.shift, layout.mask], np.uint32)
    for part, rows in enumerate(search.visited.contents()):
        arrays[f"rows{part}"] = rows
    for name, column, dtype in (("level_parts", 0, np.uint8), ("level_sizes", 1, np.uint32)):
        columns = [level[column] for level in search.visited.levels]
        arrays[name] = np.concatenate(columns) if columns else np.empty(0, dtype)
    arrays["level_lengths"] = np.array([len(parts) for parts, _ in search.visited.levels], np.int64)
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    with fresh.open("wb") as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def _finding(finding: Finding | None) -> dict[str, Any] | None:
    if finding is None:
        return None
    return {"state": encode(finding.state).hex(), "level": finding.level, "value": finding.value}


def _bytes(data: bytes) -> Array:
    return np.frombuffer(data, np.uint8)


def load(path: Path, model: Model, search: Search, monitors: list[Monitor]) -> Position:
    """Puts a fresh search where the saved one was; raises HomingError when it is of another model or damaged."""
    place = Place(str(path))
    try:
        with np.load(path, allow_pickle=False) as saved:
            return _load(dict(saved.items()), place, model, search, monitors)
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise HomingError(f"cannot be resumed from: {error}", place) from None


def _load(saved: dict[str, Array], place: Place, model: Model, search: Search, monitors: list[Monitor]) -> Position:
    header = json.loads(saved["header"].tobytes())
    if header["version"] != VERSION:
        raise HomingError(f"is a checkpoint of format {header['version']}, not {VERSION}", place)
    if header["identity"] != identity(model):
        raise HomingError(f"is a checkpoint of another model than '{model.name}', or of other properties", place)
    values = [decode(saved[f"values{slot}"].tobytes()) for slot in range(len(model.system.shape.slots))]
    search.restore(values, saved["layout"], [saved[f"rows{part}"] for part in range(PARTITIONS)], _levels(saved))
    search.tally = Tally(**header["tally"])
    search.evaluator.evaluations = header["evaluations"]
    for monitor, finding in zip(monitors, header["findings"], strict=True):
        if finding is not None:
            state = decode(bytes.fromhex(finding["state"]))
            monitor.finding = Finding(state, finding["level"], finding["value"])  # type: ignore[arg-type]
    return Position(**header["position"])


def _levels(saved: dict[str, Array]) -> list[tuple[Array, Array]]:
    ends = np.cumsum(saved["level_lengths"])[:-1]
    return list(zip(np.split(saved["level_parts"], ends), np.split(saved["level_sizes"], ends), strict=True))
