"""Names in scope × the positions in which a prime, or what stands for one, meets them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

RECORDS = Path(__file__).parent / "primes.records"


@dataclass(frozen=True)
class Name:
    """A name with a value that depends on the state; `around` is what must stand around its use."""

    use: str
    around: str = "{}"
    definitions: str = ""


@dataclass(frozen=True)
class Position:
    """A specification with a hole for a name; in `$(…)$` stands what the name's LET goes around."""

    next: str = "x' = (x + 1) % 3 /\\ y' = (y + x) % 2"
    asked: str = ""
    """The property, if any."""
    config: str = "PROPERTY P"


RECURSIVE = "RECURSIVE R(_) R(i) == IF i = 0 THEN {} ELSE R(i - 1)"
SUM = "x + y * 3 + x * 2 - y"
NAMES = {
    "variable": Name("x"),
    "definition": Name("D", definitions="D == x + y"),
    "definition with a parameter": Name("D(1)", definitions="D(a) == x + y + a"),
    "LET": Name("r", "LET r == x IN {}"),
    "LET, large": Name("r", f"LET r == {SUM} IN {{}}"),
    "LET with a parameter": Name("F(2)", "LET F(a) == x + y * a IN {}"),
    "LET in LET": Name("s", "LET r == x + y IN LET s == r + 1 IN {}"),
    "LET in LET, large": Name("s", f"LET r == {SUM} IN LET s == r * 2 + r - 1 + r IN {{}}"),
    "LET that a LET operator captures": Name("F(x)", f"LET r == {SUM} F(a) == a + r IN {{}}"),
    "LET, tuple": Name("r[1]", "LET r == <<x, y>> IN {}"),
    "LET, record": Name("r.a", "LET r == [a |-> x, b |-> y] IN {}"),
    "LET, function": Name("r[2]", "LET r == [i \\in 1..3 |-> x + i] IN {}"),
    "LET, set": Name("Cardinality(r)", "LET r == {i \\in 0..3 : i < x + y} IN {}"),
    "LET, CHOOSE": Name("r", "LET r == CHOOSE i \\in 0..3 : i = x IN {}"),
    "LET, EXCEPT": Name("r[1]", "LET r == [<<x, y>> EXCEPT ![1] = @ + y] IN {}"),
    "LET, IF": Name("r", "LET r == IF x = 0 THEN y ELSE x IN {}"),
    "LET, CASE": Name("r", "LET r == CASE x = 0 -> y [] OTHER -> x IN {}"),
    "LET, ENABLED": Name("r", "LET r == IF ENABLED (x < 2 /\\ x' = x + 1) THEN 1 ELSE 0 IN {}"),
    "recursive operator": Name("R(1)", definitions=RECURSIVE.format("x").replace(") R", ")\nR")),
    "recursive operator of the state": Name("R(x)", definitions=RECURSIVE.format("x + y").replace(") R", ")\nR")),
    "recursive operator in LET": Name("R(1)", f"LET {RECURSIVE.format('x')} IN {{}}"),
    "recursive operator that captures LET": Name("R(y)", f"LET c == {SUM} {RECURSIVE.format('c')} IN {{}}"),
    "recursive operator that captures a parameter": Name(
        "Op(x + y)", definitions=f"Op(p) == LET {RECURSIVE.format('p + x')} IN R(1)"
    ),
    "mutual recursion": Name(
        "R(2)",
        definitions="RECURSIVE R(_)\nRECURSIVE S(_)\nR(i) == IF i = 0 THEN x ELSE S(i - 1)\n"
        "S(i) == IF i = 0 THEN y ELSE R(i - 1) + y",
    ),
    "mutual recursion in LET": Name(
        "R(x)",
        "LET RECURSIVE R(_) RECURSIVE S(_) R(i) == IF i = 0 THEN x ELSE S(i - 1) "
        "S(i) == IF i = 0 THEN y ELSE R(i - 1) + y IN {}",
    ),
    "recursive operator with a quantifier": Name(
        "Cardinality(R(x))",
        definitions="RECURSIVE R(_)\n"
        "R(i) == IF i = 0 THEN {x} ELSE {v \\in R(i - 1) : \\A w \\in R(i - 1) : v <= w} "
        "\\cup {k + y : k \\in R(i - 1)}",
    ),
    "recursive operator given as an argument": Name(
        "Map(R, x)", definitions=RECURSIVE.format("x").replace(") R", ")\nR") + "\nMap(F(_), a) == F(a) + y"
    ),
    "recursive function": Name("f[2]", definitions="f[i \\in 0..3] == IF i = 0 THEN x ELSE f[i - 1] + y"),
    "recursive function in LET": Name("f[x]", "LET f[i \\in 0..3] == IF i = 0 THEN x ELSE f[i - 1] + y IN {}"),
    "LAMBDA": Name("Map(LAMBDA a : a + x, y)", definitions="Map(F(_), a) == F(a)"),
    "LAMBDA that captures LET": Name("Map(LAMBDA a : a + r, y)", f"LET r == {SUM} IN {{}}", "Map(F(_), a) == F(a)"),
    "fold": Name("FoldSeq(LAMBDA a, b : a + b, x, <<y, x>>)"),
    "instance": Name("I!Op", definitions="I == INSTANCE Inner WITH w <- x + y"),
    "instance with a parameter": Name("I(x)!Op", definitions="I(p) == INSTANCE Inner WITH w <- p"),
    "instance with a parameter of the same name": Name("I(x + y)!Op", definitions="I(w) == INSTANCE Inner"),
    "instance in LET": Name("I!Op", "LET I == INSTANCE Inner WITH w <- x + y IN {}"),
    "recursion in an instance": Name("I(x)!Rec(1)", definitions="I(p) == INSTANCE Inner WITH w <- p + y"),
    "replaced by the configuration": Name("Old", definitions="New == x + y\nOld == 0"),
    "replaced by a recursive operator": Name(
        "Old(1)", definitions=RECURSIVE.format("x + y").replace(") R", ")\nR") + "\nOld(i) == 0"
    ),
}
"""Construct: the name."""
REPLACED = {"replaced by the configuration": "Old <- New", "replaced by a recursive operator": "Old <- R"}

