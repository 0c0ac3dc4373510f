from __future__ import annotations

import pytest

from homing.report.wording import duration, memory, plural, printable


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0.00 s"),
        (9.99, "9.99 s"),
        (9.999, "10.0 s"),
        (99.9, "99.9 s"),
        (99.96, "1 min 40 s"),
        (3599.7, "1 h 00 min"),
        (11220, "3 h 07 min"),
    ],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_memory() -> None:
    assert (memory(87.4), memory(9999), memory(12800)) == ("87 MB", "9,999 MB", "12.5 GB")


def test_plurals() -> None:
    assert (plural(1, "step"), plural(2000, "step")) == ("1 step", "2,000 steps")
    assert plural(2, "property", "properties") == "2 properties"


def test_printable() -> None:
    assert printable("naïve → 日本") == "naïve → 日本"
    assert printable("a\nb\x1b\ud800") == "a\\nb\\x1b\\ud800"
