"""The models of this project: what is expected of them holds on partitions, and on graphs in pieces.

Rounds over few states are done by the command itself; tests/test_spark.py has a cluster do them.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.scale import SCALE

import homing
from homing import cli, languages
from homing.core.result import Counts, Distribution, Options
from homing.core.verdict import Verdict
from homing.languages import Reading

MODELS = Path(__file__).parents[3] / "models"
EVERY_DAY = ("demo", "kafka/acks.csp", "kafka/transactions_1112_live.cfg")
EVERYTHING = ("demo", "demo/faults", "overlay", "overlay/faults", "rtps", "rtps/faults", "kafka", "kafka/faults")
CHOSEN = EVERY_DAY if SCALE < 5 else EVERYTHING
"""All of them take half an hour."""


@pytest.mark.parametrize("path", CHOSEN)
def test_what_is_expected(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.run(["check", "--engine", "spark", "--python", "--expect", "-q", str(MODELS / path)]) == 0


PIECES = languages.find(MODELS / "demo", Reading(python=True))
PIECES += [MODELS / "demo" / "faults" / f"{name}.py" for name in ("never_replies", "goes_down", "requests_stay")]
# Conditions on steps, and fairness of actions: what these compare has numbers that differ by process.
PIECES += [MODELS / name for name in ("tutorial/channel.cfg", "kafka/faults/transactions_keeps_the_epoch.cfg")]


@pytest.mark.parametrize("file", PIECES, ids=lambda file: file.stem)
def test_pieces_of_a_graph_decide_the_same(file: Path, tmp_path: Path) -> None:
    spread = Distribution(partitions=4, folder=str(tmp_path / "run"), most_edges=0)
    found = homing.load(file, python=True).check(engine="spark", options=Options(distribution=spread))
    expected = homing.load(file, python=True).check()
    for one, other in zip(found.results, expected.results, strict=True):
        assert one.verdict is other.verdict, one.property
        assert one.vacuous == other.vacuous, one.property
        if one.verdict is Verdict.VIOLATED:
            assert (one.trace is None) == (other.trace is None), one.property
        assert counted(one.counts) == counted(other.counts), one.property


def counted(counts: Counts) -> tuple[int, ...]:
    return counts.distinct, counts.generated, counts.depth, counts.transitions, counts.deadlocks
