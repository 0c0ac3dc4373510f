"""From the paths that turn false to what has failed."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from homing.core.errors import HomingError
from homing.overlay.__main__ import main
from homing.overlay.colours import scenarios
from homing.overlay.export.smv import Asked, Export
from homing.overlay.localisation import Pair, Suspects, describe, elements_on_path, locate
from homing.overlay.network import Network
from homing.overlay.readers import load
from homing.overlay.trees import State, prepare
from homing.overlay.verdicts import read_verdicts

NETWORKS = Path(__file__).parents[2] / "networks"
FIFTY, SIX = (str(NETWORKS / f"{name}.toml") for name in ("fifty_brokers", "six"))


@pytest.fixture(scope="module")
def fifty() -> State:
    return prepare(load(FIFTY))


def everyone(network: Network) -> list[Pair]:
    n = len(network.brokers)
    return [(u, v) for u in range(n) for v in range(n) if u != v]


def seen(state: State, pairs: list[Pair], *failed: int) -> Suspects:
    """What is located when these have failed and brokers still follow the old tables."""
    down = set(failed)
    hit = {pair: bool(elements_on_path(state, pair) & down) for pair in pairs}
    return locate(state, [pair for pair in pairs if hit[pair]], [pair for pair in pairs if not hit[pair]])


def test_the_thesis_link(fifty: State) -> None:
    """5.2.7: the path from 12 to 18 turns false, and of its links by themselves only 13-17 does."""
    way = [12, 14, 13, 17, 18]
    hops = [(u - 1, v - 1) for u, v in pairwise(way)]
    link = fifty.network.link_number["13-17"]
    found = seen(fifty, [(11, 17), *hops], link)
    assert found.certain == (link,)
    assert found.ranked[0].single == ((12, 16),)
    (line,) = describe(fifty.network, found)
    assert line == "F(13, 17) explains every failure: 12 to 18, 13 to 17; by themselves 13 to 17"


def test_the_thesis_broker(fifty: State) -> None:
    """The direct paths from 13, 16 and 18 to 17 turn false."""
    failing = [(u - 1, 16) for u in (13, 16, 18)]
    found = locate(fifty, failing)
    broker = fifty.graph.links + 16
    assert found.certain == (broker,)
    assert found.ranked[0].single == tuple(failing)
    assert [len(suspect.explains) for suspect in found.ranked[1:]] == [1] * 6  # three links and three brokers


def test_every_single_failure_is_found(fifty: State) -> None:
    pairs = everyone(fifty.network)
    for element in range(fifty.graph.links + fifty.graph.brokers):
        assert seen(fifty, pairs, element).ranked[0].element == element


def test_two_failures_are_found_together(fifty: State) -> None:
    pairs = everyone(fifty.network)
    links = fifty.graph.links
    right = [
        set(seen(fifty, pairs, a, b).together) == {a, b}
        for a, b in ((0, 40), (12, 70), (3, links + 20), (links + 4, links + 30), (55, links + 9))
    ]
    assert all(right)
    both = seen(fifty, pairs, 0, 40)
    assert not both.certain
    assert describe(fifty.network, both)[0].endswith("together explain every failure")


def test_what_works_speaks_against() -> None:
    state = prepare(load(SIX))
    number = state.network.broker_number
    pair = (number["1"], number["2"])
    found = locate(state, [pair], [(number["1"], number["3"])])
    assert not found.certain
    assert found.unexplained == (pair,)
    assert found.ranked[0].against
    lines = describe(state.network, found)
    assert "but 1 to 3 work over it" in lines[0]
    assert lines[-1].startswith("nothing explains 1 to 2")


def test_a_pair_without_a_way_accuses_nobody() -> None:
    network = load(SIX)
    islands = Network("islands", network.brokers, network.links[:2])
    found = locate(prepare(islands), [(0, 5)])
    assert found.ranked == ()
    assert found.unexplained == ((0, 5),)


# Verdicts on exported text

NUSMV = """*** This is NuSMV 2.6.0
-- specification (((src = 1 & dest = 5) & loc = 1) -> AF ((src = 1 & dest = 5) & loc = 5))  is false
-- as demonstrated by the following execution sequence
-- specification (((src = 1 & dest = 2) & loc = 1) -> AF ((src = 1 & dest = 2) & loc = 2))  is true
-- specification AG ((loc = 4 & dest != 4) -> AX (AG loc != 4))  is true
"""


def test_what_nusmv_prints() -> None:
    assert read_verdicts(Path("out.txt"), NUSMV, load(SIX)) == ([(0, 4)], [(0, 1)])


def test_what_homing_writes() -> None:
    results = [
        {"property": "from_1_to_5", "verdict": "VIOLATED"},
        {"property": "topic_3_from_5_to_6", "verdict": "HOLDS"},
        {"property": "from_5_to_1", "verdict": "UNKNOWN"},
        {"property": "no_loop_at_4", "verdict": "VIOLATED"},
        {"property": "from_1_to_2_colour_3", "verdict": "VIOLATED"},
    ]
    assert read_verdicts(Path("out.json"), json.dumps({"results": results}), load(SIX)) == ([(0, 4)], [(4, 5)])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nothing", "out: holds no verdict on a delivery"),
        ('{"results": 3}', "out: is not what 'homing check --json' writes"),
        ('{"results": [{"property": "from_1_to_9", "verdict": "HOLDS"}]}', "about broker 9; the network has 6"),
    ],
)
def test_bad_verdicts(text: str, message: str) -> None:
    with pytest.raises(HomingError, match=message):
        read_verdicts(Path("out"), text, load(SIX))


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "nusmv.txt"
    file.write_text(NUSMV)
    assert main(["locate", SIX, "--verdicts", str(file)]) == 1
    printed = capsys.readouterr().out
    assert printed.splitlines()[0] == "1 pairs fail, 1 work"
    assert "F(2, 4) explains every failure: 1 to 5" in printed
    assert "F(1, 2) explains" not in printed
    assert main(["locate", SIX, "--verdicts", str(file), "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["suspects"][0]["element"] == "F(2, 4)"
    assert main(["locate", SIX]) == 3
    assert "--observed FILE, --verdicts FILE" in capsys.readouterr().err


def test_an_export_asks_about_every_link(fifty: State) -> None:
    asked = Asked(hops=True, down=(fifty.network.link_number["13-17"],))
    names = {spec.name for spec in Export(scenarios(fifty.network, "none"), asked, given=fifty).specs}
    assert {"from_13_to_17", "from_17_to_13", "from_12_to_18"} <= names
