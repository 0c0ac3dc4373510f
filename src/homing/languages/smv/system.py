"""A flat model as a transition system: one slot a variable, one group a cluster, and all groups move at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from math import prod
from typing import Any

from homing.core.errors import Place, TooWide
from homing.core.system import (
    QUIET,
    Algebra,
    Description,
    Event,
    Group,
    Label,
    Notation,
    Read,
    Shape,
    Slot,
    Start,
    Step,
)
from homing.core.values import Short, State, Value
from homing.languages.smv.closures import Compiler, Function
from homing.languages.smv.describing import describe
from homing.languages.smv.interleaving import Part, parts
from homing.languages.smv.notation import Telling
from homing.languages.smv.relation import Cluster, Relation, read_by
from homing.languages.smv.rules import Rule
from homing.languages.smv.solving import Solver
from homing.languages.smv.terms import Atom, Scalar, Term, Variable, atoms, show

MOST_INITIAL = 2_000_000
NOTHING = "(no variables)"
"""A slot where a model has none: engines want one."""
INPUT = "input"
"""The event of a step whose inputs several groups, or formulas, see."""


@dataclass(eq=False)
class Moving:
    """A group: what it writes, and who finds its steps."""

    solver: Solver
    slots: tuple[int, ...]
    inputs: list[Variable]
    """Those that its steps show; they follow the variables in a solution."""


@dataclass(eq=False)
class Observed:
    """A label: a condition, perhaps with some inputs put in."""

    name: str
    term: Term
    place: Place
    inputs: dict[Variable, Scalar]


class System:
    """The transition system of a flat model, with labels for its formulas."""

    def __init__(self, relation: Relation, labels: Iterable[Observed]) -> None:
        self.relation = relation
        self.flat = relation.flat
        self.slot = {variable: number for number, variable in enumerate(relation.variables)}
        self.inputs = [variable for variable in self.flat.variables if variable.kind == "IVAR"]
        found = parts(relation)
        self.groups = (
            [self._moving(cluster) for cluster in relation.steps or [Cluster()]]
            if found is None
            else [self._interleaved(part) for part in found]
        )
        self.ways = self._ways(found)
        """By group the rules of each of its ways, one of which is taken; None where inputs have a say."""
        self.observed = list(labels)
        self.labels = [self._observing(label) for label in self.observed]
        told = [(group.solver, group.slots, len(group.inputs)) for group, _ in self.groups]
        telling = Telling(self.flat, self.slot, told)
        self.shape = Shape(
            tuple(Slot(variable.name) for variable in relation.variables) or (Slot(NOTHING),),
            tuple(group for _, group in self.groups),
            tuple(label for _, label in self.labels),
            joint=found is None,
            place=Place(self.flat.source.file),
            notation=Notation(show, telling.names, telling.state, told=telling.lines),
        )

    # How it is laid out

    def _moving(self, cluster: Cluster) -> tuple[Moving, Group]:
        unknown = cluster.unknown(self.relation.inputs)
        reads = read_by(cluster, unknown)
        solver = self.relation.solver(cluster, [(variable, False) for variable in reads], unknown)
        slots = tuple(self.slot[variable] for variable, _ in cluster.atoms)
        shown = [variable for variable, _ in unknown if variable in self.relation.inputs]
        name = _name([variable for variable, _ in cluster.atoms])
        place = self._place(cluster)
        group = Group(name, tuple(Read(self.slot[variable]) for variable in reads), slots, place)
        return Moving(solver, slots, shown), group

    def _interleaved(self, part: Part) -> tuple[Moving, Group]:
        unknown: list[Atom] = [(variable, True) for variable in part.writes]
        known: list[Atom] = [(variable, False) for variable in part.reads]
        solver = Solver(self.flat.source, self.relation.book, (), known, unknown, part.ways)
        slots = tuple(self.slot[variable] for variable in part.writes)
        rules = [rule for way in part.ways for rule in way]
        place = self.flat.source.place(rules[0].at) if rules else Place(self.flat.source.file)
        reads = tuple(Read(self.slot[variable]) for variable in part.reads)
        return Moving(solver, slots, []), Group(_name(part.writes), reads, slots, place)

    def _ways(self, found: list[Part] | None) -> list[Sequence[Sequence[Rule]] | None]:
        if found is not None:
            return [part.ways for part in found]
        clusters = self.relation.steps or [Cluster()]
        inputs = self.relation.inputs
        return [None if cluster.unknown(inputs) != cluster.atoms else [cluster.rules] for cluster in clusters]

    def _place(self, cluster: Cluster) -> Place:
        if cluster.rules:
            return self.flat.source.place(cluster.rules[0].at)
        return cluster.atoms[0][0].place if cluster.atoms else Place(self.flat.source.file)

    def _observing(self, label: Observed) -> tuple[tuple[Compiler, Function, list[Any]], Label]:
        found = sorted({variable for variable, _ in atoms(label.term)}, key=lambda variable: variable.number)
        read = [variable for variable in found if variable not in label.inputs]
        known: list[Atom] = [(variable, False) for variable in (*read, *label.inputs)]
        compiler = Compiler(self.flat.source, known)
        function = compiler.single(label.term)
        reads = tuple(Read(self.slot[variable]) for variable in read)
        return (compiler, function, list(label.inputs.values())), Label(label.name, reads, label.place)

    # What it does

    def initial(self) -> Iterator[State]:
        """Every initial state; clusters are independent, so all combinations count."""
        self.relation.refuse_freedom()
        starts = self.starts()
        parts = [start.values() for start in starts]
        count = prod(map(len, parts))
        if count > MOST_INITIAL:
            what = f"the model has {count:,} initial states, which is too much to list; that is for a symbolic engine"
            raise TooWide(what, self.shape.place)
        order = [slot for start in starts for slot in start.slots]
        for chosen in product(*parts):
            state: list[Value] = [None] * len(self.shape.slots)
            for slot, value in zip(order, (value for part in chosen for value in part), strict=True):
                state[slot] = value
            yield tuple(state)

    def starts(self) -> Sequence[Start]:
        """The initial states as a product: a part a cluster."""
        return self._starts

    @cached_property
    def _starts(self) -> tuple[Start, ...]:
        nothing = () if self.relation.variables else (Start((0,), 1, lambda: [(None,)], lambda values: True),)
        return (*map(self._start, self.relation.initial), *nothing)

    def _start(self, cluster: Cluster) -> Start:
        relation = self.relation
        found = relation.solver(cluster, [], cluster.atoms)
        known = cache(lambda: found.solve(()))
        test = cache(lambda: relation.solver(cluster, cluster.atoms, []))
        return Start(
            tuple(self.slot[variable] for variable, _ in cluster.atoms),
            prod(len(variable.domain) for variable, _ in cluster.atoms),
            known,
            lambda values: bool(test().solve(values)),
        )

    # The same as conditions

    def domain(self, slot: int) -> Sequence[Value]:
        """All values that a variable can have."""
        return self.relation.variables[slot].domain if self.relation.variables else (None,)

    def describe_start(self, number: int, algebra: Algebra) -> Description | None:
        """What is said of some variables at the start."""
        clusters = self.relation.initial
        return describe(self.slot, algebra, [clusters[number].rules]) if number < len(clusters) else None

    def describe_group(self, group: int, algebra: Algebra) -> Description | None:
        """What is said of a step; not where inputs are involved."""
        ways = self.ways[group]
        return None if ways is None else describe(self.slot, algebra, ways)

    def describe_label(self, label: int, algebra: Algebra) -> Description | None:
        """A condition."""
        observed = self.observed[label]
        return describe(self.slot, algebra, [[Rule(observed.term, False, 0, "")]], observed.inputs)

    def next(self, group: int, read: Short) -> Iterator[Step]:
        """The steps of a cluster: what its variables may be next."""
        moving, count = self.groups[group][0], len(self.groups[group][0].slots)
        shown = len(moving.inputs)
        found = moving.solver.solve(read)
        # Inputs that nobody else sees are tried, and what they lead to counts once.
        for values in dict.fromkeys(values[: count + shown] for values in found):
            event = self._event(moving.inputs, values[count:]) if shown else QUIET
            yield Step(event, dict(zip(moving.slots, values[:count], strict=True)))

    def _event(self, inputs: list[Variable], values: tuple[Scalar, ...]) -> Event:
        known = dict(zip(inputs, values, strict=True))
        arguments = tuple(known.get(variable) for variable in self.inputs)
        text = ", ".join(f"{variable} = {show(value)}" for variable, value in known.items())
        return Event(INPUT, arguments, text=text)

    def label(self, label: int, read: Short) -> bool:
        """Whether a condition is true of what it reads."""
        (compiler, function, inputs), _ = self.labels[label]
        return bool(function(compiler.frame((*read, *inputs))))


def _name(written: Sequence[Variable]) -> str:
    names = [variable.name for variable in written]
    return ", ".join(names[:4]) + (", …" if len(names) > 4 else "") or "condition"
