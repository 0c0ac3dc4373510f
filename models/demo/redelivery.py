"""A queue that delivers at least once: the first model to read, and the tutorial of the interface.

A producer publishes numbered messages to a broker, which keeps them in a bounded queue. The broker hands the first
one to a consumer and keeps a copy until the consumer acknowledges it. A consumer that crashes loses what it holds;
the broker then puts its copy back. So a message may come twice, and the consumer has to notice.

    ./homing check --python models/demo/redelivery.py

A model is a Python file with a function `model()`. This one also has flags, each of which plants a fault: the models
in `faults/` set one each, and the property that stands beside the flag below must catch it.
"""

from __future__ import annotations

from collections.abc import Iterator

from homing.core.builder import Builder, read, step
from homing.core.functions import append, drop_first, first, size
from homing.core.model import Model
from homing.core.system import Event, Step, Update
from homing.core.values import Value

MESSAGES = 3
CAPACITY = 2

Messages = tuple[int, ...]
Inbox = tuple[str, int] | None  # "received" or "handled", and the message


# An update is a pure function of the old value of one slot, with constants as further arguments. Those in
# homing.core.functions cover the everyday ones; this one puts a message back at the front.
def prepend(queue: Messages, message: int) -> Messages:
    return (message, *queue)


def model(
    bounds_only_the_queue: bool = False,  # caught by "the queue keeps its bound"
    forgets_on_delivery: bool = False,  # caught by "no message is lost"
    requeues_at_the_end: bool = False,  # caught by "messages are processed in order"
    ignores_duplicates: bool = False,  # caught by "deadlock free"
) -> Model:
    """The model; as it stands, all of its properties hold."""
    build = Builder("redelivery")

    # A state is a tuple of values, one a slot. Values are None, booleans, integers, strings, bytes, and tuples and
    # frozensets of them. Each slot is declared with the value that it starts with.
    published = build.slot("published", 0)  # how many messages the producer has sent
    queue = build.slot("queue", ())  # what waits at the broker
    copy = build.slot("copy", None)  # the broker's copy of what it has handed out
    inbox = build.slot("inbox", None)  # what the consumer holds
    processed = build.slot("processed", ())  # what the consumer has done, in this order; survives a crash

    # A group is a set of steps that read the same slots and write the same slots. The function gets the values
    # read, in their order, and yields the steps that are possible from them: none, one, or several.
    #
    # How a group reads matters for speed, since it is called once for each combination of values that it reads and
    # looked up afterwards. Publishing needs to know how long the queue is, not what is in it, so it reads the queue
    # through the projection `size()`, and writes it with the update `append(…)`, which needs no read at all.
    @build.group("publish", reads=[published, read(queue, size()), copy], writes=[published, queue])
    def publish(sent: int, waiting: int, handed_out: int | None) -> Iterator[Step]:
        taken = waiting
        if handed_out is not None and not bounds_only_the_queue:
            taken += 1  # its place is kept, for it may come back
        if sent < MESSAGES and taken < CAPACITY:
            event = Event("publish", (sent,), sender="producer", receiver="broker")
            yield step(event, {published: sent + 1, queue: append(sent)})

    @build.group("deliver", reads=[read(queue, first()), copy, inbox], writes=[queue, copy, inbox])
    def deliver(head: Messages, handed_out: int | None, holds: Inbox) -> Iterator[Step]:
        if head and handed_out is None and holds is None:
            (message,) = head
            event = Event("deliver", (message,), sender="broker", receiver="consumer")
            kept = None if forgets_on_delivery else message
            yield step(event, {queue: drop_first(), copy: kept, inbox: ("received", message)})

    # Processing and acknowledging are two steps, so that a crash can come between them.
    @build.group("process", reads=[inbox, processed], writes=[inbox, processed])
    def process(holds: Inbox, done: Messages) -> Iterator[Step]:
        if holds is None or holds[0] != "received":
            return
        message = holds[1]
        if message not in done:
            event = Event("process", (message,), sender="consumer")
            yield step(event, {inbox: ("handled", message), processed: append(message)})
        else:
            event = Event("skip duplicate", (message,), sender="consumer")
            yield step(event, {inbox: None if ignores_duplicates else ("handled", message)})

    @build.group("acknowledge", reads=[inbox], writes=[inbox, copy])
    def acknowledge(holds: Inbox) -> Iterator[Step]:
        if holds is not None and holds[0] == "handled":
            event = Event("acknowledge", (holds[1],), sender="consumer", receiver="broker")
            yield step(event, {inbox: None, copy: None})

    # The broker notices a lost connection at once, so a crash and the return of the message are one step.
    @build.group("crash", reads=[inbox, copy], writes=[inbox, copy, queue])
    def crash(holds: Inbox, handed_out: int | None) -> Iterator[Step]:
        if holds is not None:
            writes: dict[int, Value | Update] = {inbox: None, copy: None}
            if handed_out is not None:
                writes[queue] = append(handed_out) if requeues_at_the_end else Update(prepend, (handed_out,))
            yield step(Event("crash", sender="consumer", receiver="broker"), writes)

    _properties(build, published, queue, copy, processed)
    return build.model()


def _properties(build: Builder, published: int, queue: int, copy: int, processed: int) -> None:
    # Properties read slots like groups do. A label is a function of the state that a property can name; here, the
    # states in which the work is done, where it is no deadlock that nothing goes on.
    finished = build.label(
        "finished",
        [processed, copy, read(queue, size())],
        lambda done, handed_out, waiting: len(done) == MESSAGES and handed_out is None and waiting == 0,
    )
    build.deadlock_free(unless=finished)
    build.always("the queue keeps its bound", [read(queue, size())], lambda waiting: waiting <= CAPACITY)
    build.always("messages are processed in order", [processed], lambda done: done == tuple(range(len(done))))
    build.always(
        "no message is lost",
        [published, queue, copy, processed],
        lambda sent, waiting, handed_out, done: {*waiting, handed_out, *done} >= set(range(sent)),
    )
