"""Long texts are parsed in pieces."""

from __future__ import annotations

import itertools

import pytest

from homing.core.errors import HomingError
from homing.languages.tla.parse import PIECE, parse
from homing.languages.tla.syntax import Operator


@pytest.mark.parametrize("length", [1, 7, 60, 3 * PIECE])
def test_names_of_a_long_text_are_read(length: int) -> None:
    """Also those that lie across two pieces."""
    names = [f"{'n' * length}{number}" for number in range(1 + 3 * PIECE // length)]
    lines = ["---- MODULE Long ----", *(f"{name} == {number}" for number, name in enumerate(names)), "===="]
    (module,) = parse("\n".join(lines).encode(), "Long.tla")
    assert [unit.name for unit in module.units if isinstance(unit, Operator)] == names


@pytest.mark.parametrize("asked", range(1, 12))
def test_a_limit_ends_a_long_text_at_any_piece(asked: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a piece ends inside a character of several bytes: an empty piece crashed the parser there."""
    calls = itertools.count()
    monkeypatch.setattr("homing.languages.tla.parse.pending", lambda: next(calls) >= asked)
    text = "---- MODULE Long ----\nEXTENDS " + '"é' * (4 * PIECE)
    with pytest.raises(HomingError, match="no TLA"):
        parse(text.encode(), "Long.tla")
    assert next(calls) > asked
