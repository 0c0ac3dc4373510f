"""Processes: every operator, prefix and channel operation in every place where a process may stand."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from tests.languages.catalogue.case import Case
from tests.languages.catalogue.csp.model import asked, case

CONSTRUCTS = {
    "Prefixes": [
        "Stop",
        "Skip",
        "a -> Skip",
        "a -> Stop",
        "e.1 -> a -> Skip",
        "e.1.2 -> Skip",
        "e.y -> Skip",
        "e.(y + 1) -> Skip",
        "a{x = 1} -> Skip",
        "a{x = 1; y = x + 1} -> e.y -> Skip",
        "{x = 2} -> a -> Skip",
        "tau -> a -> Skip",
        "tau{x = 1} -> Skip",
        "(a, e.1) -> f -> Skip",
        "(a, tau) -> Skip",
    ],
    "Channels": [
        "(c!1 -> Skip ||| c?v -> e.v -> Skip)",
        "(c!1.2 -> Skip ||| c?v.w -> e.(w - v) -> Skip)",
        "(c!1.2 -> Skip ||| c?1.v -> e.v -> Skip)",
        "(c!1 -> Skip ||| c?2 -> Skip)",
        "(c!1 -> Skip ||| c?[v == 1]v -> e.v -> Skip)",
        "(c!1 -> Skip ||| c?[v != y]v -> Skip)",
        "(c!y{x = 1} -> Skip ||| c?v{y = (v + x) % 3} -> e.y -> Skip)",
        "(c!1 -> Skip ||| c?v -> Skip ||| c?v -> a -> Skip)",
        "(c!t -> Skip ||| c?true -> Skip)",
        "(c!1 -> Skip || c?v -> a -> Skip)",
        "(k[1]!1 -> Skip ||| k[y]?v -> e.v -> Skip)",
        "c!1 -> Skip",
        "c?v -> Skip",
        "b!1 -> b?v -> e.v -> Skip",
        "b!1 -> b!2 -> b?v -> b?w -> e.w -> Skip",
        "b!1 -> b!2 -> b!0 -> Skip",
        "b?v -> Skip",
        "b!2 -> b?1 -> Skip",
        "b!2{x = 1} -> b?[v > 1]v{x = v} -> e.x -> Skip",
        "(b!1 -> Skip ||| b?v -> e.v -> Skip)",
        "d[0]!1 -> d[y - 1]?v -> e.v -> Skip",
    ],
    "Operators": [
        "(a -> Skip [] e.1 -> Skip)",
        "(a -> Skip [] a -> f -> Skip)",
        "(tau -> Skip [] a -> Skip)",
        "(a -> Skip <> e.1 -> Skip)",
        "(a -> Skip <> e.1 -> Skip <> f -> Stop)",
        "(a -> Skip [*] e.1 -> Skip)",
        "(tau -> a -> Skip [*] e.1 -> Skip)",
        "(a -> f -> Skip interrupt h -> Skip)",
        "(a -> Skip interrupt tau -> h -> Skip)",
        "(a -> Skip; f -> Skip)",
        "(a -> Stop; f -> Skip)",
        "((a -> f -> Skip) \\ {a})",
        "((a -> e.1 -> Skip) \\ {i:{0..1}@e.i})",
        "(a -> Skip ||| f -> Skip)",
        "(a -> f -> Skip || f -> Skip)",
        "(a -> Skip || a -> e.1 -> Skip || f -> Skip)",
        "(a{x = 1} -> Skip || a -> Skip)",
        "atomic {a -> f -> Skip}",
        "(atomic {a -> f -> Skip} ||| e.1 -> Skip)",
        "assert(y == 1)",
        "assert(y == 2)",
    ],
    "Conditions": [
        "([y == 1] a -> Skip)",
        "([y == 2] a -> Skip)",
        "if (y == 1) {a -> Skip}",
        "if (y == 2) {a -> Skip}",
        "if (y == 2) {a -> Skip} else {f -> Skip}",
        "if (y == 2) {a -> Skip} else if (t) {f -> Skip} else {h -> Skip}",
        "ifa (y == 1) {a -> Skip} else {f -> Skip}",
        "ifa (y == 2) {a -> Skip} else {f -> Skip}",
        "ifb (y == 1) {a -> Skip}",
        "ifb (y == 2) {a -> Skip}",
        "case {y == 2: (a -> Skip) y == 1: (f -> Skip) default: (h -> Skip)}",
        "case {y == 2: (a -> Skip) default: (h -> Skip)}",
        "case {y == 2: (a -> Skip) y == 3: (f -> Skip)}",
    ],
    "Indexed processes and references": [
        "(||| i:{0..1} @ e.i -> Skip)",
        "(|| i:{0..1} @ a -> e.i -> Skip)",
        "([] i:{0..2} @ e.i -> Skip)",
        "(<> i:{0..1} @ e.i -> Skip)",
        "([*] i:{0, 2} @ e.i -> Skip)",
        "(||| i:{0..1}; j:{i..1} @ e.(i + j) -> Skip)",
        "(|||{2} @ a -> Skip)",
        "One(1)",
        "One(y)",
        "Down(2)",
        "Near(2)",
        "Near(3)",
        "Ever()",
        "Ping()",
    ],
}

CONTEXTS: dict[str, str | tuple[str, str]] = {
    "body": "%P",
    "after an event": "p -> %P",
    "after an event with statements": "p{y = 1} -> %P",
    "after a block": "{y = 1} -> %P",
    "after tau": "tau -> %P",
    "after an output": "b!1 -> %P",
    "after an input": "b!1 -> b?u%n -> %P",
    "left of |||": "(%P ||| q -> Skip)",
    "right of |||": "(q -> Skip ||| %P)",
    "left of ||": "(%P || a -> q -> Skip)",
    "right of ||": "(a -> q -> Skip || %P)",
    "left of []": "(%P [] q -> Skip)",
    "right of []": "(q -> Skip [] %P)",
    "left of <>": "(%P <> q -> Skip)",
    "right of <>": "(q -> Skip <> %P)",
    "left of [*]": "(%P [*] q -> Skip)",
    "right of [*]": "(q -> Skip [*] %P)",
    "left of interrupt": "(%P interrupt q -> Skip)",
    "right of interrupt": "(q -> Skip interrupt %P)",
    "left of ;": "(%P; q -> Skip)",
    "right of ;": "(q -> Skip; %P)",
    "right of Skip;": "(Skip; %P)",
    "hiding": "(%P \\ {a, e.1})",
    "hiding a range": "(%P \\ {i%n:{0..1}@e.i%n})",
    "guard": "[y == 1] %P",
    "guard that is false": "([y == 0] %P [] q -> Skip)",
    "if": "if (y == 1) {%P}",
    "else": "if (y == 0) {q -> Skip} else {%P}",
    "ifa": "ifa (y == 1) {%P} else {q -> Skip}",
    "else of ifa": "ifa (y == 0) {q -> Skip} else {%P}",
    "ifb": "ifb (y == 1) {%P}",
    "case": "case {y == 0: (q -> Skip) y == 1: (%P) }",
    "default": "case {y == 0: (q -> Skip) default: (%P) }",
    "atomic": "(atomic {%P} ||| q -> Skip)",
    "indexed |||": "(||| i%n:{0..1} @ %P)",
    "indexed ||": "(|| i%n:{0..1} @ %P)",
    "indexed []": "([] i%n:{0..1} @ %P)",
    "indexed <>": "(<> i%n:{0..1} @ %P)",
    "indexed [*]": "([*] i%n:{0..1} @ %P)",
    "copies": "(|||{2} @ %P)",
    "definition": ("D%n() = %P;", "D%n()"),
    "definition with parameters": ("D%n(u%n, w%n) = %P;", "D%n(0, y)"),
    "definition with an alphabet": ("#alphabet D%n {a, e.1}; D%n() = %P;", "(D%n() || a -> e.1 -> q -> Skip)"),
    "repeated": ("D%n(u%n) = [u%n < 2] (%P; q -> D%n(u%n + 1)) [] [u%n == 2] Skip;", "D%n(0)"),
    "for ever": ("D%n() = %P; p -> D%n();", "D%n()"),
}
"""`%P` is where the process stands, `%n` makes names unique; of two texts the first is declared."""
PAIRED = [
    *("after an event with statements", "left of |||", "right of ||", "left of []", "right of <>", "left of [*]"),
    *("right of interrupt", "left of ;", "hiding", "guard", "else", "ifa", "atomic", "indexed |||"),
    *("definition with parameters", "repeated"),
]
CORE = ["a -> Skip", "a{x = 1} -> Skip", "(c!1 -> Skip ||| c?v -> e.v -> Skip)", "(a -> Skip <> e.1 -> Skip)"]
REFUSED = {"Near(3) @ guard that is false": "out of its range"}
"""Arguments that are constant are looked at early, also behind a guard that is false."""


COMPARED = {
    f"{role} of refines{sense}": f"#assert {one} refines{sense} {other};\n#assert {one} reaches any with max(x);"
    for sense in ("", "<F>", "<FD>")
    for role, one, other in (("left", "S()", "I()"), ("right", "I()", "S()"))
}
"""A process as implementation and as specification."""


def cases() -> Iterator[Case]:
    for group, constructs in CONSTRUCTS.items():
        for construct in constructs:
            for context in CONTEXTS:
                yield _case(group, construct, (context,))
            if construct in CORE:
                for pair in product(PAIRED, repeat=2):
                    yield _case(group, construct, pair)
            for context, asks in COMPARED.items():
                text = f"S() = {construct};\nI() = a -> e.1 -> Skip [] f -> Skip;\n#define any true;\n{asks}\n"
                yield case(group, construct, context, construct, text)


def _case(group: str, construct: str, contexts: tuple[str, ...]) -> Case:
    declared, body = "", construct if construct[0] == "(" else f"({construct})"
    for number, name in enumerate(reversed(contexts)):
        context = CONTEXTS[name]
        before, around = ("", context) if isinstance(context, str) else context
        declared += f"{placed(before, body, number)}\n"
        body = f"({placed(around, body, number)})"
    context = " > ".join(contexts)
    return case(group, construct, context, construct, f"{declared}S() = {body};\n{asked(f'{construct} @ {context}')}")


def placed(context: str, body: str, number: int) -> str:
    return context.replace("%n", str(number)).replace("%P", body)
