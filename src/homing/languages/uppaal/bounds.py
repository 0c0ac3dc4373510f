"""The greatest constants that a clock is compared with before it is reset, by process and location.

After Behrmann, Bouyer, Larsen and Pelánek, "Lower and upper bounds in zone-based abstractions of timed automata": the
bounds of a location are those of its invariant, of the guards of edges out of it, and of the locations that these lead
to, for clocks that they do not reset.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from homing.languages.uppaal.conditions import Atom, Formula, atoms
from homing.languages.uppaal.network import Location, Member
from homing.languages.uppaal.store import Ranges, Store
from homing.timed.system import MOST, NEVER, Constraint, at_most

MOST_DIAGONALS = 1000
BELOW, ABOVE = ("<", "<=", "==", "!="), (">", ">=", "==", "!=")


class Bounds:
    """By clock, from number 0 on, the greatest constants below and above."""

    def __init__(self, clocks: int) -> None:
        self.lower = [0] + [NEVER] * clocks
        self.upper = [0] + [NEVER] * clocks

    def add(self, store: Store, ranges: Ranges, atom: Atom, both: bool = False) -> None:
        """What a comparison asks for; with `both`, also its opposite."""
        low, high = atom.interval(ranges)
        left, right = ([store.base[address] for address in side] for side in atom.clocks)
        if left and right:
            # After x := 5, what x - y is compared with says something of y and 5 more.
            set_to = max((value(ranges)[1] for value in store.clock_values), default=0)
            most = max(abs(low), abs(high)) + max(set_to, 0)
            self._raise([*left, *right], most, most)
        elif left:
            self._raise(
                left,
                high if both or atom.operator in ABOVE else NEVER,
                high if both or atom.operator in BELOW else NEVER,
            )
        else:
            self._raise(
                right,
                -low if both or atom.operator in BELOW else NEVER,
                -low if both or atom.operator in ABOVE else NEVER,
            )

    def _raise(self, clocks: Iterable[int], lower: int, upper: int) -> None:
        for clock in clocks:
            self.lower[clock] = max(self.lower[clock], min(lower, MOST - 1))
            self.upper[clock] = max(self.upper[clock], min(upper, MOST - 1))

    def include(self, other: Bounds, clock: int, source: int) -> bool:
        """Takes over those of another for a clock; whether that changed anything."""
        lower = max(self.lower[source], other.lower[clock])
        upper = max(self.upper[source], other.upper[clock])
        changed = (lower, upper) != (self.lower[source], self.upper[source])
        self.lower[source], self.upper[source] = lower, upper
        return changed

    @property
    def idle(self) -> bool:
        """Whether no clock matters."""
        return all(bound == NEVER for bound in (*self.lower[1:], *self.upper[1:]))


def of_condition(store: Store, ranges: Ranges, members: Iterable[Member], formula: Formula) -> Bounds:
    """Those that a condition and its opposite ask for."""
    bounds = Bounds(len(store.clocks))
    for atom in atoms(formula):
        bounds.add(store, ranges, atom, both=True)
    _follow(_copies(store, members), [bounds])
    return bounds


def of_network(store: Store, ranges: Ranges, members: Iterable[Member]) -> list[dict[Location, Bounds]]:
    """Those of each location, by process.

    What one process copies to a clock that another looks at counts for all: `x := y` makes y as important as x is
    anywhere.
    """
    members = list(members)
    found = [_of_process(store, ranges, member) for member in members]
    _follow(_copies(store, members), [bounds for by_location in found for bounds in by_location.values()])
    return found


def _copies(store: Store, members: Iterable[Member]) -> set[tuple[int, int]]:
    """The clocks that get the value of another, and of which."""
    return {
        (store.base[target], store.base[source])
        for member in members
        for edge in member.edges
        for target, source in edge.effects.copies
    }


def sources(store: Store, members: Iterable[Member], clock: int) -> frozenset[int]:
    """The clocks whose values a clock may get, also through others."""
    copies, found = _copies(store, members), {clock}
    while more := {source for target, source in copies if target in found} - found:
        found |= more
    return frozenset(found - {clock})


def _follow(copies: set[tuple[int, int]], every: list[Bounds]) -> None:
    """Has what counts for a clock count for those that it is copied from."""
    changed = bool(copies)
    while changed:
        # No clock is worth more than the greatest constant, so that this ends.
        changed = any(here.include(there, *copy) for copy in copies for here in every for there in every)


def _of_process(store: Store, ranges: Ranges, member: Member) -> dict[Location, Bounds]:
    found = {location: Bounds(len(store.clocks)) for location in member.locations}
    for location, bounds in found.items():
        for atom in atoms(location.invariant):
            bounds.add(store, ranges, atom)
    for edge in member.edges:
        # One that hears a broadcast also counts where it is not enabled.
        hears = edge.channel is not None and edge.channel.type.broadcast and not edge.channel.sends
        for atom in atoms(edge.guard):
            found[edge.source].add(store, ranges, atom, both=hears)
    _propagate(store, member, found)
    return found


def _propagate(store: Store, member: Member, found: dict[Location, Bounds]) -> None:
    numbers = range(1, len(store.clocks) + 1)
    into: dict[Location, list[tuple[Location, list[tuple[int, int]]]]] = {location: [] for location in found}
    for edge in member.edges:
        killed = {store.base[address] for address in edge.effects.kills}
        copies = [(store.base[target], store.base[source]) for target, source in edge.effects.copies]
        pairs = [(clock, clock) for clock in numbers if clock not in killed] + copies
        into[edge.target].append((edge.source, pairs))
    waiting = deque(found)
    while waiting:
        target = waiting.popleft()
        for source, pairs in into[target]:
            changed = [found[source].include(found[target], clock, origin) for clock, origin in pairs]
            if any(changed):
                waiting.append(source)


def diagonals(store: Store, ranges: Ranges, formulas: Iterable[Formula]) -> set[Constraint]:
    """The constraints on differences of two clocks in conditions."""
    found: set[Constraint] = set()
    for formula in formulas:
        for atom in atoms(formula):
            left, right = atom.clocks
            if not left or not right:
                continue
            low, high = atom.interval(ranges)
            if high - low >= MOST_DIAGONALS:
                raise atom.node.error(
                    f"'{atom.node.words}' compares a difference of clocks with up to {high - low + 1} values; at most "
                    f"{MOST_DIAGONALS} are possible, so give what they depend on a smaller range"
                )
            constants = range(low, high + 1)
            strict = atom.operator in ("<", ">", "!=")
            for one in left:
                for other in right:
                    for constant in constants:
                        found |= _both(atom.operator, store.base[one], store.base[other], constant, strict)
    return found


def _both(operator: str, left: int, right: int, constant: int, strict: bool) -> set[Constraint]:
    found: set[Constraint] = set()
    if left == right:
        return found
    if operator in BELOW:
        found.add((left, right, at_most(constant, strict=strict)))
    if operator in ABOVE:
        found.add((right, left, at_most(-constant, strict=strict)))
    return found
