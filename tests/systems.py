"""Random transition systems: small, crooked, and decided by their description alone."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from hypothesis import strategies as st

from homing.core.model import Model
from homing.core.property import Always, DeadlockFree, Extreme, Property, Sometimes
from homing.core.system import QUIET, Event, Group, Label, Projection, Read, Shape, Slot, Step, TransitionSystem, Update
from homing.core.values import Short, State, Value, encode
from homing.core.wrappers import Constrained, Symmetric, View

POOL: tuple[Value, ...] = (
    0,
    1,
    2,
    True,
    False,
    None,
    "a",
    "b",
    (),
    (1,),
    (True,),
    frozenset({1}),
    frozenset(),
    b"x",
    -7,
)
"""Values that are easily taken for one another."""


def turned(value: Value, by: int) -> Value:
    """Another value of the pool."""
    position = next(number for number, known in enumerate(POOL) if encode(known) == encode(value))
    return POOL[(position + by) % len(POOL)]


def kind(value: Value) -> Value:
    """A projection that keeps little."""
    return type(value).__name__


def parity(value: Value, modulus: int) -> Value:
    """A projection that keeps a number."""
    return len(encode(value)) % modulus


@dataclass(frozen=True)
class RandomSystem:
    """Every answer is drawn by a generator seeded with the question, so equal questions get equal answers."""

    seed: int
    slots: int
    groups: int
    labels: int
    values: int
    eagerness: int

    @cached_property
    def shape(self) -> Shape:
        draw = random.Random(self.seed)
        reads = [self._reads(draw) for _ in range(self.groups + self.labels)]
        writes = [tuple(draw.sample(range(self.slots), draw.randint(0, self.slots))) for _ in range(self.groups)]
        return Shape(
            tuple(Slot(f"s{number}") for number in range(self.slots)),
            tuple(Group(f"g{n}", reads[n], writes[n]) for n in range(self.groups)),
            tuple(Label(f"l{n}", reads[self.groups + n]) for n in range(self.labels)),
        )

    def _reads(self, draw: random.Random) -> tuple[Read, ...]:
        slots = draw.sample(range(self.slots), draw.randint(0, self.slots))
        through = (None, None, Projection(kind), Projection(parity, (2,)), Projection(parity, (3,)))
        return tuple(Read(slot, draw.choice(through)) for slot in slots)

    def initial(self) -> Iterable[State]:
        draw = random.Random(self.seed + 1)
        count = draw.randint(1, 3)
        return [tuple(draw.choice(POOL[: self.values]) for _ in range(self.slots)) for _ in range(count)]

    def next(self, group: int, read: Short) -> Iterable[Step]:
        draw = random.Random(f"{self.seed} {group} {encode(tuple(read))!r}")
        for number in range(draw.choice((0, 1, 1, 2, 3)[: 2 + self.eagerness])):
            writes = {slot: self._written(draw) for slot in self.shape.groups[group].writes if draw.random() < 0.8}
            yield Step(Event(f"e{group}", (number,)), writes)

    def _written(self, draw: random.Random) -> Value | Update:
        if draw.random() < 0.3:
            return Update(turned, (draw.randint(0, 2),))
        return draw.choice(POOL[: self.values])

    def label(self, label: int, read: Short) -> bool | int:
        draw = random.Random(f"{self.seed} label {label} {encode(tuple(read))!r}")
        return draw.random() < 0.9 if label % 2 == 0 else draw.randint(-5, 5)


@dataclass(frozen=True)
class LazySystem(RandomSystem):
    """A random system whose labels look at some of what they read, in an order that depends on what they find."""

    @cached_property
    def shape(self) -> Shape:
        found = super().shape
        return replace(found, labels=tuple(replace(label, lazy=True) for label in found.labels))

    def label(self, label: int, read: Short) -> bool | int:
        draw, left = random.Random(f"{self.seed} label {label}"), list(range(len(read)))
        while left and draw.random() < 0.9:
            value = read[left.pop(draw.randrange(len(left)))]
            draw = random.Random(f"{draw.random()} {encode(value)!r}")
        return draw.random() < 0.9 if label % 2 == 0 else draw.randint(-5, 5)


@dataclass(frozen=True)
class JointSystem(RandomSystem):
    """A random system whose groups share the slots among them and all move at once."""

    @cached_property
    def shape(self) -> Shape:
        draw = random.Random(self.seed)
        reads = [self._reads(draw) for _ in range(self.groups + self.labels)]
        owner = [draw.randrange(self.groups + 1) for _ in range(self.slots)]
        writes = [tuple(slot for slot in range(self.slots) if owner[slot] == n) for n in range(self.groups)]
        return Shape(
            tuple(Slot(f"s{number}") for number in range(self.slots)),
            tuple(Group(f"g{n}", reads[n], writes[n]) for n in range(self.groups)),
            tuple(Label(f"l{n}", reads[self.groups + n]) for n in range(self.labels)),
            joint=True,
        )

    def next(self, group: int, read: Short) -> Iterable[Step]:
        draw = random.Random(f"{self.seed} {group} {encode(tuple(read))!r}")
        for _ in range(draw.choice((1, 1, 2, 3, 0)[: 3 + self.eagerness])):
            writes = {slot: self._written(draw) for slot in self.shape.groups[group].writes if draw.random() < 0.8}
            yield Step(draw.choice((QUIET, QUIET, Event("a"), Event("b", (1,)))), writes)


@dataclass(frozen=True)
class Team:
    """Members that behave alike and share a slot: symmetric by construction, some slots hold names."""

    seed: int
    members: int
    values: int

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"p{n}" for n in range(self.members))

    @cached_property
    def shape(self) -> Shape:
        slots = [Slot("own", (name,)) for name in self.names] + [Slot("holder"), Slot("seen")]
        groups = [
            Group(
                f"act {name}",
                (Read(n), Read(self.members), Read(self.members + 1, Projection(_among, (name,)))),
                (n, self.members, self.members + 1),
            )
            for n, name in enumerate(self.names)
        ]
        everyone = tuple(Read(n) for n in range(self.members))
        labels = [Label("sum", everyone), Label("quiet", (Read(self.members),))]
        return Shape(tuple(slots), tuple(groups), tuple(labels))

    def initial(self) -> Iterable[State]:
        return [(*(0 for _ in self.names), None, frozenset())]

    def next(self, group: int, read: Short) -> Iterable[Step]:
        own, holder, seen = read
        me = self.names[group]
        relation = "none" if holder is None else "me" if holder == me else "other"
        draw = random.Random(f"{self.seed} {own!r} {relation} {seen!r}")
        for _ in range(draw.choice((0, 1, 1, 2, 2))):
            writes: dict[int, Value | Update] = {group: draw.randrange(self.values)}
            if draw.random() < 0.5:
                writes[self.members] = draw.choice((None, me))
            if draw.random() < 0.4:
                writes[self.members + 1] = Update(_toggled, (me,))
            yield Step(Event("act", (me,)), writes)

    def label(self, label: int, read: Short) -> bool | int:
        if label == 0:
            return sum(value for value in read if isinstance(value, int))
        return read[0] is None


def _among(value: Value, name: str) -> Value:
    return isinstance(value, frozenset) and name in value


def _toggled(value: Value, name: str) -> Value:
    assert isinstance(value, frozenset)
    return value ^ {name}


def model_of(system: TransitionSystem) -> Model:
    """A model that asks everything there is to ask."""
    properties: list[Property] = [DeadlockFree()]
    for number, label in enumerate(system.shape.labels):
        properties += [
            Always(f"always {label.name}", number),
            Sometimes(f"sometimes {label.name}", number),
            Extreme(f"least {label.name}", number, "min"),
            Extreme(f"greatest {label.name}", number, "max"),
            Extreme(f"greatest {label.name} where {system.shape.labels[0].name}", number, "max", where=0),
        ]
    if system.shape.labels:
        properties.append(DeadlockFree("dead ends are marked", unless=0))
    return Model("random", system, tuple(properties))


plain = st.builds(
    RandomSystem,
    seed=st.integers(0, 2**32),
    slots=st.integers(1, 5),
    groups=st.integers(2, 5),
    labels=st.integers(0, 3),
    values=st.integers(1, len(POOL)),
    eagerness=st.integers(1, 3),
)


lazy = st.builds(
    LazySystem,
    seed=st.integers(0, 2**32),
    slots=st.integers(1, 5),
    groups=st.integers(2, 5),
    labels=st.integers(1, 3),
    values=st.integers(1, len(POOL)),
    eagerness=st.integers(1, 3),
)


joint = st.builds(
    JointSystem,
    seed=st.integers(0, 2**32),
    slots=st.integers(1, 5),
    groups=st.integers(1, 4),
    labels=st.integers(0, 3),
    values=st.integers(1, len(POOL)),
    eagerness=st.integers(0, 2),
)


@st.composite
def constrained(draw: st.DrawFn) -> TransitionSystem:
    """A random system that is not explored beyond a constraint."""
    system = draw(st.one_of(plain, lazy, joint).filter(lambda system: system.labels > 0))
    return Constrained(system, ["l0", "l1"] if system.labels > 1 else ["l0"])


@st.composite
def symmetric(draw: st.DrawFn) -> TransitionSystem:
    """A team whose members are interchangeable."""
    team = Team(draw(st.integers(0, 2**32)), draw(st.integers(2, 4)), draw(st.integers(1, 3)))
    return Symmetric(team, [team.names])


@dataclass(frozen=True)
class Logged:
    """A system with one slot more, which is written and never read."""

    system: RandomSystem

    @cached_property
    def shape(self) -> Shape:
        inner = self.system.shape
        log = len(inner.slots)
        groups = tuple(Group(g.name, g.reads, (*g.writes, log)) for g in inner.groups)
        if inner.joint:  # one of them has to keep it
            groups = (*inner.groups[:-1], groups[-1])
        return Shape((*inner.slots, Slot("log")), groups, inner.labels, joint=inner.joint)

    def initial(self) -> Iterable[State]:
        return [(*state, 0) for state in self.system.initial()]

    def next(self, group: int, read: Short) -> Iterable[Step]:
        log = self.system.slots
        for number, step in enumerate(self.system.next(group, read)):
            counted = {log: Update(_counted, (number + 1,))} if log in self.shape.groups[group].writes else {}
            yield Step(step.event, {**step.writes, **counted})

    def label(self, label: int, read: Short) -> bool | int:
        return self.system.label(label, read)


def _counted(value: Value, by: int) -> Value:
    assert isinstance(value, int)
    return value + by


@st.composite
def viewed(draw: st.DrawFn) -> TransitionSystem:
    """A system whose ever-growing log does not count for identity."""
    return View(Logged(draw(st.one_of(plain, joint))), hide=["log"])


@dataclass(frozen=True)
class Walk:
    """Many slots that keep taking new values: rows of several words, whose layout changes again and again."""

    seed: int
    slots: int
    groups: int
    length: int

    @cached_property
    def shape(self) -> Shape:
        draw = random.Random(self.seed)
        writes = [tuple(draw.sample(range(1, self.slots), draw.randint(1, self.slots - 1))) for _ in range(self.groups)]
        return Shape(
            tuple(Slot(f"s{number}") for number in range(self.slots)),
            tuple(Group(f"g{n}", (Read(0), Read(1)), (0, *writes[n])) for n in range(self.groups)),
            (
                Label("last", (Read(self.slots - 1, Projection(_modulo, (7,))),)),
                Label("all", tuple(map(Read, range(self.slots)))),
            ),
        )

    def initial(self) -> Iterable[State]:
        return [(0,) * self.slots]

    def next(self, group: int, read: Short) -> Iterable[Step]:
        clock, first = read
        assert isinstance(clock, int)
        assert isinstance(first, int)
        if clock < self.length and (first + group) % 3:
            _, *writes = self.shape.groups[group].writes
            scrambled: dict[int, Value | Update] = {slot: Update(_scrambled, (group + slot,)) for slot in writes}
            yield Step(Event(f"e{group}"), {0: clock + 1, **scrambled})

    def label(self, label: int, read: Short) -> bool | int:
        return read[0] != 3 if label == 0 else hash(read) % 1000


def _modulo(value: Value, modulus: int) -> Value:
    assert isinstance(value, int)
    return value % modulus


def _scrambled(value: Value, by: int) -> Value:
    assert isinstance(value, int)
    return (value * 31 + by) % 997


walks = st.builds(
    Walk,
    seed=st.integers(0, 2**32),
    slots=st.integers(3, 12),
    groups=st.integers(1, 4),
    length=st.integers(1, 8),
)

anything = st.one_of(plain, lazy, joint, walks, constrained(), symmetric(), viewed())
