"""Random timed systems: small, crooked, and decided by their description alone."""

from __future__ import annotations

import random
from dataclasses import dataclass

from hypothesis import strategies as st
from tests.timed.networks import Claim, Edge, Location, Network, Process, above, below, exactly

from homing.timed.system import Cell, Constraints, Reset, at_most


@dataclass(frozen=True)
class Features:
    """What may occur."""

    processes: int = 2
    clocks: int = 2
    locations: int = 3
    edges: int = 4
    greatest: int = 3
    """The greatest constant."""
    strict: bool = True
    diagonals: bool = False
    stops: bool = True
    """Urgent and committed locations, and an urgent channel."""
    priorities: bool = False
    copies: bool = False
    deadlock: bool = False
    """In conditions."""
    conditions: int = 2
    local_bounds: bool = True


CLOSED = Features(strict=False)
"""Digital clocks know these."""


def network(seed: int, features: Features) -> Network:
    """The random system with this number."""
    return _Drawing(random.Random(seed), features).network()


def networks(features: Features) -> st.SearchStrategy[Network]:
    return st.integers(0, 10**9).map(lambda seed: network(seed, features))


@dataclass
class _Drawing:
    draw: random.Random
    features: Features

    def sometimes(self, probability: float) -> bool:
        return self.draw.random() < probability

    def network(self) -> Network:
        draw, features = self.draw, self.features
        clocks = max(draw.randint(1, features.clocks) for _ in range(2))
        count = max(draw.randint(1, features.processes) for _ in range(2))
        processes = tuple(self.process(clocks, alone=count == 1) for _ in range(count))
        urgent = frozenset({"u"}) if features.stops else frozenset[str]()
        conditions = tuple(self.condition(processes, clocks) for _ in range(features.conditions))
        return Network(clocks, processes, urgent, conditions, features.local_bounds)

    def process(self, clocks: int, *, alone: bool) -> Process:
        draw = self.draw
        count = draw.randint(min(2, self.features.locations), self.features.locations)
        # A way out of every location, as a rule, or else there is little to see.
        sources = [place for place in range(count) if self.sometimes(0.95)]
        sources += [draw.randrange(count) for _ in range(draw.randint(0, self.features.edges))]
        edges = tuple(self.edge(source, count, clocks, alone=alone) for source in sources)
        return Process(tuple(self.location(place, clocks) for place in range(count)), edges)

    def location(self, place: int, clocks: int) -> Location:
        invariant: Constraints = ()
        if self.sometimes(0.25):
            constant = max(self.draw.randint(0, self.features.greatest) for _ in range(2))
            # An invariant that is never true is of little use.
            strict = self.features.strict and constant > 0 and self.sometimes(0.3)
            invariant = below(self.draw.randint(1, clocks), constant, strict=strict)
        stops = self.features.stops and self.sometimes(0.15 if place else 0.02)
        committed = self.sometimes(0.5)
        return Location(invariant, stops and not committed, stops and committed)

    def edge(self, source: int, locations: int, clocks: int, *, alone: bool) -> Edge:
        draw = self.draw
        channel = draw.choice(["a", "b", "u"]) + draw.choice("!?") if not alone and self.sometimes(0.3) else ""
        guard: Constraints = ()
        if not (channel.startswith("u") and self.features.stops):
            for _ in range(draw.choice([0, 0, 1, 1, 1, 2])):
                guard += self.constraint(clocks)
        return Edge(
            source,
            draw.choice([draw.randrange(locations), (source + 1) % locations]),
            guard,
            tuple(self.reset(clocks) for _ in range(draw.choice([0, 1, 1, 2]))),
            channel,
            draw.randint(0, 1) if self.sometimes(0.1) else None,
            draw.randint(0, 1) if self.sometimes(0.2) else None,
            draw.choice([0, 0, 1, 2]) if self.features.priorities else 0,
        )

    def constraint(self, clocks: int) -> Constraints:
        clock, constant = self.draw.randint(1, clocks), self.draw.randint(0, self.features.greatest)
        strict = self.features.strict and self.sometimes(0.4)
        if self.features.diagonals and clocks > 1 and self.sometimes(0.4):
            other = self.draw.choice([other for other in range(1, clocks + 1) if other != clock])
            return ((clock, other, at_most(self.draw.choice([constant, -constant]), strict=strict)),)
        kind = self.draw.choice("<<>>>=")
        if kind == "=":
            return exactly(clock, constant)
        return (below if kind == "<" else above)(clock, constant, strict=strict)

    def reset(self, clocks: int) -> Reset:
        clock = self.draw.randint(1, clocks)
        if self.features.copies and self.sometimes(0.3):
            return Reset(clock, self.draw.choice([0, 0, 1]), self.draw.randint(1, clocks))
        return Reset(clock, self.draw.choice([0, 0, 0, 1, 2]))

    def condition(self, processes: tuple[Process, ...], clocks: int) -> tuple[Claim, ...]:
        claims = []
        for _ in range(self.draw.randint(1, 3)):
            process = self.draw.randrange(len(processes))
            places = range(len(processes[process].locations))
            chosen = frozenset(place for place in places if self.sometimes(0.6))
            constraints: Constraints = ()
            for _ in range(self.draw.choice([0, 1, 1, 2])):
                constraints += self.constraint(clocks)
            deadlock = self.draw.choice([True, False]) if self.features.deadlock and self.sometimes(0.3) else None
            claims.append(Claim(process, chosen, Cell(constraints, deadlock)))
        return tuple(claims)
