"""Declarations, expressions and functions: what an update makes of the variables."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.languages.uppaal.support import Loaded, Source, Template

STEP = "P: A → A"


def updated(folder: Path, declarations: str, update: str) -> Loaded:
    return Source([Template("P", ["A"], [("A", "A", {"update": update})])], declarations).load(folder)


def value(folder: Path, declarations: str, update: str, name: str = "r") -> object:
    model = updated(folder, declarations, update)
    ((action, after),) = model.actions()
    assert not action.failure, action.failure
    return model.values(after)[name]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("-7 / 2", -3),
        ("-7 % 3", -1),
        ("7 % -3", 1),
        ("1 << 4 >> 1", 8),
        ("6 & 3", 2),
        ("6 | 3", 7),
        ("6 ^ 3", 5),
        ("3 <? 2 >? 1", 2),
        ("5 >? 3 <? 4", 4),
        ("a < b ? 10 : 20", 10),
        ("a > b ? 10 : a == b ? 20 : 30", 30),
        ("!(a == 1) + 1", 1),
        ("not a == 1", 0),
        ("a == 1 && b == 2", 1),
        ("a == 2 || b == 2", 1),
        ("a == 1 and b == 3 or true", 1),
        ("a == 1 imply b == 3", 0),
        ("a == 2 imply b == 3", 1),
        ("(a == 1 xor b == 2)", 0),
        ("true + true", 2),
        ("forall (i : int[0,2]) v[i] > i", 1),
        ("exists (i : int[0,2]) v[i] == 5", 0),
        ("sum (i : int[0,2]) v[i]", 9),
        ("sum (i : int[0,99]) i", 4950),
        ("abs(-4)", 4),
        ("v[a] + v[2]", 7),
        ("m[1][0]", 6),
        ("p.y", 2),
        ("q[1].y", 8),
        ("(a = 4) + a", 8),
        ("a++ + a", 3),
        ("++a + a", 4),
        ("a-- - a", 1),
        ("v == w", 0),
        ("p == pair", 1),
    ],
)
def test_operators(tmp_path: Path, expression: str, expected: int) -> None:
    declarations = """
    int r, a = 1, b = 2;
    int v[3] = {2, 3, 4}, w[3] = {2, 3, 5};
    int m[2][2] = {{4, 5}, {6, 7}};
    typedef struct { int x; int y; } point;
    point p = {1, 2};
    const point pair = {y: 2, x: 1};
    point q[2] = {{5, 6}, {7, 8}};
    """
    assert value(tmp_path, declarations, f"r = {expression}") == expected


@pytest.mark.parametrize(
    ("update", "expected"),
    [
        ("r += 2", 5),
        ("r -= 2", 1),
        ("r *= 2", 6),
        ("r /= 2", 1),
        ("r %= 2", 1),
        ("r |= 4", 7),
        ("r &= 2", 2),
        ("r ^= 1", 2),
        ("r <<= 2", 12),
        ("r >>= 1", 1),
        ("r := 9", 9),
        ("r = 1, r = r + 1", 2),
        ("r = s = 4", 4),
    ],
)
def test_assignments(tmp_path: Path, update: str, expected: int) -> None:
    assert value(tmp_path, "int r = 3, s;", update) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("int i; for (i = 0; i < 4; i++) r += i; return r;", 6),
        ("for (i : int[1,3]) r += i; return r;", 6),
        ("for (i : int[1,100]) r += i; return r;", 5050),
        ("while (r < 5) { r += 2; } return r;", 6),
        ("do r++; while (r < 0); return r;", 1),
        ("if (r > 0) return 1; else if (r < 0) return 2; else { return 3; }", 3),
        ("int v[2] = {4, 5}; swap(v[0], v[1]); return v[0] * 10 + v[1];", 54),
        ("return twice(twice(3));", 12),
        ("int i = 7; { int i = 8; r = i; } return r * 10 + i;", 87),
        ("pair_t p = {1, 2}; p.y = 5; return second(p);", 5),
        ("const int k = 3; typedef int[0,3] small; small s = k; return s;", 3),
        (";;; return 2;", 2),
    ],
)
def test_functions(tmp_path: Path, body: str, expected: int) -> None:
    declarations = f"""
    int r, result;
    typedef struct {{ int x; int y; }} pair_t;
    void swap(int &a, int &b) {{ int t = a; a = b; b = t; }}
    int twice(int a) {{ return 2 * a; }}
    int second(const pair_t &p) {{ return p.y; }}
    int f() {{ {body} }}
    """
    assert value(tmp_path, declarations, "result = f()", "result") == expected


def test_arrays_and_structs_are_slots(tmp_path: Path) -> None:
    declarations = """
    typedef int[0,1] bit; typedef scalar[2] name;
    struct { bool on; int[1,5] level[bit]; } s;
    int owner[name]; meta int scratch; const int N = 3; int[2,4] least;
    """
    model = updated(tmp_path, declarations, "s.level[1] = 2, s.on = N")
    assert model.values() == {
        "s.on": False,
        "s.level[0]": 1,
        "s.level[1]": 1,
        "owner[0]": 0,
        "owner[1]": 0,
        "scratch": 0,
        "least": 2,
    }
    assert model.after(STEP)["s.level[1]"] == 2
    assert model.after(STEP)["s.on"] is True
    assert [str(model.system.shape.slots[slot]) for slot in model.system.shape.hidden] == ["scratch"]


def test_reads_are_few(tmp_path: Path) -> None:
    declarations = """
    int a[3], b, c, d; const int k[2] = {1, 2};
    int f(int i) { return b > 0 ? k[i] : a[2]; }
    """
    model = updated(tmp_path, declarations, "a[0] = f(1), c = 1, a[1]++")
    (group,) = model.system.shape.groups
    names = [str(slot) for slot in model.system.shape.slots]
    assert [names[read.slot] for read in group.reads] == ["a[1]", "a[2]", "b"]
    assert [names[slot] for slot in group.writes] == ["a[0]", "a[1]", "c"]


def test_what_is_not_written_is_kept(tmp_path: Path) -> None:
    model = updated(tmp_path, "int a, b; void f() { if (a > 0) b = 5; }", "f()")
    ((_, after),) = model.actions()
    assert model.values(after) == {"a": 0, "b": 0}


@pytest.mark.parametrize(
    ("declarations", "update", "failure"),
    [
        ("int[0,3] r = 3;", "r++", "'r++' gives 'r' the value 4, which is not within 0 to 3"),
        ("int r = 32767;", "r = r + 1", "'r = r + 1' gives 'r' the value 32768, which is not within -32768 to 32767"),
        ("int a[3], i = 3;", "a[i] = 1", "'a[i]' has the index 3, but 'a' has 0 to 2"),
        ("int a[3];", "a[3] = 1", "'a[3]' has the index 3, but 'a' has 0 to 2"),
        ("int a, r;", "r = 5 / a", "'5 / a' divides 5 by zero"),
        ("int a, r;", "r = 5 % a", "'5 % a' divides 5 by zero"),
        ("int a = -1, r;", "r = 1 << a", "'1 << a' shifts by -1, which is not within 0 to 31"),
        ("int r = 30000;", "r = r * r * r", "'r * r * r' is 27000000000000, which needs more than 32 bits"),
        ("clock x; int a = -1;", "x = a", "'x = a' gives a clock the value -1, which is less than 0"),
    ],
)
def test_failures(tmp_path: Path, declarations: str, update: str, failure: str) -> None:
    model = updated(tmp_path, declarations, update)
    ((action, _),) = model.actions()
    column = 72 + update.index(failure.split("'")[1])
    assert action.failure.replace(f"{tmp_path}/", "") == (
        f"model.xml:8:{column}: the update of the edge A → A of template P: {failure}"
    )


def test_failures_in_functions_are_placed_there(tmp_path: Path) -> None:
    model = updated(
        tmp_path, "int r;\nint f(int a) {\n  return 1 / a;\n}\nvoid g() { while (true) r = 1; }", "r = f(0)"
    )
    ((action, _),) = model.actions()
    assert action.failure.endswith("model.xml:5:10: the declarations: '1 / a' divides 1 by zero")


def test_a_loop_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("homing.languages.uppaal.functions.MOST_ROUNDS", 1000)
    model = updated(tmp_path, "void g() { while (true) { } }", "g()")
    ((action, _),) = model.actions()
    assert action.failure.endswith("model.xml:3:30: the declarations: a loop goes round more than 1000 times")


def test_a_function_without_a_result(tmp_path: Path) -> None:
    model = updated(tmp_path, "int r; int f() { if (r > 0) return 1; }", "r = f()")
    ((action, _),) = model.actions()
    assert action.failure.endswith("the function 'f' ends without returning a value")
