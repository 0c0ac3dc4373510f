"""What is kept of a graph: by partition the files of its piece, and how its states are numbered."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from homing.engines.spark.exploring import Run
from homing.engines.spark.folder import Folder
from homing.engines.spark.kernels import Array

MANIFEST = "graph.json"
GRAPH = "graph"


@dataclass(frozen=True)
class Filed:
    """The files of one partition's piece. Its states are in order of depth; ghosts, the states of others that its
    edges lead to, in order of their owner."""

    part: int
    counts: tuple[int, ...]
    """States by depth."""
    edges: int
    ghosts: int
    states: str
    """Rows and depths."""
    lines: str
    """Edges, state by state: target (a ghost where it is no state), group, event."""
    degrees: str
    """By state, how many edges it has."""
    foreign: str
    """Rows and owners of the ghosts; `rank` turns the numbers in `lines` to positions here."""
    events: str
    mirrors: str | None = None
    """What is a ghost elsewhere: by partition and position there, the state here."""
    dropped: str | None = None
    """Ghosts outside the constraints, as their owners tell."""

    @property
    def size(self) -> int:
        return sum(self.counts)


@dataclass(frozen=True)
class Catalog:
    """All pieces. A state's number counts by depth, then by partition, then by position."""

    pieces: dict[int, Filed]
    partitions: int

    @property
    def states(self) -> int:
        return sum(piece.size for piece in self.pieces.values())

    @property
    def edges(self) -> int:
        """With constraints, some of them may lead outside."""
        return sum(piece.edges for piece in self.pieces.values())

    @property
    def level(self) -> Array:
        """By depth its first number; the last entry is the number of states."""
        deepest = max((len(piece.counts) for piece in self.pieces.values()), default=0)
        total = np.zeros(deepest, np.int64)
        for piece in self.pieces.values():
            total[: len(piece.counts)] += np.array(piece.counts, np.int64)
        return np.concatenate([[0], np.cumsum(total)])

    def bases(self) -> dict[int, Array]:
        """By partition and depth, the number of its first state there."""
        first, found = self.level[:-1].copy(), {}
        for part in sorted(self.pieces):
            counts = np.array(self.pieces[part].counts, np.int64)
            found[part] = first[: len(counts)].copy()
            first[: len(counts)] += counts
        return found

    def save(self, folder: Folder, run: Run) -> None:
        """From now on a driver that is started anew finds the graph."""
        pieces = [asdict(piece) for piece in self.pieces.values()]
        folder.save(MANIFEST, {"run": _of(run), "partitions": self.partitions, "pieces": pieces})


def kept(folder: Folder, run: Run) -> Catalog | None:
    """The graph of this run, if it was finished before."""
    if not folder.has(MANIFEST):
        return None
    document = folder.document(MANIFEST)
    if document["run"] != _of(run):
        return None
    pieces = [Filed(**(piece | {"counts": tuple(piece["counts"])})) for piece in document["pieces"]]
    return Catalog({piece.part: piece for piece in pieces}, document["partitions"])


def _of(run: Run) -> list[Any]:
    """What tells one exploration from another: its files have names that are never used again."""
    files = [[number, sorted(part.files)] for number, part in sorted(run.parts.items())]
    return [list(run.cells.parts), files]


def numbers(counts: Array, bases: Array) -> Array:
    """By position in a piece, the number of the state."""
    before = np.cumsum(counts) - counts
    found: Array = np.repeat(np.asarray(bases) - before, counts) + np.arange(int(np.sum(counts)))
    return found
