"""The plain interpreter judges traces, so it must refuse wrong ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from homing.core.builder import Builder, step
from homing.core.interpreter import ReplayFailed, replay
from homing.core.model import Model
from homing.core.result import Options
from homing.core.system import Event, Step
from homing.core.witness import Move, Trace
from homing.engines.local.engine import check


def model() -> Model:
    b = Builder("counter")
    value, note = b.slot("value", 0), b.slot("note", "")

    @b.group("up", [value], [value])
    def up(now: int) -> Iterator[Step]:
        yield step(Event("up", (now,)), {value: now + 1})

    b.always("below three", [value], lambda now: now < 3)
    b.label("note", [note], lambda text: True)
    return b.model()


def good() -> Trace:
    trace = check(model(), Options(threads=1)).report.results[0].trace
    assert trace is not None
    return trace


def test_a_shortest_trace_is_found_and_replays() -> None:
    trace = good()
    assert [state[0] for state in trace.states] == [0, 1, 2, 3]
    assert [str(move.event) for move in trace.moves] == ["up(0)", "up(1)", "up(2)"]
    assert [trace.changes(position) for position in range(4)] == [(0, 1), (0,), (0,), (0,)]
    replay(model().system, trace)


@pytest.mark.parametrize(
    "wrong",
    [
        replace(good(), states=good().states[1:], moves=good().moves[1:]),
        replace(good(), states=(*good().states[:2], (7, ""), (8, ""))),
        replace(good(), moves=(Move("down", Event("up", (0,))), *good().moves[1:])),
        replace(good(), moves=(Move("up", Event("up", (5,))), *good().moves[1:])),
        replace(good(), states=((False, ""), *good().states[1:])),
    ],
)
def test_wrong_traces_are_refused(wrong: Trace) -> None:
    with pytest.raises(ReplayFailed):
        replay(model().system, wrong)
