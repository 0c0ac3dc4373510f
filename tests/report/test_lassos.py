"""How a behaviour without end is shown."""

from __future__ import annotations

from homing.core.result import Counts, Result
from homing.core.system import Event
from homing.core.verdict import Verdict
from homing.core.witness import Branch, Move, Trace
from homing.report import json_format
from homing.report.traces import lines
from homing.report.wording import remark

TICK = Move("clock", Event("tick"))


def lasso(loop: int | None, **extra: object) -> Trace:
    return Trace(("n",), ((0,), (1,), (0,)), (TICK, TICK), loop, **extra)  # type: ignore[arg-type]


def text(trace: Trace) -> list[str]:
    return [str(line) for line in lines(trace)]


def result(trace: Trace | None, verdict: Verdict = Verdict.VIOLATED, reason: str | None = None) -> Result:
    return Result("m", "p", verdict, Counts(), 0.0, 0.0, trace=trace, reason=reason)


def test_a_loop_says_where_it_goes_on() -> None:
    assert text(lasso(0))[-1] == "  ↻ which is state 0 again, and so on for ever"
    assert text(lasso(2))[-1] == "  ↻ and stays so for ever"
    assert not any("↻" in line for line in text(lasso(None)))


def test_notes_and_branches_follow() -> None:
    branch = Branch(1, "E F p", lasso(None))
    shown = text(lasso(0, notes=("WF(tick): taken in the loop",), branches=(branch,)))
    assert "  WF(tick): taken in the loop" in shown
    assert "  from state 1, E F p:" in shown
    assert shown[-1].startswith("    ")
    other = text(lasso(0, branches=(Branch(None, "A G p", lasso(None)),)))
    assert "  from an initial state, A G p:" in other


def test_the_length_of_a_lasso_is_its_way_and_its_loop() -> None:
    assert remark(result(lasso(0))) == " after 0 steps, by a loop of 2 steps"
    assert remark(result(lasso(1))) == " after 1 step, by a loop of 1 step"
    assert remark(result(lasso(2))) == " after 2 steps, by staying there"
    assert remark(result(lasso(None))) == " after 2 steps"


def test_a_decided_verdict_may_have_a_reservation() -> None:
    assert remark(result(None, reason="unsound: a symmetry")) == " (unsound: a symmetry)"
    assert remark(result(None, Verdict.UNKNOWN, "interrupted")) == ""


def test_json_has_loop_notes_and_branches() -> None:
    document = json_format.trace(lasso(1, notes=("fair",), branches=(Branch(0, "why", lasso(None)),)))
    assert (document["loop"], document["notes"]) == (1, ["fair"])
    (branch,) = document["branches"]
    assert (branch["at"], branch["why"], branch["trace"]["loop"]) == (0, "why", None)


def test_a_very_long_trace_is_cut_in_the_middle() -> None:
    states = tuple((number,) for number in range(1001))
    shown = text(Trace(("n",), states, (TICK,) * 1000))
    assert "  … 801 steps are left out here; --json FILE has them all" in shown
    assert any("999 → 1000" in line for line in shown)
    assert not any("500 → 501" in line for line in shown)
