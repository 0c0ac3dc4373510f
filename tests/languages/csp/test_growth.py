"""Processes that multiply without end are refused; those that something can stop are checked."""

from __future__ import annotations

from pathlib import Path

import pytest

import homing
from homing.core.errors import HomingError
from homing.core.result import Options

ENDLESS = {
    "P() = a -> (P() ||| P());": "1:13",
    "P() = a -> (P() ||| b -> Skip);": "1:13",
    "P() = a -> (b -> Skip ||| P());": "1:27",
    "P() = a -> (P(); b -> Skip);": "1:13",
    "P() = a -> (P() interrupt b -> Skip);": "1:13",
    "P() = a -> Q() [] b -> Skip; Q() = c -> (d -> Skip ||| P());": "1:56",
    "P() = Q(); Q() = a -> (b -> Skip ||| Q());": "1:38",
    "P() = atomic{a -> ((P() ||| P()) \\ {a})};": "1:21",
    "P() = x ->(Q() ||| Q()); Q() = y -> (P() [] z -> Skip);": "1:38",
}
BOUNDED = {
    "var x = 0; P() = [x < 3] a{x = x + 1;} -> (P() ||| P());": 9,
    "P() = R(2); R(n) = [n > 0] a -> (R(n - 1) ||| R(n - 1));": None,
    "P() = (Q() ||| b -> Skip); Q() = c -> Q();": None,
    "channel c 1; P() = c?x -> (P() ||| P());": 1,
    "P() = a -> Skip; Q() = a -> (Q() ||| Q());": None,
    "P() = (Q() || Stop); #alphabet Q {a}; #alphabet P {a}; Q() = a -> (Q() ||| Q());": None,
}


def load(folder: Path, text: str) -> homing.api.CheckedModel:
    file = folder / "m.csp"
    file.write_text(f"{text}\n#assert P() deadlockfree;\n")
    return homing.load(file)


@pytest.mark.parametrize("text", ENDLESS)
def test_a_process_that_multiplies_without_end_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(HomingError, match="starts itself again and again") as error:
        load(tmp_path, text)
    assert f"m.csp:{ENDLESS[text]}:" in str(error.value)


@pytest.mark.parametrize("text", BOUNDED)
def test_a_process_that_something_stops_is_checked(text: str, tmp_path: Path) -> None:
    (result,) = load(tmp_path, text).check(options=Options(threads=1)).results
    assert result.counts.distinct == BOUNDED[text] or BOUNDED[text] is None
