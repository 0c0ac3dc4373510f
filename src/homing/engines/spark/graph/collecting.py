"""A graph that is small enough, from all pieces into one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from homing.core.graph import Graph, stable_order
from homing.core.system import Event
from homing.core.values import State
from homing.engines.spark.graph.catalog import Catalog
from homing.engines.spark.graph.piece import Piece
from homing.engines.spark.kernels import Array

Loading = Callable[[int], Piece]


def collect(catalog: Catalog, load: Loading) -> Graph:
    """The graph as the local engine would build it, but for the order of states with the same depth."""
    pieces = {part: load(part) for part in sorted(catalog.pieces)}
    events: dict[object, tuple[int, Event]] = {}
    columns = [_edges(piece, pieces, events) for piece in pieces.values()]
    source, target, group, event = (np.concatenate(column) for column in zip(*columns))
    order = stable_order(source)
    start = np.concatenate([[0], np.cumsum(np.bincount(source, minlength=catalog.states))])
    where = _Where(catalog, pieces)
    kinds = tuple(event for _, event in events.values())
    return Graph(start, target[order], group[order], event[order], kinds, catalog.level, where.state, where.label)


def _edges(piece: Piece, pieces: dict[int, Piece], events: dict[object, tuple[int, Event]]) -> tuple[Array, ...]:
    graph = piece.graph
    number = np.concatenate([piece.number, _of_ghosts(piece, pieces)]).astype(np.uint32)
    known = np.array(
        [events.setdefault(event.key, (len(events), event))[0] for event in piece.events] or [0], np.uint32
    )
    return number[graph.source], number[graph.target], graph.group, known[graph.event]


def _of_ghosts(piece: Piece, pieces: dict[int, Piece]) -> Array:
    """The numbers of ghosts, as their owners know them; 0 where there is none."""
    found = np.zeros(piece.ghosts, np.int64)
    for part in np.unique(piece.owner).tolist():
        owner = pieces[part]
        local = owner.mirrored(piece.part)
        found[piece.owner == part] = np.append(owner.number, 0)[np.minimum(local, owner.own)]
    return found


class _Where:
    """Which piece has a state."""

    def __init__(self, catalog: Catalog, pieces: dict[int, Piece]) -> None:
        self.pieces = pieces
        self.number = {part: piece.number for part, piece in pieces.items()}
        self.part = np.zeros(catalog.states, np.int32)
        for part, number in self.number.items():
            self.part[number] = part

    def state(self, number: int) -> State:
        part = int(self.part[number])
        return self.pieces[part].state(int(np.searchsorted(self.number[part], number)))

    def label(self, label: int) -> Array:
        values = np.zeros(len(self.part), np.int32)
        for part, piece in self.pieces.items():
            values[self.number[part]] = piece.graph.label(label)[: piece.own]
        return values
