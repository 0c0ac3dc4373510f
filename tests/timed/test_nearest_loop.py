"""The loop that is nearest to the start, compared with a search written for NetworkX."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from homing.engines.zones.staying import nearest_loop

Move = tuple[int, int, bool]


def expected(moves: list[Move]) -> tuple[int, int] | None:
    """The first state of the loop and how many moves it has, or None."""
    graph = nx.MultiDiGraph([(source, target) for source, target, _ in moves])
    loops: dict[int, tuple[int, int]] = {}
    for number, (source, target, wanted) in enumerate(moves):
        if wanted and nx.has_path(graph, target, source):
            loops.setdefault(source, (number, 1 + nx.shortest_path_length(graph, target, source)))
    return (min(loops), loops[min(loops)][1]) if loops else None


@pytest.mark.parametrize("seed", range(150))
def test_a_nearest_loop_is_what_a_plain_search_finds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    nodes, count = int(rng.integers(1, 9)), int(rng.integers(0, 16))
    source, target = rng.integers(0, nodes, (2, count))
    wanted = rng.random(count) < rng.choice([0.3, 1.0])
    moves: list[Move] = list(zip(source.tolist(), target.tolist(), wanted.tolist()))
    found = nearest_loop(source.astype(np.int64), target.astype(np.int64), wanted)
    if found is None:
        assert expected(moves) is None
        return
    assert moves[found[0]][2]
    for one, other in zip(found, [*found[1:], found[0]]):
        assert moves[one][1] == moves[other][0]
    assert (moves[found[0]][0], len(found)) == expected(moves)
