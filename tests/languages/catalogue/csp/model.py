"""A small model around a process: what is declared, and what is asked."""

from __future__ import annotations

from zlib import crc32

from tests.languages.catalogue.case import Case

DECLARED = """#define two 2;
enum{red, green};
#define less(p, q) p < q;
#define grow {x = (x + 1) % 3;};
#define put(v) {var old = x; x = v; y = old;};
var x = 0;
var y = 1;
var t = true;
var m = [1, 0, 2];
var g[2][2];
channel c 0;
channel b 2;
channel k[2] 0;
channel d[2] 1;
One(i) = e.i -> Skip;
Down(i) = [i > 0] a -> Down(i - 1) [] [i == 0] Skip;
Near(i:{0..2}) = e.i -> Skip;
Ever() = a -> Ever();
Ping() = a -> Pong();
Pong() = f -> Ping() [] h -> Skip;
Any() = a -> Any() [] f -> Any() [] e.0 -> Any() [] e.1 -> Any() [] e.2 -> Any() [] Skip;
"""
"""What every model of the catalogue declares."""
FAIRNESS = ("none", "event-weak", "event-strong", "strong-global")
FORMULAS = ("[]<> a", "<> e.1", "[](a -> <> e.1)", "[] y < 2", "X a", "!a U e.1", "<>[] x == 0", "f R !a")
SENSES = ("", "<F>", "<FD>")


def asked(key: str, subject: str = "S()") -> str:
    """What is asked of a process. Formula, fairness and model of refinement go by the key, so that all occur."""
    turn = crc32(key.encode())
    formula, fairness = FORMULAS[turn % 8], FAIRNESS[turn // 8 % 4]
    asks = [f"#assert {subject} {word};" for word in ("deadlockfree", "nonterminating", "divergencefree")]
    asks += [f"#assert {subject} deterministic;", "#define any true;", f"#assert {subject} reaches any with max(x);"]
    asks += [f"#assert {subject} refines{SENSES[turn // 32 % 3]} Any();"]
    asks += [f"//@fairness {fairness}\n#assert {subject} |= {formula};"]
    return "\n".join(asks) + "\n"


def case(group: str, construct: str, context: str, example: str, text: str) -> Case:
    return Case(group, construct, context, example, {"model.csp": DECLARED + text})
