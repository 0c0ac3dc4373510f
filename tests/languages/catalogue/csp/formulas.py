"""Formulas of LTL: every operator, of every system, under every kind of fairness."""

from __future__ import annotations

from collections.abc import Iterator

from tests.languages.catalogue.case import Case
from tests.languages.catalogue.csp.model import case

FORMULAS = [
    *(
        "a",
        "!a",
        "true",
        "false",
        "zero",
        "x == 1",
        "[] zero",
        "<> one",
        "[]<> a",
        "<>[] zero",
        "[]<> one",
        "X a",
        "X X f",
    ),
    *(
        "X zero",
        "zero U one",
        "!f U a",
        "a R zero",
        "f V !a",
        "zero W one",
        "!one W f",
        "[](a -> X f)",
        "[](a -> <> f)",
    ),
    *("[](one -> <> zero)", "[]<> a -> []<> f", "[]<> a <-> []<> f", "<> a && <> f", "<> a || [] zero", "!([]<> a)"),
    *(
        "zero -> one || true",
        "!(zero && one)",
        "[](zero || one)",
        "<>(a && X a)",
        "G zero",
        "F one",
        "[] (e.1 -> X !e.1)",
    ),
    *(
        "<> e.1",
        "<> e.(1 + 1)",
        "[]<> e.1 && []<> e.2",
        "<> c.1",
        "[]<> b!1",
        "[](b!1 -> <> b?1)",
        "<> k[1].2",
        "a U f U e.1",
    ),
]
SYSTEMS = {
    "a loop": "S() = a{x = 1} -> f{x = 0} -> S();",
    "a choice": "S() = a -> S() [] f{x = 1} -> S() [] e.1 -> S();",
    "an end": "S() = a -> (f{x = 1} -> Skip [] e.1 -> Stop);",
    "internal steps": "S() = tau -> S() [] a{x = 1 - x} -> S() [] {x = 1} -> f -> S();",
    "three processes": "A() = a{x = 1} -> A(); F() = f{x = 0} -> F(); E() = e.1 -> e.2 -> E();"
    " S() = A() ||| F() ||| E();",
    "shared events": "A() = a -> f -> A(); F() = a -> e.1 -> F() [] e.2 -> F(); S() = A() || F();",
    "channels": "O() = c!1 -> k[1]!2 -> O(); I() = c?v -> k[1]?w{x = v} -> I() [] k[1]?w -> I();"
    " B() = b!1 -> B(); C() = b?v{x = 0} -> C(); S() = O() ||| I() ||| B() ||| C();",
    "one that waits": "A() = [x == 0] a{x = 1} -> A(); F() = f{x = 1 - x} -> F(); S() = A() ||| F();",
}
KINDS = ("none", "event-weak", "event-strong", "process-weak", "process-strong", "strong-global")


def cases() -> Iterator[Case]:
    for formula in FORMULAS:
        for name, system in SYSTEMS.items():
            asks = "".join(f"//@fairness {kind}\n#assert S() |= {formula};\n" for kind in KINDS)
            text = f"#define zero x == 0;\n#define one x == 1;\n#define any true;\n{system}\n"
            text += f"#assert S() reaches any with max(x);\n{asks}"
            yield case("Formulas", formula, name, formula, text)
