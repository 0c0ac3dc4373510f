"""Results as JSON, the same shape for every notation and engine."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from homing.core.result import Result
from homing.core.values import Value, encode
from homing.core.witness import Trace
from homing.report.outcome import Outcome

VERSION = 1


def render(outcomes: Iterable[Outcome]) -> str:
    """The document that `--json` writes."""
    outcomes = list(outcomes)
    reports = [outcome.report for outcome in outcomes if outcome.report is not None]
    document = {
        "version": VERSION,
        "results": [_result(result) for report in reports for result in report.results],
        "runs": [{"model": report.model, **report.engine} for report in reports if report.engine],
        "errors": list(dict.fromkeys(str(outcome.failure) for outcome in outcomes if outcome.failure is not None)),
    }
    return json.dumps(document, indent=2) + "\n"


def _result(result: Result) -> dict[str, Any]:
    return {
        "model": result.model,
        "property": result.property,
        "system": result.part,
        "verdict": result.verdict.name,
        "vacuous": result.vacuous,
        "distinct": result.counts.distinct,
        "generated": result.counts.generated,
        "depth": result.counts.depth,
        "seconds": round(result.seconds, 3),
        "memory_mb": round(result.memory_mb, 1),
        "trace": None if result.trace is None else trace(result.trace),
        "value": result.value,
        "reason": result.reason,
    }


def trace(witness: Trace) -> dict[str, Any]:
    """A trace, values as its notation has them.

    `moves[i]` leads from `states[i]` to `states[i + 1]`; from the last state it goes on at `loop`.
    """
    witness = witness.readable()
    written = witness.notation.plain or plain
    return {
        "slots": list(witness.slots),
        "states": [[written(value) for value in state] for state in witness.states],
        "moves": [
            {
                "group": move.group,
                "event": move.event.name,
                "text": str(move.event),
                "arguments": [written(argument) for argument in move.event.arguments],
                "sender": move.event.sender,
                "receiver": move.event.receiver,
                "channel": move.event.channel,
            }
            for move in witness.moves
        ],
        "loop": witness.loop,
        "notes": list(witness.notes),
        "branches": [{"at": branch.at, "why": branch.why, "trace": trace(branch.trace)} for branch in witness.branches],
    }


def plain(value: Value) -> Any:
    """A value as JSON has it; sets and bytes are tagged, since JSON has none."""
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    if isinstance(value, frozenset):
        return {"set": [plain(item) for item in sorted(value, key=encode)]}
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    return value
