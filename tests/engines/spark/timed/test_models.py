"""The models with clocks of this project: partitions find what the search through zones finds."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.engines.spark.timed.agreeing import agree, checked, locally, spread
from tests.scale import SCALE

import homing
from homing import cli
from homing.engines.spark.timed import partition

MODELS = Path(__file__).parents[4] / "models"
EVERY_DAY = [
    MODELS / "tutorial" / "faults" / "channel_loses_all.xml",
    MODELS / "rabbitmq" / "faults" / "as_takes_any_id.xml",  # its layout changes between a search and its trace
]
EVERYTHING = sorted(MODELS.rglob("*.xml"))
CHOSEN = EVERY_DAY if SCALE < 5 else EVERYTHING
"""All of them take a quarter of an hour."""


@pytest.mark.parametrize("file", CHOSEN, ids=lambda file: file.stem)
def test_partitions(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partition, "SLICE", 5)
    (model,) = homing.load(file).models
    agree(checked(model, spread(tmp_path, edges=0)), locally(model))


@pytest.mark.parametrize("folder", ["tutorial", "pcrt", "rabbitmq"] if SCALE >= 5 else ["tutorial/channel.xml"])
def test_what_is_expected(folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.run(["check", "--engine", "spark", "--expect", "-q", str(MODELS / folder)]) == 0