ROUND = "x' = (x + 1) % 3"
POSITIONS = {
    "step": Position(asked="[][$({}' = {})$]_<<x, y>>"),
    "step, part": Position(asked="[][$(({} + 0)' >= {})$]_<<x, y>>"),
    "step, UNCHANGED": Position(asked="[][$(UNCHANGED {})$]_x"),
    "step, UNCHANGED tuple": Position(asked="[][$(UNCHANGED <<{}, 1>>)$]_x"),
    "step, [A]_e": Position(asked="[][$([x = 0]_({}))$]_<<x, y>>"),
    "step, <<A>>_e": Position(asked="[][$(~<<x # 1>>_({}))$]_<<x, y>>"),
    "step, parameter": Position(asked="[][$(Keeps({}))$]_<<x, y>>"),
    "step, LAMBDA": Position(asked="[][$(Holds(LAMBDA a : a' = a, {}))$]_<<x, y>>"),
    "step, subscript": Position(asked="[][x = 1]_($({})$)"),
    "step, quantifier": Position(asked="[][$(\\E v \\in 0..9 : v = {}' /\\ v > {})$]_<<x, y>>"),
    "action": Position(f"{ROUND} /\\ $(y' = {{}} % 3)$"),
    "action, prime": Position("y' = (y + 1) % 2 /\\ \\E v \\in 0..2 : x' = v /\\ $({}' >= {})$"),
    "action, prime before": Position(f"{ROUND} /\\ $(y' \\in {{0, 1}} /\\ {{}}' < 3)$"),
    "action, IF": Position("x' \\in 0..2 /\\ y' \\in {0, 1} /\\ $(IF {}' > 1 THEN {} < 2 ELSE TRUE)$"),
    "action, CASE": Position("x' \\in 0..2 /\\ y' \\in {0, 1} /\\ $(CASE {}' > 1 -> {} < 2 [] OTHER -> {} > 0)$"),
    "action, CHOOSE": Position(
        "x' \\in 0..2 /\\ y' \\in {0, 1} /\\ $((CHOOSE v \\in 0..60 : v >= {}' /\\ v >= {}) < 4)$"
    ),
    "action, function": Position("x' \\in 0..2 /\\ y' \\in {0, 1} /\\ $([i \\in {1} |-> {} + i]'[1] < 4)$"),
    "action, EXCEPT": Position("x' \\in 0..2 /\\ y' \\in {0, 1} /\\ $([<<x, y>> EXCEPT ![1] = {}]'[1] < 4)$"),
    "action, UNCHANGED": Position("x' \\in 0..2 /\\ y' \\in {0, 1} /\\ $(UNCHANGED {})$"),
    "action, parameter": Position("x' \\in 0..2 /\\ y' \\in {0, 1} /\\ $(~Keeps({}))$"),
    "action, \\E": Position("x' \\in 0..2 /\\ y' \\in {0, 1} /\\ $(\\E v \\in {{}'} : v > 1)$"),
    "ENABLED": Position(f"{ROUND} /\\ y' = IF ENABLED ($(x' = x + 1 /\\ y' = y /\\ {{}}' < 3)$) THEN 1 ELSE 0"),
    "ENABLED, <<A>>_v": Position(
        f"{ROUND} /\\ y' = IF ENABLED <<$(x' = 1 /\\ y' = {{}} % 2)$>>_<<x, y>> THEN 1 ELSE 0"
    ),
    "ENABLED, prime": Position(asked="[][$((ENABLED (x' = {} /\\ x' < 2))' = (x = 0))$]_<<x, y>>"),
    "fairness": Position(
        asked="WF_<<x, y>>($(x' = (x + 1) % 3 /\\ y' = (y + x) % 2 /\\ {}' # {})$) => <>(x = 2)",
    ),
    "leads to": Position(asked="$({} = 0)$ ~> $({} = 1)$"),
    "always eventually": Position(asked="[]<><<$({}' > {})$>>_<<x, y>>"),
    "invariant": Position(asked="$({} < 3)$", config="INVARIANT P"),
    "constraint": Position("x' = (x + 1) % 5 /\\ y' = (y + x) % 4", "$({} < 4)$", "CONSTRAINT P"),
    "action constraint": Position("x' = (x + 1) % 5 /\\ y' = (y + x) % 4", "$({}' > {})$", "ACTION_CONSTRAINT P"),
    "view": Position("x' = (x + 1) % 5 /\\ y' = (y + x) % 4", "$({} % 3)$", "VIEW P"),
    "composition": Position(f"({ROUND} /\\ $(y' = {{}} % 2)$) \\cdot (UNCHANGED x /\\ $(y' = {{}} % 3)$)"),
}
"""Context: where it is primed."""

