"""Colours are numbered stably and map both ways."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homing.core.errors import HomingError
from homing.overlay.colours import Combinations, read_list, scenarios
from homing.overlay.network import Network
from homing.overlay.readers import load
from homing.overlay.readers.structured import read_json
from tests.overlay.networks import networks


@given(st.integers(0, 5), st.integers(0, 9), st.integers(1, 4))
def test_combinations_count_like_itertools(first: int, count: int, size: int) -> None:
    block = Combinations(first, count, size)
    expected = list(combinations(range(first, first + count), size))
    assert len(block) == len(expected)
    assert [block.unrank(rank) for rank in range(len(block))] == expected
    assert [block.rank(failure) for failure in expected] == list(range(len(block)))
    assert list(block.between(0, len(block))) == expected


@settings(max_examples=60)
@given(networks(), st.sampled_from(["links", "links:1-3", "brokers:1-2", "any:2,links", "none"]), st.data())
def test_colours_and_failures_map_one_to_one(network: Network, wanted: str, data: st.DataObject) -> None:
    found = scenarios(network, wanted)
    failures = [found.failure(colour) for colour in range(1, len(found) + 1)]
    assert len(set(failures)) == len(failures)
    assert failures == list(found.failures(1, len(found)))
    assert [found.colour(failure) for failure in failures] == list(range(1, len(found) + 1))
    low = data.draw(st.integers(1, len(found)))
    assert list(found.failures(low, len(found))) == failures[low - 1 :]


def test_three_failures_of_a_hundred_links() -> None:
    assert len(scenarios(load("random:50:100:seed=7"), "links:1-3")) == 166_751


def test_groups_and_lists_keep_colours_unique() -> None:
    network = load(str(Path(__file__).parents[2] / "networks" / "exchange.toml"))
    own = read_list(network, "own.txt", "feed-core-a, branch\nfeed-core-a # as links has it\n")
    found = scenarios(network, "links,groups", own)
    assert len(found) == 1 + 9 + 1 + 1
    assert found.text(11) == "F(feed, core-a) F(match, risk)"
    assert found.text(12) == "F(feed, core-a) F(branch)"


def test_colours_stay_when_lines_move() -> None:
    links = [["1", "2"], ["1", "3"], ["2", "3"], ["3", "4"]]

    def read(order: list[list[str]]) -> Network:
        text = ", ".join(f'{{"between": ["{a}", "{b}"]}}' for a, b in order)
        return read_json(Path("n.json"), f'{{"links": [{text}]}}')

    one, other = (scenarios(read(order), "links:1-2") for order in (links, links[::-1]))
    assert [one.text(c) for c in range(1, len(one) + 1)] == [other.text(c) for c in range(1, len(other) + 1)]


@pytest.mark.parametrize(
    ("wanted", "message"),
    [("nodes", "unknown scenarios 'nodes'"), ("links:0", "fail nothing"), ("links:2-1", "fail nothing")],
)
def test_unknown_scenarios_are_refused(wanted: str, message: str) -> None:
    with pytest.raises(HomingError, match=message):
        scenarios(load("random:4:4"), wanted)


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ("groups", "scenarios 'groups': no risk group is declared; the network has 3 links and 3 brokers"),
        ("links,links:7", "scenarios 'links:7': 7 of 3 links cannot fail; the network has 3 links and 3 brokers"),
        ("links:5-7", "5 of 3 links cannot fail"),
        ("brokers:4", "4 of 3 brokers cannot fail"),
        ("any:7", "7 of 6 links and brokers cannot fail"),
    ],
)
def test_failures_that_a_network_cannot_have_are_refused(wanted: str, message: str) -> None:
    with pytest.raises(HomingError) as error:
        scenarios(load("random:3:3"), wanted, [(0, 1)])
    assert message in str(error.value)


def test_what_is_there_is_enough() -> None:
    network = load("random:3:3")
    assert len(scenarios(network, "links:1-7")) == 1 + 3 + 3 + 1
    assert len(scenarios(network, "links,links")) == 1 + 3
    assert len(scenarios(network, "none")) == 1
    with pytest.raises(HomingError, match=r"own\.txt: no scenario is listed in the file"):
        read_list(network, "own.txt", "# later\n")


def test_a_list_with_a_mistake_names_its_line() -> None:
    with pytest.raises(HomingError) as error:
        read_list(load("random:4:4"), "own.txt", "# mine\n\n1, 9\n")
    assert str(error.value).startswith("own.txt:3: no link or broker is called '9'; declared:")


def test_own_scenarios_name_parallel_links_and_either_end_first(tmp_path: Path) -> None:
    one, other = '{"between": ["a", "b"]}', '{"between": ["a", "b"], "name": "a-b#2"}'
    text = f'{{"links": [{one}, {other}, {{"from": "b", "to": "c", "name": "x"}}]}}'
    network = read_json(tmp_path / "n.json", text)
    # A number sign is part of a link's name and, after a blank, starts a comment.
    assert read_list(network, "own.txt", "a-b#2 # the dear one\nb-a#2,b-a,x\nb-a\n#a-b\n") == ((1,), (0, 1, 2), (0,))
    with pytest.raises(HomingError, match=r"own\.txt:1: no link or broker is called 'c>b'"):
        read_list(network, "own.txt", "c>b\n")
