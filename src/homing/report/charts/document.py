"""Charts as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from homing.core.result import Result
from homing.core.system import Event
from homing.core.values import Value
from homing.report.charts import chart as charts
from homing.report.charts.chart import Chart, Message
from homing.report.json_format import plain

VERSION = 1
Written = Callable[[Value], Any]
"""How a notation writes a value in JSON."""


def render(results: Iterable[Result]) -> str:
    """The document that `--msc FILE.json` writes: a chart for each result that has a trace."""
    listed = [
        {
            "model": result.model,
            "property": result.property,
            "system": result.part,
            "verdict": result.verdict.name,
            **chart(charts.of(result.trace), result.trace.notation.plain or plain),
        }
        for result in results
        if result.trace is not None
    ]
    return json.dumps({"version": VERSION, "charts": listed}, indent=2) + "\n"


def chart(drawn: Chart, written: Written = plain) -> dict[str, Any]:
    """All steps, however many: step n leads to state n of the trace. Steps after `loop` repeat for ever."""
    return {
        "lifelines": list(drawn.lifelines),
        "steps": drawn.number(drawn.steps),
        "messages": [_message(drawn, message, written) for message in drawn.messages],
        "local": [
            {"on": _name(drawn, local.lifeline), **_event(local.event, written), "step": drawn.number(local.step)}
            for local in drawn.locals
        ],
        "loop": _number(drawn, drawn.loop),
        "notes": list(drawn.notes),
        "branches": [{"at": part.at, "why": part.why, **chart(part.chart, written)} for part in drawn.parts],
    }


def _message(drawn: Chart, message: Message, written: Written) -> dict[str, Any]:
    return {
        "from": _name(drawn, message.sender),
        "to": _name(drawn, message.receiver),
        **_event(message.event, written),
        "channel": message.event.channel,
        "sent": _number(drawn, message.sent),
        "received": _number(drawn, message.received),
        "lost": _number(drawn, message.lost),
    }


def _number(drawn: Chart, step: int | None) -> int | None:
    return None if step is None else drawn.number(step)


def _event(event: Event, written: Written) -> dict[str, Any]:
    return {"text": str(event), "name": event.name, "arguments": [written(value) for value in event.arguments]}


def _name(drawn: Chart, lifeline: int | None) -> str | None:
    return None if lifeline is None else drawn.lifelines[lifeline]