INNER = """---- MODULE Inner ----
EXTENDS Integers
VARIABLE w
Op == w + 1
RECURSIVE Rec(_)
Rec(i) == IF i = 0 THEN w ELSE Rec(i - 1)
====
"""
FRAME = """---- MODULE Spec ----
EXTENDS Integers, Sequences, FiniteSets, TLC, SequencesExt
VARIABLES x, y
{definitions}
Keeps(p) == p' = p
Holds(F(_), a) == F(a)
Init == x = 0 /\\ y = 0
Next == {next}
P == {asked}
====
"""


def files(name: str, position: str) -> dict[str, str]:
    """The files of the specification for a name and a position."""
    item, hole = NAMES[name], POSITIONS[position]
    configuration = f"INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\n{hole.config if hole.asked else ''}\n"
    if name in REPLACED:
        configuration += f"CONSTANT {REPLACED[name]}\n"
    text = FRAME.format(
        definitions=item.definitions, next=_filled(hole.next, item), asked=_filled(hole.asked, item) or "TRUE"
    )
    return {"Spec.tla": text, "Inner.tla": INNER, "Spec.cfg": configuration}


def _filled(text: str, item: Name) -> str:
    while "$(" in text:
        before, _, rest = text.partition("$(")
        inside, _, after = rest.partition(")$")
        inside = inside.replace("{}", item.use).replace("{{", "{").replace("}}", "}")
        text = f"{before}({item.around.replace('{}', inside)}){after}"
    return text


def records() -> dict[tuple[str, str], str]:
    """TLC's answers: the verdict, then distinct and generated states and depth where it holds."""
    _, *lines = RECORDS.read_text("utf-8").splitlines()
    found = (line.split("\t") for line in lines)
    return {(name, position): answer for name, position, answer in found}
