"""The models of this project: the symbolic engine finds what `expect.toml` beside them says."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.scale import SCALE

from homing import checking, languages
from homing.core.model import Model
from homing.core.property import OnGraph, Property
from homing.core.result import Options, Report, Result
from homing.expect import FILE, Expected, ExpectedModel, read

MODELS = Path(__file__).parents[3] / "models"
LARGE = ("_large", "_1341", "2223", "2233", "takes_any_epoch", "two_readers", "kerberos", "pair", "dead_interval")
"""What takes minutes: docs/symbolic.md says how long."""
QUICK = (
    "demo/partitions.py",
    "demo/faults/requests_stay.py",
    "kafka/acks.csp",
    "kafka/faults/acks_early.csp",
    "kafka/faults/intruder_gives_up.csp",
    "kafka/faults/producer_reads_uncommitted.cfg",
    "kafka/transactions_1122_live.cfg",
    "overlay/faults/six_brokers_loop.smv",
    "overlay/six_brokers.smv",
    "pcrt/flooding_reboot.cfg",
    "rabbitmq/ticket.xml",
    "rtps/faults/numbers_nothing.csp",
    "tutorial/channel.xml",
    "tutorial/faults/channel_takes_all.csp",
)


def files() -> Iterator[str]:
    """One of each kind; in larger runs all that something is expected of, but for those that take minutes."""
    if SCALE < 2:
        yield from QUICK
        return
    for source in sorted(MODELS.rglob(FILE)):
        for name in tomllib.loads(source.read_text(encoding="utf-8")):
            if not any(part in name for part in LARGE):
                yield str((source.parent / name).relative_to(MODELS))


@pytest.mark.parametrize("name", list(files()))
def test_as_expected(name: str) -> None:
    path = MODELS / name
    expected = read(path.parent / FILE)[path.name]
    for model in languages.load(path, languages.Reading(python=True)):
        report = checking.check(model, "symbolic", Options(threads=1))
        assert report.error is None
        assert list(differences(model, report, expected)) == []


def differences(model: Model, report: Report, expected: ExpectedModel) -> Iterator[str]:
    """How a report differs."""
    for prop, result in zip(model.properties, report.results, strict=True):
        wanted = expected.properties[prop.name]
        facts = {**expected.counts, **wanted.facts}
        facts = {name: value for name, value in facts.items() if _counted(name, prop, result)}
        yield from (str(each) for each in Expected(wanted.verdict, facts).differences(result))


def _counted(name: str, prop: Property, result: Result) -> bool:
    """There may be more than one shortest loop, and levels may be too much to count."""
    if name == "steps":
        return not isinstance(prop, OnGraph)
    return name != "depth" or result.counts.depth > 0
