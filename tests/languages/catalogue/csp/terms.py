"""Expressions, statements and declarations in every place where they may stand."""

from __future__ import annotations

from collections.abc import Iterator

from tests.languages.catalogue.case import Case
from tests.languages.catalogue.csp.model import asked, case
from tests.languages.catalogue.csp.processes import placed

NUMBERS = [
    *("0", "2", "-1", "+1", "two", "green", "x", "y", "m[2]", "m[y]", "g[0][1]", "m[m[0]]", "(y)"),
    *("y + 1", "y - 2", "y * two", "5 / 2", "-5 / 2", "5 % 3", "-1 % 3", "1 - -1", "7 - 2 - 1", "8 / 2 / 2"),
    *("1 + 2 * 2", "(1 + 2) * 2 % 4", "6 & 3", "4 | 1", "6 ^ 3", "1 + 1 & 3", "- y + 3", "call(ccount, b)"),
    *("call(csize, b)", "1 / x", "m[3]", "t + 1", "y + true"),
]
TRUTHS = [
    *("true", "false", "t", "!t", "y == 1", "y != 1", "y < 1", "y <= 1", "y > 1", "y >= 1", "t == true", "t != false"),
    *("t && y == 1", "y == 2 || t", "t xor true", "!(t xor t)", "y == 1 && t || false", "false && false || true"),
    *(
        "true || false && false",
        "true xor true || true",
        "y + 1 == two",
        "y == 1 == t",
        "y < 2 == true",
        "1 < 2 && 2 < 3",
    ),
    *("less(x, y)", "less(y, x) || t", "&& i:{0..2} @ m[i] < 3", "|| i:{0..1} @ m[i] == 2", "&& i:{0, 2} @ (m[i] > 0)"),
    *("call(cempty, b)", "call(cfull, b)", "call(ccount, d[1]) == 0", "t == 1", "red == 0 && green == 1"),
    *("true || 1 / x == 1", "false && m[9] == 1", "y + 0", "y && t", "! t == false"),
]
STATEMENTS = [
    *(
        "x = 1;",
        "x = y",
        "x = 1; y = x + 1;",
        "x++;",
        "y--;",
        "m[1] = 2;",
        "m[y] = m[0] + 1;",
        "m[1]++;",
        "g[1][0] = 1;",
    ),
    *(
        "t = !t;",
        "t = y == 2;",
        "x = y = 2;",
        "x = y++;",
        ";",
        "{x = 1; y = 2;}",
        "if (t) {x = 1;}",
        "if (!t) {x = 1;} else {x = 2;}",
    ),
    *(
        "if (y == 1) x = 1; else x = 2;",
        "if (t) if (y == 2) x = 1; else x = 2;",
        "while (x < 2) {x++;}",
        "while (x < 2) x = x + 2;",
    ),
    *("var z = y + 1; x = z;", "var z; z = 2; x = z;", "var z = 1; {var w = z + 1; x = w;} y = z;", "grow();", "grow;"),
    *(
        "call(grow);",
        "put(2);",
        "put(y + 1); put(x);",
        "if (t) {var z = 2; x = z;} else {x = 1;}",
        "x = 1 / (y - 1);",
        "m[3] = 1;",
    ),
    *(
        "var z = 0; while (z < 2) {z++; if (z == 1) {x = x + z;} else {y = z;}}",
        "x = -1 % 3;",
        "x = 1; x = x + 1; x = x * 2;",
    ),
]

