"""Results in a notebook: verdicts as a table, traces as charts, or as tables of what changed.

Styles stand in the elements, since a notebook has others; names come from models, so all text is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from homing.core.result import Report, Result
from homing.core.verdict import Verdict
from homing.core.witness import Trace
from homing.report import traces
from homing.report.charts import svg
from homing.report.charts.chart import has_messages
from homing.report.text_report import describe, headline
from homing.report.wording import duration, escape, memory, printable, remark

COLOURS = {Verdict.HOLDS: "#2e7d32", Verdict.UNKNOWN: "#8a6d00", Verdict.VIOLATED: "#b3261e"}
TABLE = "border-collapse: collapse; margin: 0.4em 0"
CELL = "text-align: left; vertical-align: top; padding: 0.2em 1em 0.2em 0; border-bottom: 1px solid #ddd"
CODE = "font-family: monospace; white-space: pre-wrap"
MUTED = "color: #777; margin: 0.3em 0"


def html(shown: object) -> str:
    """Of a report, a result or a trace."""
    if isinstance(shown, Report):
        return _report(shown)
    if isinstance(shown, Result):
        return _result(shown)
    assert isinstance(shown, Trace)
    return _trace(shown)


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table; its cells are HTML already."""
    lines = ["".join(f'<th style="{CELL}">{cell}</th>' for cell in head)]
    lines += ["".join(f'<td style="{CELL}">{cell}</td>' for cell in row) for row in rows]
    return f'<table style="{TABLE}">{"".join(f"<tr>{line}</tr>" for line in lines)}</table>'


def verdict(value: Verdict, text: str = "") -> str:
    """The verdict in its colour."""
    return f'<span style="color: {COLOURS[value]}; font-weight: 600">{escape(text or value.name)}</span>'


def muted(text: str) -> str:
    """Something less important; plain text."""
    return f'<p style="{MUTED}">{escape(text)}</p>'


def _report(report: Report) -> str:
    shown = [result for result in report.results if result.verdict is Verdict.VIOLATED and result.trace is not None]
    parts = [f"<p>{verdict(report.verdict, headline(report))}</p>"]
    parts += [table(("property", "verdict"), map(_row, report.results))] if report.results else []
    parts += [muted(text) for text in _searches(report.results)]
    if report.error is not None:
        parts.append(f"<p>{verdict(Verdict.VIOLATED, printable(str(report.error)))}</p>")
        parts += [_trace(report.error_trace)] if report.error_trace is not None else []
    return "".join([*parts, *map(_witness, shown)])


def _result(result: Result) -> str:
    parts = [table(("property", "verdict"), [_row(result)]), *map(muted, _searches((result,)))]
    return "".join([*parts, _witness(result)] if result.trace is not None else parts)


def _row(result: Result) -> tuple[str, str]:
    unknown = f": {result.reason}" if result.verdict is Verdict.UNKNOWN and result.reason else ""
    return escape(printable(result.property)), verdict(result.verdict) + escape(remark(result) + printable(unknown))


def _searches(results: tuple[Result, ...]) -> Iterator[str]:
    """What was searched and what it took, once for all that share a search."""
    for counts in dict.fromkeys(result.counts for result in results):
        sharing = [result for result in results if result.counts == counts]
        seconds, most = (max(getattr(each, name) for each in sharing) for name in ("seconds", "memory_mb"))
        yield f"{describe(counts)}; {duration(seconds)}, {memory(most)}"


def _witness(result: Result) -> str:
    """The trace of a result, with what it is about above it."""
    assert result.trace is not None
    if has_messages(result.trace):
        return f"<div>{svg.inline(result)}</div>"
    heading = f"{printable(result.property)}: {result.verdict}{remark(result)}"
    return f"<p>{verdict(result.verdict, heading)}</p>{_changes(result.trace)}"


def _trace(trace: Trace) -> str:
    return f"<div>{svg.of_trace(trace)}</div>" if has_messages(trace) else _changes(trace)


def _changes(trace: Trace) -> str:
    """What each step changed; as the notation tells it, where it has words of its own."""
    if trace.notation.told is not None or trace.branches:
        lines = (escape(str(line)) for line in traces.lines(trace))
        return f'<pre style="{CODE}">' + "\n".join(lines) + "</pre>"
    shown = trace.readable()
    after = [printable(note) for note in shown.notes]
    after[:0] = [str(line).strip() for line in traces.loop(shown)]
    return table(("step", "event", "what changes"), _steps(shown)) + "".join(map(muted, after))


def _steps(trace: Trace) -> Iterator[tuple[str, str, str]]:
    left_out = traces.left_out(trace)
    for position in range(len(trace.states)):
        if position in left_out:
            if position == left_out.start:
                yield "…", f"{len(left_out)} steps are left out here", ""
            continue
        event = traces.describe(trace.moves[position - 1].event) if position else "initially"
        lines = (escape(str(line)) for line in traces.changes(trace, position, ""))
        yield str(position), escape(event), f'<span style="{CODE}">' + "<br>".join(lines) + "</span>"
