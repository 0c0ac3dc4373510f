"""One Spark session for all tests: starting one costs more than most of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from homing.spark import session


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    started = session("local[2]", "homing-tests")
    yield started
    started.stop()