NUMBER_CONTEXTS: dict[str, str | tuple[str, str]] = {
    "argument of an event": "e.(%P) -> Skip",
    "later argument of an event": "e.1.(%P) -> Skip",
    "argument in a choice of events": "(e.(%P), a) -> Skip",
    "assigned": "a{x = %P} -> e.x -> Skip",
    "assigned to an element": "a{m[1] = %P} -> e.(m[1]) -> Skip",
    "value of a local variable": "a{var z = %P; x = z;} -> Skip",
    "index": "a{x = m[%P]} -> Skip",
    "compared": "if ((%P) > 0) {a -> Skip} else {f -> Skip}",
    "guard": "([(%P) == 1] a -> Skip [] f -> Skip)",
    "sent": "(c!(%P) -> Skip ||| c?v -> e.v -> Skip)",
    "sent into a buffer": "b!(%P) -> b?v -> e.v -> Skip",
    "second field": "(c!1.(%P) -> Skip ||| c?v.w -> e.w -> Skip)",
    "index of a channel": "(k[(%P)]!1 -> Skip ||| k[1]?v -> Skip)",
    "argument of a process": "One(%P)",
    "argument that is kept": ("Keep(i) = a -> (f -> Keep(i) [] e.i -> Skip);", "Keep(%P)"),
    "argument in a range": "Near(%P)",
    "macro": ("#define named (%P);", "e.named -> Skip"),
    "argument of a macro": ("#define both(v) v + 1;", "e.(both(%P)) -> Skip"),
    "argument of a macro with a block": "a{put(%P);} -> Skip",
    "case": "case {(%P) == 1: (a -> Skip) default: (f -> Skip)}",
    "while": "a{while (x < (%P)) {x++;}} -> Skip",
    "guard of an input": "(c!1 -> Skip ||| c?[v == (%P)]v -> Skip)",
    "atomic": "atomic {a{x = %P} -> e.x -> Skip}",
    "under ||": "(e.(x + 1){x = %P} -> Skip || a -> e.(2) -> Skip)",
}
TRUTH_CONTEXTS: dict[str, str | tuple[str, str]] = {
    "guard": "([%P] a -> Skip [] f -> Skip)",
    "if": "if (%P) {a -> Skip} else {f -> Skip}",
    "ifa": "ifa (%P) {a -> Skip} else {f -> Skip}",
    "ifb": "ifb (%P) {a -> Skip}",
    "case": "case {%P: (a -> Skip) default: (f -> Skip)}",
    "assert": "assert(%P)",
    "if statement": "a{if (%P) {x = 1;} else {x = 2;}} -> Skip",
    "while": "a{while ((%P) && x < 2) {x++;}} -> Skip",
    "assigned": "a{t = %P} -> ([t] e.1 -> Skip)",
    "guard of an input": "(c!1 -> Skip ||| c?[%P]v -> Skip)",
    "guard of an input from a buffer": "b!1 -> b?[%P]v -> Skip",
    "sent": "(c!(%P) -> Skip ||| c?true -> a -> Skip)",
    "argument of a process": ("Say(i) = [i] a -> Skip [] f -> Skip;", "Say(%P)"),
    "macro": ("#define named (%P);", "([named] a -> Skip [] [!named] f -> Skip)"),
    "operand of &&": "([t && (%P)] a -> Skip [] f -> Skip)",
    "operand of !": "([!(%P)] a -> Skip [] f -> Skip)",
    "guard after a step": "q{y = 1} -> ([%P] a -> Skip [] f -> Skip)",
    "guard under |||": "(q{y = 2} -> Skip ||| [%P] a -> Skip)",
    "guard under ||": "([%P] a -> Skip || a -> f -> Skip)",
    "guard in atomic": "atomic {[%P] a -> f -> Skip}",
    "guard left of []": "([%P] a -> Skip [] [!(%P)] f -> Skip)",
    "guard in an indexed []": "([] j:{0..1} @ [%P] e.j -> Skip)",
}
STATEMENT_CONTEXTS: dict[str, str | tuple[str, str]] = {
    "event": "a{%P} -> e.x -> Skip",
    "block": "{%P} -> e.x -> Skip",
    "tau": "tau{%P} -> e.x -> Skip",
    "output": "(c!1{%P} -> Skip ||| c?v -> e.x -> Skip)",
    "input": "(c!1 -> Skip ||| c?v{%P} -> e.x -> Skip)",
    "both ends": "(c!1{x = 1} -> Skip ||| c?v{%P} -> e.x -> Skip)",
    "output to a buffer": "b!x{%P} -> b?v -> e.v -> Skip",
    "input from a buffer": "b!1 -> b?v{%P} -> e.v -> Skip",
    "block in a block": "a{{%P}} -> e.x -> Skip",
    "if statement": "a{if (y == 1) {%P}} -> e.x -> Skip",
    "else": "a{if (y == 0) {x = 1;} else {%P}} -> e.x -> Skip",
    "while": "a{var r = 0; while (r < 2) {r++; %P}} -> e.x -> Skip",
    "after a statement": "a{y = 1; %P} -> e.x -> Skip",
    "macro": ("#define doing {%P};", "a{doing();} -> e.x -> Skip"),
    "macro with a parameter": ("#define done(v) {%P};", "a{done(1);} -> e.x -> Skip"),
    "atomic": "(atomic {a{%P} -> e.x -> Skip} ||| q{y = 1} -> Skip)",
    "under |||": "(a{%P} -> e.x -> Skip ||| q{y = 1} -> Skip)",
    "under ||": "(a{%P} -> e.1 -> Skip || a -> e.1 -> Skip)",
    "under [*]": "({%P} -> e.x -> Skip [*] f -> Skip)",
    "interrupted": "(a{%P} -> e.x -> Skip interrupt f -> Skip)",
    "sequence": "(a{%P} -> Skip; e.x -> Skip)",
    "hidden": "((a{%P} -> e.x -> Skip) \\ {a})",
}
DECLARATIONS = [
    *(
        "var z;",
        "var z = 2;",
        "var z = two + 1;",
        "var z:{0..3};",
        "var z:{0..3} = 3;",
        "var z:{1..3} = 0;",
        "var z:{..2} = 1;",
    ),
    *("var z:{0..} = 1;", "var z:{-1..two} = two;", "var z = true;", "var z = red;", "var n = 2; var z = n + 1;"),
]
ARRAYS = [
    *(
        "var z[2];",
        "var z[two] = [1, 2];",
        "var z = [1, 2];",
        "var z = [1(2)];",
        "var z = [2..0];",
        "var z = [0..2, 1(2)];",
    ),
    *("var z = [two(2)];", "var z[2][1];", "var z[1][2] = [2, 1];", "var z[2]:{0..2};", "var z[2]:{0..1} = [1, 1];"),
]
DECLARATION_CONTEXTS = {
    "read": "e.z -> Skip",
    "assigned": "a{z = 2} -> e.z -> Skip",
    "grown": "a{z = z + 1} -> e.z -> f{z = z + 2} -> Skip",
    "shrunk": "a{z = z - 1} -> Skip",
    "compared": "if (z == 2) {a -> Skip} else {f -> Skip}",
    "shared": "(a{z = 1} -> Skip ||| f{z = 0} -> e.z -> Skip)",
    "sent": "b!z -> b?z1 -> e.z1 -> Skip",
}
ARRAY_CONTEXTS = {
    "first element": "e.(z[0]) -> Skip",
    "second element": "e.(z[1]) -> Skip",
    "last element": "e.(z[4]) -> Skip",
    "two indices": "e.(z[0][0]) -> Skip",
    "two indices, the second row": "e.(z[1][0]) -> Skip",
    "assigned": "a{z[1] = 2} -> e.(z[0]) -> e.(z[1]) -> Skip",
    "index that changes": "a{x = 1} -> e.(z[x]) -> Skip",
}
CHANNELS = ["channel z 0;", "channel z 1;", "channel z two;", "channel z 1 + 1;"]
CHANNEL_CONTEXTS = {
    "handshake": "(z!1 -> Skip ||| z?v -> e.v -> Skip)",
    "order": "(z!1 -> z!2 -> Skip ||| z?v -> z?w -> e.v -> e.w -> Skip)",
    "filled": "z!1 -> z!2 -> z!0 -> Skip",
    "full": "(z!1 -> Skip ||| [call(cfull, z)] a -> Skip)",
    "empty": "(z!1 -> Skip ||| [call(cempty, z)] a -> Skip)",
    "peeked": "(z!1 -> Skip ||| z?2 -> Skip ||| z?1 -> a -> Skip)",
    "hidden": "((z!1 -> Skip ||| z?v -> e.v -> Skip) \\ {z.1})",
    "shared name": "(z.1 -> Skip || z.1 -> a -> Skip)",
}
ALPHABETS = ["{a}", "{a, f}", "{a, f, e.0, e.1}", "{i:{0..1}@e.i}", "{a, i:{0..two}; j:{0..1}@e.i.j}", "{q}"]
ALPHABET_CONTEXTS = {
    "of the left side": "(D() || a -> e.1 -> Skip)",
    "of the right side": "(a -> f -> e.0 -> Skip || D())",
    "of both": "(D() || D())",
    "interleaved": "(D() ||| a -> Skip)",
    "of three": "(D() || a -> Skip || f -> Skip)",
}


