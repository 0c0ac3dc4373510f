"""Queries, and the cells in which their conditions hold."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.languages.uppaal.support import Loaded, Source, Template

from homing.core.interpreter import label
from homing.languages import uppaal
from homing.timed.property import Bound, Forever, Inevitable, Invariant, LeadsTo, Reachable
from homing.timed.system import EVERYWHERE, NEVER, NOWHERE, Cell, at_most

DECLARATIONS = "typedef int[0,2] id; clock x; int n = 3, v[id];"
PROCESS = Template("P", ["A", "B"], [("A", "B", {})], "clock own; int k = i;", "const id i")
ALWAYS, NEVER_THERE = (Cell(),), ()


def asked(folder: Path, *queries: str) -> Loaded:
    return Source([PROCESS, Template("G", ["A", "B"])], DECLARATIONS, queries=queries).load(folder)


def below(clock: int, bound: int) -> Cell:
    return Cell(((clock, 0, at_most(bound, strict=True)),))


def test_kinds(tmp_path: Path) -> None:
    model = asked(
        tmp_path, "E<> G.B", "A[] G.A", "E[] G.A", "A<> G.B", "G.A --> G.B", "sup{G.A}: n, x", "inf: P(1).own"
    )
    found = model.model.properties
    kinds = [Reachable, Invariant, Forever, Inevitable, LeadsTo, Bound, Bound, Bound]
    assert [type(prop) for prop in found] == kinds
    names = ["E<> G.B", "A[] G.A", "E[] G.A", "A<> G.B", "G.A --> G.B", "sup{G.A}: n", "sup{G.A}: x", "inf: P(1).own"]
    assert [prop.name for prop in found] == names
    values = {each.name: label(model.system, number, model.first) for number, each in enumerate(model.system.labels)}
    assert values["E<> G.B"] == NOWHERE
    assert values["A[] G.A"] == NOWHERE  # its opposite
    assert values["E[] G.A"] == EVERYWHERE
    assert values["A<> G.B"] == EVERYWHERE  # its opposite
    assert values["G.A --> G.B: where"] == EVERYWHERE
    assert values["G.A --> G.B: until"] == EVERYWHERE  # its opposite
    of_n, of_x, of_own = found[5:]
    assert isinstance(of_n, Bound)
    assert isinstance(of_x, Bound)
    assert isinstance(of_own, Bound)
    assert (of_n.clock, label(model.system, of_n.of, model.first), of_n.sense) == (False, 3, "sup")
    assert (of_x.clock, of_x.of) == (True, 1)
    assert (of_own.clock, model.system.clocks[of_own.of - 1], of_own.sense) == (True, "P(1).own", "inf")


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("x < 3", (below(1, 3),)),
        ("P(1).own < n", (below(3, 3),)),
        ("P(0).A and x < 3 or G.B", (below(1, 3),)),
        ("not (x >= 3 or G.B)", (below(1, 3),)),
        ("G.B imply x < 3", ALWAYS),
        ("forall (i : id) P(i).A", ALWAYS),
        ("exists (i : id) P(i).k == 2 && P(i).own < 1", (below(4, 1),)),
        ("(sum (i : id) P(i).k) == 3", ALWAYS),
        ("(sum (i : id) P(i).A) == 2", NEVER_THERE),
        ("v[0] == 0 && n > 2", ALWAYS),
        ("deadlock", (Cell((), True),)),
        ("not deadlock", (Cell((), False),)),
        ("deadlock and not deadlock", NEVER_THERE),
        ("x < 3 and deadlock", (Cell(((1, 0, at_most(3, strict=True)),), True),)),
        ("deadlock imply G.A", ALWAYS),
    ],
)
def test_conditions(tmp_path: Path, condition: str, expected: tuple[Cell, ...]) -> None:
    assert asked(tmp_path, f"E<> {condition}").cells() == expected


def test_reads_are_tests_of_locations(tmp_path: Path) -> None:
    model = asked(tmp_path, "E<> P(1).B and v[1] > 0")
    read = model.system.shape.labels[-1].reads
    names = [str(model.system.shape.slots[each.slot]) for each in read]
    assert [(name, str(each.through)) for name, each in zip(names, read)] == [("v[1]", "None"), ("P(1)", "is_at(B)")]


def test_constants(tmp_path: Path) -> None:
    model = asked(tmp_path, "E<> x < 3 and (P(1).own > n or x == 7)")
    assert model.system.constants(len(model.system.labels) - 1) == ((0, 7, NEVER, 3, NEVER), (0, 7, NEVER, 3, NEVER))


def test_deadlock_is_asked_for(tmp_path: Path) -> None:
    model = asked(tmp_path, "A[] not deadlock", "E<> G.B")
    assert [model.system.asks_deadlock(model.where(number)) for number in (0, 1)] == [True, False]


def test_functions_of_processes(tmp_path: Path) -> None:
    template = Template("P", ["A"], [], "int k = 4; bool over(int m) { return k > m; }")
    assert Source([template], queries=["E<> P.over(3)"]).load(tmp_path).cells() == ALWAYS


def test_the_same_query_twice(tmp_path: Path) -> None:
    assert len(asked(tmp_path, "E<> G.B", "E<>   G.B /* again */", "sup: n", "sup: n").model.properties) == 2


FILE = """//This file was generated
/*
first
*/
E<> G.B

