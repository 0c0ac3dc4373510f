"""What a message sequence chart says, before anybody draws it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from homing.core.system import Event
from homing.core.witness import Trace
from homing.report.charts.pairing import pair

MOST_STEPS = 200
"""Beyond this a drawing shows its two ends: nobody follows more arrows than that."""


@dataclass(frozen=True)
class Message:
    """An arrow between lifelines, given by number; steps are those of a chart, and count from 1.

    Without a sender it was in its channel from the start, without a receiver it is there still, or is `lost` in a step.
    """

    event: Event
    sender: int | None
    receiver: int | None
    sent: int | None
    received: int | None
    lost: int | None = None

    @property
    def waits(self) -> bool:
        """Whether it is sent in one step and received in a later one."""
        return self.sent is not None and self.received is not None and self.sent != self.received

    @property
    def goes_right(self) -> bool:
        """Also to oneself, out of a channel and into one."""
        return self.sender is None or self.receiver is None or self.receiver >= self.sender

    @property
    def gap(self) -> int:
        """Where its label stands: beside the sender, or the receiver when it has none. Gap n is left of lifeline n."""
        if self.sender is not None:
            return self.sender + self.goes_right
        assert self.receiver is not None
        return self.receiver


@dataclass(frozen=True)
class Local:
    """What one process does by itself; nobody in particular where there is no lifeline."""

    event: Event
    lifeline: int | None
    step: int


@dataclass(frozen=True)
class Part:
    """The chart of a branch: see `witness.Branch`."""

    at: int | None
    why: str
    chart: Chart

    @property
    def heading(self) -> str:
        return f"from {'an initial state' if self.at is None else f'state {self.at}'}, {self.why}"


@dataclass(frozen=True)
class Chart:
    """Lifelines in the order of their first appearance, and what happens on them in so many steps.

    A step of the trace that moves several messages is several steps here; `numbers` has the trace's own, in which step
    n leads to state n.

    With a `loop`, the steps after that one repeat for ever; if there is none after it, everything stays as it is.
    """

    lifelines: tuple[str, ...]
    messages: tuple[Message, ...]
    locals: tuple[Local, ...]
    steps: int
    loop: int | None = None
    notes: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    numbers: tuple[int, ...] = ()

    def number(self, step: int) -> int:
        """The number of a step in the trace; that of the state before all steps is 0."""
        return self.numbers[step - 1] if step and self.numbers else step

    def whereabouts(self, message: Message) -> str:
        """Where a message is that nobody has sent, or nobody receives."""
        return f"in {message.event.channel}" if message.lost is None else f"lost in step {self.number(message.lost)}"

    def begins(self, step: int) -> bool:
        """Whether it is the first that shows a step of the trace."""
        return self.number(step) != self.number(step - 1)


def of(trace: Trace) -> Chart:
    """The chart of a trace, and those of its branches."""
    lines = _lines(trace)
    events = [event for line in lines for event in line]
    names = (name for event in events for name in (event.sender, event.receiver) if name is not None)
    lifelines = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return Chart(
        tuple(lifelines),
        tuple(_messages(events, lifelines)),
        tuple(
            Local(event, _lifeline(event.receiver if event.sender is None else event.sender, lifelines), step)
            for step, event in enumerate(events, 1)
            if not moves_a_message(event)
        ),
        len(events),
        None if trace.loop is None else sum(map(len, lines[: trace.loop])),
        trace.notes,
        tuple(Part(branch.at, branch.why, of(branch.trace)) for branch in trace.branches),
        tuple(number for number, line in enumerate(lines, 1) for _ in line) if len(events) > len(lines) else (),
    )


def _lines(trace: Trace) -> Sequence[Sequence[Event]]:
    """What to show of each step: its event, unless the notation finds more in the states."""
    events = [move.event for move in trace.moves]
    if trace.notation.lines is None:
        return [[event] for event in events]
    return trace.notation.lines(trace.states, events)


def has_messages(trace: Trace) -> bool:
    """Whether a chart of it would have an arrow."""
    here = any(moves_a_message(event) for line in _lines(trace) for event in line)
    return here or any(has_messages(branch.trace) for branch in trace.branches)


def moves_a_message(event: Event) -> bool:
    """From one process to another, or into or out of a channel."""
    ends = (event.sender is not None) + (event.receiver is not None)
    return ends == 2 or (ends == 1 and event.channel is not None)


def _messages(events: list[Event], lifelines: dict[str, int]) -> Iterable[Message]:
    """By the step in which each shows up first."""
    came_from = pair(events)
    went_to = {sent: received for received, sent in came_from.items()}
    for step, event in enumerate(events, 1):
        if not moves_a_message(event) or step in came_from:
            continue
        sender, receiver = (_lifeline(name, lifelines) for name in (event.sender, event.receiver))
        if sender is None:
            yield Message(event, None, receiver, None, step)
        elif receiver is not None:
            yield Message(event, sender, receiver, step, step)
        elif step in went_to:
            arrival = went_to[step]
            to = _lifeline(events[arrival - 1].receiver, lifelines)
            yield Message(event, sender, to, step, *((None, arrival) if to is None else (arrival, None)))
        else:
            yield Message(event, sender, None, step, None)


def _lifeline(name: str | None, lifelines: dict[str, int]) -> int | None:
    return None if name is None else lifelines[name]
