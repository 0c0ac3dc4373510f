"""Where numbers run out, values look alike, and specifications are merged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from homing import checking
from homing.core.builder import Builder, step
from homing.core.errors import HomingError
from homing.core.formula import FALSE, Formula, Happens, Holds, Operation, always, eventually, next_, on_some_path
from homing.core.result import Result
from homing.core.system import Event, Step
from homing.core.temporal import Justice, Refines
from homing.core.verdict import Verdict
from homing.core.wrappers import View


def ring(size: int, formula: Formula) -> Result:
    b = Builder("ring")
    x = b.slot("x", 0)

    @b.group("go", [x], [x])
    def go(now: int) -> Iterator[Step]:
        yield step("go", {x: (now + 1) % size})

    for number in range(size):
        b.label(f"l{number}", [x], lambda now, number=number: now == number)
    b.temporal("asked", formula)
    return checking.check(b.model()).results[0]


@pytest.mark.parametrize(("size", "verdict"), [(63, Verdict.HOLDS), (64, Verdict.HOLDS), (65, Verdict.UNKNOWN)])
def test_a_formula_about_too_much_is_not_decided(size: int, verdict: Verdict) -> None:
    result = ring(size, always(Operation("or", tuple(Holds(f"l{number}") for number in range(size)))))
    assert result.verdict is verdict
    assert size < 65 or "too large: it speaks of 65 things" in str(result.reason)


def test_a_formula_that_is_nested_too_deeply_is_refused() -> None:
    formula: Formula = Holds("l0")
    for _ in range(3000):
        formula = on_some_path(next_(formula))
    with pytest.raises(HomingError, match="nested too deeply"):
        ring(3, formula)


def test_events_that_look_alike_are_kept_apart() -> None:
    b = Builder("alike")
    x = b.slot("x", 0)
    b.group("go", [x], [x])(lambda now: [step(Event("e", (True,)), {x: now})])
    one, true = Happens("e", (1,)), Happens("e", (True,))
    assert one != true
    b.temporal("only the one", always(~one & true))
    b.temporal("both", eventually(true & one))
    b.temporal("either", eventually(one) | eventually(true))
    verdicts = [result.verdict for result in checking.check(b.model()).results]
    assert verdicts == [Verdict.HOLDS, Verdict.VIOLATED, Verdict.HOLDS]


def counting(most: int) -> Builder:
    b = Builder(f"up to {most}")
    x = b.slot("x", 0)

    @b.group("up", [x], [x])
    def up(now: int) -> Iterator[Step]:
        if now < most:
            yield step("up", {x: now + 1})

    return b


def test_a_merged_specification_is_refused() -> None:
    b = counting(5)
    b.ask(Refines("plain", counting(2).system()))
    b.ask(Refines("viewed", View(counting(2).system(), ["x"])))
    plain, viewed = checking.check(b.model()).results
    assert plain.verdict is Verdict.VIOLATED
    assert viewed.verdict is Verdict.UNKNOWN
    assert "its specification: the view merges states" in str(viewed.reason)


def test_ctl_asks_only_where_a_fair_behaviour_starts() -> None:
    b = counting(2)
    b.label("never", [0], lambda now: False)
    b.temporal("asked", on_some_path(eventually(Holds("never"))), fairness=[Justice(FALSE)])
    result = checking.check(b.model()).results[0]
    assert result.verdict is Verdict.HOLDS
    assert result.vacuous is not None


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (
            {"stuttering": "sometimes"},
            "unknown stuttering 'sometimes', in 'asked'; declared: never, at the end, always",
        ),
        ({"fairness": ["WF"]}, "'WF' is no fairness, in 'asked'; declared: Weak, Strong, Justice"),
    ],
)
def test_what_is_no_fairness_is_refused(asked: dict[str, Any], message: str) -> None:
    b = counting(2)
    b.label("two", [0], lambda now: now == 2)
    b.temporal("asked", eventually(Holds("two")), **asked)
    with pytest.raises(HomingError, match=message):
        checking.check(b.model())
