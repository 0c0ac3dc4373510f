"""How numbers and names are written for people."""

from __future__ import annotations

import html
import json

from homing.core.printable import printable as printable  # noqa: PLC0414
from homing.core.result import Result
from homing.core.verdict import Verdict
from homing.core.witness import Trace


def lines(text: str) -> str:
    """The same for a text of several lines, which may stay several."""
    return "\n".join(map(printable, text.split("\n")))


def escape(text: str) -> str:
    """A text for HTML and SVG."""
    return html.escape(printable(text))


FORMULA = tuple("=+-@＝＋－＠")
"""What a spreadsheet takes for the beginning of a formula, also after blanks."""


def csv_cell(text: str) -> str:
    """A text for a cell of CSV: an apostrophe keeps a spreadsheet from running it."""
    shown = printable(text)
    return f"'{shown}" if shown != text or (shown.lstrip(" '").startswith(FORMULA) and not _is_number(shown)) else shown


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def json_text(data: object) -> str:
    """A JSON document for people and programs: letters as they are, what is not printable as `\\u202e`."""
    text = json.dumps(data, indent=2, ensure_ascii=False)
    if text.replace("\n", "").isprintable():
        return text
    return "".join(char if char.isprintable() or char == "\n" else json.dumps(char)[1:-1] for char in text)


def plural(number: int, noun: str, nouns: str = "") -> str:
    """`1 step`, `2 steps`, `1,000 properties`."""
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"


def duration(seconds: float) -> str:
    """`0.04 s`, `12.3 s`, `4 min 05 s`, `3 h 07 min`."""
    if seconds < 9.995:
        return f"{seconds:.2f} s"
    if seconds < 99.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02} s"
    return f"{minutes // 60} h {minutes % 60:02} min"


def memory(megabytes: float) -> str:
    """`87 MB`, `12.5 GB`."""
    return f"{megabytes:,.0f} MB" if megabytes < 9999.5 else f"{megabytes / 1024:,.1f} GB"


def _length(trace: Trace) -> str:
    """How long a trace is; of a lasso, its way and its loop."""
    if trace.loop is None:
        return f" after {plural(len(trace), 'step')}"
    around = len(trace) - trace.loop
    kept = f"a loop of {plural(around, 'step')}" if around else "staying there"
    return f" after {plural(trace.loop, 'step')}, by {kept}"


def remark(result: Result) -> str:
    """What there is to say about a verdict: ` after 4 steps`, ` (vacuous: …)`."""
    parts = ""
    if result.value is not None:
        parts += f", value {result.value:,}" + (" so far" if result.verdict is Verdict.UNKNOWN else "")
    if result.trace is not None and result.vacuous is None:
        parts += _length(result.trace)
    if result.verdict is Verdict.VIOLATED and result.trace is None and result.reason is None:
        parts += ", no reachable state shows it"
    if result.verdict is not Verdict.UNKNOWN and result.reason is not None:
        parts += f" ({printable(result.reason)})"
    if result.vacuous is not None:
        parts += f" (vacuous: {printable(result.vacuous)})"
    return parts
