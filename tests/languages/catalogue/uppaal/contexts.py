"""Contexts for expressions: each puts the value of the hole into v, or shows it in a query."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tests.languages.catalogue.uppaal.construct import HOLE, Construct, Context
from tests.languages.uppaal.support import Template

FOUR = "((§) % 4 + 4) % 4"
"""The hole as an index of four elements."""
CLOCK = ("inf{P.B}: x", "sup{P.B}: x")
LISTENERS = "int c4[4] = {3, 1, 4, 9};"


def _partner(name: str, sync: str, update: str = "", guard: str = "", select: str = "") -> Template:
    labels = {"select": select, "guard": guard, "sync": sync, "update": update}
    return Template(name, ["A"], [("A", "A", {kind: text for kind, text in labels.items() if text})])


VALUES = {
    "update": "v = §",
    "operand of arithmetic": "v = 2 * (§) - 1",
    "operand of unary -": "v = -(§)",
    "operand of !": "v = !(§)",
    "operand of ==": "v = (§) == n",
    "operand of <?": "v = 4 <? (§)",
    "condition of ?:": "v = (§) ? 3 : 4",
    "branch of ?:": "v = t == 1 ? (§) : 50",
    "right of &&": "v = t != 1 && (§)",
    "right of imply": "v = t == 1 imply (§)",
    "operand of xor": "v = (§) xor b",
    "value of an assignment": "v = (c = §) + 1",
    "right of +=": "v += § ",
    "body of sum": "v = sum (k : int[0,2]) §",
    "body of forall": "v = forall (k : int[0,2]) (§) > k",
    "body of exists": "v = exists (k : int[0,1]) (§) == k",
    "index that is read": f"v = c4[{FOUR}]",
    "index that is assigned": f"c4[{FOUR}] = 10 + t, v = c4[0] + 2 * c4[1] + 4 * c4[2] + 8 * c4[3]",
}
"""Updates."""
PURE_UPDATES = ("body of sum", "body of forall", "body of exists")
BODIES = {
    "return": "return §;",
    "first value of a local": "int c1 = §; return c1;",
    "first value of a local array": "int c1[2] = {1, §}; return c1[0] + 2 * c1[1];",
    "first value of a local structure": "S c1 = {§, {1, 2}}; return c1.f;",
    "assignment in a function": "int c1; c1 = §; return c1;",
    "if": "if (§) return 3; return 4;",
    "for": "int c1, c2; for (c1 = -9; c1 < (§) && c1 < 9; c1++) c2++; return c2;",
    "while": "int c1 = -9; while (c1 < (§) && c1 < 9) c1++; return c1;",
    "do": "int c1 = -9; do c1++; while (c1 < (§) && c1 < 9); return c1;",
    "body of a loop over a range": "int c1; for (k : int[0,2]) c1 += k * (§); return c1;",
    "block": "int c1; { int c2 = §; c1 = c2; } return c1;",
}
"""Functions without parameters."""


def updates() -> Iterator[Context]:
    """In updates of P, also where it leaves a committed or urgent location."""
    declare = f"int c; {LISTENERS}"
    for name, update in VALUES.items():
        yield Context(name, update, declare, effects=name not in PURE_UPDATES)
    yield Context("update in a committed location", "v = §", place="A!", effects=True)
    yield Context("update in an urgent location", "v = §", place="A?", effects=True)
    select = Context("update with select", "v = § ", select="k : int[0,2]", guard="k == 1", effects=True)
    yield select
    yield replace(select, name="update with many choices", select="k : int[0,40]")


def functions() -> Iterator[Context]:
    """In functions of the model and of the template."""
    for name, body in BODIES.items():
        yield Context(f"function: {name}", "v = F()", f"int F() {{ {body} }}", effects=True)
    own = "int m = 4; bool b; int F() { return §; }"
    yield Context("function of a template, with names of its own", "v = F()", local=own, effects=True)
    yield Context("argument", "v = F(§)", "int F(int c1) { c1++; return c1; }", effects=True)
    yield Context("argument of a bounded type", "v = F(§)", "int F(int[-500,500] c1) { return c1; }", effects=True)
    yield Context("change of a reference", "F(v)", "void F(int &c1) { c1 = §; }", effects=True)
    yield Context(
        "function in a guard", "v = k", f"int F() {{ return {FOUR}; }}", select="k : int[0,3]", guard="k == F()"
    )


def conditions() -> Iterator[Context]:
    """In guards, invariants and synchronisations."""
    yield Context("guard", "v = 1", guard=HOLE, also=({"guard": "!(§)", "update": "v = 2, step()"},))
    yield Context("side of == in a guard", "v = k", select="k : int[0,3]", guard=f"k == {FOUR}")
    yield Context("right of && in a guard", "v = k", select="k : int[0,3]", guard="k > 1 && (§) > k")
    yield Context("right of || in a guard", "v = k", select="k : int[0,3]", guard="k == 1 || (§) == k")
    yield Context("guard under forall", "v = k", select="k : int[0,3]", guard="forall (l : id_t) l + k != (§)")
    yield Context("guard under exists", "v = k", select="k : int[0,3]", guard="exists (l : id_t) l + k == (§)")
    yield Context("invariant", "v = k", select="k : int[0,3]", invariant=f"t <= 3 && (t == 0 || v == {FOUR})")
    declare = "chan c[4]; int c0;"
    index = f"c[{FOUR}]"
    yield Context(
        "index of a channel that sends",
        "c0 = t",
        declare,
        sync=f"{index}!",
        others=(_partner("Q", "c[k]?", "v = k", select="k : int[0,3]"),),
        queries=("sup{t == 3}: r + v",),
    )
    yield Context(
        "index of a channel that receives",
        "v = c0",
        declare,
        sync=f"{index}?",
        others=(_partner("Q", "c[k]!", "c0 = k", select="k : int[0,3]"),),
    )


def partners() -> Iterator[Context]:
    """In edges that take part in a handshake or broadcast."""
    chan, broadcast, urgent = "chan c;", "broadcast chan c;", "urgent chan c;"
    yield Context("update of a sender", "v = §", chan, sync="c!", others=(_partner("Q", "c?", "r += v"),), effects=True)
    yield Context("update of a receiver", "v = §", chan, sync="c?", others=(_partner("Q", "c!", "m++"),), effects=True)
    yield Context(
        "update over an urgent channel", "v = §", urgent, sync="c!", others=(_partner("Q", "c?"),), effects=True
    )
    others: tuple[Template, ...] = (_partner("Q", "c!", "m++"), _partner("R", "c?", "r += 2 * v"))
    yield Context("update of a listener", "v = §", broadcast, sync="c?", others=others, effects=True)
    others = (_partner("Q", "c?", "v += 100", guard=HOLE), _partner("R", "c?", "v *= 2", guard="(§) > 1"))
    yield Context("guard of a listener", "v = 1", broadcast, sync="c!", others=others, queries=("sup{t == 3}: v",))
    others = (_partner("Q", "c!", "v = k", select="k : int[0,1]", guard="k == (§)"),)
    yield Context("guard of a partner", "", chan, sync="c?", others=others)


def queries() -> Iterator[Context]:
    """In queries; v is not used."""
    yield Context("sup and inf", queries=("sup: §", "inf: §"))
    yield Context("condition of sup and inf", queries=("sup{§}: t", "inf{(§) > 1}: t"))
    yield Context("E<>", queries=("E<> §", "E<> t > 1 && (§) == 2"))
    yield Context("A[]", queries=("A[] §", "A[] t > 1 imply (§) < n"))
    yield Context("E[]", queries=("E[] §", "E[] (§) < 9"))
    yield Context("A<>", queries=("A<> §", "A<> (§) == m"))
    yield Context("-->", queries=("(§) > 1 --> t == 3", "t == 1 --> §"))
    yield Context("query under forall", queries=("A[] forall (k : id_t) k + t != (§)",))
    yield Context("query with deadlock", queries=("A[] deadlock imply (§) < n", "E<> deadlock && (§) > 0"))
    yield Context("function of a process in a query", local="int F() { return §; }", queries=("sup: P.F()",))


def clocks() -> Iterator[Context]:
    """As bounds and values of clocks; B is urgent, so that the clock stands still there."""
    back = (Template("Q", ["A", "B?"], [("A", "B", {"sync": "go?"}), ("B", "A", {"update": "x = 0"})]),)
    declare = "clock x; chan go;"
    asked = ("inf{Q.B}: x", "sup{Q.B}: x")
    timed = Context("", "", declare, sync="go!", others=back, queries=asked)
    yield replace(timed, name="bound of a clock in a guard", guard="x == 20 + (§)")
    yield replace(timed, name="strict bound of a clock in a guard", guard="x > 20 + (§) && x < 22 + (§)")
    yield replace(timed, name="bound of a clock in an invariant", guard="x >= 2", invariant="t <= 3 && x <= 20 + (§)")
    yield replace(timed, name="value of a clock", update="x = 20 + (§)", effects=True)
    yield replace(timed, name="bound of a clock in a query", guard="x == 25", queries=("E<> x == 20 + (§)",))


def constants() -> Iterator[Context]:
    """Where only constants may stand."""
    kept = {
        "constant": Context("", "v = C", "const int C = §;"),
        "first value of a variable": Context("", "v = c", "int c = §;"),
        "first value in a template": Context("", "v = c", local="int c = §;"),
        "constant of a template": Context("", "v = C", local="const int C = §;"),
        "first value in an array": Context("", "v = c[0] - c[1]", "int c[2] = {1, §};"),
        "first value in a structure": Context("", "v = c.f", "S c = {§, {1, 2}};"),
        "first value of a named field": Context("", "v = c.f", "S c = {g: {1, 2}, f: §};"),
        "first value of a truth value": Context("", "v = c", "bool c = §;"),
        "end of a range": Context("", "v = sum (k : C) 1", "typedef int[-20, 20 + (§)] C;"),
        "end of the range of sum": Context("", "v = sum (k : int[(§), 60]) k"),
        "end of the range of select": Context("", "v = k", select="k : int[(§), 2 + (§)]"),
        "size of an array": Context(
            "", "c[k] = 1, v = k", "int c[20 + (§)];", select="k : int[0, 30]", guard="k == 19 + (§)"
        ),
        "number of scalars": Context("", "v = sum (k : C) 1", "typedef scalar[20 + (§)] C;"),
        "argument of a template": Context("", "v = c", parameters="const int c", system="Q = P(§); system Q;"),
        "argument of a part of an instance": Context(
            "",
            "v = c + 10 * d",
            parameters="const int c, const int[0,1] d",
            system="Q(const int[0,1] k) = P(§, k); system Q;",
        ),
        "declaration in the system section": Context(
            "", "v = c", parameters="const int c", system="const int C = §; Q = P(C); system Q;"
        ),
        "range of a parameter": Context(
            "", "v += c", parameters="const int[0, abs(§) & 3] c", queries=("sup{t == 3}: v",)
        ),
        "progress": Context("", "v = 1", system="system P; progress { §; }"),
    }
    for name, context in kept.items():
        yield replace(context, name=name, constant=True)


def contexts() -> list[Context]:
    """All of them."""
    groups = (updates, functions, conditions, partners, queries, clocks, constants)
    return [context for group in groups for context in group()]


WRAPPERS = {
    "argument": Construct("", "", "W(§)", "int W(int c1) { c1++; return c1; }"),
    "return": Construct("", "", "W()", "int W() { return §; }"),
    "first value of a local": Construct("", "", "W()", "int W() { int c1 = §; return c1; }"),
    "if": Construct("", "", "W()", "int W() { if (§) return 3; return 4; }"),
    "loop over a range": Construct("", "", "W()", "int W() { int c1; for (k : int[0,2]) c1 += k * (§); return c1; }"),
    "sum": Construct("", "", "(sum (k : int[0,2]) k + (§))"),
    "forall": Construct("", "", "(forall (k : int[0,2]) k < (§))"),
    "?:": Construct("", "", "(n > 0 ? (§) : 5)"),
    "index": Construct("", "", f"C4[{FOUR}]", "const int C4[4] = {3, 1, 4, 9};"),
    "operand": Construct("", "", "2 * (§)"),
    "&&": Construct("", "", "(m != 2 && (§))"),
}
"""Contexts that are expressions themselves, so that they stand in others."""


def pairs(outer: Context) -> Iterator[Context]:
    """The wrappers in an outer context."""
    for name, wrapper in WRAPPERS.items():
        inner = outer.with_hole(wrapper.text)
        yield replace(inner, name=f"{outer.name} > {name}", declare=f"{wrapper.declare} {inner.declare}")
