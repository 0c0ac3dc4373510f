"""Refinement, determinism and divergence on graphs in pieces, against the local engine's graph in one memory."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from tests.engines.spark.graph.pieces import decider
from tests.engines.spark.graph.refining import Starting, compare, draw_question, visible
from tests.scale import scaled

import homing
from homing.core.errors import HomingError
from homing.core.property import OnGraph
from homing.core.result import Distribution, Options
from homing.core.temporal import Deterministic, DivergenceFree, Refines
from homing.core.verdict import Verdict
from homing.engines.local.graph import explore
from homing.engines.spark.cells import Cells
from homing.engines.spark.graph import determining
from homing.engines.spark.kernels import parts
from homing.engines.spark.machine import Machine

CACHES = (1 << 30, 0, 200)
"""Bytes for pieces: they work all together, each by itself, some together."""


@pytest.mark.parametrize("part", range(4))
def test_random_processes(part: int) -> None:
    for seed in range(part, 4 * scaled(4), 4):
        system, prop = draw_question(random.Random(seed))
        compare(system, prop, (2, 4, 1, 3)[part], CACHES[seed % 3], step=(16, 1, 2)[seed % 3])


LONG = Starting((*((n, "a", n + 1) for n in range(20)), (20, "b", 0)))
"""Longer than the first search goes."""


@pytest.mark.parametrize("sense", ["T", "F", "FD"])
def test_a_breach_is_found_however_deep_it_is(sense: str) -> None:
    shortcut = Starting((*((n, "a", n + 1) for n in range(20)), (19, "b", 0), (20, "b", 0)))
    found = compare(shortcut, Refines("r", LONG, sense), 3, 1000, step=8)  # type: ignore[arg-type]
    assert found.trace is not None
    assert len(found.trace) == 20
    assert found.trace.notes[0].endswith("it does b; the specification allows {a}")
    holding = compare(LONG, Refines("r", LONG, sense), 3, 1 << 30, step=8)  # type: ignore[arg-type]
    assert holding.verdict is Verdict.HOLDS


def owners(states: int) -> list[int]:
    """Which of two partitions states belong to."""
    machine = Machine(Starting(tuple((n, "a", n + 1) for n in range(states - 1))), (0,))
    rows, found = machine.rows([(n,) for n in range(states)]), np.empty(states, np.int64)
    parts(machine.form, machine.sharing(Cells(1, 0, (0, 1), (0, 1), (1.0, 1.0)), 0), rows, found)
    return found.tolist()


def test_a_way_through_another_partition_that_is_shorter() -> None:
    """Ten steps at home are found first, then two by way of the other partition."""
    own = owners(40)
    home = [n for n in range(40) if own[n] == own[0]][:11]
    other = own.index(1 - own[0])
    steps = (*((one, "a", two) for one, two in pairwise(home)), (0, "a", other), (other, "a", home[-1]))
    system = Starting((*steps, (home[-1], "b", 0)))
    found = compare(system, Refines("r", Starting(((0, "a", 0),)), "T"), 1, 1 << 30)
    assert found.trace is not None
    assert len(found.trace) == 3


def test_what_is_refused() -> None:
    found = compare(Starting(((0, "a", 1), (0, "a", 2), (1, "b", 0))), Refines("r", VENDING, "F"), 2, 0)
    assert found.trace is not None
    assert found.trace.notes == ("after ⟨a⟩ it refuses {a, b}; the specification offers {b}",)


VENDING = Starting(((0, "a", 1), (1, "b", 0)))


def test_what_diverges_through_several_partitions() -> None:
    ring = tuple((n, "tau", 2 + (n - 1) % 6) for n in range(2, 8))
    system = Starting(((0, "a", 1), (1, "b", 0), (1, "tau", 2), *ring))
    properties: tuple[OnGraph, ...] = (Refines("r", VENDING, "FD"), DivergenceFree("d"), Deterministic("d"))
    for bits, prop in enumerate(properties, 2):
        found = compare(system, prop, bits, 1000)
        assert found.trace is not None
        assert (found.trace.loop, len(found.trace)) == (2, 8)


@pytest.mark.parametrize("bits", [1, 2])
def test_of_two_divergences_the_nearer_one_is_shown(bits: int) -> None:
    """That which goes through several partitions, though the one that stays in one is found before it."""
    ring = tuple((n, "tau", 2 + (n - 1) % 6) for n in range(2, 8))
    visible = ((0, "a", 1), (0, "b", 8), *((n, "b", n + 1) for n in range(8, 15)))
    system = Starting((*visible, (1, "tau", 2), *ring, (15, "tau", 15)))
    for prop in (DivergenceFree("d"), Refines("r", Starting(visible), "FD")):
        found = compare(system, prop, bits, 1 << 30)
        assert found.trace is not None
        assert (found.trace.loop, len(found.trace)) == (2, 8)


def test_a_specification_that_diverges_allows_anything() -> None:
    anything = Starting(((0, "a", 1), (1, "tau", 1)))
    assert compare(LONG, Refines("r", anything, "FD"), 3, 1000).verdict is Verdict.HOLDS
    assert compare(LONG, Refines("r", anything, "F"), 3, 1000).verdict is Verdict.VIOLATED


def test_one_trace_with_two_answers() -> None:
    """After a, both 1 and 4 go on with b; then only one of them with a."""
    edges = ((0, "a", 1), (0, "a", 4), (1, "b", 2), (4, "b", 5), (2, "tau", 3), (3, "a", 0), (5, "b", 0))
    for bits in (1, 3):
        found = compare(Starting(edges), Deterministic("d"), bits, 0)
        assert found.trace is not None
        assert visible(found.trace)[:2] == ["a", "b"]
        assert found.trace.notes[0].endswith("is both accepted and refused after the same trace")


def test_a_deterministic_part_that_is_too_large_says_so() -> None:
    system = Starting((*LONG.edges, (0, "a", 41), *((n, "a", n + 1) for n in range(41, 45))))
    too_large = pytest.raises(HomingError, match=r"its deterministic part has \d+ states and 2 events, and 10")
    with patch.object(determining, "MOST_CELLS", 10), decider(system, 2, (0,), most=0) as mine, too_large:
        mine.check(Deterministic("d"))


def test_less_memory_holds_a_smaller_deterministic_part() -> None:
    system = Starting((*LONG.edges, (0, "a", 41), *((n, "a", n + 1) for n in range(41, 45))))
    with decider(system, 2, (0,), most=0) as mine:
        mine.job = replace(mine.job, memory=20 * determining.CELL_BYTES)
        with pytest.raises(HomingError, match="and 20 for both multiplied are the most"):
            mine.check(Deterministic("d"))


REFINING = """
P() = a -> (b -> P() [] c -> P());
Q() = a -> b -> Q();
#assert Q() refines P();
#assert P() refines<F> Q();
#assert Q() refines<FD> P();
#assert P() deterministic;
#assert P() divergencefree;
"""


def test_the_specification_of_a_model_in_pieces(tmp_path: Path) -> None:
    """What is kept of the system is still there when its specification was explored."""
    file = tmp_path / "refining.csp"
    file.write_text(REFINING)
    spread = Distribution(partitions=4, folder=str(tmp_path / "run"), most_edges=0)
    found = homing.load(file).check(engine="spark", options=Options(distribution=spread))
    expected = homing.load(file).check()
    assert [one.verdict for one in found.results] == [one.verdict for one in expected.results]
    assert {one.verdict for one in found.results} == {Verdict.HOLDS, Verdict.VIOLATED}
    assert not (tmp_path / "run").exists()


def test_a_specification_that_is_too_large_says_so(tmp_path: Path) -> None:
    file = tmp_path / "refining.csp"
    file.write_text(REFINING)
    spread = Distribution(partitions=2, folder=str(tmp_path / "run"), most_edges=0)
    with patch.object(Distribution, "most_edges", 0):
        (found, *_) = homing.load(file).check(engine="spark", options=Options(distribution=spread)).results
    assert found.verdict is Verdict.UNKNOWN
    assert found.reason == "its specification: its 3 steps are too many for one memory, which it must be in"


def test_a_reason_to_stop_ends_a_refinement() -> None:
    with decider(LONG, 2, (0,), most=0) as mine:
        assert mine.edges
        mine.stopped = lambda: "interrupted"
        with pytest.raises(HomingError, match="interrupted"):
            mine.check(Refines("r", LONG), explore(LONG))
