"""Errors are one printable sentence, whatever stands in the input."""

from __future__ import annotations

import pytest

from homing.core.errors import HomingError, Place


@pytest.mark.parametrize("odd", ["\0", "\x1b[31m", "\n", "\r", "\x85", "\u202e", "\u2028", "\ufeff", "\ud800"])
def test_what_a_terminal_would_obey_is_escaped(odd: str) -> None:
    shown = str(HomingError(f"unknown broker '{odd}'", Place(f"a{odd}.toml", 3), [f"b{odd}"]))
    assert shown.isprintable()
    escape = odd.encode("unicode_escape").decode()
    assert shown == f"a{escape}.toml:3: unknown broker '{escape}'; declared: b{escape}"


def test_a_long_sentence_keeps_its_place_its_beginning_and_its_end() -> None:
    shown = str(HomingError(f"unknown broker '{'9' * 5000}' in a link", Place("a.toml", 3), ["b"]))
    assert len(shown) < 2000
    assert shown.startswith("a.toml:3: unknown broker '999")
    assert shown.endswith("999' in a link; declared: b")


def test_a_sentence_of_usual_length_is_not_changed() -> None:
    assert str(HomingError("no 'é→' here", Place("a.toml", 3, 4))) == "a.toml:3:4: no 'é→' here"
