"""Conditions on clocks and what sets clocks, each in every context in which it may stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from xml.sax.saxutils import escape

from tests.languages.catalogue.case import Case
from tests.languages.catalogue.uppaal.construct import FILE, HOLE
from tests.languages.uppaal.support import Source, Template

Edge = tuple[str, str, dict[str, str]]
DECLARE = (
    "clock x, y, c[2]; int n = 1; bool b = true; typedef int[0,1] id_t; struct { int f; clock z; } s;"
    "chan h; broadcast chan e; urgent chan u;"
)
CONDITIONS = {
    "< of a clock": "x < 2",
    "<= of a clock": "x <= 2",
    "== of a clock": "x == 2",
    ">= of a clock": "x >= 2",
    "> of a clock": "x > 2",
    "!= of a clock": "x != 2",
    "a clock on the right of <": "1 < x",
    "a difference <": "y - x < 1",
    "a difference >=": "y - x >= 1",
    "a difference ==": "y - x == 1",
    "a difference with a variable": "y - x <= n",
    "a negative difference": "x - y < -1",
    "clocks with <": "x < y",
    "clocks with >=": "x >= y",
    "a clock and a number with <": "x + 1 < y",
    "a bound with a variable": "x <= n + 1",
    "a variable below a clock": "n < x",
    "&& of clocks": "x > 1 && y <= 3",
    "and of a clock and a variable": "x <= 2 and b",
    "|| of clocks": "x < 1 || x > 2",
    "|| of a clock and a variable": "!b || x <= 2",
    "! of a clock": "!(x > 2)",
    "not of || of clocks": "not (x > 2 || y > 3)",
    "imply a clock": "b imply x <= 2",
    "?: of clocks": "b ? x <= 1 : x <= 2",
    "forall over clocks": "forall (i : id_t) c[i] <= 2",
    "exists over clocks": "exists (i : id_t) c[i] > 1 + i",
    "an element of clocks": "c[n] <= 2",
    "a clock in a structure": "s.z <= 2",
    "a bound that cannot be": "x < 0",
}
CONVEX = (
    *("< of a clock", "<= of a clock", ">= of a clock", "> of a clock", "a clock on the right of <", "a difference <"),
    *("a difference >=", "a difference ==", "a difference with a variable", "a negative difference", "clocks with <"),
    *("clocks with >=", "a clock and a number with <", "a bound with a variable", "a variable below a clock"),
    *("&& of clocks", "and of a clock and a variable", "|| of a clock and a variable", "! of a clock"),
    *("not of || of clocks", "imply a clock", "forall over clocks", "an element of clocks", "a clock in a structure"),
    "a bound that cannot be",
)
"""The conditions that an invariant may be."""
ASKED = ("inf{P.B}: x", "sup{P.B}: x")
WARM: Edge = ("Z", "A", {"guard": "x >= 1", "update": "x = 0, c[1] = 0"})
"""Sets some clocks back, so that they differ."""
PLACES = ("Z: x <= 2", "A", "B?")


def _process(guard: str = "", places: Sequence[str] = PLACES, **labels: str) -> Template:
    edge = {"guard": guard, **labels}
    return Template("P", places, [WARM, ("A", "B", {kind: text for kind, text in edge.items() if text})])


def _other(sync: str, guard: str = "", update: str = "", name: str = "Q", place: str = "A") -> Template:
    edge = {"guard": guard, "sync": sync, "update": update}
    labels = {kind: text for kind, text in edge.items() if text}
    return Template(name, [place, "B"], [(place.rstrip("!?"), "B", labels)])


Model = tuple[list[Template], Sequence[str], str, str]
"""Templates, queries, further declarations, the system section."""
BOTH = ("E<> P.B && !Q.B", "inf{Q.B}: x")
PASSING = ("Z: x <= 2", "A: x <= 3", "B?")


def _guards() -> Iterator[tuple[str, Model]]:
    yield "guard", ([_process(HOLE)], ASKED, "", "")
    yield "guard with select", ([_process(f"k == 1 && ({HOLE})", select="k : int[0,2]")], ASKED, "", "")
    yield "guard under !", ([_process(f"!({HOLE})")], ASKED, "", "")
    yield "guard under ||", ([_process(f"x > 3 || ({HOLE})")], ASKED, "", "")
    yield "guard under forall", ([_process(f"forall (k : id_t) y > k && ({HOLE})")], ASKED, "", "")
    yield "guard in a committed location", ([_process(HOLE, ("Z: x <= 2", "A!", "B?"))], ("E<> P.B",), "", "")
    yield "guard in an urgent location", ([_process(HOLE, ("Z: x <= 2", "A?", "B?"))], ("E<> P.B",), "", "")
    yield "guard of a sender", ([_process(HOLE, sync="h!"), _other("h?")], ASKED, "", "")
    yield "guard of a receiver", ([_process("y <= 3", sync="h!"), _other("h?", HOLE)], ASKED, "", "")
    yield "guard of a broadcast", ([_process(HOLE, sync="e!"), _other("e?")], (BOTH[0], ASKED[1]), "", "")
    yield "guard of a listener", ([_process("y <= 3", sync="e!"), _other("e?", HOLE)], BOTH, "", "")
    ranked = [_process("y <= 3"), _other("", HOLE)]
    yield "guard of a process with priority", (ranked, ("E<> P.B && !Q.B", "inf{P.B}: x"), "", "system P < Q;")
    ranked = [_process(HOLE), _other("", "y >= 2")]
    yield "guard of a process without priority", (ranked, ("E<> P.B && !Q.B", "sup{P.B}: x"), "", "system P < Q;")
    urgent = [_process("y <= 3", sync="u!"), _other("u?", HOLE)]
    yield "guard of an urgent channel", (urgent, ASKED, "", "")
    yield "guard that forces", ([_process(HOLE, PASSING)], ("A<> P.B", "A[] not deadlock"), "", "")


def _queries() -> Iterator[tuple[str, Model]]:
    process = [_process("x >= 1", PASSING)]
    for kind in ("E<>", "A[]", "E[]", "A<>"):
        yield kind, (process, (f"{kind} {HOLE}", f"{kind} P.A imply ({HOLE})"), "", "")
    yield "-->", (process, (f"P.A --> {HOLE}", f"{HOLE} --> P.B"), "", "")
    yield "condition of sup and inf", (process, (f"sup{{P.A && ({HOLE})}}: y", f"inf{{P.A && ({HOLE})}}: y"), "", "")
    yield "query with deadlock", (process, (f"E<> deadlock && ({HOLE})", f"A[] deadlock imply ({HOLE})"), "", "")
    yield "query under !", (process, (f"E<> P.A && !({HOLE})",), "", "")


def _invariants() -> Iterator[tuple[str, Model]]:
    places = ("Z: x <= 2", f"A: {HOLE}", "B?")
    asked = ("sup{P.A}: x", "sup{P.A}: y")
    yield "invariant", ([_process("", places)], asked, "", "")
    yield "invariant under &&", ([_process("", (places[0], f"A: x <= 3 && ({HOLE})", "B?"))], asked, "", "")
    yield "invariant of another process", ([_process("", PASSING), Template("Q", [f"A: {HOLE}"])], asked, "", "")
    lasting = ("A<> P.B", "E[] !P.B", "A[] not deadlock")
    yield "invariant and what comes at last", ([_process("", places)], lasting, "", "")
    entered = (places[0], "A", f"B: {HOLE}")
    yield "invariant of a location that is entered", ([_process("", entered)], ASKED, "", "")


SETTERS = {
    "= 0": ("x = 0", ""),
    ":= 0": ("x := 0", ""),
    "= a number": ("x = 2", ""),
    "= a variable": ("x = n", ""),
    "= an expression": ("x = 3 - n", ""),
    "= ?:": ("x = b ? 1 : 2", ""),
    "= another clock": ("x = y", ""),
    "a clock and then its copy": ("x = 0, y = x", ""),
    "a copy and then the clock": ("y = x, x = 0", ""),
    "clocks that swap": ("s.z = x, x = y, y = s.z", ""),
    "set twice": ("x = 2, x = 1", ""),
    "set by what was changed before": ("n = 2, x = n", ""),
    "an element of clocks by a variable": ("c[n] = 0, x = c[1]", ""),
    "a copy of an element": ("x = c[n]", ""),
    "a function that sets a clock": ("f()", "void f() { x = n; y = 0; }"),
    "a function that sets a clock by condition": ("f()", "void f() { if (b) x = 1; else y = 1; }"),
    "a function that sets all clocks": ("f()", "void f() { for (i : id_t) c[i] = i; x = c[1]; y = c[0]; }"),
    "a function that sets a reference": ("f(x), f(y)", "void f(clock &z) { z = n; }"),
    "a function that returns before it sets": ("f()", "void f() { if (n == 1) return; x = 0; }"),
}
CLOCKS = ("inf{P.B}: x", "sup{P.B}: y")


def _updates() -> Iterator[tuple[str, Model]]:
    within = ("Z: x <= 2", "A: y <= 4", "B?")
    yield "update", ([_process("", within, update=HOLE)], CLOCKS, "", "")
    yield "update with select", ([_process("", within, select="k : int[1,2]", update=f"n = k, {HOLE}")], CLOCKS, "", "")
    committed = ("Z: x <= 2", "A!", "B?")
    yield "update in a committed location", ([_process("", committed, update=HOLE)], CLOCKS, "", "")
    sender = [_process("", within, sync="h!", update=HOLE), _other("h?", "", "n = 2, y = 1")]
    yield "update of a sender", (sender, CLOCKS, "", "")
    receiver = [_process("", within, sync="h?", update=HOLE), _other("h!", "", "n = 2, y = 1")]
    yield "update of a receiver", (receiver, CLOCKS, "", "")
    listeners = [
        _process("", within, sync="e!"),
        _other("e?", "", HOLE),
        _other("e?", "x <= 1", "x = 3", "R"),
    ]
    yield "update of a listener", (listeners, CLOCKS, "", "")
    target = ("Z: x <= 2", "A: y <= 4", "B: x <= 2 && y <= 3")
    yield "update into an invariant", ([_process("", target, update=HOLE)], ("E<> P.B", "sup{P.B}: y"), "", "")
    body = f"void F() {{ {HOLE}; }}"
    yield "update in a function", ([_process("", within, update="F()")], CLOCKS, body, "")


def _cases(
    group: str, constructs: Mapping[str, tuple[str, str]], models: Iterator[tuple[str, Model]]
) -> Iterator[Case]:
    kept = list(models)
    for construct, (text, declare) in constructs.items():
        for context, (templates, queries, more, system) in kept:
            filled = text.replace(", ", "; ") if context == "update in a function" else text
            end = Template("End", ["A: time <= 6"], declarations="clock time;")
            whole = Source(
                [*templates, end],
                f"{DECLARE} {declare} {more}",
                system.replace("system ", "system End, ") or "",
                queries,
            )
            example = f"{declare} … {text}" if declare else text
            yield Case(group, construct, context, example, {FILE: whole.xml().replace(HOLE, escape(filled))})


def cases() -> Iterator[Case]:
    conditions = {name: (text, "") for name, text in CONDITIONS.items()}
    yield from _cases("Conditions on clocks", conditions, (each for part in (_guards, _queries) for each in part()))
    yield from _cases("Conditions on clocks", {name: conditions[name] for name in CONVEX}, _invariants())
    yield from _cases("Clocks that are set", SETTERS, _updates())
