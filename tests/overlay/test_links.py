"""Links of every kind in every format: listed twice, parallel, one way; and topics that say nothing."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from homing.core.verdict import Verdict
from homing.overlay.colours import scenarios
from homing.overlay.network import Network
from homing.overlay.readers import load
from homing.overlay.sweeping import Swept
from homing.overlay.verification import Verification, verify
from tests.overlay import oracle
from tests.overlay.descriptions import FORMATS, Description, Wire, descriptions, written


def seen(network: Network) -> set[tuple[str, str, str, bool, float]]:
    """Links by the names of their brokers; an undirected one has no first."""
    names = network.broker_names
    return {
        (link.name, *_ends(names[link.source], names[link.target], link.directed), link.directed, link.cost)
        for link in network.links
    }


def _ends(a: str, b: str, directed: bool) -> tuple[str, str]:
    return (a, b) if directed else (min(a, b), max(a, b))


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("both_ends", [False, True])
def test_a_format_has_the_links_that_were_described(tmp_path: Path, kind: str, both_ends: bool) -> None:
    for description in descriptions(3, (1, 2), 5):
        network = load(str(written(description, kind, tmp_path, both_ends)))
        expected = {(w.name, *_ends(w.source, w.target, w.directed), w.directed, w.cost) for w in description.wires}
        assert seen(network) == expected
        assert len(network.links) == len(description.wires)


@pytest.mark.parametrize("kind", FORMATS)
def test_a_link_listed_from_both_ends_fails_as_one(tmp_path: Path, kind: str) -> None:
    """Counts of pairs that are cut off, compared with NetworkX, are those of the network listed once."""
    for description in descriptions(3, (0, 0), 13):
        network = load(str(written(description, kind, tmp_path, both_ends=True)))
        result = verify(scenarios(network, "links"), switching="none")
        for colour, cut in enumerate(result.column("partitioned").tolist(), start=1):
            right = oracle.routes(network, result.scenarios.failure(colour))
            assert cut == sum(pair not in right for pair in network.pairs())


PARALLEL = [
    (Wire("one", "1", "2", first, 1, 1.0), Wire("two", *ends, second, 1, 5.0))
    for first, second in itertools.product((False, True), repeat=2)
    for ends in ((("1", "2"),) if second else (("1", "2"), ("2", "1")))
]


@pytest.mark.parametrize("kind", [kind for kind in FORMATS if kind != "csv"])
@pytest.mark.parametrize("pair", PARALLEL)
@pytest.mark.parametrize("turned", [False, True])
def test_of_equal_parallel_links_the_first_declared_wins(
    tmp_path: Path, kind: str, pair: tuple[Wire, Wire], turned: bool
) -> None:
    """One takes 1 ms, the other 5, and a topic allows 3."""
    declared = pair[::-1] if turned else pair
    found = scenarios(load(str(written(Description(2, declared, deadline_ms=3.0), kind, tmp_path))), "none")
    assert verify(found).verdict is (Verdict.HOLDS if declared[0].latency_ms < 3 else Verdict.VIOLATED)


RING = tuple(Wire(f"{a}{b}", a, b) for a, b in (("1", "2"), ("2", "3"), ("1", "3")))


def silent(folder: Path, *lacking: str, deadline: float | None, tolerate: str = "micro-loops") -> Verification:
    description = Description(3, RING, deadline_ms=deadline, silent=lacking)
    found = scenarios(load(str(written(description, "toml", folder))), "links")
    return verify(found, tolerate=frozenset({"micro-loops", tolerate}))


@pytest.mark.parametrize("lacking", [("publishers",), ("subscribers",), ("publishers", "subscribers")])
@pytest.mark.parametrize("deadline", [None, 9.0])
def test_a_topic_without_publisher_or_subscriber_is_unknown(
    tmp_path: Path, lacking: tuple[str, ...], deadline: float | None
) -> None:
    result = silent(tmp_path, *lacking, deadline=deadline)
    (finding,) = (finding for finding in result.findings if finding.name == "topics")
    assert finding.verdict is result.verdict is Verdict.UNKNOWN
    assert "1 topic without publisher or subscriber" in finding.text
    assert "'silent'" in finding.text


def test_a_silent_topic_can_be_tolerated(tmp_path: Path) -> None:
    assert silent(tmp_path, "publishers", deadline=9.0, tolerate="topics").verdict is Verdict.HOLDS


def test_a_topic_inside_one_broker_is_delivered(tmp_path: Path) -> None:
    text = 'links = [{ between = ["1", "2"] }]\n[[topics]]\nname = "a"\npublishers = ["1"]\nsubscribers = ["1", "2"]\n'
    (tmp_path / "n.toml").write_text(text + '[[topics]]\nname = "b"\npublishers = ["1"]\nsubscribers = ["1"]\n')
    assert verify(scenarios(load(str(tmp_path / "n.toml")), "none")).verdict is Verdict.HOLDS


def test_a_sweep_does_not_say_that_silent_topics_hold(tmp_path: Path) -> None:
    from homing.overlay import pipeline, store
    from homing.overlay.chunks import Job

    for number, lacking in enumerate([("publishers",), ()]):
        network = load(str(written(Description(3, RING, deadline_ms=9.0, silent=lacking), "toml", tmp_path)))
        job = Job("n", network.to_json(), "links", out=str(tmp_path / str(number)), details=False)
        store.begin(job)
        totals = store.finish(job, list(pipeline.run_here(pipeline.pieces(job)).summaries))
        swept = Swept("n", totals)
        assert swept.verdict(frozenset()) is (Verdict.UNKNOWN if lacking else Verdict.HOLDS)
        assert swept.verdict(frozenset({"topics"})) is Verdict.HOLDS
