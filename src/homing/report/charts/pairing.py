"""Which send a receive belongs to, where a channel lies between them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from homing.core.system import Event
from homing.core.values import encode

Steps = list[int]


def pair(events: list[Event]) -> dict[int, int]:
    """From the step of each receive to that of its send; steps count from 1. A loss counts as a receive.

    A receive that is not here took what was in the channel from the start.
    """
    sends: dict[str, Steps] = {}
    receives: dict[str, Steps] = {}
    for step, event in enumerate(events, 1):
        if event.channel is None or (event.sender is not None and event.receiver is not None):
            continue
        (receives if event.sender is None else sends).setdefault(event.channel, []).append(step)
    pairs: dict[int, int] = {}
    for channel, received in receives.items():
        pairs.update(_of_channel(events, sends.get(channel, []), received))
    return pairs


def _of_channel(events: list[Event], sent: Steps, received: Steps) -> dict[int, int]:
    in_order = list(zip(received[_there_before(sent, received) :], sent))
    # A channel hands on what it got. Where that is not so in this order, it was not empty, or loses or overtakes.
    arities = {len(events[step - 1].arguments) for step in (*sent, *received)}
    if len(arities) > 1 or all(_content(events, one) == _content(events, other) for one, other in in_order):
        return dict(in_order)
    return dict(_by_content(events, sent, received))


def _there_before(sent: Steps, received: Steps) -> int:
    """How many messages must have been in the channel from the start: more cannot come out than went in."""
    most, balance = 0, 0
    for _, change in sorted([*((step, -1) for step in sent), *((step, 1) for step in received)]):
        balance += change
        most = max(most, balance)
    return most


def _by_content(events: list[Event], sent: Steps, received: Steps) -> Iterable[tuple[int, int]]:
    """Each receive takes the oldest message with its arguments."""
    takes = set(received)
    waiting: dict[bytes, deque[int]] = {}
    for step in sorted([*sent, *received]):
        queue = waiting.setdefault(_content(events, step), deque())
        if step not in takes:
            queue.append(step)
        elif queue:
            yield step, queue.popleft()


def _content(events: list[Event], step: int) -> bytes:
    return encode(events[step - 1].arguments)
