"""Pieces are as large as memory allows, and only as many are kept as it allows."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import Mock, patch
from weakref import WeakSet

import numpy as np
import pytest
from tests import reference
from tests.engines.spark.graph.agreeing import Blind
from tests.engines.spark.graph.pieces import decider
from tests.engines.spark.graph.refining import Starting
from tests.engines.test_graph import agrees
from tests.systems import RandomSystem

from homing.core.errors import HomingError
from homing.core.formula import Holds, always, eventually, on_all_paths
from homing.core.interpreter import replay
from homing.core.property import OnGraph
from homing.core.stop import Stopped
from homing.core.temporal import DivergenceFree, Justice, Refines, Temporal
from homing.core.verdict import Verdict
from homing.core.wrappers import Constrained
from homing.engines.local.graph import explore
from homing.engines.spark.cells import Cells
from homing.engines.spark.graph import components, cycles, desks, lassos, shelf, supersteps
from homing.engines.spark.graph.piece import Piece
from homing.engines.spark.graph.weighing import held
from homing.engines.spark.rounds import Here
from homing.properties.checker import Checker

SYSTEM = RandomSystem(28, 3, 4, 3, 6, 2)
FORMULAS = (
    Temporal("again", always(eventually(Holds(0))), (Justice(Holds(1)),)),
    Temporal("later", on_all_paths(eventually(Holds(0)))),
)


@contextmanager
def counting() -> Iterator[list[int]]:
    """After each piece that is loaded, how many there are: none may wait for the collector of garbage."""
    alive: WeakSet[Piece] = WeakSet()
    found: list[int] = []

    class Counted(Piece):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            alive.add(self)
            found.append(len(alive))

    gc.disable()
    try:
        with patch.object(shelf, "Piece", Counted), patch.object(supersteps, "Piece", Counted):
            yield found
    finally:
        gc.enable()


@pytest.mark.parametrize("prop", FORMULAS, ids=lambda prop: prop.name)
def test_pieces_are_dropped_where_memory_holds_but_one(prop: Temporal) -> None:
    with decider(SYSTEM, 1, (0, 1), most=0, cache=0) as mine:
        mine.tracing = False
        mine.check(prop.resolved(SYSTEM.shape))  # what is compiled first holds on to pieces meanwhile
    with decider(SYSTEM, 1, (0, 1), most=0, cache=0) as mine, counting() as alive:
        mine.tracing = False
        found = mine.check(prop.resolved(SYSTEM.shape))
        pieces = len(mine.catalog.pieces)
        assert pieces > 2
    assert found.verdict is Checker(SYSTEM, explore(SYSTEM)).check(prop.resolved(SYSTEM.shape)).verdict
    assert len(alive) > pieces
    assert max(alive) == 1


def test_pieces_are_dropped_while_processes_are_compared() -> None:
    ring = Starting(tuple((n, "a", (n + 1) % 15) for n in range(15)))
    properties: tuple[OnGraph, ...] = (Refines("r", ring, "FD"), DivergenceFree("d"))
    for prop in properties:
        with decider(ring, 1, (0,), most=0, cache=0) as mine:
            mine.check(prop, explore(ring))  # what is compiled first holds on to pieces meanwhile
        with decider(ring, 1, (0,), most=0, cache=0) as mine, counting() as alive:
            assert mine.check(prop, explore(ring)).verdict is Verdict.HOLDS
        assert max(alive) == 1


def test_a_component_that_one_memory_does_not_hold_stays_in_pieces() -> None:
    never = Temporal("never", always(Holds(0)) & always(~Holds(0)))  # any loop shows that it fails
    for memory, together in ((1 << 30, 1), (0, 0)):
        called = Mock(wraps=components.component_of)
        with decider(SYSTEM, 1, (0, 1), most=0) as mine, patch.object(cycles, "Within", Blind):
            mine.job = replace(mine.job, memory=memory)
            with patch.object(lassos, "component_of", called):
                found = mine.check(never.resolved(SYSTEM.shape))
        assert called.call_count == together
        assert found.trace is not None
        replay(SYSTEM, found.trace)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (OSError("No space left on device"), "the run folder cannot be written: No space left on device"),
        (Stopped("a worker was killed"), "a worker was killed"),
    ],
)
def test_what_ends_a_superstep_is_told(error: Exception, reason: str) -> None:
    with decider(SYSTEM, 1, (0, 1), most=0) as mine:
        assert mine.catalog.pieces

        def ended(*arguments: object) -> None:
            raise error

        with patch.object(Here, "run", ended), pytest.raises(HomingError, match=reason):
            mine.check(FORMULAS[0].resolved(SYSTEM.shape))


def test_what_is_kept_fits() -> None:
    """Though pieces grow as programs work on them."""
    cache = 10_000
    with decider(SYSTEM, 3, (0, 1), most=0, cache=cache) as mine:
        mine.tracing = False
        mine.check(FORMULAS[0].resolved(SYSTEM.shape))
        kept = desks._shelf._pieces
        assert 1 <= len(kept) < len(mine.catalog.pieces)
        assert sum(map(held, kept.values())) <= cache


@pytest.mark.parametrize("constrained", [False, True])
def test_partitions_are_divided_where_their_pieces_would_not_fit(constrained: bool) -> None:
    system = Constrained(SYSTEM, ["l0"]) if constrained else SYSTEM
    expected = reference.explore(system, most=1000)
    assert expected is not None
    with decider(system, 1, (0, 1), most=1 << 30, cache=0) as mine:
        agrees(mine.graph(), system, expected)
        assert len(mine.catalog.pieces) > 2 * mine.run.partitions


def test_cells_are_divided_only_where_they_must_be() -> None:
    cells = Cells(2, 0, (0, 0, 1, 2), (0, 1, 2, 3), (1.0,) * 4)
    found = cells.fitting([4, 3, 2, 9], 5)
    sizes = np.bincount(found.parts, found.weights)
    assert sizes.max() <= 5
    assert found.more == 1  # the last cell is halved, and so all are
    assert {part for cell, part in enumerate(found.parts) if cell >> 1 == 2} == {1}
    assert cells.fitting([4, 3, 2, 9], 9).parts == cells.parts


def test_a_view_weighs_what_it_keeps() -> None:
    whole = np.zeros(100, np.uint64)
    assert held([whole[:1], {"other": whole[5:]}, np.zeros(3, np.uint8)]) == whole.nbytes + 3
