"""Who owns what, who works on it, and how what crosses gets there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from benchmarks import chain

from homing.engines.local.search import Search
from homing.engines.spark import ownership
from homing.engines.spark.cells import MOST_BITS, Cells
from homing.engines.spark.exchange import Outbox, joined, messages
from homing.engines.spark.folder import Folder
from homing.engines.spark.kernels import parts
from homing.engines.spark.machine import Machine
from homing.engines.spark.rounds import at_home, sorted_out

LINE = (3, 1, 0, 2, 7, 5, 4, 6)


def cells(*weights: float) -> Cells:
    return Cells(3, 0, (0,) * 8, LINE, weights)


def test_partitions_are_stretches_of_equal_weight() -> None:
    found = cells(*[1.0] * 8).divided(2)
    assert [found.parts[cell] for cell in LINE] == [0, 0, 0, 0, 1, 1, 1, 1]
    found = cells(1, 1, 1, 9, 1, 1, 1, 1).divided(2)
    assert [found.parts[cell] for cell in LINE] == [0, 1, 1, 1, 1, 1, 1, 1]


def test_a_cell_with_nearly_everything_is_made_smaller() -> None:
    found = cells(0, 0, 0, 100, 0, 0, 0, 1).divided(3)
    assert found.partitions == 3
    assert found.more > 0
    assert max(found.shares()) <= 0.5
    assert len(found.parts) == len(found.line) == len(found.weights) == 1 << (3 + found.more)


def test_one_that_is_too_large_is_split_and_others_stay() -> None:
    before = cells(*[1.0] * 8).divided(2)
    counts = [0, 0, 30, 20, 0, 0, 0, 0]  # on the line: 3 1 0 2
    after = before.split(0, counts)
    changed = {cell for cell in range(8) if before.parts[cell] != after.parts[cell]}
    assert changed == {2}
    assert after.parts[2] == 2
    finer = after.split(2, counts)
    assert finer.more == 1  # one cell was all it had
    assert sorted(Counter(finer.parts).items()) == [(0, 6), (1, 8), (2, 1), (3, 1)]
    # Two at once: the counts of the second are by cells as they were.
    assert finer.split(0, [7] * 8).partitions == 5


def test_there_is_an_end_to_splitting() -> None:
    found = Cells(MOST_BITS, 0, (0,), (0,), (1.0,))  # as if all were one
    assert found.split(0, [9]) is found


def test_what_walks_see_is_where_machines_find_it() -> None:
    system = chain.model(6, 3).system
    slots, found = ownership.chosen(Search(system), 8)
    machine = Machine(system, slots)
    states = [state for state in np.ndindex(*[4] * 6) if sum(state) % 3 == 0]
    owner = np.empty(len(states), np.int64)
    rows = machine.rows([tuple(map(int, state)) for state in states])
    parts(machine.form, machine.owners(found.bits, 0, 0), rows, owner)
    assert {int(cell) for cell in owner} <= {cell for cell, weight in enumerate(found.weights) if weight >= 1}
    assert sum(weight for weight in found.weights if weight >= 1) == len({tuple(s[n] for n in slots) for s in states})


def test_few_steps_cross() -> None:
    """On the chain, a cut through the line of cells is crossed by few steps, which hashing alone would not have."""
    system = chain.model(6, 3).system
    search = Search(system)
    slots, found = ownership.chosen(search, 8)
    before, after = ownership._walks(search, np.random.default_rng(1))
    halves = np.array(found.divided(2).parts)
    one, other = (halves[ownership._cells(search, numbers, slots)] for numbers in (before, after))
    assert 0 < (one != other).mean() < 0.15


@pytest.mark.parametrize(("counters", "most"), [(2, 1), (2, 2), (3, 2)])
def test_walks_through_few_states_are_short(counters: int, most: int) -> None:
    search = Search(chain.model(counters, most).system)
    with patch.object(ownership, "_walked", wraps=ownership._walked) as walked:
        ownership.chosen(search, 8)
    assert 0 < walked.call_count <= (most + 1) ** counters < ownership.LENGTH


def test_what_crosses_gets_there(tmp_path: Path) -> None:
    folder = Folder(str(tmp_path))
    one, other = Outbox(folder), Outbox(folder)
    for part, message in ((4, b"a"), (7, b"bb"), (4, b"ccc")):
        one.add(part, message)
    other.add(4, b"dddd")
    found = joined([*one.close(), *other.close(), *Outbox(folder).close()])
    assert list(messages(folder, found[4])) == [b"a", b"ccc", b"dddd"]
    assert list(messages(folder, found[7])) == [b"bb"]
    assert len(list((tmp_path / "inbox").iterdir())) == 2
    folder.remove([found[7]])
    folder.remove(found.values())
    assert not list((tmp_path / "inbox").iterdir())


@dataclass(frozen=True)
class Turn:
    part: int
    inbox: tuple[str, ...] = ()
    onward: bool = True


@pytest.mark.parametrize("onward", [True, False])
def test_what_is_for_one_whose_turn_comes_gets_there_at_once(tmp_path: Path, onward: bool) -> None:
    folder = Folder(str(tmp_path))

    def work(turn: Turn) -> Iterator[tuple[int, Any]]:
        got = [message for name in turn.inbox for message in messages(folder, name)]
        yield from ((part, b"%d to %d" % (turn.part, part)) for part in range(4) if part != turn.part)
        yield -1, (turn.part, got)

    found = list(sorted_out(work, [Turn(part, onward=onward) for part in (2, 0, 1)], folder))
    got = {2: [], 0: [b"2 to 0"], 1: [b"2 to 1", b"0 to 1"]} if onward else {2: [], 0: [], 1: []}
    assert dict(outcome for part, outcome in found if part < 0) == got
    left = {part: list(messages(folder, name)) for part, name in found if part >= 0}
    assert left.pop(2) == [b"0 to 2", b"1 to 2"]
    assert left.pop(3) == [b"2 to 3", b"0 to 3", b"1 to 3"]
    assert sum(map(len, left.values())) == (1 if onward else 4)
    assert len(list((tmp_path / "inbox").iterdir())) == 1


def test_partitions_stand_along_the_line() -> None:
    assert Cells(3, 0, (1, 1, 0, 2, 0, 3, 3, 0), LINE, (1.0,) * 8).order == [2, 1, 0, 3]


@dataclass
class Piece:
    part: int
    weight: int


def test_partitions_stay_with_their_lane() -> None:
    homes: dict[int, int] = {}
    first = at_home([Piece(0, 10), Piece(1, 9), Piece(2, 1)], 2, homes)
    assert {lane: [piece.part for piece in task] for lane, task in first.items()} == {0: [0], 1: [1, 2]}
    again = at_home([Piece(2, 3), Piece(1, 10), Piece(0, 9)], 2, homes)
    assert {lane: [piece.part for piece in task] for lane, task in again.items()} == {1: [2, 1], 0: [0]}  # as given
    uneven = at_home([Piece(1, 10), Piece(2, 8)], 2, homes)
    assert {lane: [piece.part for piece in task] for lane, task in uneven.items()} == {1: [1], 0: [2]}
    assert homes == {0: 0, 1: 1, 2: 0}
