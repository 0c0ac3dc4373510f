"""A run folder in S3: stopped, gone on with, damaged, locked; and the secret stays one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from uuid import uuid4

import pytest
from tests.storage.s3 import serving
from tests.storage.scenes import Spread, counters, decided, here

from homing.core.errors import HomingError
from homing.core.result import Distribution, Limits, Options, Progress
from homing.engines.spark.engine import check
from homing.engines.spark.folder import Folder
from homing.storage.uri import below

SECRET = "do/not+tell"


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    """A small S3 of our own, or another one: HOMING_TEST_S3 names its address, and `bucket` is in it."""
    given = os.environ.get("HOMING_TEST_S3")
    if given:
        yield given
        return
    with serving() as address:
        yield address


@pytest.fixture
def folder(endpoint: str) -> str:
    runs = f"s3://AKIAKEY:do%2Fnot%2Btell@bucket/{uuid4().hex}?region=us-east-1&endpoint_override={endpoint}"
    return below(runs, "m-1.spark")


def options(folder: str, told: list[str] | None = None, **given: object) -> Options:
    def show(progress: Progress) -> None:
        if told is not None:
            told.append(progress.note)

    spread = Distribution(partitions=3, folder=folder, by=("c0",))
    return replace(Options(distribution=spread, show=show, limits=Limits(seconds=100)), **given)  # type: ignore[arg-type]


def test_a_run_goes_on_there(folder: str) -> None:
    told: list[str] = []
    stopped = check(counters(), options(folder, told, limits=Limits(states=60)), here)
    assert stopped.reason is not None
    assert Folder(folder).has("run.json")
    with pytest.raises(HomingError, match="--resume goes on with it, --restart removes it"):
        check(counters(), options(folder, told), here)
    found = check(counters(), options(folder, told, resume=True), here)
    assert decided(found.report.results, found.counts) == (Spread().right(), [])
    assert any("resuming from s3://bucket/" in note for note in told)
    found.done()
    assert Folder(folder).is_empty
    texts = [*told, str(stopped.report.checkpoint)]
    assert not any(secret in text for text in texts for secret in ("AKIAKEY", SECRET, "do%2Fnot%2Btell"))


def test_damage_there_is_told(folder: str) -> None:
    check(counters(), options(folder, limits=Limits(states=60)), here)
    run = Folder(folder)
    name = next(name for name in run.place.names() if name.startswith("states/"))
    with run.place.open(name) as file:
        data = file.read()
    run.place.replace(name, data[:-3] + b"\0\0\0")
    try:
        said = str(check(counters(), options(folder, resume=True), here).reason)
    except HomingError as error:  # where a trace is to be read from it
        said = str(error)
    assert f"{name} is damaged: its checksum does not fit" in said


def test_two_runs_there_keep_apart(folder: str) -> None:
    run = Folder(folder)
    run.make()
    run = run.marked()
    lock, _ = run.locked()
    with pytest.raises(HomingError, match="is used by another run: process") as found:
        check(counters(), options(folder), here)
    assert SECRET not in str(found.value)
    lock.release()
    assert check(counters(), options(folder), here).reason is None


def test_what_cannot_be_reached_is_told_without_the_secret() -> None:
    nowhere = "s3://AKIAKEY:do%2Fnot%2Btell@bucket/runs?endpoint_override=http://127.0.0.1:1&region=us-east-1"
    with pytest.raises(HomingError, match="cannot be a run folder") as found:
        check(counters(), options(nowhere), here)
    assert not any(secret in str(found.value) for secret in ("AKIAKEY", SECRET, "do%2Fnot%2Btell"))
