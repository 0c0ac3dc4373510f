"""The fifty brokers of the thesis: what its text says is so, and what was invented is as the file says."""

from __future__ import annotations

from pathlib import Path

import pytest

from homing.overlay.colours import scenarios
from homing.overlay.edits import neighbours
from homing.overlay.export.subpaths import route
from homing.overlay.readers import load
from homing.overlay.trees import State, prepare
from homing.overlay.verification import verify

FIFTY = str(Path(__file__).parents[2] / "networks" / "fifty_brokers.toml")


def numbers(*parts: int | tuple[int, int]) -> list[int]:
    spread = (range(part[0], part[1] + 1) if isinstance(part, tuple) else [part] for part in parts)
    return [number for part in spread for number in part]


BY_11 = numbers(7, 11, 19, (21, 30), (32, 44))
BY_16 = numbers(2, 4, 5, 6, 8, 9, 10, (12, 18), 20, 31, (45, 50))
TABLE_5_7 = {
    1: {11: [3, *BY_11], 16: BY_16},
    2: {
        11: numbers(7, 8, 9, 11, 12, 19, (21, 30), (32, 50)),
        16: [1, 3, 10, 14, 16, 31],
        18: [4, 5, 6, 13, 15, 17, 18, 20],
    },
    3: {11: [1, *BY_11], 16: BY_16},
}


@pytest.fixture(scope="module")
def fifty() -> State:
    return prepare(load(FIFTY))


def test_links_of_the_text(fifty: State) -> None:
    near = [{neighbour + 1 for neighbour in found} for found in neighbours(fifty.network)]
    text = {1: {11, 16}, 2: {11, 16, 18}, 3: {11, 16}, 11: {1, 2, 3, 19, 26}, 16: {1, 2, 3, 17, 31}, 17: {13, 16, 18}}
    assert {broker: near[broker - 1] for broker in text} == text
    assert len(fifty.network.links) == 80
    assert all(2 <= len(found) <= 5 for found in near)


def test_routes_of_the_text(fifty: State) -> None:
    hops = fifty.hops.reshape(50, 50).tolist()
    for way in ([1, 16, 17, 13], [12, 14, 13, 17, 18], [1, 11, 19], [1, 11, 2], [1, 11, 3], [1, 16, 31]):
        assert route(hops, (way[0] - 1, way[-1] - 1)) == tuple(broker - 1 for broker in way)


def test_table_5_7_lies_on_shortest_paths(fifty: State) -> None:
    printed = [(u, d, hop) for u, rows in TABLE_5_7.items() for hop, ends in rows.items() for d in ends]
    hops, dist = fifty.hops.reshape(50, 50), fifty.trees.dist.reshape(50, 50)
    assert all(dist[d - 1, hop - 1] + 1 == dist[d - 1, u - 1] for u, d, hop in printed)
    same = sum(int(hops[d - 1, u - 1]) == hop - 1 for u, d, hop in printed)
    assert (same, len(printed)) == (121, 147)


def test_no_single_failure_cuts_it(fifty: State) -> None:
    result = verify(scenarios(fifty.network, "links,brokers"), switching="none")
    assert not result.bad_colours("partitioned").any()
    topics = {topic.name: (topic.publishers, topic.subscribers) for topic in fifty.network.topics}
    assert topics["weather"] == ((0,), (1, 12))
    assert set(topics) == {"weather", "films", "music", "sports", "stock"}
