"""The thesis's models of brokers, and exported networks, checked with our own engine."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

import homing
from homing import cli
from homing.core.result import Report
from homing.core.verdict import Verdict
from homing.expect import Expectations, read
from homing.overlay.__main__ import main
from homing.overlay.colours import NORMAL, scenarios
from homing.overlay.export.smv import Asked, Export
from homing.overlay.network import Network
from homing.overlay.readers import load
from homing.overlay.verification import verify
from homing.overlay.walking import Outcome
from tests.overlay.networks import networks

ROOT = Path(__file__).parents[2]
MODELS = ROOT / "models" / "overlay"
FAULTS = sorted((MODELS / "faults").glob("*.smv"))
FILES = [*sorted(MODELS.glob("*.smv")), *FAULTS]
FIFTY, SIX, RING = (str(ROOT / "networks" / f"{name}.toml") for name in ("fifty_brokers", "six", "ring"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.stem))
def test_verdicts_are_as_expected(file: Path) -> None:
    checked = homing.load(file)
    names = [prop.name for prop in checked.properties]
    assert Expectations().compare(file, names, checked.check()) == ()


@pytest.mark.parametrize("file", FAULTS, ids=lambda file: str(file.stem))
def test_a_fault_says_what_catches_it(file: Path) -> None:
    facts = read(file.parent / "expect.toml")[file.name].properties
    named = [name for name in facts if f'aught by "{name}"' in file.read_text()]
    assert named
    sound = {
        name: fact
        for model in ("three_brokers.smv", "six_brokers.smv")
        for name, fact in read(MODELS / "expect.toml")[model].properties.items()
    }
    assert all(facts[name].verdict == "VIOLATED" and sound[name].verdict == "HOLDS" for name in named)


def visited(report: Report, name: str, slot: str) -> list[object]:
    (result,) = (result for result in report.results if result.property == name)
    assert result.trace is not None
    trace = result.trace
    at = [str(known) for known in trace.slots].index(slot)
    return [state[at] for state in trace.states]


def test_the_trace_of_the_planted_fault() -> None:
    """5.2.5: 1, 2, 4, 6, 6; and the loop that the printed tables would make of it."""
    kept = homing.load(MODELS / "faults" / "six_brokers_blind.smv").check(["topic_A_5"])
    assert visited(kept, "topic_A_5", "loc") == [1, 2, 4, 6, 6]
    looping = homing.load(MODELS / "faults" / "six_brokers_loop.smv").check(["topic_A_5"])
    assert visited(looping, "topic_A_5", "loc") == [1, 2, 4, 6, 4]


# Exported networks


def check(folder: Path, export: Export) -> dict[str, Verdict]:
    file = folder / "network.smv"
    file.write_text("\n".join(export.lines()))
    report = homing.load(file).check()
    assert report.error is None
    return {result.property: result.verdict for result in report.results}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("exported")


def agrees(folder: Path, network: Network, failures: str) -> None:
    """On every topic and colour, the text and `homing overlay verify` say the same."""
    found = scenarios(network, failures)
    verdicts = check(folder, Export(found, Asked(each_colour=True)))
    result = verify(found, switching="none")
    links, asked = len(network.links), 0
    for colour in range(NORMAL, len(found) + 1):
        bad = {(pair.publisher, pair.subscriber) for pair in result.failing(colour) if pair.outcome != Outcome.LATE}
        down = {element - links for element in found.failure(colour)}
        for u, v in network.pairs():
            if not down & {u, v}:
                asked += 1
                arrives = verdicts[f"from_{u + 1}_to_{v + 1}_colour_{colour}"] is Verdict.HOLDS
                assert arrives == ((u, v) not in bad)
    assert asked == sum("from" in name for name in verdicts)
    # Computed tables do not loop.
    assert all(verdict is Verdict.HOLDS for name, verdict in verdicts.items() if "loop" in name)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(network=networks(most=5))
def test_random_networks_agree_on_every_topic_and_colour(folder: Path, network: Network) -> None:
    agrees(folder, network, "any")


@pytest.mark.parametrize(
    ("source", "failures"), [(RING, "links,brokers"), (SIX, "links:1-2,brokers")], ids=["ring", "six"]
)
def test_the_thesis_networks_agree_on_every_topic_and_colour(folder: Path, source: str, failures: str) -> None:
    agrees(folder, load(source), failures)


def test_fifty_brokers_without_and_with_subpaths(folder: Path) -> None:
    network = load(FIFTY)
    for subpaths in (True, False):
        verdicts = check(folder, Export(scenarios(network, "none"), Asked(subpaths=subpaths)))
        assert set(verdicts.values()) == {Verdict.HOLDS}
        assert len(verdicts) == 50 + 7


def test_loops_are_found(folder: Path) -> None:
    """The planted fault as an edited table: a loop between 4 and 6."""
    from homing.overlay.edits import read_edits

    found = scenarios(load(SIX), "none")
    edits = read_edits(Path("edits.csv"), "broker,destination,next_hop\n4,5,6\n", found)
    verdicts = check(folder, Export(found, Asked(), edits))
    assert {name for name, verdict in verdicts.items() if verdict is Verdict.VIOLATED} == {
        "from_1_to_5", "no_loop_at_4", "no_loop_at_6",
    }  # fmt: skip


@pytest.mark.parametrize(("down", "named"), [("13-17", "F(13, 17)"), ("17", "F(17)")])
def test_a_failure_is_located_from_the_verdicts(
    down: str, named: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """5.2.7, from the network to the suspect."""
    text, verdicts = tmp_path / "down.smv", tmp_path / "verdicts.json"
    exported = ["export", FIFTY, "--smv", str(text), "--no-subpaths", "--no-loops", "--hops", "--down", down]
    assert main(exported) == 0
    assert cli.run(["check", str(text), "--json", str(verdicts)]) == 1
    capsys.readouterr()
    assert main(["locate", FIFTY, "--verdicts", str(verdicts), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["suspects"][0]["element"] == named
    assert not found["suspects"][0]["against"]
    assert not found["unexplained"]


@pytest.mark.skipif("NUSMV" not in os.environ, reason="NUSMV names no NuSMV")
@pytest.mark.parametrize("source", [SIX, RING, FIFTY], ids=["six", "ring", "fifty"])
@pytest.mark.parametrize("failures", ["none", "links"])
def test_nusmv_accepts_the_text_and_agrees(folder: Path, source: str, failures: str) -> None:
    """NuSMV prints formulas, not names; they come in the order of the text."""
    export = Export(scenarios(load(source), failures))
    ours = check(folder, export)
    file = str(folder / "network.smv")
    done = subprocess.run([os.environ["NUSMV"], file], capture_output=True, text=True, timeout=600, check=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith("-- specification")]
    assert [line.endswith("is true") for line in lines] == [verdict is Verdict.HOLDS for verdict in ours.values()]
