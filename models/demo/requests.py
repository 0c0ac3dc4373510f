"""Requests and replies over a network that loses and reorders: how to model messages in flight.

Two clients send a request each to one server. A client that has waited too long sends its request once more, under
a new number, so that a late reply to the first one cannot be mistaken for the reply to the second.

What is in flight is a set of messages in one slot. Reading that slot whole would make nearly every state a new
argument for every group. So groups look at it through projections ("is this message in it?", "the replies to this
client") and change it by updates (add, remove) that need not read it: the same model, evaluated a few times instead
of a few thousand times. Read `redelivery.py` first.
"""

from __future__ import annotations

from collections.abc import Iterator

from homing.core.builder import Builder, read, step
from homing.core.functions import add, contains, remove, size
from homing.core.model import Model
from homing.core.system import Event, Projection, Step, Update

CLIENTS = ("ann", "bob")
ATTEMPTS = 2

Message = tuple[str, str, int]  # "request" or "reply", the client, the number of the attempt


# A projection of our own. Define such functions once, at the top: two projections are the same one when function and
# arguments are equal, and only then is what was computed for one looked up for the other.
def replies_to(flying: frozenset[Message], client: str) -> tuple[int, ...]:
    return tuple(sorted(number for kind, to, number in flying if kind == "reply" and to == client))


# An update of our own. A step can write a slot only once, so taking a message and sending another is one update.
def exchange(flying: frozenset[Message], taken: Message, sent: Message) -> frozenset[Message]:
    return (flying - {taken}) | {sent}


def model(
    takes_any_reply: bool = False,  # caught by "a reply is to the last attempt"
    never_replies: bool = False,  # caught by "all clients get a reply"
    requests_stay: bool = False,  # caught by "most messages in flight", which is then higher than expected
) -> Model:
    """The model; as it stands, all of its properties hold."""
    build = Builder("requests")
    network = build.slot("network", frozenset())

    # One slot a client, not one slot with a table of all clients: a step of ann then says nothing about bob. The
    # index makes the slots show as `attempt[ann]` and `attempt[bob]`.
    attempt = {client: build.slot("attempt", 0, index=(client,)) for client in CLIENTS}
    answer = {client: build.slot("answer", None, index=(client,)) for client in CLIENTS}

    # Groups in a loop: the function is made by another one, so that each keeps its own client.
    for client in CLIENTS:
        _client(build, client, network, attempt[client], answer[client], takes_any_reply)
        for number in range(1, ATTEMPTS + 1):
            _server(build, client, number, network, never_replies, requests_stay)
            _loss(build, ("request", client, number), network)
            _loss(build, ("reply", client, number), network)

    every = [slot for client in CLIENTS for slot in (attempt[client], answer[client])]
    build.always(
        "a reply is to the last attempt",
        every,
        lambda *values: all(got in (None, last) for last, got in zip(values[::2], values[1::2], strict=True)),
    )

    # Reachability: the trace to such a state comes with the verdict. See it with `--trace table`.
    build.sometimes("all clients get a reply", list(answer.values()), lambda *got: None not in got)

    # The greatest value of an expression over all reachable states.
    build.extreme("most messages in flight", "max", [read(network, size())], lambda flying: flying)
    return build.model()


def _client(build: Builder, client: str, network: int, attempt: int, answer: int, takes_any_reply: bool) -> None:
    @build.group(f"{client} sends", reads=[attempt, answer], writes=[attempt, network])
    def send(last: int, got: int | None) -> Iterator[Step]:
        if got is None and last < ATTEMPTS:
            event = Event("request", (last + 1,), sender=client, receiver="server")
            yield step(event, {attempt: last + 1, network: add(("request", client, last + 1))})

    @build.group(
        f"{client} receives",
        reads=[read(network, Projection(replies_to, (client,))), attempt, answer],
        writes=[network, answer],
    )
    def receive(replies: tuple[int, ...], last: int, got: int | None) -> Iterator[Step]:
        for number in replies:
            wanted = got is None and (number == last or takes_any_reply)
            event = Event("reply" if wanted else "late reply", (number,), sender="server", receiver=client)
            yield step(event, {network: remove(("reply", client, number)), answer: number if wanted else got})


def _server(build: Builder, client: str, number: int, network: int, never_replies: bool, requests_stay: bool) -> None:
    request: Message = ("request", client, number)
    reply: Message = ("reply", client, number)
    served = Update(exchange, (request, reply))
    if never_replies:
        served = remove(request)
    elif requests_stay:
        served = add(reply)

    @build.group(f"serve {client} {number}", reads=[read(network, contains(request))], writes=[network])
    def serve(there: bool) -> Iterator[Step]:
        if there:
            yield step(Event("serve", (client, number), sender="server"), {network: served})


def _loss(build: Builder, message: Message, network: int) -> None:
    name = "lose " + " ".join(map(str, message))

    @build.group(name, reads=[read(network, contains(message))], writes=[network])
    def lose(there: bool) -> Iterator[Step]:
        if there:
            yield step(Event("lose", message), {network: remove(message)})
