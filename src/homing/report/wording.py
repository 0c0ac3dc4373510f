"""How numbers and names are written for people."""

from __future__ import annotations

from homing.core.result import Result
from homing.core.verdict import Verdict
from homing.core.witness import Trace


def printable(text: str) -> str:
    """The text without anything that a terminal would obey or an encoding refuse."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


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
