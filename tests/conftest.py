"""Spark's session, and what runs where and when if several processes share the tests (pytest-xdist)."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

# A busy machine is no failure.
settings.register_profile("homing", deadline=None)
settings.load_profile("homing")

# Whoever starts the tests in the background has them ignore interrupts, and what they start inherits that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

SPARK = (
    "tests/test_spark.py",
    "tests/engines/spark/graph/test_on_spark.py",
    "tests/overlay/simulation/test_many.py",
    "tests/overlay/test_commands.py",
    "tests/overlay/test_pipeline.py",
    "tests/storage/test_managed.py",
)


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """One session for all tests: starting one costs more than most of them."""
    from homing.spark import session

    started = session("local[2]", "homing-tests")
    yield started
    started.stop()


class Scheduling(LoadScopeScheduling):  # type: ignore[misc]  # comes without types
    """Each test goes to the next free process, but all files with Spark to one: a second session costs as much again.

    Marks of `--dist=loadgroup` would say it better, but have no effect since pytest 9.2 (pytest-xdist, issue 1386).
    """

    def _split_scope(self, nodeid: str) -> str:
        return "spark" if nodeid.startswith(SPARK) else nodeid


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Scheduling:
    return Scheduling(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long tests first: otherwise one may be left at the end, with the other processes idle."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.fixture(autouse=True)
def _same_depth() -> Iterator[None]:
    """Reading some notations raises Python's recursion limit for good; the next test begins as this one did."""
    before = sys.getrecursionlimit()
    yield
    sys.setrecursionlimit(before)
