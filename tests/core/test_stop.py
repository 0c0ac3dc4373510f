"""A run ends wherever it may be left, once, and nowhere else."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import pytest

from homing.core.stop import Stopped, leavable, leave, pending, raise_pending, settle, sheltered


@pytest.fixture(autouse=True)
def _settled() -> Iterator[None]:
    yield
    settle()


@leavable
def pure(call: Callable[[], None]) -> None:
    call()


@sheltered
def from_c(call: Callable[[], None]) -> None:
    call()


def signal(reason: str | None = "late") -> None:
    leave(sys._getframe(), reason)


def test_only_a_leavable_function_is_left() -> None:
    signal()
    assert pending()
    with pytest.raises(Stopped, match="late"):
        pure(signal)


def test_a_reason_is_acted_on_once() -> None:
    with pytest.raises(Stopped):
        pure(signal)
    pure(lambda: signal(None))
    assert not pending()


def test_what_could_not_be_left_is_left_later() -> None:
    signal()
    with pytest.raises(Stopped, match="late"):
        pure(lambda: signal(None))


def test_nothing_is_raised_below_c() -> None:
    pure(lambda: from_c(signal))
    assert pending()
    with pytest.raises(Stopped, match="late"):
        raise_pending()


def test_a_leavable_function_below_c_is_left() -> None:
    with pytest.raises(Stopped):
        from_c(lambda: pure(signal))


def test_who_handles_errors_does_not_handle_it() -> None:
    assert not issubclass(Stopped, Exception)
