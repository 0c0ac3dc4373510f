"""The demo models: what `expect.toml` says of them is true, found by a search that shares nothing with the engine."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from homing import cli, load
from homing.core import interpreter
from homing.core.property import Extreme, Sometimes
from homing.core.system import TransitionSystem
from homing.core.values import State, encode

DEMO = Path(__file__).parents[2] / "models" / "demo"
MODELS = sorted(DEMO.glob("*.py"))
FAULTS = sorted((DEMO / "faults").glob("*.py"))


def expected(folder: Path) -> dict[str, Any]:
    return tomllib.loads((folder / "expect.toml").read_text())


def canonical(system: TransitionSystem, state: State) -> bytes:
    """What states that count as one have in common."""
    shape = system.shape
    images = [state, *(permutation(state) for permutation in shape.symmetry)]
    return min(
        encode(tuple(None if slot in shape.hidden else value for slot, value in enumerate(image))) for image in images
    )


def search(system: TransitionSystem) -> tuple[int, int, int]:
    """Distinct, generated, depth; by hand."""
    level = list(system.initial())
    seen = {canonical(system, state) for state in level}
    generated, depth = len(level), 0
    while level:
        depth += 1
        found = []
        for state in level:
            for _, after in interpreter.successors(system, state):
                generated += 1
                if (key := canonical(system, after)) not in seen:
                    seen.add(key)
                    found.append(after)
        level = found
    return len(seen), generated, depth


def ends_early(path: Path) -> bool:
    """Whether a check has decided everything before it has seen all states."""
    facts = expected(path.parent)[path.name]["properties"]
    return all(
        isinstance(prop, Sometimes) == (judgement(facts[prop.name])[0] == "HOLDS") and not isinstance(prop, Extreme)
        for prop in load(path, python=True).properties
    )


@pytest.mark.parametrize("path", [*MODELS, *FAULTS], ids=lambda path: str(path.stem))
def test_the_counts_are_facts(path: Path) -> None:
    facts = expected(path.parent)[path.name]
    counts = (facts["distinct"], facts["generated"], facts["depth"])
    found = search(load(path, python=True).models[0].system)
    if ends_early(path):
        assert all(some <= every for some, every in zip(counts, found, strict=True))
    else:
        assert counts == found


def test_there_are_four() -> None:
    assert [path.stem for path in MODELS] == ["partitions", "redelivery", "requests", "retransmission"]
    assert all(path.read_text().startswith('"""') for path in MODELS + FAULTS)


def test_all_is_as_expected(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.run(["check", "--expect", "--python", str(DEMO), str(DEMO / "faults")]) == 0
    out = capsys.readouterr().out
    assert out.count(": as expected\n") == len(MODELS) + len(FAULTS)
    assert out.endswith(f"all {len(MODELS) + len(FAULTS)} as expected\n")


def test_a_folder_leaves_its_faults_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["check", "--python", str(DEMO), "--json", "-"]) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    assert {result["model"] for result in results} == {str(path) for path in MODELS}
    assert {result["verdict"] for result in results} == {"HOLDS"}


def test_every_property_catches_a_fault() -> None:
    """A fault is caught by a property on which it and the sound model differ: in verdict, or in value."""
    caught = set()
    faults = expected(DEMO / "faults")
    for sound in expected(DEMO).values():
        for name, fact in sound["properties"].items():
            for fault in faults.values():
                if name in fault["properties"] and judgement(fault["properties"][name]) != judgement(fact):
                    caught.add(name)
    assert caught == {name for sound in expected(DEMO).values() for name in sound["properties"]}


@pytest.mark.parametrize("path", FAULTS, ids=lambda path: str(path.stem))
def test_a_fault_says_what_catches_it(path: Path) -> None:
    facts = expected(path.parent)[path.name]["properties"]
    (named,) = [name for name in facts if f'Caught by "{name}".' in path.read_text()]
    (sound,) = [model["properties"][named] for model in expected(DEMO).values() if named in model["properties"]]
    assert judgement(facts[named]) != judgement(sound)


def judgement(fact: Any) -> tuple[str, Any]:
    return (fact, None) if isinstance(fact, str) else (fact["verdict"], fact.get("value"))


def test_the_sound_models_pass_the_debug_wrapper() -> None:
    for path in MODELS:
        assert load(path, python=True).check(debug=True).error is None