/* second */
A[] G.A imply \\
  n == 3
// E<> nonsense
G.A --> G.B // at the end
"""


def test_a_file_of_queries(tmp_path: Path) -> None:
    (tmp_path / "model.q").write_text(FILE, encoding="utf-8")
    model = asked(tmp_path)
    assert [prop.name for prop in model.model.properties] == ["E<> G.B", "A[] G.A imply n == 3", "G.A --> G.B"]


def test_mistakes_in_a_file_of_queries_are_placed_there(tmp_path: Path) -> None:
    (tmp_path / "model.q").write_text("\nE<> G.B\n  A[] G.C\n", encoding="utf-8")
    source = Source([Template("G", ["A", "B"])])
    assert source.mistake(tmp_path) == (
        "model.q:3:7: the query: process G has no location or variable 'C'; declared: A, B"
    )


def test_queries_in_the_model_come_first(tmp_path: Path) -> None:
    (tmp_path / "model.q").write_text("E<> G.A\n", encoding="utf-8")
    assert [prop.name for prop in asked(tmp_path, "E<> G.B").model.properties] == ["E<> G.B"]


def test_the_digest_is_that_of_both_files(tmp_path: Path) -> None:
    one = asked(tmp_path).model.digest
    (tmp_path / "model.q").write_text("E<> G.A\n", encoding="utf-8")
    (other,) = uppaal.load(tmp_path / "model.xml")
    assert one != other.digest


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("Pr[<=10](<> G.B)", "'Pr' is statistical, which is not supported"),
        ("simulate 1 [<=10] {n}", "'simulate' is statistical, which is not supported"),
        ("simulate [<=10] {n}", "'simulate' is statistical, which is not supported"),
        ("E[<=10; 100] (max: n)", "'E[…]' with a bound is statistical, which is not supported"),
        ("control: A<> G.B", "games ('control') are not supported"),
        ("strategy s = control: A<> G.B", "strategies are not supported"),
        ("minE(x)[<=10] : <> G.B", "queries that learn are statistical, which is not supported"),
    ],
)
def test_other_kinds_of_queries_are_refused_by_name(tmp_path: Path, query: str, why: str) -> None:
    """Each by itself: those beside it are still answered."""
    refused, other = asked(tmp_path, query, "E<> G.A").model.properties
    assert (refused.name, getattr(refused, "why", None)) == (" ".join(query.split()), why)
    assert isinstance(other, Reachable)


@pytest.mark.parametrize(
    ("query", "mistake"),
    [
        ("bounds: n", "queries of the kind 'bounds' are not supported"),
        ("G.A", "found the end, expected '-->'"),
        ("A[] E<> G.A", "found 'E<>', expected an expression"),
        ("E<> Q.A", "unknown name 'Q'; declared: P(0), P(1), P(2), G, x, n, v"),
        ("E<> P.A", "'P' stands for several processes; say which one; declared: P(0), P(1), P(2)"),
        ("E<> P(7).A", "unknown process 'P(7)' (did you mean 'P(2)'?); declared: P(0), P(1), P(2), G"),
        ("E<> P(n).A", "'n' is no constant, but says which process is meant"),
        ("E<> G.C", "process G has no location or variable 'C'; declared: A, B"),
        ("E<> n++ > 3", "'n++ > 3' changes variables, which a condition must not"),
        ("E<> x", "the clock 'x' stands where a condition is wanted"),
        ("E<> x + n", "the clock 'x' stands in an integer expression"),
        ("E<> x - P(0).own - P(1).own < 3", "'x - P(0).own - P(1).own < 3' has more clocks than a difference of two"),
        ("E<> v", "'v' is an array of int, where a condition is wanted"),
        ("sup: v", "'v' is neither a clock nor a number"),
    ],
)
def test_bad_queries(tmp_path: Path, query: str, mistake: str) -> None:
    source = Source([PROCESS, Template("G", ["A", "B"])], DECLARATIONS, queries=[query])
    place, _, told = source.mistake(tmp_path).partition(": the query: ")
    assert told == mistake
    assert place.startswith("model.xml:18:")