def cases() -> Iterator[Case]:
    yield from _cases("Numbers", NUMBERS, NUMBER_CONTEXTS)
    yield from _cases("Conditions on values", TRUTHS, TRUTH_CONTEXTS)
    yield from _cases("Statements", STATEMENTS, STATEMENT_CONTEXTS)
    yield from _declared("Variables", DECLARATIONS, DECLARATION_CONTEXTS)
    yield from _declared("Arrays", ARRAYS, ARRAY_CONTEXTS)
    yield from _declared("Declarations of channels", CHANNELS, CHANNEL_CONTEXTS)
    alphabets = [f"#alphabet D {events}; D() = a -> f -> e.1 -> e.0 -> Skip;" for events in ALPHABETS]
    yield from _declared("Alphabets", alphabets, ALPHABET_CONTEXTS)
    yield from _asked()


def _cases(group: str, constructs: list[str], contexts: dict[str, str | tuple[str, str]]) -> Iterator[Case]:
    for construct in constructs:
        for name, context in contexts.items():
            before, around = ("", context) if isinstance(context, str) else context
            text = f"{placed(before, construct, 0)}\nS() = {placed(around, construct, 0)};\n"
            key = f"{construct} @ {name}"
            yield case(group, construct, name, construct, text + asked(key))


def _declared(group: str, constructs: list[str], contexts: dict[str, str]) -> Iterator[Case]:
    for construct in constructs:
        for name, body in contexts.items():
            yield case(
                group, construct, name, construct, f"{construct}\nS() = {body};\n{asked(f'{construct} @ {name}')}"
            )


