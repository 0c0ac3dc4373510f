from __future__ import annotations

import pytest

from homing.simulating.showing import contrast


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("⟨1, 2, 3⟩", "⟨1, 5, 3⟩", ("… 2, …", "… 5, …")),
        ("⟨1, 2⟩", "⟨1, 2, 3⟩", ("… 2⟩", "… 2, 3⟩")),
        ("[a |-> 1, b |-> 2, c |-> 3]", "[a |-> 1, b |-> 12, c |-> 3]", ("… b |-> 2, …", "… b |-> 12, …")),
        ("{}", "{1, 2}", ("{}", "{1, 2}")),
        ("⟨1, 1⟩", "⟨1, 1, 1⟩", ("… 1⟩", "… 1, 1⟩")),
        ("⟨0, 1, 1⟩", "⟨1, 1⟩", ("⟨0, 1, …", "⟨1, …")),
        ("one", "two", ("one", "two")),
    ],
)
def test_a_contrast(before: str, after: str, shown: tuple[str, str]) -> None:
    assert contrast(before, after) == shown
