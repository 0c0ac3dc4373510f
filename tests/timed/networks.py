"""Networks of timed automata, written down directly: processes with locations and edges, clocks, channels for two, and
one small number that all share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from homing.core.system import Group, Label, Read, Shape, Slot, Step
from homing.core.values import Short, State, Value
from homing.timed.system import EVERYWHERE, INFINITY, NEVER, NOWHERE, Action, Cell, Constraints, Part, Reset, at_most

Constants = tuple[tuple[int, ...], tuple[int, ...]]
"""By clock the greatest constants below and above."""


def above(clock: int, constant: int, *, strict: bool = False) -> Constraints:
    return ((0, clock, at_most(-constant, strict=strict)),)


def below(clock: int, constant: int, *, strict: bool = False) -> Constraints:
    return ((clock, 0, at_most(constant, strict=strict)),)


def exactly(clock: int, constant: int) -> Constraints:
    return below(clock, constant) + above(clock, constant)


@dataclass(frozen=True)
class Location:
    invariant: Constraints = ()
    urgent: bool = False
    committed: bool = False


@dataclass(frozen=True)
class Edge:
    """From location to location. `channel` ends in ! or ?; it is possible only where the number is as it `needs`."""

    source: int
    target: int
    guard: Constraints = ()
    resets: tuple[Reset, ...] = ()
    channel: str = ""
    needs: int | None = None
    sets: int | None = None
    priority: int = 0


@dataclass(frozen=True)
class Process:
    locations: tuple[Location, ...]
    edges: tuple[Edge, ...]


ANYWHERE = Cell()


@dataclass(frozen=True)
class Claim:
    """That a process is in one of some locations, and the clocks in a cell."""

    process: int
    locations: frozenset[int]
    cell: Cell = ANYWHERE


@dataclass(frozen=True)
class Network:
    """A TimedSystem. Conditions are unions of claims; their labels come after those of the parts."""

    number_of_clocks: int
    processes: tuple[Process, ...]
    urgent: frozenset[str] = frozenset()
    """Channels."""
    conditions: tuple[tuple[Claim, ...], ...] = ()
    local_bounds: bool = True
    """Whether the constants of a part are those of its location, or all that occur."""

    @property
    def clocks(self) -> tuple[str, ...]:
        return tuple("xyzuvw"[: self.number_of_clocks])

    @property
    def parts(self) -> tuple[int, ...]:
        return tuple(range(len(self.processes)))

    def condition(self, number: int) -> int:
        """Its label."""
        return len(self.processes) + number

    @cached_property
    def shape(self) -> Shape:
        count = len(self.processes)
        slots = (*(Slot(f"p{number}") for number in range(count)), Slot("n"))
        groups = [Group(f"p{one}", (Read(one), Read(count)), (one, count)) for one in range(count)]
        for one, other in self.pairs:
            reads = (Read(one), Read(other), Read(count))
            groups.append(Group(f"p{one} to p{other}", reads, (one, other, count)))
        labels = [Label(f"part {number}", (Read(number),)) for number in range(count)]
        everyone = tuple(Read(number) for number in range(count))
        labels += [Label(f"condition {number}", everyone) for number in range(len(self.conditions))]
        return Shape(slots, tuple(groups), tuple(labels))

    @cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        count = range(len(self.processes))
        return tuple((one, other) for one in count for other in count if one != other)

    def initial(self) -> Iterable[State]:
        return [(0,) * len(self.shape.slots)]

    def next(self, group: int, read: Short) -> Iterator[Step]:
        number = read[-1]
        count = len(self.processes)
        if group < count:
            for edge in self._from(group, read[0], number):
                if not edge.channel:
                    yield self._step(f"p{group}", number, (group, edge))
            return
        one, other = self.pairs[group - count]
        for sending in self._from(one, read[0], number):
            for receiving in self._from(other, read[1], number):
                if sending.channel.endswith("!") and receiving.channel == f"{sending.channel[:-1]}?":
                    yield self._step(sending.channel[:-1], number, (one, sending), (other, receiving))

    def _from(self, process: int, location: Value, number: Value) -> Iterator[Edge]:
        for edge in self.processes[process].edges:
            if edge.source == location and edge.needs in (None, number):
                yield edge

    def _step(self, name: str, number: Value, *moves: tuple[int, Edge]) -> Step:
        edges = [edge for _, edge in moves]
        writes: dict[int, Value] = {process: edge.target for process, edge in moves}
        for edge in edges:
            number = number if edge.sets is None else edge.sets
        writes[len(self.processes)] = number
        action = Action(
            name,
            tuple(edge.target for edge in edges),
            guard=tuple(constraint for edge in edges for constraint in edge.guard),
            resets=tuple(reset for edge in edges for reset in edge.resets),
            committed=any(self.processes[process].locations[edge.source].committed for process, edge in moves),
            urgent=bool(edges[0].channel) and edges[0].channel[:-1] in self.urgent,
            priority=max(edge.priority for edge in edges),
        )
        return Step(action, writes)

    def label(self, label: int, read: Short) -> bool | int:
        count = len(self.processes)
        if label < count:
            location = read[0]
            assert isinstance(location, int)
            return label * 100 + location
        claims = self.conditions[label - count]
        true = [k for k, claim in enumerate(claims) if read[claim.process] in claim.locations]
        if not true:
            return NOWHERE
        if any(claims[k].cell == ANYWHERE for k in true):
            return EVERYWHERE
        return EVERYWHERE + 1 + (label - count) * 100 + sum(1 << k for k in true)

    def cells(self, number: int) -> tuple[Cell, ...]:
        condition, chosen = divmod(number - EVERYWHERE - 1, 100)
        claims = self.conditions[condition]
        return tuple(claim.cell for k, claim in enumerate(claims) if chosen >> k & 1)

    @property
    def ranked(self) -> bool:
        return any(edge.priority for process in self.processes for edge in process.edges)

    def asks_deadlock(self, label: int) -> bool:
        claims = self.conditions[label - len(self.processes)]
        return any(claim.cell.deadlock is not None for claim in claims)

    def constants(self, label: int) -> Constants:
        claims = self.conditions[label - len(self.processes)]
        return self._greatest([claim.cell.constraints for claim in claims])

    @property
    def _copies(self) -> bool:
        return any(r.source for process in self.processes for edge in process.edges for r in edge.resets)

    @cached_property
    def diagonals(self) -> Constraints:
        found = [constraint for claims in self.conditions for claim in claims for constraint in claim.cell.constraints]
        found += [constraint for constraints in self._everything for constraint in constraints]
        return tuple(sorted({(i, j, bound) for i, j, bound in found if i and j}))

    @property
    def _everything(self) -> list[Constraints]:
        invariants = [location.invariant for process in self.processes for location in process.locations]
        return invariants + [edge.guard for process in self.processes for edge in process.edges]

    def part(self, number: int) -> Part:
        process, place = divmod(number, 100)
        location = self.processes[process].locations[place]
        if self.local_bounds and not self._copies:
            lower, upper = self._local[process][place]
        else:
            lower, upper = self._greatest(self._everything)
        still = location.urgent or location.committed
        return Part(location.invariant, lower, upper, not still, location.committed)

    def _greatest(self, occurring: list[Constraints]) -> Constants:
        """By clock, over all constraints.

        Those on differences count with their absolute value on both sides: when one of the clocks is reset, they are
        constraints on the other, with a constant that is greater by what the clock is set to.
        """
        resets = [r for process in self.processes for edge in process.edges for r in edge.resets]
        most_set = max((reset.value for reset in resets), default=0)
        lower, upper = [0] + [NEVER] * self.number_of_clocks, [0] + [NEVER] * self.number_of_clocks
        for i, j, bound in (constraint for constraints in occurring for constraint in constraints):
            if bound == INFINITY:
                continue
            constant = abs(bound >> 1) + (most_set if i and j else 0)
            for clock in (i, j):
                if (i and j) or clock == j:
                    lower[clock] = max(lower[clock], constant)
                if (i and j) or clock == i:
                    upper[clock] = max(upper[clock], constant)
        if self._copies:
            # What is copied is compared under another name.
            lower, upper = [max(lower)] * len(lower), [max(upper)] * len(upper)
        lower[0] = upper[0] = 0
        return tuple(lower), tuple(upper)

    @cached_property
    def _local(self) -> list[list[Constants]]:
        return [self._fixpoint(process) for process in self.processes]

    def _fixpoint(self, process: Process) -> list[Constants]:
        """A constant matters where a path without a reset of the clock leads to it."""
        bounds = []
        for place, location in enumerate(process.locations):
            guards = [edge.guard for edge in process.edges if edge.source == place]
            bounds.append(self._greatest([location.invariant, *guards]))
        while True:
            before = list(bounds)
            for edge in process.edges:
                kept = set(range(self.number_of_clocks + 1)) - {reset.clock for reset in edge.resets}
                bounds[edge.source] = _joined(bounds[edge.source], bounds[edge.target], kept)
            if bounds == before:
                return bounds


def _joined(here: Constants, there: Constants, kept: Iterable[int]) -> Constants:
    lower, upper = list(here[0]), list(here[1])
    for clock in kept:
        lower[clock] = max(lower[clock], there[0][clock])
        upper[clock] = max(upper[clock], there[1][clock])
    return tuple(lower), tuple(upper)
