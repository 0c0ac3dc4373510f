"""Clients and brokers with a set of messages in flight: read whole, and read through projections.

What is counted is how often the model had to be asked; time follows.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import product

from benchmarks import ratios
from benchmarks.table import show
from homing.core.builder import Builder, Reads, read, step
from homing.core.functions import add, contains, remove
from homing.core.model import Model
from homing.core.result import Options
from homing.core.system import Step
from homing.core.values import Value
from homing.engines.local.engine import Check

CLIENTS, BROKERS, ROUNDS = 3, 2, 2


def model(projected: bool) -> Model:
    """Each client sends a request to any broker, the broker answers, and so on for some rounds."""
    b = Builder("requests " + ("through projections" if projected else "in whole slots"))
    flying = b.slot("flying", frozenset())
    clients = [b.slot("round", 0, index=(client,)) for client in range(CLIENTS)]
    waiting = [b.slot("waiting", False, index=(client,)) for client in range(CLIENTS)]

    def group(name: str, message: Value, others: Reads, writes: list[int], act: object) -> None:
        """A group that needs to know whether a message is in flight, and nothing else of the network."""
        assert callable(act)
        if projected:
            b.group(name, [read(flying, contains(message)), *others], [flying, *writes])(act)
        else:
            b.group(name, [flying, *others], [flying, *writes])(lambda messages, *rest: act(message in messages, *rest))

    for client, broker in product(range(CLIENTS), range(BROKERS)):
        request, reply = ("request", client, broker), ("reply", client, broker)
        mine, wait = clients[client], waiting[client]

        @b.group(f"send {client} {broker}", [mine, wait], [flying, wait])
        def send(turn: int, busy: bool, request: Value = request, wait: int = wait) -> Iterator[Step]:
            if turn < ROUNDS and not busy:
                yield step("send", {flying: add(request), wait: True})

        def answer(here: bool, request: Value = request, reply: Value = reply) -> Iterator[Step]:
            if here:
                yield step("take", {flying: remove(request)})
                yield step("answer", {flying: add(reply)})

        def receive(
            here: bool, turn: int, busy: bool, reply: Value = reply, mine: int = mine, wait: int = wait
        ) -> Iterator[Step]:
            if here and busy:
                yield step("receive", {flying: remove(reply), mine: turn + 1, wait: False})

        group(f"answer {client} {broker}", request, [], [], answer)
        group(f"receive {client} {broker}", reply, [mine, wait], [mine, wait], receive)
    b.always("no round too many", [clients[0]], lambda turn: turn <= ROUNDS)
    return b.model()


def main() -> None:
    """Runs both and prints the table."""
    Check(model(True), Options(threads=1)).run()  # compiled code is loaded
    rows = []
    for projected in (False, True):
        start = time.perf_counter()
        counts = Check(model(projected), Options(threads=1)).run().counts
        rows.append((model(projected).name, time.perf_counter() - start, counts))
    slowest = rows[0]
    spent = rows[0][1], rows[1][1]
    ratios.add(
        "sets of messages, projected", "whole slots", f"{spent[1]:.1f} s", f"{spent[0]:.1f} s", spent[0] / spent[1]
    )
    show(
        ["", "seconds", "states", "transitions", "evaluations", "time / this", "evaluations / this"],
        [
            [
                name,
                f"{seconds:.1f}",
                counts.distinct,
                counts.transitions,
                counts.evaluations,
                f"{slowest[1] / seconds:.1f}",
                f"{slowest[2].evaluations / counts.evaluations:.0f}",
            ]
            for name, seconds, counts in rows
        ],
    )
