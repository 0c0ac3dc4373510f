"""What comparing random systems with region graphs, and reading UPPAAL's rules closely, once found wrong."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.languages.uppaal.support import Source, Template
from tests.languages.uppaal.verdicts import answer

import homing
from homing.core.result import Report

Edge = tuple[str, str, dict[str, str]]


def source(declarations: str, edges: Sequence[Edge], queries: Sequence[str] = ()) -> Source:
    return Source([Template("P", ["A", "B"], edges)], declarations, queries=queries)


def checked(folder: Path, model: Source) -> Report:
    file = folder / "model.xml"
    file.write_text(model.xml(), encoding="utf-8")
    return homing.load(file).check()


def answers(report: Report) -> list[tuple[str, object]]:
    assert report.error is None
    return [(result.verdict.name, result.value) for result in report.results]


@pytest.mark.parametrize(
    ("update", "expected"),
    [
        ("v[i++] += 2", (0, 1, 7, 6)),
        ("v[i++]++", (0, 1, 6, 6)),
        ("r = v[i++]--", (5, 1, 4, 6)),
        ("r = ++v[i++]", (6, 1, 6, 6)),
        ("v[i] = r++, v[r] = ++i", (1, 1, 0, 1)),
    ],
)
def test_a_place_is_found_once(tmp_path: Path, update: str, expected: tuple[int, ...]) -> None:
    model = source("int r, i, v[2] = {5, 6};", [("A", "B", {"update": update})]).load(tmp_path)
    values = model.after("P: A → B")
    assert tuple(values[name] for name in ("r", "i", "v[0]", "v[1]")) == expected


@pytest.mark.parametrize("update", ["r = b = 5", "r = (b = -5)", "b += 5, r = b", "r = (b |= 4)", "r = ++b"])
def test_the_value_of_an_assignment_is_what_was_stored(tmp_path: Path, update: str) -> None:
    model = source("int r; bool b;", [("A", "B", {"update": update})]).load(tmp_path)
    assert model.after("P: A → B")["r"] == 1


@pytest.mark.parametrize("update", ["b = -3", "r = b = -3", "b = f(), r = f()"])
def test_the_bounds_of_truth_values(tmp_path: Path, update: str) -> None:
    edges = [("A", "B", {"update": update}), ("B", "A", {"guard": "x <= b && x >= r"})]
    model = source("clock x; int r; bool b; bool f() { return -3; }", edges).load(tmp_path)
    assert model.part("P").upper[1] == 1


@pytest.mark.parametrize("update", ["b = n > 0 && f()", "b = n == 0 || f()"])
def test_a_reset_that_may_be_left_out_ends_nothing(tmp_path: Path, update: str) -> None:
    edges = [("A", "B", {"update": update}), ("B", "B", {"guard": "x > 8"})]
    model = source("clock x; int n; bool b; bool f() { x = 0; return true; }", edges).load(tmp_path)
    assert model.part("P").lower == (0, 8)


def test_the_range_of_a_variable_counts_through_references(tmp_path: Path) -> None:
    """UPPAAL refuses such references; what they lead to would be a variable beyond its range."""
    declarations = "int[0,3] n, v[2]; void set(int &r) { r = 7; } void all(int &w[2]) { w[n + 1] = 7; }"
    for update in ("set(n)", "set(v[n])", "all(v)"):
        report = checked(tmp_path, source(declarations, [("A", "B", {"update": update})], ["A[] n <= 3"]))
        assert "the value 7, which is not within 0 to 3" in str(report.error)
    template = Template("P", ["A", "B"], [("A", "B", {"update": "r = 7"})], parameters="int &r")
    report = checked(tmp_path, Source([template], declarations, "Q = P(n); system Q;", ["A[] n <= 3"]))
    assert "'r = 7' gives 'r' the value 7, which is not within 0 to 3" in str(report.error)


def test_extremes_where_only_a_part_of_the_condition_can_hold(tmp_path: Path) -> None:
    edges = [("A", "B", {"guard": "x >= 2", "update": "n = 4"})]
    asked = ["inf{P.B && x != 1}: n", "sup{P.B && x != 1}: n", "inf{P.B && x != 1}: x", "inf{P.A && x != 0}: x"]
    report = checked(tmp_path, source("clock x; int n;", edges, asked))
    assert answers(report) == [("HOLDS", 4), ("HOLDS", 4), ("HOLDS", 2), ("HOLDS", 0)]
    assert [result.trace is not None for result in report.results] == [True, True, True, False]


def test_the_names_of_extremes(tmp_path: Path) -> None:
    asked = ["sup{(n == 0) || (n == 4)}: (n + 1) * (2), ((n)) , f(n) + (n)"]
    report = checked(tmp_path, source("int n; int f(int k) { return k; }", [("A", "B", {"update": "n = 4"})], asked))
    where = "sup{(n == 0) || (n == 4)}"
    assert [result.property for result in report.results] == [
        f"{where}: (n + 1) * (2)",
        f"{where}: n",
        f"{where}: f(n) + (n)",
    ]
    assert answers(report) == [("HOLDS", 10), ("HOLDS", 4), ("HOLDS", 8)]


def test_extremes_of_deadlocks_are_not_asked_for(tmp_path: Path) -> None:
    model = source("int n;", [("A", "B", {"update": "n = 1"})], ["inf{deadlock && P.B}: n"])
    assert model.mistake(tmp_path).endswith("the query: 'deadlock' can be asked about with E<> and A[] only")


def test_a_system_in_which_only_time_passes(tmp_path: Path) -> None:
    idle = Template("P", ["A: x <= 3"], [("A", "A", {"guard": "x >= 2", "update": "x = 0"})])
    report = checked(
        tmp_path, Source([idle], "clock x;", queries=["A[] x <= 3", "E<> x == 3", "A[] not deadlock", "sup: x"])
    )
    assert answers(report) == [("HOLDS", None), ("HOLDS", None), ("HOLDS", None), ("HOLDS", 3)]


def test_a_run_without_what_is_led_to_has_times(tmp_path: Path) -> None:
    """In its loop time passes, which it can do only in the second round for the first time."""
    edges = [("A", "B", {"guard": "x <= 0"}), ("B", "B", {"update": "x = 0"})]
    busy = Template("P", ["A: x < 1", "B: x < 1", "C"], edges)
    report = checked(tmp_path, Source([busy], "clock x;", queries=["P.A --> P.C", "A<> P.C"]))
    assert answers(report) == [("VIOLATED", None), ("VIOLATED", None)]
    assert all(result.trace is not None for result in report.results)


@pytest.mark.parametrize(
    ("edges", "places"),
    [
        ([("A", "C", {"guard": "x >= 5"}), ("C", "B", {"update": "y = x"})], ["A: x <= 7", "C?", "B?"]),
        ([("A", "C", {"guard": "x >= 5"}), ("C", "B", {"update": "y = x, x = 0"})], ["A: x <= 7", "C!", "B?"]),
        (
            [("A", "C", {"guard": "x >= 5", "update": "z = x"}), ("C", "B", {"update": "x = 0, y = z"})],
            ["A: x <= 7", "C?", "B?"],
        ),
        ([("A", "C", {"guard": "x > 4"}), ("C", "B", {"update": "copy()"})], ["A: x < 8", "C?", "B?"]),
    ],
)
def test_the_bounds_of_a_clock_that_was_copied(tmp_path: Path, edges: list[Edge], places: list[str]) -> None:
    """What is known of the clock that it comes from counts, although that one is compared with nothing any more."""
    template = Template("P", places, edges)
    declarations = "clock x, y, z; void copy() { y = x; }"
    model = Source([template], declarations, queries=["inf{P.B}: y", "sup{P.B}: y"])
    least, most = checked(tmp_path, model).results
    strict = "x < 8" in places[0]
    assert (least.value, most.value) == ((4, 8) if strict else (5, 7))
    assert ("as near to" in (least.reason or "")) is ("as near to" in (most.reason or "")) is strict


@pytest.mark.parametrize(
    ("expression", "value"),
    [("f(4).g[1]", 5), ("f(4).u[0].w[1]", 6), ("g()[n]", 8), ("sum (i : int[0,1]) g()[i]", 15), ("f(4).u[n] == k", 1)],
)
def test_an_element_of_what_a_function_returns(tmp_path: Path, expression: str, value: int) -> None:
    declarations = """
        int r, n = 1; typedef struct { int w[2]; } U; typedef struct { int f; int g[2]; U u[2]; } S; typedef int two[2];
        const U k = {{3, 4}};
        S f(int p) { S s = {p, {p, p + 1}, {{{1, 6}}, {{3, p}}}}; return s; }
        two g() { two s = {7, 8}; return s; }
    """
    model = source(declarations, [("A", "B", {"update": f"r = {expression}"})]).load(tmp_path)
    assert model.after("P: A → B")["r"] == value


def test_an_element_outside_of_what_a_function_returns(tmp_path: Path) -> None:
    declarations = "int n = 2; typedef int two[2]; two g() { two s = {7, 8}; return s; }"
    report = checked(tmp_path, source(declarations, [("A", "B", {"guard": "g()[n] == 7"})], ["E<> P.B"]))
    assert "'g()[n]' has the index 2, but 'g()' has 0 to 1" in str(report.error)


SEEN = [
    Template("Sender", ["A"], [("A", "A", {"sync": "now!"})]),
    Template(
        "Watch",
        ["Idle", "Busy", "Done", "Late"],
        [
            ("Idle", "Busy", {"guard": "busy", "sync": "now?", "update": "y = 0"}),
            ("Busy", "Done", {"guard": "!busy", "sync": "now?"}),
            ("Busy", "Late", {"guard": "y > 3"}),
        ],
        "clock y;",
    ),
]
"""An observer with an urgent channel: it sees at once that `busy` changed, unless something else goes first."""


def _worker(rests: str) -> Template:
    return Template(
        "Worker",
        ["Rest" + rests, "Work: x <= 2"],
        [
            ("Rest", "Work", {"sync": "go!", "update": "busy = true, x = 0"}),
            ("Work", "Rest", {"update": "busy = false"}),
        ],
        "clock x;",
    )


@pytest.mark.parametrize(
    ("priority", "rests", "late"),
    [
        ("", "", True),  # The worker goes on at once, and the observer misses that it rested.
        ("chan priority go < default < now;", "", False),
        ("chan priority go < now;", "", False),
        ("chan priority default < go < now;", "", False),
        ("chan priority now < go;", "", True),
        ("chan priority go, now;", "", True),
        ("chan priority go < default < now;", "!", True),  # A committed process goes before all others.
    ],
)
def test_an_observer_with_an_urgent_channel_and_priorities(
    tmp_path: Path, priority: str, rests: str, late: bool
) -> None:
    listener = Template("Listener", ["A"], [("A", "A", {"sync": "go?"})])
    declarations = f"bool busy; chan go; urgent chan now; {priority}"
    model = Source([*SEEN, _worker(rests), listener], declarations, queries=["E<> Watch.Late", "E<> Watch.Busy"])
    expected = ["HOLDS" if late else "VIOLATED", "HOLDS"]
    assert [verdict for verdict, _ in answers(checked(tmp_path, model))] == expected
    assert answer(model.xml(), 3) == ", ".join(expected)


@pytest.mark.parametrize(
    ("query", "verdict"),
    [
        # What has the higher priority blocks the other step where it is possible, and never the time.
        ("E<> Low.B", "HOLDS"),  # after 2, when it is no longer possible
        ("E<> Low.B && x < 2", "VIOLATED"),
        ("E<> x > 1 && Low.A", "HOLDS"),
        ("E<> x > 5 && Low.A", "HOLDS"),
    ],
)
def test_priorities_never_block_time(tmp_path: Path, query: str, verdict: str) -> None:
    model = Source(
        [
            Template("High", ["A"], [("A", "A", {"guard": "x < 2", "sync": "high!"})]),
            Template("Ear", ["A"], [("A", "A", {"sync": "high?"})]),
            Template("Low", ["A", "B"], [("A", "B", {})]),
        ],
        "clock x; chan high; chan priority default < high;",
        queries=[query],
    )
    assert [found for found, _ in answers(checked(tmp_path, model))] == [verdict]
    assert answer(model.xml(), 6) == verdict
