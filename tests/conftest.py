"""Spark's session, and what runs where and when if several processes share the tests (pytest-xdist)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """One session for all tests: starting one costs more than most of them."""
    from homing.spark import session

    started = session("local[2]", "homing-tests")
    yield started
    started.stop()


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        # One process has all of Spark: a second session would cost as much again, in time and in memory.
        if "spark" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("spark"))
    # Long tests first: otherwise one may be left at the end, with the other processes idle.
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
