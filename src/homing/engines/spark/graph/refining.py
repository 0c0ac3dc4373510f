"""Looks for a pair of a state and a state of a normal specification that breaks a refinement, in pieces.

A pair belongs to the owner of its state. The specification is normalised by whoever asks, as the search gets there, and
lies in a file that all read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from homing.core.interpreter import ReplayFailed
from homing.engines.spark.folder import Folder
from homing.engines.spark.graph import kernels
from homing.engines.spark.graph.desks import VALUES, Desk, Sent
from homing.engines.spark.graph.kernels import Array, Behaviour, Pairs, Specification
from homing.engines.spark.graph.kernels.refining import NORMAL, SHIFT
from homing.engines.spark.graph.piece import Piece
from homing.engines.spark.graph.supersteps import Supersteps, fresh
from homing.engines.spark.graph.walking import Hop, Node, Walker
from homing.engines.spark.kernels import NEVER
from homing.properties.processes import Name, Normal, Process

FIRST_LIMIT, FURTHER = 16, 4
"""How deep the first search goes, and how much deeper the next: what is broken near the start is not buried."""
COLUMNS = ("pair", "depth", "parent", "edge", "done")
TYPES = (np.int64, np.uint32, np.int64, np.uint32, np.uint8)


class Broken(NamedTuple):
    """A pair that breaks a refinement, at its depth, what is wrong with it, and by which edge."""

    depth: int
    part: int
    pair: int
    what: int
    edge: int


class Told(NamedTuple):
    """What a partition reports: what breaks the refinement, which normal states it has to know, each with the depth of
    the nearest pair that waits for it, and whether pairs wait for a deeper limit."""

    broken: Broken | None
    needed: dict[int, int]
    waiting: bool


@dataclass(frozen=True)
class Refining:
    """Expands the pairs of a partition that are nearer than the limit."""

    alphabet: tuple[Name, ...]
    hidden: frozenset[str]
    normal: str
    into: str
    failures: bool
    divergences: bool
    divergent: str | None
    """A register with the states that diverge, where there are any and that matters."""
    limit: int
    beginning: bool = True

    def step(self, desk: Desk) -> Sent:
        piece, specification = desk.piece, _specification(desk, self.normal)
        pairs, broken = self._pairs(desk)
        for message in desk.inbox:
            told, depths = piece.pairs(message, 1 << SHIFT)
            pairs = kernels.heard(pairs, told, depths[:, 0].astype(np.uint32), -2 - message.sender)
        end = min(self.limit, NEVER if broken is None else broken.depth)
        behaviour = self._behaviour(desk)
        seeds = _waiting(piece, pairs, end)
        seeds = seeds[np.argsort(pairs.depth[seeds], kind="stable")]
        at, what, edge, pairs, ghosts = kernels.refine(
            behaviour, specification, pairs, seeds, end, self.failures, self.divergences
        )
        if at >= 0:
            broken = Broken(int(pairs.depth[at]), piece.part, int(pairs.pair[at]), int(what), int(edge))
        self._save(desk, pairs, broken)
        desk.report = self._told(piece, pairs, broken, specification)
        yield from piece.up(pairs.pair[ghosts], pairs.depth[ghosts].astype(np.uint64), 1 << SHIFT)

    # What is kept

    def _pairs(self, desk: Desk) -> tuple[Pairs, Broken | None]:
        if self.beginning and desk.first:
            initial = desk.piece.initial.astype(np.int64) << SHIFT
            none = [np.zeros(len(initial), kind) for kind in TYPES[1:]]
            none[1][:] = -1
            return _tabled([initial, *none]), None
        columns = [desk.take(f"{self.into}-{name}") for name in COLUMNS]
        kept, pairs = desk.piece.kept.get("pairs", (None, None))
        if kept is not columns[0]:
            pairs = _tabled(columns)
        assert pairs is not None
        broken = desk.load(f"{self.into}-broken")
        return pairs, Broken(*broken.tolist()) if len(broken) else None

    def _save(self, desk: Desk, pairs: Pairs, broken: Broken | None) -> None:
        for name, column in zip(COLUMNS, pairs[1:-1]):
            desk.save(f"{self.into}-{name}", column[: pairs.filled])
        desk.save(f"{self.into}-broken", np.array([] if broken is None else broken, np.int64))
        # With its table, as long as nobody else works on the piece in between.
        desk.piece.kept["pairs"] = desk.load(f"{self.into}-{COLUMNS[0]}"), pairs

    def _behaviour(self, desk: Desk) -> Behaviour:
        kept = desk.piece.kept
        key = self.alphabet, self.hidden
        if kept.get("behaviour", (None, None))[0] != key:
            kept["behaviour"] = key, behaviour_of(desk.piece, self.alphabet, self.hidden)
        found: Behaviour = kept["behaviour"][1]
        return found if self.divergent is None else found._replace(divergent=desk.load(self.divergent))

    def _told(self, piece: Piece, pairs: Pairs, broken: Broken | None, specification: Specification) -> Told:
        waiting = _waiting(piece, pairs, NEVER if broken is None else broken.depth)
        normal = pairs.pair[waiting] & NORMAL
        known = specification.known[normal]
        needed: dict[int, int] = {}
        for number, depth in zip(normal[~known].tolist(), pairs.depth[waiting[~known]].tolist()):
            needed[number] = min(depth, needed.get(number, depth))
        return Told(broken, needed, bool(known.any()))


def _tabled(columns: list[Array]) -> Pairs:
    """The pairs of these columns, with a table to find them by."""
    pair, depth, parent, edge, done = columns
    none = np.empty(0, np.uint32)
    found: Pairs = kernels.roomy(Pairs(none, pair, depth, parent, edge, done, np.int64(len(pair))))
    return found


def _waiting(piece: Piece, pairs: Pairs, end: int) -> Array:
    """The positions of own pairs that are to be expanded, and nearer than some depth."""
    size = pairs.filled
    found: Array = np.flatnonzero(
        (pairs.done[:size] == 0) & (pairs.depth[:size] < end) & (pairs.pair[:size] < piece.own << SHIFT)
    )
    return found


def behaviour_of(piece: Piece, alphabet: Collection[Name], hidden: frozenset[str]) -> Behaviour:
    """A piece as a process whose events are those of an alphabet."""
    graph, process = piece.graph, Process(piece.graph, hidden)
    visible = process.visible(alphabet)
    words = max(1, -(-len(alphabet) // 64))
    return Behaviour(
        piece.own,
        np.asarray(graph.start, np.int64),
        np.asarray(graph.target, np.uint32),
        visible[graph.event].astype(np.int32),
        process.offers(visible, words),
        words,
        np.zeros(0, np.uint64),
    )


_known: dict[str, Specification] = {}


def filed(folder: Folder, normal: Normal, events: int) -> str:
    """Writes a normal specification where all can read it: each array as bytes, with its type and shape."""
    arrays = [normal.known, normal.next.astype(np.int32), normal.accept_start, normal.accept, normal.divergent]
    columns = {
        "type": pa.array([array.dtype.str for array in arrays]),
        "shape": pa.array([list(array.shape) for array in arrays], pa.list_(pa.int64())),
        "data": pa.array([array.tobytes() for array in arrays], pa.large_binary()),
    }
    return folder.write(VALUES, pa.table(columns).replace_schema_metadata({"events": str(events)}))


def _specification(desk: Desk, name: str) -> Specification:
    if name not in _known:
        _known.clear()
        table = desk.job.folder.read(name)
        arrays = [np.frombuffer(bytearray(row["data"]), row["type"]).reshape(row["shape"]) for row in table.to_pylist()]
        known, following, start, accept, divergent = arrays
        events = int(table.schema.metadata[b"events"])
        _known[name] = Specification(known, following, start, accept, divergent, events)
    return _known[name]


class Search:
    """Goes on from limit to limit until a pair breaks the refinement, or none is left."""

    def __init__(self, supersteps: Supersteps, alphabet: tuple[Name, ...], hidden: frozenset[str]) -> None:
        self.supersteps = supersteps
        self.alphabet = alphabet
        self.hidden = hidden
        self.into = fresh("pairs")

    def find(
        self,
        normal: Normal,
        grow: Callable[[list[int]], Normal],
        failures: bool,
        divergences: bool = False,
        divergent: str | None = None,
    ) -> tuple[Broken | None, Normal]:
        """The nearest pair that breaks the refinement, and the specification as far as it had to be known."""
        folder = self.supersteps.job.folder
        file = filed(folder, normal, len(self.alphabet))
        program = Refining(self.alphabet, self.hidden, file, self.into, failures, divergences, divergent, FIRST_LIMIT)
        while True:
            reports: list[Told] = list(self.supersteps.fix(program).values())
            program = replace(program, beginning=False)
            broken = min((told.broken for told in reports if told.broken is not None), default=None)
            end = NEVER if broken is None else broken.depth
            needed = {number for told in reports for number, depth in told.needed.items() if depth < end}
            if needed:
                normal = grow(sorted(needed))
                folder.remove([program.normal])
                program = replace(program, normal=filed(folder, normal, len(self.alphabet)))
            elif broken is not None or not any(told.waiting for told in reports):
                folder.remove([program.normal])
                return broken, normal
            else:
                program = replace(program, limit=program.limit * FURTHER)

    def way(self, broken: Broken, walker: Walker) -> tuple[list[Hop], Node]:
        """The hops that lead to a pair, and the state that it is in."""
        part, at = broken.part, self._position(broken.part, broken.pair)
        end = Node(part, broken.pair >> SHIFT)
        hops: list[Hop] = []
        while True:
            parent = int(self._column("parent", part)[at])
            if parent == -1:
                return hops[::-1], end
            if parent < -1:
                part, at = self._elsewhere(walker, part, at, -2 - parent)
                continue
            edge = int(self._column("edge", part)[at])
            hops.append(Hop(part, int(self._column("pair", part)[parent]) >> SHIFT, edge, 0))
            at = parent

    def _elsewhere(self, walker: Walker, part: int, at: int, other: int) -> tuple[int, int]:
        """Where another partition, which told of a pair, has it."""
        pair = int(self._column("pair", part)[at])
        ghost = walker.ghost(Node(part, pair >> SHIFT), other)
        if ghost is None:
            raise ReplayFailed("a pair came from where nobody knows it")
        return other, self._position(other, (ghost << SHIFT) + (pair & NORMAL))

    def _position(self, part: int, pair: int) -> int:
        return int(np.flatnonzero(self._column("pair", part) == pair)[0])

    def _column(self, name: str, part: int) -> Array:
        return self.supersteps.array(f"{self.into}-{name}", part)
