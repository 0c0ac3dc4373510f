"""Consumers that share partitions: how to use that they are interchangeable.

A coordinator assigns every partition to one consumer, evenly. Consumers crash. One that comes back reads what it
still owns; if the coordinator noticed the crash before that, it has taken the partitions back and assigns them anew.

It does not matter which consumer crashed, nor which partition it read: `Symmetric` keeps one state of all that
differ only in such names. Nor does it matter how often partitions were assigned: `View` hides that counter, so that
there are finitely many states although the counter grows for ever. Read `redelivery.py` first.
"""

from __future__ import annotations

from collections.abc import Iterator

from homing.core.builder import Builder, read, step
from homing.core.functions import add, remove, size
from homing.core.model import Model
from homing.core.system import Event, Step, Update
from homing.core.wrappers import Symmetric, View

CONSUMERS = ("c1", "c2", "c3")
NOBODY = "nobody"
COORDINATOR = "coordinator"


def increment(number: int) -> int:
    return number + 1


def model(
    takes_slow_for_dead: bool = False,  # caught by "no partition has two readers"
    revokes_silently: bool = False,  # caught by "only the owner reads a partition"
    partitions: int = 3,  # with 2, caught by "all consumers have work"
) -> Model:
    """The model; as it stands, all of its properties hold."""
    build = Builder("partitions")
    names = tuple(f"p{number}" for number in range(1, partitions + 1))
    owner = {p: build.slot("owner", NOBODY, index=(p,)) for p in names}  # what the coordinator knows
    reads = {c: build.slot("reads", frozenset(), index=(c,)) for c in CONSUMERS}  # what the consumer does
    up = {c: build.slot("up", True, index=(c,)) for c in CONSUMERS}
    assigned = build.slot("assigned", 0)  # how often, for the one who reads a trace

    loads = [read(reads[c], size()) for c in CONSUMERS]

    # To be symmetric, a group must not prefer one name to another: where the choice is free, it yields all of them.
    # `partition=partition` keeps the name of this round of the loop; without it all groups would see the last one.
    for partition in names:

        @build.group(
            f"assign {partition}",
            reads=[owner[partition], *up.values(), *loads],
            writes=[owner[partition], *reads.values(), assigned],
        )
        def assign(owned_by: str, *rest: int, partition: str = partition) -> Iterator[Step]:
            load = _loads_of_the_living(rest)
            for consumer in load:
                if owned_by == NOBODY and load[consumer] == min(load.values()):
                    yield step(
                        Event("assign", (partition,), sender=COORDINATOR, receiver=consumer),
                        {owner[partition]: consumer, reads[consumer]: add(partition), assigned: Update(increment)},
                    )

        @build.group(
            f"revoke {partition}",
            reads=[owner[partition], *up.values(), *loads],
            writes=[owner[partition], *reads.values()],
        )
        def revoke(owned_by: str, *rest: int, partition: str = partition) -> Iterator[Step]:
            load = _loads_of_the_living(rest)
            if owned_by in load and load[owned_by] > min(load.values()) + 1:
                told = {} if revokes_silently else {reads[owned_by]: remove(partition)}
                event = Event("revoke", (partition,), sender=COORDINATOR, receiver=owned_by)
                yield step(event, {owner[partition]: NOBODY, **told})

    for consumer in CONSUMERS:

        @build.group(f"crash {consumer}", reads=[up[consumer]], writes=[up[consumer], reads[consumer]])
        def crash(is_up: bool, consumer: str = consumer) -> Iterator[Step]:
            if is_up:
                yield step(Event("crash", sender=consumer), {up[consumer]: False, reads[consumer]: frozenset()})

        @build.group(
            f"restart {consumer}",
            reads=[up[consumer], *owner.values()],
            writes=[up[consumer], reads[consumer]],
        )
        def restart(is_up: bool, *owners: str, consumer: str = consumer) -> Iterator[Step]:
            if not is_up:
                owned = frozenset(p for p, o in zip(names, owners, strict=True) if o == consumer)
                event = Event("restart", sender=consumer, receiver=COORDINATOR)
                yield step(event, {up[consumer]: True, reads[consumer]: owned})

        @build.group(f"expel {consumer}", reads=[up[consumer], *owner.values()], writes=[*owner.values()])
        def expel(is_up: bool, *owners: str, consumer: str = consumer) -> Iterator[Step]:
            owned = [p for p, o in zip(names, owners, strict=True) if o == consumer]
            if owned and (not is_up or takes_slow_for_dead):
                yield step(Event("expel", (consumer,), sender=COORDINATOR), {owner[p]: NOBODY for p in owned})

    build.always(
        "no partition has two readers",
        list(reads.values()),
        lambda *read_by: len(frozenset().union(*read_by)) == sum(map(len, read_by)),
    )
    build.always(
        "only the owner reads a partition",
        [*owner.values(), *reads.values()],
        lambda *values: all(
            dict(zip(names, values, strict=False))[p] == consumer
            for consumer, read_by in zip(CONSUMERS, values[len(names) :], strict=True)
            for p in read_by
        ),
    )
    build.sometimes("all consumers have work", loads, lambda *load: min(load) > 0)

    # Wrappers take a system and are one. Hidden slots must not matter for what is possible, and names that are
    # declared interchangeable must be: that is the author's promise. `--debug` watches what can be watched of it.
    return build.model(Symmetric(View(build.system(), hide=["assigned"]), permuting=[CONSUMERS, names]))


def _loads_of_the_living(values: tuple[int, ...]) -> dict[str, int]:
    """By consumer that is up, how many partitions it reads; from who is up, then the numbers, as they were read."""
    is_up, loads = values[: len(CONSUMERS)], values[len(CONSUMERS) :]
    return {c: load for c, alive, load in zip(CONSUMERS, is_up, loads, strict=True) if alive}