ASKED_OF = "S() = a{x = y} -> f{y = (y + 1) % 3} -> S() [] b!1 -> e.1 -> b?v -> S();"


def _asked() -> Iterator[Case]:
    """Expressions in assertions: goals, measures and propositions."""
    for construct in NUMBERS:
        for name, ask in {
            "min": f"#assert S() reaches any with min({construct});",
            "max": f"#assert S() reaches any with max({construct});",
            "goal": f"#define goal ({construct}) == 1;\n#assert S() reaches goal;",
            "always": f"#define goal ({construct}) < 2;\n#assert S() |= [] goal;",
        }.items():
            yield _question("Numbers", construct, name, ask)
    for construct in TRUTHS:
        for name, ask in {
            "goal": "#assert S() reaches goal;",
            "goal with max": "#assert S() reaches goal with max(y);",
            "first state": "#assert S() |= goal;",
            "always": "#assert S() |= [] goal;",
            "some day": "#assert S() |= <> goal;",
            "again and again": "//@fairness event-weak\n#assert S() |= []<> goal;",
            "until": "#assert S() |= !a U goal;",
            "next": "#assert S() |= X goal;",
        }.items():
            yield _question("Conditions on values", construct, name, f"#define goal {construct};\n{ask}")


def _question(group: str, construct: str, context: str, ask: str) -> Case:
    text = f"{ASKED_OF}\n#define any true;\n#assert S() reaches any with max(x);\n{ask}\n"
    return case(group, construct, context, construct, text)
