"""At least once over a link that loses messages: temporal properties, and the fairness they need.

A sender sends message after message and repeats each until its acknowledgement arrives; the link may lose either. That
every message arrives holds only where the link does not lose all of them for ever: *strong fairness* of the two
deliveries. Weak fairness of the sender keeps it from going to sleep.
"""

from __future__ import annotations

from collections.abc import Iterator

from homing.core.builder import Builder, step
from homing.core.formula import Action, Happens, Holds, always, eventually, leads_to, on_all_paths, on_some_path
from homing.core.model import Model
from homing.core.system import Event, Step
from homing.core.temporal import Strong, Weak

MESSAGES = 3


def model(
    forgets: bool = False,  # caught by "every message arrives": the sender takes the sending for the arrival
    unfair_link: bool = False,  # caught by "every message arrives": weak fairness lets the link lose all
    closes: bool = False,  # caught by "the sender can always finish": the link goes down for good
) -> Model:
    """The model; as it stands, all of its properties hold."""
    build = Builder("retransmission")
    sending = build.slot("sending", 0)  # the number of the message being sent
    link = build.slot("link", None)  # at most one message or acknowledgement
    arrived = build.slot("arrived", 0)  # how many messages the receiver has

    @build.group("send", reads=[sending, link], writes=[link, sending])
    def send(number: int, carried: tuple[str, int] | None) -> Iterator[Step]:
        if number < MESSAGES and carried is None:
            event = Event("send", (number,), sender="sender", receiver="link")
            yield step(event, {link: ("message", number), sending: number + forgets})

    @build.group("deliver", reads=[link, arrived], writes=[link, arrived])
    def deliver(carried: tuple[str, int] | None, count: int) -> Iterator[Step]:
        if carried is not None and carried[0] == "message":
            number = carried[1]
            event = Event("deliver", (number,), sender="link", receiver="receiver")
            # A message that came before is acknowledged again: the first acknowledgement may be lost.
            yield step(event, {link: ("acknowledgement", number), arrived: max(count, number + 1)})

    @build.group("acknowledge", reads=[link, sending], writes=[link, sending])
    def acknowledge(carried: tuple[str, int] | None, number: int) -> Iterator[Step]:
        if carried is not None and carried[0] == "acknowledgement":
            event = Event("acknowledge", (carried[1],), sender="link", receiver="sender")
            yield step(event, {link: None, sending: max(number, carried[1] + 1)})

    @build.group("lose", reads=[link], writes=[link])
    def lose(carried: tuple[str, int] | None) -> Iterator[Step]:
        if carried not in (None, ("closed", 0)):
            yield step(Event("lose", carried), {link: None})
            if closes:
                yield step("close", {link: ("closed", 0)})

    build.label("all arrived", [arrived], lambda count: count == MESSAGES)
    build.label("done", [sending], lambda number: number == MESSAGES)

    # Weak fairness of an action: what stays possible is done. Strong: what is possible again and again is done.
    kind = Weak if unfair_link else Strong
    fairness = (
        Weak(Action(frozenset({"send"}))),
        kind(Action(frozenset({"deliver"}))),
        kind(Action(frozenset({"acknowledge"}))),
    )
    every = [
        leads_to(Happens("send", (number,)), Happens("deliver", (number,))) for number in range(MESSAGES)
    ]  # an event is true where the step with it is taken
    build.temporal("every message arrives", every[0] & every[1] & every[2], fairness=fairness)
    build.temporal("all is sent in the end", eventually(always(Holds("done"))), fairness=fairness)

    # CTL speaks of what is possible, and needs no fairness for it.
    build.temporal("the sender can always finish", on_all_paths(always(on_some_path(eventually(Holds("done"))))))
    build.temporal("done means arrived", on_all_paths(always(Holds("done") >> Holds("all arrived"))))
    return build.model()
