"""Traces in the Informal Trace Format (ITF), which Apalache and Quint write, and their tools read.

A document holds one trace. Of a lasso, the state after the last one is that at `loop`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from homing.core.result import Result
from homing.core.values import State, Value, encode
from homing.core.witness import Trace
from homing.report import files
from homing.report.outcome import Outcome, with_traces
from homing.report.wording import json_text

FORMAT = "https://apalache-mc.org/docs/adr/015adr-trace.html"
EXACT = 2**53
"""Integers below this are numbers in any reader of JSON."""


def save(target: str, outcomes: Iterable[Outcome]) -> list[str]:
    """Writes every trace that was found to a file of its own; the files written."""
    written = []
    for number, result in enumerate(with_traces(outcomes), 1):
        written.append(files.numbered(target, number))
        files.write(written[-1], render(result))
    return written


def render(result: Result) -> str:
    """The trace of a result, which has one."""
    assert result.trace is not None
    about = {
        "format": "ITF",
        "format-description": FORMAT,
        "source": result.model,
        "description": f"{result.property}: {result.verdict.name}",
    }
    return json_text({"#meta": about, **document(result.trace)}) + "\n"


def document(trace: Trace) -> dict[str, Any]:
    """Variables, states with the action that led to each, and the loop."""
    states = [*_states(trace)]
    found: dict[str, Any] = {
        "vars": list(states[0]),
        "states": [{"#meta": {"index": index, **_action(trace, index)}, **state} for index, state in enumerate(states)],
    }
    if trace.loop is not None:
        found["loop"] = _loop(trace)
    return found


def _loop(trace: Trace) -> int:
    """Our last state is the one at `loop` again, so what comes next is the one after that."""
    assert trace.loop is not None
    return min(trace.loop + 1, len(trace))


def _action(trace: Trace, index: int) -> dict[str, str]:
    return {"action": str(trace.moves[index - 1].event)} if index else {}


def _states(trace: Trace) -> Iterable[Mapping[str, Any]]:
    if trace.notation.itf is not None:
        return map(trace.notation.itf, trace.states)
    trace = trace.readable()
    return (_state(trace.slots, state) for state in trace.states)


def _state(slots: tuple[str, ...], state: State) -> dict[str, Any]:
    return dict(zip(slots, map(plain, state)))


def plain(value: Value) -> Any:
    """A value of no notation in particular; a tuple is one, and what the format has no word for is a string."""
    if isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return value if -EXACT < value < EXACT else {"#bigint": str(value)}
    if isinstance(value, tuple):
        return {"#tup": [plain(item) for item in value]}
    if isinstance(value, frozenset):
        return {"#set": [plain(item) for item in sorted(value, key=encode)]}
    return {"#unserializable": "None" if value is None else value.hex()}
