"""Long texts are parsed in pieces."""

from __future__ import annotations

import pytest

from homing.languages.tla.parse import PIECE, parse
from homing.languages.tla.syntax import Operator


@pytest.mark.parametrize("length", [1, 7, 60, 3 * PIECE])
def test_names_of_a_long_text_are_read(length: int) -> None:
    """Also those that lie across two pieces."""
    names = [f"{'n' * length}{number}" for number in range(1 + 3 * PIECE // length)]
    lines = ["---- MODULE Long ----", *(f"{name} == {number}" for number, name in enumerate(names)), "===="]
    (module,) = parse("\n".join(lines).encode(), "Long.tla")
    assert [unit.name for unit in module.units if isinstance(unit, Operator)] == names
