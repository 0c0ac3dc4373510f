"""Clocks: constraints of guards and invariants, and the bounds that matter in a location."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.languages.uppaal.support import Loaded, Source, Template

from homing.timed.system import NEVER, Constraint, Reset, at_most

CLOCKS = "clock x, y, z[2]; int n = 3; bool b;"
X, Y = 1, 2


def less(left: int, right: int, bound: int) -> Constraint:
    return (left, right, at_most(bound, strict=True))


def most(left: int, right: int, bound: int) -> Constraint:
    return (left, right, at_most(bound))


def guarded(folder: Path, guard: str, update: str = "", declarations: str = CLOCKS) -> Loaded:
    labels = {"guard": guard} | ({"update": update} if update else {})
    return Source([Template("P", ["A", "B"], [("A", "B", labels)])], declarations).load(folder)


@pytest.mark.parametrize(
    ("guard", "expected"),
    [
        ("x < 5", [(less(X, 0, 5),)]),
        ("x <= n + 1", [(most(X, 0, 4),)]),
        ("x > 5", [(less(0, X, -5),)]),
        ("5 <= x", [(most(0, X, -5),)]),
        ("x == 5", [(most(X, 0, 5), most(0, X, -5))]),
        ("x != 5", [(less(X, 0, 5),), (less(0, X, -5),)]),
        ("x - y < 2", [(less(X, Y, 2),)]),
        ("x > y + 2", [(less(Y, X, -2),)]),
        ("x < 5 && y >= 1", [(less(X, 0, 5), most(0, Y, -1))]),
        ("x < 5 || y >= 1", [(less(X, 0, 5),), (most(0, Y, -1),)]),
        ("!(x < 5)", [(most(0, X, -5),)]),
        ("x >= 0", [()]),
        ("x < 0", []),
        ("n == 3 && x < 5", [(less(X, 0, 5),)]),
        ("n == 2 && x < 5", []),
        ("n == 3 || x < 5", [()]),
        ("n == 2 imply x < 5", [()]),
        ("n == 3 imply x < 5", [(less(X, 0, 5),)]),
        ("n == 3 ? x < 5 : y < 6", [(less(X, 0, 5),)]),
        ("z[n - 2] < 5", [(less(4, 0, 5),)]),
        ("forall (i : int[0,1]) z[i] > i", [(less(0, 3, 0), less(0, 4, -1))]),
        ("exists (i : int[0,1]) z[i] <= i", [(most(3, 0, 0),), (most(4, 0, 1),)]),
        ("x + 2 < 5", [(less(X, 0, 3),)]),
        ("x' == 1 && x < 5", [(less(X, 0, 5),)]),
    ],
)
def test_guards(tmp_path: Path, guard: str, expected: list[tuple[Constraint, ...]]) -> None:
    assert [action.guard for action, _ in guarded(tmp_path, guard).actions()] == expected


@pytest.mark.parametrize(
    ("update", "expected"),
    [
        ("x = 0", [Reset(X)]),
        ("x = n + 1, y = 0", [Reset(X, 4), Reset(Y)]),
        ("x = y", [Reset(X, 0, Y)]),
        ("z[n - 3] = 0", [Reset(3)]),
        ("both(x)", [Reset(X), Reset(3), Reset(4)]),
    ],
)
def test_resets(tmp_path: Path, update: str, expected: list[Reset]) -> None:
    declarations = CLOCKS + "void both(clock &c) { c = 0; for (i : int[0,1]) z[i] = 0; }"
    ((action, _),) = guarded(tmp_path, "true", update, declarations).actions()
    assert list(action.resets) == expected


def test_a_guard_that_fails_does_so_whatever_the_clocks_say(tmp_path: Path) -> None:
    ((action, _),) = guarded(tmp_path, "z[n] < 5 && x > 3").actions()
    assert action.failure.endswith("'z[n]' has the index 3, but 'z' has 0 to 1")
    assert action.guard == ()


def test_an_update_that_fails_does_so_behind_its_guard(tmp_path: Path) -> None:
    ((action, _),) = guarded(tmp_path, "x > 3", "n = 1 / 0").actions()
    assert action.failure.endswith("'1 / 0' divides 1 by zero")
    assert action.guard == (less(0, X, -3),)


def test_a_guard_is_evaluated_from_left_to_right(tmp_path: Path) -> None:
    assert guarded(tmp_path, "n < 2 && z[n] < 5").actions() == []


def test_invariants(tmp_path: Path) -> None:
    template = Template("P", ["A: x <= n && y < 2", "B: n > 3", "C: b imply x < 7"], [("A", "B", {}), ("B", "C", {})])
    model = Source([template], CLOCKS).load(tmp_path)
    assert model.part("P").invariant == (most(X, 0, 3), less(Y, 0, 2))
    second = model.state("P: A → B")
    assert model.part("P", second).invariant == ((0, 0, 0),)
    assert model.part("P", model.state("P: A → B", "P: B → C")).invariant == ()


def test_processes_without_time_have_no_part(tmp_path: Path) -> None:
    busy = Template("P", ["A", "B"], [("A", "B", {"guard": "n > 0"})])
    assert Source([busy], CLOCKS).load(tmp_path).system.parts == ()


BOUNDED = Template(
    "P",
    ["A", "B: x <= 9", "C"],
    [
        ("A", "B", {"guard": "x > 4"}),
        ("B", "C", {"guard": "x >= 7", "update": "x = 0"}),
        ("C", "A", {"guard": "x < 2 && y > 20", "update": "y = 0"}),
    ],
)


def test_bounds_by_location(tmp_path: Path) -> None:
    model = Source([BOUNDED], "clock x, y, unused;").load(tmp_path)
    states = [model.first, model.state("P: A → B"), model.state("P: A → B", "P: B → C")]
    parts = [model.part("P", state) for state in states]
    assert [part.lower for part in parts] == [(0, 7, 20, NEVER), (0, 7, 20, NEVER), (0, 7, 20, NEVER)]
    assert [part.upper for part in parts] == [(0, 9, NEVER, NEVER), (0, 9, NEVER, NEVER), (0, 9, NEVER, NEVER)]


def test_a_reset_ends_what_matters(tmp_path: Path) -> None:
    template = Template(
        "P", ["A", "B"], [("A", "B", {"guard": "x < 3", "update": "x = 0"}), ("B", "B", {"guard": "x > 8"})]
    )
    model = Source([template], "clock x;").load(tmp_path)
    assert (model.part("P").lower, model.part("P").upper) == ((0, NEVER), (0, 3))


def test_a_reset_that_may_not_happen_ends_nothing(tmp_path: Path) -> None:
    template = Template("P", ["A", "B"], [("A", "B", {"update": "f()"}), ("B", "B", {"guard": "x > 8"})])
    model = Source([template], "clock x; int n; void f() { if (n > 0) return; x = 0; }").load(tmp_path)
    assert model.part("P").lower == (0, 8)


def test_a_copy_hands_bounds_on(tmp_path: Path) -> None:
    template = Template("P", ["A", "B"], [("A", "B", {"update": "x = y"}), ("B", "B", {"guard": "x > 8"})])
    model = Source([template], "clock x, y;").load(tmp_path)
    assert model.part("P").lower == (0, NEVER, 8)


def test_bounds_of_variables(tmp_path: Path) -> None:
    template = Template(
        "P",
        ["A"],
        [("A", "A", {"guard": "x <= n && x > m && x < o[m] && x >= f()", "update": "n = m + 4, o[m] = 12"})],
    )
    declarations = "clock x; int n; int[0,5] m; int o[6]; int f() { return n + 1; }"
    model = Source([template], declarations).load(tmp_path)
    part = model.part("P")
    # m is never assigned, n is 0 or 4, o[m] is 0 or 12.
    assert (part.lower, part.upper) == ((0, 5), (0, 12))


def test_what_grows_reaches_the_end_of_its_type(tmp_path: Path) -> None:
    template = Template("P", ["A"], [("A", "A", {"guard": "x <= n", "update": "n = m, m = o, o++"})])
    model = Source([template], "clock x; int[0,1000] n; int m, o;").load(tmp_path)
    assert model.part("P").upper == (0, 1000)


def test_one_that_hears_counts_both_ways(tmp_path: Path) -> None:
    listener = Template("P", ["A", "B"], [("A", "B", {"guard": "x > 2", "sync": "b?"})])
    model = Source([listener], "broadcast chan b; clock x;").load(tmp_path)
    assert (model.part("P").lower, model.part("P").upper) == ((0, 2), (0, 2))


def test_diagonals(tmp_path: Path) -> None:
    model = guarded(tmp_path, "x - y < 3 && n < 5 && y - x >= 1")
    assert model.system.diagonals == (most(X, Y, -1), less(X, Y, 3))
    assert model.part("P").lower[:3] == (0, 3, 3)


def test_clocks_have_names(tmp_path: Path) -> None:
    template = Template("P", ["A"], [], "clock own;", "const int[0,1] i")
    assert Source([template], "clock x[2];").load(tmp_path).system.clocks == ("x[0]", "x[1]", "P(0).own", "P(1).own")
