"""Loops in the pieces of random graphs: found wherever there is one, and the nearest if few states have to be tried."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from tests.engines.spark.timed.agreeing import spread as options
from tests.scale import scaled

from homing.core.result import Limits
from homing.engines.local.watch import Watch
from homing.engines.spark.folder import Folder
from homing.engines.spark.rounds import Here
from homing.engines.spark.timed import loops
from homing.engines.spark.timed.exploring import Filed, Part, Spread
from homing.engines.spark.timed.identity import called
from homing.engines.spark.timed.site import Site


@dataclass
class Graph:
    """Moves, and which of them tick; states are numbered by level."""

    states: int
    moves: list[tuple[int, int, bool]]

    def reached(self, begin: int, ticking: bool) -> set[int]:
        """By steps, of which the first ticks if that is wanted."""
        todo = [target for source, target, tick in self.moves if source == begin and (tick or not ticking)]
        found = set(todo)
        while todo:
            at = todo.pop()
            new = {target for source, target, _ in self.moves if source == at} - found
            found |= new
            todo += new
        return found


def drawn(seed: int) -> Graph:
    """Mostly forward, so that many states are left over when there is a loop, and most ticks are not on it."""
    dice = random.Random(seed)
    states = dice.randint(1, 14)
    moves = []
    for _ in range(dice.randint(0, 2 * states)):
        one, other = dice.randrange(states), dice.randrange(states)
        if one > other and dice.random() < 0.6:
            one, other = other, one
        moves.append((one, other, dice.random() < 0.4))
    return Graph(states, moves)


def in_pieces(graph: Graph, folder: Folder, owner: list[int]) -> Spread:
    """The graph as a search leaves it; states of a piece are a level each."""
    bits = max(owner).bit_length()
    found = Spread(bits)
    names = np.zeros(graph.states, np.uint64)
    for part in sorted(set(owner)):
        mine = [state for state in range(graph.states) if owner[state] == part]
        names[mine] = called(bits, part, 0, len(mine))
        columns = {"state": names[mine], "level": np.array(mine, np.uint32), "stem": np.zeros(len(mine), np.uint32)}
        found.file(bits, part, Filed(folder.write("states", pa.table(columns)), 0, len(mine)))
        found.parts[part] = Part()
    for part in sorted({owner[target] for _, target, _ in graph.moves}):
        into = [move for move in graph.moves if owner[move[1]] == part]
        ends = {"source": names[[move[0] for move in into]], "target": names[[move[1] for move in into]]}
        ticks = np.array([tick for _, _, tick in into], np.uint8)
        found.parts[part].moves = (folder.write("moves", pa.table(ends | {"tick": ticks})),)
    found.totals.edges = len(graph.moves)
    return found


@pytest.mark.parametrize("most", [0, 16])
def test_loops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(loops, "MOST_TRIES", most)
    for seed in {*range(scaled(20)), 11}:  # in the last one, the farthest state that is left does not tick
        graph, dice = drawn(seed), random.Random(seed)
        bits = dice.randint(0, 2)
        owner = [dice.randrange(1 << bits) for _ in range(graph.states)]
        _check(graph, owner, tmp_path / str(seed), ticking=seed % 3 > 0, nearest=most > 0)


def test_nothing_before_the_nearest_loop_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loops, "MOST_TRIES", 1)
    moves = [(0, 1, False), (1, 2, False), (1, 1, False), (2, 2, False)]
    _check(Graph(3, moves), [0, 0, 1], tmp_path, ticking=False, nearest=True)


def _check(graph: Graph, owner: list[int], folder: Path, *, ticking: bool, nearest: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    files, watch = Folder(str(folder)), Watch("", Limits(), lambda shown: None, lambda: False)
    spread = in_pieces(graph, files, owner)
    site = Site(str(folder), lambda: None, (), files, Here(files), 1, options(folder, 0), watch, lambda: None)  # type: ignore[arg-type, return-value]
    found = loops.loop(site, spread, ticking)
    expected = [state for state in range(graph.states) if state in graph.reached(state, ticking)]
    assert (found is None) == (not expected)
    if found is None:
        return
    levels = [_level(files, spread, state) for state in found]
    assert levels[0] == levels[-1]
    steps = {(source, target) for source, target, _ in graph.moves}
    assert all(step in steps for step in pairwise(levels))
    assert not ticking or (levels[0], levels[1], True) in graph.moves
    assert not nearest or levels[0] == expected[0]


def _level(folder: Folder, spread: Spread, state: int) -> int:
    """The number of a state in the graph."""
    for file in (file for filed in spread.filed.values() for file in filed):
        found = folder.read(file.name)
        for name, level in zip(found.column("state").to_pylist(), found.column("level").to_pylist(), strict=True):
            if name == state:
                return int(level)
    raise AssertionError(state)
