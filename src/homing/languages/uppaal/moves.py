"""What a network can do: one edge alone, two that shake hands, or one with all that hear it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from homing.core.errors import Place
from homing.core.system import Step
from homing.languages.uppaal.code import NO_EFFECTS, Effects
from homing.languages.uppaal.conditions import ALWAYS, Cells, cells, meet, negated
from homing.languages.uppaal.conditions import effects as read_by
from homing.languages.uppaal.network import Channel, Edge, Network
from homing.languages.uppaal.store import Fault, Memory
from homing.timed.system import Action, Constraints


@dataclass(frozen=True, eq=False)
class Move:
    """A transition group: a `first` edge, perhaps one that receives, or for a broadcast several that may."""

    network: Network
    first: Edge
    second: Edge | None = None
    listeners: tuple[tuple[Edge, ...], ...] = ()
    """By process the edges that may receive."""
    broadcast: bool = False

    @cached_property
    def name(self) -> str:
        """As reports call the group."""
        if self.first.channel is None:
            return _internal(self.first)
        names = self.network.store.cells
        fixed = self.first.channel.fixed
        channel = names[fixed].name if fixed is not None else self.first.channel.node.words.rstrip("!")
        receiver = f" → {self.second.process.name}" if self.second is not None else ""
        return f"{channel}: {self.first.process.name}{receiver}"

    @property
    def place(self) -> Place:
        """Of its first edge."""
        return self.first.text.place

    @cached_property
    def tests(self) -> list[int]:
        """What has to be true for it to be possible."""
        edges = [self.first] if self.second is None else [self.first, self.second]
        return [edge.test for edge in edges if edge.test is not None]

    @cached_property
    def edges(self) -> list[Edge]:
        """All that may take part."""
        second = [] if self.second is None else [self.second]
        return [self.first, *second, *(edge for edges in self.listeners for edge in edges)]

    @cached_property
    def reads(self) -> frozenset[int]:
        """What it needs to know."""
        every = NO_EFFECTS.then(*map(_read, self.edges))
        own = {address for edge in self.edges for address, _ in edge.choices}
        tests = {edge.test for edges in self.listeners for edge in edges if edge.test is not None}
        return (every.reads | tests) - own

    @cached_property
    def writes(self) -> frozenset[int]:
        """What it may change."""
        written = frozenset().union(*(edge.effects.writes for edge in self.edges))
        moving = {edge.process.at for edge in self.edges if edge.source is not edge.target}
        return written | {at for at in moving if at is not None}

    def steps(self, memory: Memory) -> Iterator[Action | tuple[Action, Memory]]:
        """Each way to do it: the action with the memory after it, or alone where evaluating it fails."""
        for chosen in _chosen(self.first, memory):
            try:
                guard = cells(self.first.guard, chosen)
                if guard:
                    yield from self._with(guard, chosen)
            except Fault as fault:
                both = (self.first,) if self.second is None else (self.first, self.second)
                yield self._action(both, (), failure=str(fault))

    def _with(self, guard: Cells, memory: Memory) -> Iterator[Action | tuple[Action, Memory]]:
        if self.second is not None:
            yield from self._handshake(guard, self.second, memory)
        elif self.broadcast:
            yield from self._heard(guard, memory)
        else:
            yield from self._done((self.first,), guard, memory)

    def _handshake(self, guard: Cells, second: Edge, memory: Memory) -> Iterator[Action | tuple[Action, Memory]]:
        for chosen in _chosen(second, memory):
            if _same_channel(self.first, second, chosen):
                both = meet(guard, cells(second.guard, chosen))
                yield from self._done((self.first, second), both, chosen)

    def _heard(self, guard: Cells, memory: Memory) -> Iterator[Action | tuple[Action, Memory]]:
        options = [list(self._options(edges, memory)) for edges in self.listeners]
        for combination in product(*options):
            both = guard
            with_choices = memory.copied()
            edges = [self.first]
            for edge, allowed, values in combination:
                both = meet(both, allowed)
                if edge is not None:
                    edges.append(edge)
                    for address, value in values:
                        with_choices[address] = value
            yield from self._done(tuple(edges), both, with_choices)

    def _options(
        self, edges: tuple[Edge, ...], memory: Memory
    ) -> Iterator[tuple[Edge | None, Cells, list[tuple[int, Any]]]]:
        """What one process may do when it hears: take an edge that is enabled, or none where none is."""
        silent: Cells = ALWAYS
        for edge in edges:
            if edge.test is not None and not memory[edge.test]:
                continue
            for chosen in _chosen(edge, memory):
                if not _same_channel(self.first, edge, chosen):
                    continue
                allowed = cells(edge.guard, chosen)
                if allowed:
                    yield edge, allowed, [(address, chosen[address]) for address, _ in edge.choices]
                    silent = meet(silent, cells(negated(edge.guard), chosen))
        if silent:
            yield None, silent, []

    def _done(self, edges: tuple[Edge, ...], guard: Cells, memory: Memory) -> Iterator[Action | tuple[Action, Memory]]:
        if not guard:
            return
        after = memory.copied()
        failure = ""
        try:
            channel = self._channel(memory)
            for edge in edges:
                edge.update(after)
        except Fault as fault:
            failure, channel = str(fault), None
        for edge in edges:
            if edge.process.at is not None:
                after[edge.process.at] = edge.target.name
        for cell in guard:
            action = self._action(edges, cell.constraints, after, failure, channel)
            yield action if failure else (action, after)

    def _channel(self, memory: Memory) -> int | None:
        channel = self.first.channel
        return None if channel is None else int(channel.run(memory))

    def _action(
        self,
        edges: tuple[Edge, ...],
        guard: Constraints,
        after: Memory | None = None,
        failure: str = "",
        channel: int | None = None,
    ) -> Action:
        network = self.network
        if channel is None and self.first.channel is not None:
            channel = self.first.channel.fixed
        name = self.name if channel is None else network.store.cells[channel].name
        heard = tuple(edge.process.name for edge in edges[1:])
        sender = self.first.process.name
        single = heard[0] if len(heard) == 1 else None
        level = network.channel_priorities.get(-1 if channel is None else channel, network.default_priority)
        own = max(network.members[edge.number].priority for edge in edges)
        text = name if self.first.channel is None else f"{name}: {sender}" + (f" → {', '.join(heard)}" if heard else "")
        return Action(
            name,
            heard if self.broadcast and len(heard) > 1 else (),
            sender,
            single,
            text=text,
            guard=guard,
            resets=() if after is None else tuple(after.resets),
            committed=any(edge.source.text.committed for edge in edges),
            urgent=self.first.channel is not None and self.first.channel.type.urgent,
            priority=level * len(network.members) + own,
            failure=failure,
        )


def _internal(edge: Edge) -> str:
    return f"{edge.process.name}: {edge.source.name} → {edge.target.name}"


def _read(edge: Edge) -> Effects:
    channel = NO_EFFECTS if edge.channel is None else edge.channel.effects
    return edge.effects.then(read_by(edge.guard), channel)


def _chosen(edge: Edge, memory: Memory) -> Iterator[Memory]:
    """The memory with each choice of what the edge selects, one after another in the same cells."""
    for values in product(*(values for _, values in edge.choices)):
        for (address, _), value in zip(edge.choices, values):
            memory[address] = value
        yield memory


def _same_channel(one: Edge, other: Edge, memory: Memory) -> bool:
    assert one.channel is not None
    assert other.channel is not None
    if one.channel.fixed is not None and other.channel.fixed is not None:
        return one.channel.fixed == other.channel.fixed
    return bool(one.channel.run(memory) == other.channel.run(memory))


def moves(network: Network) -> list[Move]:
    """All of them: internal edges, pairs that may shake hands, and broadcasts."""
    edges = [edge for member in network.members for edge in member.edges]
    receiving = [edge for edge in edges if edge.channel is not None and not edge.channel.sends]
    found = []
    for edge in edges:
        if edge.channel is None:
            found.append(Move(network, edge))
        elif edge.channel.sends:
            matching = [each for each in receiving if each.number != edge.number and _may_match(edge.channel, each)]
            if edge.channel.type.broadcast:
                by_process = dict.fromkeys(each.number for each in matching)
                listeners = tuple(tuple(e for e in matching if e.number == number) for number in by_process)
                found.append(Move(network, edge, listeners=listeners, broadcast=True))
            else:
                found.extend(Move(network, edge, each) for each in matching)
    return found


def _may_match(channel: Channel, edge: Edge) -> bool:
    other = edge.channel
    assert other is not None
    if channel.fixed is not None and other.fixed is not None:
        return channel.fixed == other.fixed
    return max(channel.region.start, other.region.start) < min(channel.region.stop, other.region.stop)


def step(action: Action, memory: Memory, after: Memory | None, slots: dict[int, int], writes: frozenset[int]) -> Step:
    """As the core wants it: what changed, by slot."""
    if after is None:
        return Step(action, {})
    changed = {}
    for address in writes:
        slot, value = slots.get(address), after[address]
        if slot is not None and value is not None and (memory[address] is None or memory[address] != value):
            changed[slot] = value
    return Step(action, changed)
