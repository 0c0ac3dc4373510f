"""Networks as NuSMV text: what it says, that it is NuSMV, and what sub-path detection leaves out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings

from homing.overlay.__main__ import main
from homing.overlay.colours import NORMAL, scenarios
from homing.overlay.edits import read_edits
from homing.overlay.export.smv import Asked, Export
from homing.overlay.export.subpaths import cover, route, shortcut
from homing.overlay.network import Network
from homing.overlay.readers import load
from homing.overlay.trees import prepare
from homing.overlay.verification import verify
from homing.overlay.walking import Outcome
from tests.overlay.networks import networks
from tests.overlay.smv import Text

NETWORKS = Path(__file__).parents[2] / "networks"
SIX, FIFTY, EXCHANGE, RING = (str(NETWORKS / f"{name}.toml") for name in ("six", "fifty_brokers", "exchange", "ring"))


def text_of(network: Network, asked: Asked | None = None, failures: str = "none") -> Text:
    return Text("\n".join(Export(scenarios(network, failures), asked or Asked()).lines()))


def hops_of(network: Network) -> list[list[int]]:
    state = prepare(network)
    found: list[list[int]] = state.hops.reshape(state.size, state.size).tolist()
    return found


# The text


def test_the_text_of_six_brokers() -> None:
    text = text_of(load(SIX))
    assert "  hop_2 := case\n      dest = 1 : 1;\n      dest = 3 : 3;\n      dest in {4, 5, 6} : 4;\n" in text.text
    assert text.specs["from_5_to_1"] == "(src = 5 & dest = 1 & loc = 5) -> AF (src = 5 & dest = 1 & loc = 1)"
    assert text.specs["no_loop_at_4"] == "AG ((loc = 4 & dest != 4) -> AX AG (loc != 4))"
    assert text.walk(1, 5) == [1, 2, 4, 5]


def test_with_and_without_subpaths() -> None:
    few, all_of_them = text_of(load(SIX)), text_of(load(SIX), Asked(subpaths=False, loops=False))
    assert [name for name in few.specs if "from" in name] == ["from_5_to_1", "from_6_to_3", "from_5_to_6"]
    assert "-- and with it 1 to 2, 1 to 5\n" in few.text
    assert list(all_of_them.specs) == [
        "topic_3_from_5_to_1", "topic_1_from_1_to_2", "topic_4_from_6_to_3", "topic_2_from_3_to_4",
        "topic_1_from_1_to_5", "topic_3_from_5_to_6",
    ]  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(networks())
def test_the_text_delivers_what_is_delivered(network: Network) -> None:
    text = text_of(network, Asked(subpaths=False))
    hops = hops_of(network)
    for name in text.specs:
        if match := re.fullmatch(r"(?:topic_\d+_)?from_(\d+)_to_(\d+)", name):
            pair = (int(match[1]) - 1, int(match[2]) - 1)
            way = route(hops, pair)
            assert text.delivers(name) == (way is not None)
            if way:
                assert text.walk(pair[0] + 1, pair[1] + 1) == [broker + 1 for broker in way]


@settings(max_examples=40, deadline=None)
@given(networks(most=5))
def test_every_topic_and_colour_is_as_verified(network: Network) -> None:
    """The condensed tables as text, with the colour as a variable, beside `homing overlay verify`."""
    found = scenarios(network, "any")
    text = Text("\n".join(Export(found, Asked(each_colour=True)).lines()))
    result = verify(found, switching="none")
    for colour in range(NORMAL, len(found) + 1):
        bad = {(pair.publisher, pair.subscriber) for pair in result.failing(colour) if pair.outcome != Outcome.LATE}
        links = len(network.links)
        down = {element - links for element in found.failure(colour)}
        for pair in network.pairs():
            name = f"from_{pair[0] + 1}_to_{pair[1] + 1}_colour_{colour}"
            assert (name in text.specs) == (not down & set(pair))
            if name in text.specs:
                assert text.delivers(name) == (pair not in bad)


def test_edited_entries_and_colours() -> None:
    found = scenarios(load(RING), "links")
    edits = read_edits(Path("edits.csv"), "broker,destination,next_hop,colour\n1,2,3,1\n3,2,1,1\n1,2,2,2\n", found)
    text = Text("\n".join(Export(found, Asked(each_colour=True), edits).lines()))
    assert text.walk(1, 2, 1) == [1, 3, 1]
    assert text.walk(1, 2, 2) == [1, 0]  # by a link that is down
    assert text.walk(1, 2, 3) == [1, 2]


def test_one_specification_for_all_colours() -> None:
    text = text_of(load(RING), failures="links,brokers")
    assert text.specs["from_2_to_1"].startswith("(src = 2 & dest = 1 & loc = 2 & colour in {1, 2, 3, 4, 7}) ->")
    assert text.delivers("from_2_to_1")
    assert "      dest = 2 & colour in {1, 3, 4, 7} : 2;" in text.text  # Table 6-4


def test_what_is_down_loses_messages() -> None:
    network = load(FIFTY)
    failed = (network.link_number["13-17"],)
    text = text_of(network, Asked(subpaths=False, hops=True, down=failed))
    assert text.walk(12, 18) == [12, 14, 13, 0]
    assert not text.delivers("from_13_to_17")
    assert text.delivers("from_16_to_17")
    assert '-- "F(13, 17)"' in text.text


def test_names_stay_in_comments() -> None:
    network = load(EXCHANGE)
    text = text_of(network, Asked(subpaths=False)).text
    assert '-- 2 is "core-a"' in text
    assert "-- Deadlines are not part of this text." in text
    code = re.sub(r"--.*", "", text)
    assert not any(name in code for name in network.broker_names)


def test_a_name_cannot_leave_its_comment(tmp_path: Path) -> None:
    file = tmp_path / "odd.json"
    file.write_text('{"name": "x\\nMODULE y é", "links": [{"between": ["a\\nVAR", "b"]}]}')
    text = text_of(load(str(file))).text
    assert text.isascii()
    assert text.count("MODULE") == 2
    assert all(line.startswith("--") for line in text.splitlines() if "VAR" in line and line != "VAR")


WORDS = re.compile(r"[A-Za-z_]\w*")
KNOWN = {
    "MODULE", "main", "FROZENVAR", "VAR", "ASSIGN", "DEFINE", "CTLSPEC", "NAME", "init", "next", "case", "esac", "TRUE",
    "FALSE", "in", "AF", "AG", "AX",
}  # fmt: skip


@pytest.mark.parametrize("failures", ["none", "links,brokers"])
def test_only_words_that_nusmv_knows(failures: str) -> None:
    """A small list of words, balanced brackets, every name declared once: what NuSMV would complain about first."""
    text = text_of(load(EXCHANGE), Asked(subpaths=failures != "none", hops=failures == "none"), failures).text
    code = re.sub(r"--.*", "", text)
    declared = re.findall(r"^  (\w+) *:=? ", code, re.MULTILINE) + re.findall(r"CTLSPEC NAME (\w+)", code)
    assert len(declared) == len(set(declared))
    assert set(WORDS.findall(code)) <= KNOWN | set(declared)
    assert code.count("(") == code.count(")")
    assert len(re.findall(r"\bcase\b", code)) == len(re.findall(r"\besac\b", code))
    assert "{}" not in code
    assert not re.search(r"\{[^}]*\.\.", code)


# Sub-paths


@settings(max_examples=100, deadline=None)
@given(networks())
def test_every_pair_is_checked_or_part_of_a_checked_one(network: Network) -> None:
    hops, pairs = hops_of(network), list(network.pairs())
    found = cover(hops, pairs)
    assert set(found.checked) | set(found.part_of) == set(pairs)
    assert not set(found.checked) & set(found.part_of)
    for part, whole in found.part_of.items():
        mine, longer = route(hops, part), route(hops, whole)
        assert whole in found.checked
        assert mine is not None
        assert longer is not None
        assert contains(longer, mine) or contains(longer[::-1], mine)
    # None could be left out: no checked route is a part of another.
    ways = [way for pair in found.checked if (way := route(hops, pair))]
    for one in ways:
        assert not any(one is not other and (contains(other, one) or contains(other[::-1], one)) for other in ways)


def contains(longer: tuple[int, ...], part: tuple[int, ...]) -> bool:
    return any(longer[at : at + len(part)] == part for at in range(len(longer)))


def test_the_shortcut_of_the_thesis_is_wrong_for_ways_back() -> None:
    network = load(FIFTY)
    hops = hops_of(network)
    everyone = [(u, d) for d in range(50) for u in range(50) if u != d]
    found = shortcut(hops, everyone)
    assert found.wrong == found.wrong_backwards == 140
    assert found.backwards == 1209
    for u, d in found.unchecked[:20]:
        there, back = route(hops, (d, u)), route(hops, (u, d))
        assert there is not None
        assert there[::-1] != back


def test_forwards_a_computed_route_is_always_a_part() -> None:
    """With one tie-break for all, brokers on a shortest route go the same way to each other."""
    for seed in range(5):
        hops = hops_of(load(f"random:20:35:seed={seed}:costs=3"))
        pairs = [(u, d) for d in range(20) for u in range(20) if u != d]
        assert shortcut(hops, pairs).wrong == shortcut(hops, pairs).wrong_backwards


# The command


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "six.smv"
    assert main(["export", SIX, "--smv", str(file)]) == 0
    printed = capsys.readouterr().out
    assert "3 of 6 paths are left by sub-path detection" in printed
    assert f"{file}: 3 specifications of deliveries" in printed
    assert main(["export", SIX, "--smv", "-"]) == 0
    assert capsys.readouterr().out == file.read_text()


def test_the_command_measures_the_shortcut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "random:50:80:seed=3", "--smv", str(tmp_path / "all.smv")]) == 0
    printed = capsys.readouterr().out
    assert re.search(r"marks \d+ ways back as checked, \d+ of them wrongly \(\d+\.\d %\)", printed)
    assert "and never checks " in printed


def test_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", SIX, "--smv", str(tmp_path)]) == 3
    assert "cannot write here" in capsys.readouterr().err
    assert main(["export", SIX, "--smv", "-", "--down", "7-9"]) == 3
    assert "no link or broker is called '7-9'" in capsys.readouterr().err
    assert main(["export", "random:400:800", "--smv", "-", "--failures", "links"]) == 3
    assert "are too long for a text" in capsys.readouterr().err
