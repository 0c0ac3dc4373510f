"""A trace as what changed at each step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from homing.core.system import Event
from homing.core.values import Value
from homing.core.witness import Trace
from homing.report.wording import printable

MOST_STEPS = 200
MOST_LINES = 2000
LONGEST_VALUE = 4000
"""More than this fills screens without telling a person more; JSON has everything."""


@dataclass(frozen=True)
class Line:
    """A line of text; where it is too long for the screen, it goes on below `text`, not below `margin`."""

    margin: str
    text: str
    emphasis: bool = False

    def __str__(self) -> str:
        return self.margin + self.text


def lines(trace: Trace) -> Iterator[Line]:
    """The initial state in full, then for each step its event and every slot that it changed; what it goes on to."""
    if trace.notation.told is not None:
        yield from _told(trace)
    else:
        trace = trace.readable()
        yield from _steps(trace)
        yield from loop(trace)
    for note in trace.notes:
        yield Line("  ", printable(note))
    for branch in trace.branches:
        where = "from an initial state" if branch.at is None else f"from state {branch.at}"
        yield Line("  ", f"{where}, {printable(branch.why)}:", emphasis=True)
        for line in lines(branch.trace):
            yield Line(f"    {line.margin}", line.text, line.emphasis)


def _steps(trace: Trace) -> Iterator[Line]:
    digits = len(str(len(trace)))
    missing = left_out(trace)
    for position in range(len(trace.states)):
        if position in missing:
            if position == missing.start:
                yield Line("  ", f"… {len(missing)} steps are left out here; --json FILE has them all")
            continue
        event = describe(trace.moves[position - 1].event) if position else "initially"
        yield Line(f"  {position:>{digits}}  ", event, emphasis=True)
        yield from changes(trace, position, " " * (digits + 6))


def left_out(trace: Trace) -> range:
    """The states of a long trace that nobody would read."""
    return range(MOST_STEPS // 2, len(trace.states) - MOST_STEPS // 2)


def changes(trace: Trace, position: int, margin: str) -> Iterator[Line]:
    """Of a readable trace: every slot that a step changed, and from what; at the start the whole state."""
    changed = trace.changes(position)
    slots = [printable(slot) for slot in trace.slots]
    widest = max(map(len, slots), default=0)
    for slot in changed:
        before = f"{shown(trace, trace.states[position - 1][slot])} → " if position else ""
        yield Line(f"{margin}{slots[slot]:{widest}}  ", before + shown(trace, trace.states[position][slot]))
    if not changed:
        yield Line(margin, "nothing changes")


def _told(trace: Trace) -> Iterator[Line]:
    """As the notation has it."""
    assert trace.notation.told is not None
    texts = list(trace.notation.told(trace.states, [move.event for move in trace.moves], trace.loop))
    left_out = range(MOST_LINES // 2, len(texts) - MOST_LINES // 2)
    for number, text in enumerate(texts):
        if number == left_out.start and left_out:
            yield Line("  ", f"… {len(left_out)} lines are left out here; --json FILE has them all")
        if number not in left_out:
            inner = text.lstrip()
            yield Line("  " + " " * (len(text) - len(inner)), printable(inner), emphasis=inner.startswith("-"))


def loop(trace: Trace) -> Iterator[Line]:
    """Where a lasso goes on for ever."""
    if trace.loop is None:
        return
    if trace.loop == len(trace):
        yield Line("  ", "↻ and stays so for ever", emphasis=True)
    else:
        yield Line("  ", f"↻ which is state {trace.loop} again, and so on for ever", emphasis=True)


def describe(event: Event) -> str:
    """`publish(m1)   producer → broker`: the event, and who takes part in it."""
    who = event.sender or ""
    if event.receiver is not None:
        who = f"{who} → {event.receiver}".lstrip()
    if event.text and who in event.text:  # some notations say it themselves
        who = ""
    return printable(f"{event}   {who}".rstrip())


def shown(trace: Trace, value: Value) -> str:
    """A value as its notation writes it, without the middle of a very long one."""
    text = printable(trace.notation.show(value))
    half = LONGEST_VALUE // 2
    return text if len(text) <= LONGEST_VALUE else f"{text[:half]} … {text[-half:]}"
