"""What depends on where a search is, and on how expressions are evaluated; counts are TLC's."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.languages.tla.support import check, complaint, counts, verdicts, write

from homing.core.errors import HomingError
from homing.languages import load
from homing.languages.tla import load_one

LEVELS = """
EXTENDS Integers, TLC
VARIABLES x, y
Init == x = TLCGet("level") /\\ y = 0
A == x' = (x + 1) % 3 /\\ UNCHANGED y
B == TLCGet("level") > 2 /\\ y' = (y + x) % 4 /\\ UNCHANGED x
Next == A \\/ B
Con == TLCGet("level") < 6
Seen == <<x, TLCGet("level")>>
Early == TLCGet("level") < 3 => y = 0
Soon == TLCGet("level") < 5
Live == <>(y = 1)
Step == [][TLCGet("level") < 3 => y' = y]_<<x, y>>
Later == x' = TLCGet("level")'
"""


def test_the_level_of_a_state(tmp_path: Path) -> None:
    report = check(tmp_path, LEVELS, "INIT Init\nNEXT Next\nCONSTRAINT Con\nINVARIANT Early Soon\nPROPERTY Step Live")
    assert verdicts(report) == {
        "deadlock free": "HOLDS",
        "Early": "HOLDS",
        "Soon": "VIOLATED",
        "Step": "HOLDS",
        "Live": "UNKNOWN",  # states that differ in their level only are one, though their futures may differ
    }
    assert counts(report) == (5, 9, 5)


def test_a_view_with_the_level(tmp_path: Path) -> None:
    report = check(tmp_path, LEVELS, "INIT Init\nNEXT Next\nCONSTRAINT Con\nVIEW Seen\nINVARIANT Early")
    assert set(verdicts(report).values()) == {"HOLDS"}
    assert counts(report) == (8, 15, 5)


def test_a_level_is_not_for_spark(tmp_path: Path) -> None:
    """There a state may be found by a longer way first, and keeps what it hides from then."""
    config = "INIT Init\nNEXT Next\nCONSTRAINT Con\nINVARIANT Early"
    (model,) = load(write(tmp_path, LEVELS, config))
    assert model.portable is not None
    with pytest.raises(HomingError, match="--engine spark is not supported here"):
        model.portable()


def test_a_level_below_a_prime(tmp_path: Path) -> None:
    assert 'TLCGet("level") below a prime is not supported' in complaint(tmp_path, LEVELS, "INIT Init\nNEXT Later")


COMPOSED = """
EXTENDS Integers
VARIABLES x, y
Init == x \\in 0..1 /\\ y = 0
Up(n) == x' = (x + n) % 5 /\\ UNCHANGED y
Either == \\E n \\in 1..2 : Up(n)
Copy == LET d == x - 1 IN y' = (IF d < 0 THEN 0 ELSE d) /\\ UNCHANGED x
Next == Up(1) \\/ (Either \\cdot Copy) \\/ ((Up(2) \\cdot Copy) \\cdot Up(1))
Small == x < 5 /\\ y < 3
RECURSIVE Sum(_)
Sum(n) == IF n = 0 THEN x ELSE Sum(n - 1)
Recursive == (x' = Sum(x) /\\ UNCHANGED y) \\cdot Copy
Enabled == (x' = (x + 1) % 4 /\\ UNCHANGED y) \\cdot (ENABLED (x < 3 /\\ x' = x) /\\ Copy)
Fails == [][(x' = x + 1) \\cdot Copy]_x
"""


def test_composition(tmp_path: Path) -> None:
    report = check(tmp_path, COMPOSED, "INIT Init\nNEXT Next\nINVARIANT Small")
    assert verdicts(report) == {"deadlock free": "HOLDS", "Small": "VIOLATED"}
    # TLC has the same distinct states and depth; it also counts, as generated, the states in between.
    assert counts(report) == (20, 82, 6)


@pytest.mark.parametrize(("action", "wanted"), [("Recursive", (2, 1)), ("Enabled", (3, 2))])
def test_composition_with_a_recursive_operator_or_enabled(action: str, wanted: tuple[int, int], tmp_path: Path) -> None:
    report = check(tmp_path, COMPOSED, f"INIT Init\nNEXT {action}\nCHECK_DEADLOCK FALSE")
    distinct, _, depth = counts(report)
    assert (distinct, depth) == wanted  # TLC's


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (
            "NEXT Next\nPROPERTY Fails",
            "action composition (\\cdot) is not supported outside of the next-state relation",
        ),
    ],
)
def test_composition_that_is_refused(config: str, said: str, tmp_path: Path) -> None:
    assert said in complaint(tmp_path, COMPOSED, f"INIT Init\n{config}")


GRID = """
EXTENDS Integers, FiniteSets
VARIABLES cells, n
Pos == {<<i, j>> : i, j \\in 1..2}
RECURSIVE Sum(_, _)
Sum(f, S) == IF S = {} THEN 0 ELSE LET p == CHOOSE p \\in S : TRUE IN f[p] + Sum(f, S \\ {p})
RECURSIVE Down(_, _)
Down(k, v) == IF v = 0 THEN k ELSE Down(k + 1, v - 1)
score[p \\in (0..3) \\X (0..3)] == IF p \\in Pos THEN cells[p] ELSE 0
Around(p) == {<<p[1] + i, p[2] + j>> : i, j \\in {-1, 0, 1}} \\ {p}
Init == cells \\in [Pos -> 0..1] /\\ n = 0
Next == /\\ cells' = [p \\in Pos |-> IF Sum(score, Around(p)) % 2 = 1 THEN 1 ELSE cells[p]]
        /\\ n' = Down(0, Sum(cells', Pos))
Corner == Sum(score, {<<1, 1>>, <<0, 1>>}) < 2
Good == n \\in {k \\in Nat : k < 5} /\\ {n} \\in {s \\in SUBSET (0..30) : Cardinality(s) = 1}
Grows == [][LET before == Sum(cells, Pos) after == Sum(cells, Pos)' IN after >= before /\\ n' = after]_<<cells, n>>
"""


def test_recursion_and_membership(tmp_path: Path) -> None:
    """SUBSET (0..30) could not be listed, so that Good is decided shows that it is not."""
    report = check(tmp_path, GRID, "INIT Init\nNEXT Next\nINVARIANT Corner Good\nPROPERTY Grows\nCHECK_DEADLOCK FALSE")
    assert verdicts(report) == {"Corner": "HOLDS", "Good": "HOLDS", "Grows": "HOLDS"}
    assert counts(report) == (23, 39, 2)


def test_recursion_over_constants_reads_what_it_must(tmp_path: Path) -> None:
    model = load_one(write(tmp_path, GRID, "INIT Init\nNEXT Next\nINVARIANT Corner\nCHECK_DEADLOCK FALSE"))
    shape = model.system.shape
    (corner,) = [label for label in shape.labels if label.name == "Corner"]
    assert [shape.slots[read.slot].name for read in corner.reads] == ["cells[<<1, 1>>]"]


def test_recursion_that_is_too_deep_to_be_written_out(tmp_path: Path) -> None:
    spec = """
        EXTENDS Integers
        VARIABLE x
        RECURSIVE Add(_, _)
        Twice(n) == n
        One(n) == Twice(n)
        Add(n, v) == IF n = 0 THEN v ELSE One(One(Add(n - 1, v + 1)))
        RECURSIVE F(_)
        C == F(0) + 1
        F(n) == IF n = 0 THEN 1 ELSE C + F(n - 1)
        Init == x = 0
        Next == x < 200 /\\ x' = Add(50, Add(100, x)) + (F(x) - F(x))
        """
    report = check(tmp_path, spec, "INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE")
    assert counts(report) == (3, 3, 3)


def test_what_is_refused_is_refused_when_it_is_needed(tmp_path: Path) -> None:
    spec = """
        EXTENDS Integers, Json
        VARIABLE x
        Init == x = 0
        Next == x < 3 /\\ x' = x + 1
        Most == 9
        Less == 2
        Inv == x < Most \\/ JsonSerialize("trace.json", <<x>>)
        """
    config = "INIT Init\nNEXT Next\nINVARIANT Inv\nCHECK_DEADLOCK FALSE"
    assert verdicts(check(tmp_path, spec, config)) == {"Inv": "HOLDS"}
    said = complaint(tmp_path, spec, f"{config}\nCONSTANT Most <- Less")
    assert said.startswith("Spec.tla:")
    assert "'JsonSerialize' writes to \"trace.json\", which needs --allow-write FOLDER" in said
    assert not (tmp_path / "trace.json").exists()
