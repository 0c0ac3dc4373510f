"""Fairness of events and of processes, by the names that PAT has for it."""

from __future__ import annotations

from pathlib import Path

import pytest

import homing
from homing.core.result import Distribution, Options
from homing.core.verdict import Verdict

TEXT = """
var x = 0;
channel c 0;
#define never x == 7;
P() = a -> P() [] b{x = 1} -> Q();
Q() = q -> Q() [] d.1 -> Q() [] d.(x + 1) -> Q();
R() = e -> (f -> R() [] g -> Stop);
T() = tau -> T() [] (tau -> h -> Stop);
C() = O() ||| I() ||| (k -> Skip);
O() = c!x -> O();
I() = c?y -> I();
L() = M() \\ {m};
M() = m -> M() [] n -> Stop;
"""
CASES = [  # the formula, and the kinds of fairness under which it holds
    ("P() |= <> b", {"event-weak", "event-strong", "strong-global"}),
    ("P() |= []<> (d.1 || q)", {"event-weak", "event-strong", "strong-global"}),
    ("P() |= <> d.2", {"event-weak", "event-strong", "strong-global"}),
    ("P() |= <> never", set()),
    ("R() |= <> g", {"event-strong", "strong-global"}),
    ("T() |= <> h", {"strong-global"}),
    ("C() |= <> k", {"event-weak", "event-strong", "process-weak", "process-strong", "strong-global"}),
    ("C() |= []<> c.0", {"none", "event-weak", "event-strong", "process-weak", "process-strong", "strong-global"}),
    ("L() |= <> n", {"event-weak", "event-strong", "strong-global"}),
]
KINDS = ["none", "event-weak", "event-strong", "process-weak", "process-strong", "strong-global"]


@pytest.mark.parametrize("engine", ["local", "symbolic", "spark"])
@pytest.mark.parametrize("kind", KINDS)
def test_fairness(kind: str, engine: str, tmp_path: Path) -> None:
    file = tmp_path / "fair.csp"
    file.write_text(TEXT + "".join(f"#assert {text};\n" for text, _ in CASES))
    pieces = Distribution(partitions=3, folder=str(tmp_path / "run"), most_edges=0)
    options = Options(threads=1, distribution=pieces) if engine == "spark" else Options(threads=1)
    found = [
        result.verdict is Verdict.HOLDS
        for model in homing.load(file, fairness=kind).models
        for result in homing.checking.check(model, engine=engine, options=options).results
    ]
    assert found == [kind in holding for _, holding in CASES]


def test_a_comment_above_a_formula_goes_before_the_option(tmp_path: Path) -> None:
    file = tmp_path / "fair.csp"
    file.write_text(TEXT + "//@fairness event-strong\n#assert R() |= <> g;\n#assert R() |= <> f;\n")
    verdicts = [result.verdict for result in homing.load(file, fairness="none").check().results]
    assert verdicts == [Verdict.HOLDS, Verdict.VIOLATED]
