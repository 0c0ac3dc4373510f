"""Small structures as sets of states: their steps learnt, or described as a conjunction by a model of NuSMV."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from tests.properties.structures import Structure, System

from homing.core.formula import Formula, Holds, Operation
from homing.core.model import Model
from homing.core.property import Always, OnGraph
from homing.core.result import Options
from homing.core.system import TransitionSystem
from homing.engines.symbolic.arena import Arena
from homing.engines.symbolic.described import Written
from homing.engines.symbolic.engine import Check
from homing.engines.symbolic.space import Set
from homing.engines.symbolic.tuning import Tuning
from homing.languages.smv import model
from homing.languages.smv.tokens import Source

BITS = 3


Labels = list[int]
"""By label of a structure, that of the system."""
Kind = Callable[[Structure], tuple[TransitionSystem, Labels]]


def learnt(structure: Structure) -> tuple[TransitionSystem, Labels]:
    return System(replace(structure, initial=tuple(range(len(structure.labels))))), [0, 1, 2]


def described(structure: Structure) -> tuple[TransitionSystem, Labels]:
    """The number of a state in bits; from each state its steps are a condition of their own."""
    count = len(structure.labels)

    def among(states: list[int], name: str = "b{}") -> str:
        ways = (" & ".join(f"{'' if n >> bit & 1 else '!'}{name.format(bit)}" for bit in range(BITS)) for n in states)
        return " | ".join(f"({way})" for way in ways) or "FALSE"

    text = ["MODULE main VAR", *(f"b{bit} : boolean;" for bit in range(BITS)), f"INIT {among(list(range(count)))}"]
    for state in range(count):
        after = [target for source, _, target in structure.edges if source == state]
        text.append(f"TRANS {among([state])} -> ({among(after, 'next(b{})')})")
    for name in structure.names:
        true = among([n for n in range(count) if name in structure.labels[n]])
        text.append(f"INVARSPEC ({true}) = TRUE")  # a conjunction would be several labels
    found = model(Source("structure.smv", "\n".join(text)))
    return found.system, [prop.label for prop in found.properties if isinstance(prop, Always)]


class Explored:
    """A structure all of whose states are initial."""

    def __init__(self, structure: Structure, kind: Kind) -> None:
        system, self.labels = kind(structure)
        run = Check(Model("recorded", system, (OnGraph("graph"),)), Options(threads=1), Tuning(nodes=1 << 16))
        run.explorer.explore()
        groups = run.search.relation.groups
        assert all(isinstance(group, Written) for group in groups) == (kind is described)
        self.search, self.world, self.arena = run.search, run.search.world, Arena(run.search, "never", {})

    def formula(self, said: Formula) -> Formula:
        """What is said of the structure, said of the system."""
        if isinstance(said, Operation):
            return Operation(said.operator, tuple(map(self.formula, said.operands)))
        assert isinstance(said, Holds)
        assert isinstance(said.label, int)
        return Holds(self.labels[said.label])

    def number(self, state: tuple[object, ...]) -> int:
        return sum(1 << bit for bit in range(BITS) if state[bit]) if len(state) == BITS else state[0]  # type: ignore[return-value]

    def numbers(self, states: Set) -> Iterator[int]:
        space = self.world.space
        yield from (self.number(self.world.decoded(row)) for row in space.rows(states, space.now))

    def each(self) -> Iterator[int]:
        """State by state, which is then the only initial one."""
        space = self.world.space
        for row in list(space.rows(self.arena.states, space.now)):
            self.arena.initial = space.tuple(row, space.now)
            yield self.number(self.world.decoded(row))
