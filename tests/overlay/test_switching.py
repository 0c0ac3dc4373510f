"""While brokers disagree: kinds of networks × kinds of scenarios, each compared with mixing tables one by one."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import pytest

from homing.core.verdict import Verdict
from homing.overlay.colours import Failure, Scenarios, read_list, scenarios
from homing.overlay.network import Network
from homing.overlay.switching import micro_loops
from homing.overlay.trees import prepare
from homing.overlay.verification import verify
from tests.command_line import Homing, runner
from tests.overlay import oracle
from tests.overlay.descriptions import FORMATS, Description, Wire, descriptions, loaded, written
from tests.scale import SCALE

WORDS = ("groups", "links,groups", "links:1-2", "links:2", "links:2,groups", "links:1-2,groups", "none", "any")
STEPS = {3: 1 if SCALE > 1 else 11, 4: 1009 if SCALE > 1 else 14_999}


@pytest.fixture
def homing(capsys: pytest.CaptureFixture[str]) -> Homing:
    return runner(capsys)


def with_groups(description: Description) -> Description:
    """The first two links fail at once, and all of them do."""
    names = tuple(wire.name for wire in description.wires)
    return replace(description, groups=tuple(dict.fromkeys((names[:2], names))))


def expected_colours(network: Network, words: str, own: list[Failure]) -> list[Failure]:
    """All failures that words ask for, each once."""
    links, brokers = range(len(network.links)), range(len(network.links), len(network.links) + len(network.brokers))
    groups = [tuple(sorted(group.links)) for group in network.groups]
    found: list[Failure] = [()]
    for word in words.split(","):
        asked: dict[str, list[Failure]] = {
            "none": [],
            "links": [*itertools.combinations(links, 1)],
            "any": [*itertools.combinations(links, 1), *itertools.combinations(brokers, 1)],
            "links:2": [*itertools.combinations(links, 2)],
            "links:1-2": [*itertools.combinations(links, 1), *itertools.combinations(links, 2)],
            "groups": groups,
        }
        found += asked[word]
    return list(dict.fromkeys([*found, *own]))


def compare(description: Description, folder: Path, words: str, line: str = "") -> None:
    network = loaded(description, folder)
    own = list(read_list(network, "own.txt", line)) if line else []
    found = scenarios(network, words, own)
    colours = expected_colours(network, words, own)
    at_once = {failure for failure in (*(g.links for g in network.groups), *own) if len(failure) > 1}
    state = prepare(network)
    for which in ("single", "all"):
        told = micro_loops(found, state, which, len(found))
        named = {(found.failure(old), found.failure(new)): pairs for old, new, pairs in told.found}
        expected, left = oracle.micro_loops(network, colours, {tuple(sorted(f)) for f in at_once}, which)
        assert (named, told.left) == (expected, left), (which, words, line, description)
        check_verdict(found, which, bool(expected), bool(left))


def check_verdict(found: Scenarios, which: str, loops: bool, left: bool) -> None:
    """With strict switching the finding counts; HOLDS is only said where every colour was mixed."""
    kinds = frozenset({"partitions", "loops", "tables", "deadlines", "topics"})
    verdict = verify(found, tolerate=kinds, switching=which).verdict
    unknown = left or len(found) == 1
    assert verdict is (Verdict.VIOLATED if loops else Verdict.UNKNOWN if unknown else Verdict.HOLDS)


@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize("brokers", STEPS)
def test_micro_loops_are_what_mixing_by_hand_finds(tmp_path: Path, brokers: int, words: str) -> None:
    count = 0
    for costs in ((1, 2), (0, 0)):
        for description in descriptions(brokers, costs, STEPS[brokers]):
            compare(with_groups(description), tmp_path, words)
            count += 1
    assert count > 10


def test_own_lines_fail_at_once(tmp_path: Path) -> None:
    for description in descriptions(3, (1, 2), 7):
        names = [wire.name for wire in description.wires]
        for words in ("none", "links", "links:2"):
            compare(description, tmp_path, words, ",".join(names[:3]) + "\n")


RING = Description(
    4,
    (
        Wire("12", "1", "2"),
        Wire("23", "2", "3"),
        Wire("34", "3", "4"),
        Wire("14", "1", "4"),
        Wire("13", "1", "3", cost=9),
    ),
)


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("how", ["group", "line"])
def test_strict_switching_finds_loops_after_failures_at_once(
    homing: Homing, tmp_path: Path, kind: str, how: str
) -> None:
    """The ring's duct of two cables: neither is a scenario by itself."""
    if how == "group" and kind == "csv":
        pytest.skip("CSV has no risk groups")
    duct = ("23", "34")
    path = written(replace(RING, groups=(duct,)) if how == "group" else RING, kind, tmp_path)
    (tmp_path / "own.txt").write_text(",".join(duct) + "\n")
    words = (
        ["--failures", "groups"] if how == "group" else ["--failures", "none", "--scenarios", str(tmp_path / "own.txt")]
    )
    found = homing("overlay", "verify", str(path), *words, "--strict-switching")
    assert "VIOLATED micro-loops  while brokers disagree, messages may loop in 1 of 1 changes" in found.out
    assert found.code == 1


@pytest.mark.parametrize(("words", "code"), [("none", 2), ("links:1-2", 1), ("links:2", 1)])
def test_strict_with_nothing_to_mix_is_unknown(homing: Homing, tmp_path: Path, words: str, code: int) -> None:
    found = homing("overlay", "verify", str(written(RING, "toml", tmp_path)), "--failures", words, "--strict-switching",
                "--tolerate", "partitions")  # fmt: skip
    assert found.code == code


def test_strict_and_only_some_colours_mixed_is_unknown(homing: Homing, tmp_path: Path) -> None:
    line = Description(2, (Wire("12", "1", "2"), Wire("spare", "1", "2")))
    arguments = ("overlay", "verify", str(written(line, "toml", tmp_path)), "--tolerate", "partitions",
                 "--failures", "links:1-2", "--strict-switching")  # fmt: skip
    assert homing(*arguments).code == 0
    found = homing(*arguments, "--switching", "single")
    assert found.code == 2
    assert "UNKNOWN  micro-loops  1 colour with several failures not mixed" in found.out
