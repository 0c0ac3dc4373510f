"""A network of timed automata as the core takes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from homing.core.errors import ModelError, Place
from homing.core.system import Event, Group, Label, Notation, Projection, Read, Shape, Slot, Step
from homing.core.values import Short, State, Value, show
from homing.languages.uppaal import bounds
from homing.languages.uppaal.conditions import effects as read_by
from homing.languages.uppaal.conditions import speaks_of_deadlock
from homing.languages.uppaal.labels import Condition, Labelled, Tables, Timing
from homing.languages.uppaal.moves import Move, moves, step
from homing.languages.uppaal.network import Location, Member, Network
from homing.languages.uppaal.store import Fault, Memory, Ranges
from homing.timed.system import NEVER, Action, Cell, Constraints, Part


def is_at(value: Value, location: str) -> Value:
    """Whether a process is in a location."""
    return value == location


class Automata:
    """The transition system of a network, with clocks: see `timed.system.TimedSystem`."""

    def __init__(self, network: Network, ranges: Ranges, labels: list[Labelled]) -> None:
        self.network = network
        self.ranges = ranges
        self.labels = labels
        self.tables = Tables()
        self._known: dict[tuple[int, bool], Read] = {}
        self._numbers = {
            address: number
            for number, address in enumerate(
                address for address, cell in enumerate(network.store.cells) if cell.kind == "slot"
            )
        }
        self._moves = moves(network)
        self._reads = [self._addresses(move.tests, move.reads) for move in self._moves]
        self._writes = [move.writes for move in self._moves]
        self._asked = [self._addresses([], label.reads) for label in labels]

    # What engines need to know beforehand

    @cached_property
    def shape(self) -> Shape:
        cells = self.network.store.cells
        groups = [
            self._group(move, addresses, writes)
            for move, addresses, writes in zip(self._moves, self._reads, self._writes)
        ]
        return Shape(
            tuple(Slot(cells[address].name) for address in self._numbers),
            tuple(groups),
            tuple(Label(label.name, tuple(map(self._read, asked))) for label, asked in zip(self.labels, self._asked)),
            hidden=frozenset(number for address, number in self._numbers.items() if cells[address].hidden),
            place=Place(self.network.file),
            notation=Notation(shown, lines=lines),
        )

    def _group(self, move: Move, addresses: list[int], writes: frozenset[int]) -> Group:
        tests = set(move.tests)
        reads = tuple(self._read(each, each in tests) for each in addresses)
        return Group(
            move.name, reads, tuple(sorted(self._numbers[a] for a in writes if a in self._numbers)), move.place
        )

    def _addresses(self, tests: list[int], reads: Iterable[int]) -> list[int]:
        """What is read of a state; locations first, for they decide most."""
        cells = self.network.store.cells
        others = sorted(a for a in set(reads) - set(tests) if cells[a].kind in ("slot", "test"))
        return [*dict.fromkeys(tests), *others]

    def _read(self, address: int, guard: bool = False) -> Read:
        found = self._known.get((address, guard))
        if found is None:
            cell = self.network.store.cells[address]
            test = cell.kind == "test"
            slot = self._numbers[cell.of if test else address]
            found = Read(slot, Projection(is_at, (cell.location,)) if test else None, guard)
            self._known[address, guard] = found
        return found

    @property
    def clocks(self) -> tuple[str, ...]:
        """The names of clocks 1, 2, …"""
        store = self.network.store
        return tuple(store.cells[address].name for address in store.clocks)

    @property
    def parts(self) -> tuple[int, ...]:
        """The labels of processes."""
        return tuple(number for number, label in enumerate(self.labels) if isinstance(label, Timing))

    @property
    def ranked(self) -> bool:
        """Whether channels or processes have priorities."""
        network = self.network
        return bool(network.channel_priorities) or len({member.priority for member in network.members}) > 1

    @cached_property
    def diagonals(self) -> Constraints:
        """Constraints on differences that occur anywhere."""
        formulas = [location.invariant for member in self.network.members for location in member.locations]
        formulas += [edge.guard for member in self.network.members for edge in member.edges]
        formulas += [label.formula for label in self.labels if isinstance(label, Condition)]
        return tuple(sorted(bounds.diagonals(self.network.store, self.ranges, formulas)))

    # What it does

    def initial(self) -> Iterable[State]:
        first = self.network.store.first
        return [tuple(first[address] for address in self._numbers)]

    def next(self, group: int, read: Short) -> Iterator[Step]:
        move, addresses = self._moves[group], self._reads[group]
        if not all(read[: len(move.tests)]):
            return
        memory = self._memory(addresses, read)
        for found in move.steps(memory):
            if isinstance(found, Action):
                yield Step(found, {})
            else:
                yield step(found[0], memory, found[1], self._numbers, self._writes[group])

    def _memory(self, addresses: list[int], read: Short) -> Memory:
        memory = self.network.store.memory()
        for address, value in zip(addresses, read):
            memory[address] = value
        return memory

    def label(self, label: int, read: Short) -> bool | int:
        memory = self._memory(self._asked[label], read)
        try:
            return self.labels[label].value(memory, self.tables)
        except Fault as fault:
            raise ModelError(str(fault)) from None

    def part(self, number: int) -> Part:
        """What a process says about time."""
        return self.tables.parts[number]

    def cells(self, number: int) -> tuple[Cell, ...]:
        """Where a condition holds."""
        return self.tables.unions[number]

    def asks_deadlock(self, label: int) -> bool:
        """Whether a condition speaks of deadlock."""
        found = self.labels[label]
        return isinstance(found, Condition) and speaks_of_deadlock(found.formula)

    def constants(self, label: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The greatest constants in a condition."""
        found = self.labels[label]
        if isinstance(found, Condition):
            return tuple(found.bounds.lower), tuple(found.bounds.upper)
        nothing = (0, *(NEVER for _ in self.clocks))
        return nothing, nothing


def timing(network: Network, ranges: Ranges) -> list[Labelled]:
    """The labels of the processes that have something to say about time."""
    found = bounds.of_network(network.store, ranges, network.members)
    return [label for member, own in zip(network.members, found) for label in _timing(member, own)]


def _timing(member: Member, found: dict[Location, bounds.Bounds]) -> Iterator[Labelled]:
    invariants = [location.invariant for location in member.locations]
    stops = any(location.text.urgent or location.text.committed for location in member.locations)
    limited = any(location.text.invariant is not None for location in member.locations)
    if not stops and not limited and all(each.idle for each in found.values()):
        return
    reads = frozenset().union(*(read_by(invariant).reads for invariant in invariants))
    own = frozenset() if member.process.at is None else frozenset({member.process.at})
    yield Timing(f"time of {member.process.name}", member, found, reads | own)


def shown(value: Value) -> str:
    """A truth value as UPPAAL writes it, all else as usual."""
    return str(value).lower() if isinstance(value, bool) else show(value)


def lines(_states: Sequence[State], events: Sequence[Event]) -> list[list[Event]]:
    """What a chart shows of each step; it has the names of processes already, and a broadcast is a message to each."""
    return [_messages(event) for event in events]


def _messages(event: Event) -> list[Event]:
    if not isinstance(event, Action) or event.sender is None:
        return [event]
    if event.receiver is None and not event.arguments:
        return [Event(event.name, (), event.sender, text=str(event).removeprefix(f"{event.sender}: "))]
    receivers = event.arguments or (event.receiver,)
    return [Event(event.name, (), event.sender, str(receiver), text=event.name) for receiver in receivers]
