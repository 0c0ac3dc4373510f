"""Two messages over a channel that loses: each is repeated until its acknowledgement arrives, and a bit that alternates
tells a repeated message from a new one. docs/tutorial/python.md explains it; the files in the folder above say the
same.
"""

from __future__ import annotations

from collections.abc import Iterator

from homing.core.builder import Builder, step
from homing.core.formula import Action, Holds, eventually
from homing.core.model import Model
from homing.core.system import Event, Step
from homing.core.temporal import Strong, Weak

N = 2  # messages


def model(
    takes_all: bool = False,  # caught by "once": the receiver takes every message for a new one
    takes_any_ack: bool = False,  # caught by "arrived": the sender takes every acknowledgement for its own
    loses_all: bool = False,  # caught by "finishes": weak fairness lets the channel lose everything
) -> Model:
    """The model; as it stands, all of its properties hold."""
    build = Builder("channel")
    sent = build.slot("sent", 0)  # messages that the sender knows to have arrived
    delivered = build.slot("delivered", 0)  # messages that the receiver has handed on
    data = build.slot("data", None)  # the message on its way to the receiver, which is its bit
    acks = build.slot("acks", None)  # the acknowledgement on its way back

    @build.group("send", reads=[sent, data], writes=[data])
    def send(number: int, carried: int | None) -> Iterator[Step]:
        if number < N and carried is None:
            event = Event("data", (number % 2,), sender="sender", channel="data")
            yield step(event, {data: number % 2})

    @build.group("receive", reads=[data, acks, delivered], writes=[data, acks, delivered])
    def receive(bit: int | None, answer: int | None, count: int) -> Iterator[Step]:
        if bit is not None and answer is None:
            is_new = count < 4 if takes_all else bit == count % 2
            event = Event("data", (bit,), receiver="receiver", channel="data")
            yield step(event, {data: None, acks: bit, delivered: count + is_new})

    @build.group("acknowledge", reads=[acks, sent], writes=[acks, sent])
    def acknowledge(bit: int | None, number: int) -> Iterator[Step]:
        if bit is not None:
            is_mine = number < N and (takes_any_ack or bit == number % 2)
            event = Event("ack", (bit,), sender="receiver", receiver="sender")
            yield step(event, {acks: None, sent: number + is_mine})

    @build.group("lose message", reads=[data], writes=[data])
    def lose_message(bit: int | None) -> Iterator[Step]:
        if bit is not None:
            yield step(Event("data", (bit,), receiver="loss", channel="data"), {data: None})

    @build.group("lose acknowledgement", reads=[acks], writes=[acks])
    def lose_ack(bit: int | None) -> Iterator[Step]:
        if bit is not None:
            yield step(Event("ack", (bit,), sender="receiver", receiver="loss"), {acks: None})

    build.always("once", [sent, delivered], lambda number, count: count <= number + 1)
    build.always("arrived", [sent, delivered], lambda number, count: number <= count)

    # What can be sent is sent. What could arrive again and again does arrive: the channel may not lose everything.
    build.label("finished", [sent], lambda number: number == N)
    kind = Weak if loses_all else Strong
    fairness = (
        Weak(Action(frozenset({"send"}))),
        kind(Action(frozenset({"receive"}))),
        kind(Action(frozenset({"acknowledge"}))),
    )
    build.temporal("finishes", eventually(Holds("finished")), fairness=fairness)
    return build.model()
