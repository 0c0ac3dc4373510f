"""What pyModelChecking says of random structures (`tests/properties/record.py`), asked of sets of states.

Once the steps of a structure are learnt, once it is a model of NuSMV and describes itself as a conjunction.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from tests.properties import tableau
from tests.properties.record import FILE, case
from tests.properties.structures import Structure, System
from tests.scale import scaled

from homing.core.formula import Formula, Holds, Operation
from homing.core.model import Model
from homing.core.property import Always, OnGraph
from homing.core.result import Options
from homing.core.system import TransitionSystem
from homing.engines.symbolic.arena import Arena
from homing.engines.symbolic.ctl import Ctl
from homing.engines.symbolic.described import Written
from homing.engines.symbolic.engine import Check
from homing.engines.symbolic.ltl import satisfying
from homing.engines.symbolic.space import Set
from homing.engines.symbolic.tuning import Tuning
from homing.languages.smv import model
from homing.languages.smv.tokens import Source

RECORDED = json.loads(FILE.read_text(encoding="utf-8"))
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


KINDS = pytest.mark.parametrize("kind", [learnt, described])


class Explored:
    """A structure all of whose states are initial."""

    def __init__(self, structure: Structure, kind: Kind) -> None:
        system, self.labels = kind(structure)
        run = Check(Model("recorded", system, (OnGraph("graph"),)), Options(threads=1), Tuning(nodes=1 << 16))
        run.explorer.explore()
        groups = run.search.relation.groups
        assert all(isinstance(group, Written) for group in groups) == (kind is described)
        self.world, self.arena = run.search.world, Arena(run.search, "never", {})

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


@KINDS
def test_ctl(kind: Kind) -> None:
    for seed in range(min(scaled(200), len(RECORDED["CTL"]))):
        structure, formula = case("CTL", seed)
        explored = Explored(structure, kind)
        found = Ctl(explored.arena, ()).states(explored.formula(formula))
        assert sum(1 << state for state in explored.numbers(found)) == RECORDED["CTL"][seed], (seed, str(formula))


@KINDS
def test_ltl_that_is_ctl(kind: Kind) -> None:
    for seed in range(min(scaled(60), len(RECORDED["both"]))):
        structure, formula = case("both", seed)
        explored = Explored(structure, kind)
        for state in explored.each():
            holds = satisfying(explored.arena, ~explored.formula(formula), ()) is None
            assert holds == bool(RECORDED["both"][seed] >> state & 1), (seed, state, str(formula))


@KINDS
def test_ltl(kind: Kind) -> None:
    """Where it is wrong, as it is every so often, the tableau has to agree with us."""
    asked = differing = 0
    for seed in range(min(scaled(60), len(RECORDED["LTL"]))):
        structure, formula = case("LTL", seed)
        explored = Explored(structure, kind)
        for state in explored.each():
            holds = satisfying(explored.arena, ~explored.formula(formula), ()) is None
            asked += 1
            if holds != bool(RECORDED["LTL"][seed] >> state & 1):
                differing += 1
                rooted = replace(structure, initial=(state,))
                assert tableau.satisfiable(rooted, ~formula, (), "never") != holds, (seed, state, str(formula))
    assert differing <= asked // 5
