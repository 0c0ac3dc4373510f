"""The interface between languages and engines.

A state is a tuple of values, one a slot. A transition group says what it reads and which slots it writes; from
the values read it yields steps. A read may go through a *projection*, a write may be an *update*: pure functions
of one slot's value. An engine evaluates each function once for each distinct argument, so small reads are what
makes a model fast, and a language may be written in slow, clear Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from homing.core.errors import ModelError, Place
from homing.core.values import Short, State, Value, encode, show


@dataclass(frozen=True)
class Pure:
    """A pure function of one value with constant arguments: `function(value, *arguments)`.

    Equal when function and arguments are, so give it a function defined once, not a new lambda a call.
    """

    function: Callable[..., Value]
    arguments: tuple[Value, ...] = ()

    def __call__(self, value: Value) -> Value:
        return self.function(value, *self.arguments)

    def __str__(self) -> str:
        name = getattr(self.function, "__name__", "function")
        return f"{name}({', '.join(map(show, self.arguments))})" if self.arguments else name


class Projection(Pure):
    """What a group needs to know of one slot: whether m is in the set, the head of the queue."""


class Update(Pure):
    """What a step does to one slot without reading it: add m, append x."""


@dataclass(frozen=True)
class Slot:
    """One component of a state; `index` is set when a function over constants was split by key."""

    name: str
    index: tuple[Value, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}[{', '.join(map(show, self.index))}]" if self.index else self.name


@dataclass(frozen=True)
class Read:
    """A slot, whole or through a projection. Where a `guard` is False, the group that reads it has no step: then it
    need not be asked, whatever else it reads."""

    slot: int
    through: Projection | None = None
    guard: bool = False


@dataclass(frozen=True)
class Group:
    """A transition group: `writes` lists every slot that a step of it may change."""

    name: str
    reads: tuple[Read, ...]
    writes: tuple[int, ...]
    place: Place | None = None


@dataclass(frozen=True)
class Label:
    """A function of the state that properties speak of: a truth value, or an int for minimum and maximum."""

    name: str
    reads: tuple[Read, ...]
    place: Place | None = None
    after: tuple[int, ...] = ()
    """Labels before this one, the conjuncts to its left: properties speak of it only together with them. Where one of
    them is false, what it would raise is no error, and an engine may take it for false there."""
    lazy: bool = False
    """Whether it does nothing with what it reads but look up `read[n]`, through no projection that fails. Then an
    engine may hand it something that notes what it looks at, and asks it once for all states that agree on that."""


@dataclass(frozen=True)
class Event:
    """What a step is called, and, where a message moves, who sent it to whom.

    With a `channel` between them that stores messages, a step that sends has no receiver and one that receives no
    sender; one that has neither loses what it takes. `text` is how the notation writes the event; it does not count for
    identity.
    """

    name: str
    arguments: tuple[Value, ...] = ()
    sender: str | None = None
    receiver: str | None = None
    channel: str | None = None
    text: str = field(default="", compare=False)

    @property
    def key(self) -> tuple[str, bytes, str | None, str | None, str | None]:
        """Equal for equal events only; `==` alone would take an argument True for 1."""
        return self.name, encode(self.arguments), self.sender, self.receiver, self.channel

    def __str__(self) -> str:
        if self.text:
            return self.text
        if not self.arguments:
            return self.name
        return f"{self.name}({', '.join(map(show, self.arguments))})"


QUIET = Event("step")
"""What a group shows that has nothing to say about a step that all take together."""


@dataclass(frozen=True)
class Step:
    """One way on: slots that `writes` does not mention keep their value."""

    event: Event
    writes: Mapping[int, Value | Update]


@dataclass(frozen=True)
class Permutation:
    """One element of a symmetry group: slot s moves to `slots[s]`, its value v becomes `value(s, v)`."""

    slots: tuple[int, ...]
    value: Callable[[int, Value], Value]
    products: tuple[int, ...] = ()
    """By element of the group, in the order of `Shape.symmetry`, which one this one and then that one are; -1 for the
    identity. Empty where that is not known; where it is, engines ask for fewer images."""

    def __call__(self, state: State) -> State:
        moved: list[Value] = [None] * len(state)
        for slot, value in enumerate(state):
            moved[self.slots[slot]] = self.value(slot, value)
        return tuple(moved)


@dataclass(frozen=True)
class Notation:
    """How people see states: the way that values are written, and slots other than those that engines work on."""

    show: Callable[[Value], str] = show
    slots: tuple[str, ...] | None = None
    state: Callable[[State], State] | None = None
    """From what engines know to the values of `slots`."""
    itf: Callable[[State], Mapping[str, Any]] | None = None
    """A state in the Informal Trace Format: by variable its value, as JSON."""
    lines: Callable[[Sequence[State], Sequence[Event]], Sequence[Sequence[Event]]] | None = None
    """What a message sequence chart of a trace shows for each step, where events do not say it themselves."""
    plain: Callable[[Value], Any] | None = None
    """A value as JSON, where the notation has values that its readers would not know again in the core's."""
    told: Callable[[Sequence[State], Sequence[Event], int | None], Iterable[str]] | None = None
    """A trace, with the position its loop starts at, as the notation's own tools print it: line by line."""

    @property
    def alone(self) -> Notation:
        """How values are written, of whatever slots."""
        return Notation(self.show, plain=self.plain)


EVERYONE = "everyone"


@dataclass(frozen=True)
class Shape:
    """All that an engine has to know of a system before it evaluates anything."""

    slots: tuple[Slot, ...]
    groups: tuple[Group, ...]
    labels: tuple[Label, ...] = ()
    constraints: tuple[int, ...] = ()
    """Labels; a state on which one is false is checked but not explored further, nor counted as distinct."""
    hidden: frozenset[int] = frozenset()
    """Slots that do not count for identity (a view): of states that differ only there, one is kept."""
    symmetry: tuple[Permutation, ...] = ()
    """The elements, other than the identity, of a group under which the system is symmetric."""
    place: Place | None = field(default=None, compare=False)
    notation: Notation = field(default_factory=Notation, compare=False, repr=False)
    joint: bool = False
    """Whether all groups move at once: a step of the system is a step of every group, and they write different slots.
    Those that show an event other than `QUIET` show the same one, and so does the system."""

    def __post_init__(self) -> None:
        _unique("slot", [str(slot) for slot in self.slots], self.place)
        _unique("label", [label.name for label in self.labels], self.place)
        for group in self.groups:
            self._check_reads(f"group '{group.name}' reads", group.reads, group.place)
            self._check_slots(f"group '{group.name}' writes", group.writes, group.place)
            _unique(f"slot written by group '{group.name}'", list(map(str, group.writes)), group.place)
        if self.joint:
            self._check_joint()
        for label in self.labels:
            self._check_reads(f"label '{label.name}' reads", label.reads, label.place)
        for constraint in self.constraints:
            if not 0 <= constraint < len(self.labels):
                known = [label.name for label in self.labels]
                raise ModelError(f"a constraint names label number {constraint}", self.place, known)
        self._check_slots("the view hides", self.hidden, self.place)
        for permutation in self.symmetry:
            if sorted(permutation.slots) != list(range(len(self.slots))):
                raise ModelError(
                    f"a symmetry moves the slots to {list(permutation.slots)}, which is no permutation", self.place
                )
            if {permutation.slots[slot] for slot in self.hidden} != self.hidden:
                raise ModelError("a symmetry moves slots that the view hides to slots that it does not", self.place)

    def mover(self, group: int) -> str:
        """Who takes a step that an engine found for this group: in a joint system, everyone."""
        return EVERYONE if self.joint else self.groups[group].name

    def _check_joint(self) -> None:
        if not self.groups:
            raise ModelError("a joint system needs a group", self.place)
        written = [str(self.slots[slot]) for group in self.groups for slot in group.writes]
        _unique("in a joint system, writing slot", written, self.place)

    def _check_reads(self, what: str, reads: Iterable[Read], place: Place | None) -> None:
        self._check_slots(what, (read.slot for read in reads), place)

    def _check_slots(self, what: str, slots: Iterable[int], place: Place | None) -> None:
        for slot in slots:
            if not 0 <= slot < len(self.slots):
                raise ModelError(
                    f"{what} slot number {slot}, but slots go from 0 to {len(self.slots) - 1}",
                    place or self.place,
                    map(str, self.slots),
                )


def _unique(what: str, names: list[str], place: Place | None) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ModelError(f"{what} '{name}' is declared twice", place)
        seen.add(name)


@dataclass(frozen=True)
class Start:
    """Some slots of the initial states that have nothing to do with others, and how many combinations of the slots'
    values there are at most; `values` lists what they may be together, `allows` tells whether they may be this."""

    slots: tuple[int, ...]
    most: int
    values: Callable[[], Sequence[Short]]
    allows: Callable[[Short], bool]


class Partitioned(Protocol):
    """What a system may offer besides: its initial states as a product, where they are too many to list."""

    def starts(self) -> Sequence[Start]:
        """Every slot is in one of them; a value of each, put together, is an initial state, and there are no others."""


class Algebra(Protocol):
    """Conditions on the slots' values before and after a step, for engines that work on sets of states.

    What its methods return is combined with `&`, `|` and `~`.
    """

    @property
    def true(self) -> Any: ...

    @property
    def false(self) -> Any: ...

    def equals(self, slot: int, value: Value, after: bool) -> Any:
        """The slot has this value before or after the step."""

    def possible(self, condition: Any) -> bool:
        """Whether anything satisfies the condition."""


@dataclass(frozen=True)
class Description:
    """A function of many slots, written down instead of asked. `ways`: one of them is taken, and all its conditions
    hold, each with the slots it speaks of before and after a step. Where `failing` holds, asking raises an error."""

    ways: tuple[tuple[tuple[Any, frozenset[int], frozenset[int]], ...], ...]
    failing: Any


class Described(Protocol):
    """What a system may offer besides: what it does as conditions, where there are too many combinations to ask about.

    Each is None where that cannot be done; `domain` has all values that a slot can have.
    """

    def domain(self, slot: int) -> Sequence[Value]: ...

    def describe_start(self, number: int, algebra: Algebra) -> Description | None: ...

    def describe_group(self, group: int, algebra: Algebra) -> Description | None: ...

    def describe_label(self, label: int, algebra: Algebra) -> Description | None: ...


class TransitionSystem(Protocol):
    """Pure, deterministic in its order, rebuilt from its source text in every worker."""

    @property
    def shape(self) -> Shape: ...

    def initial(self) -> Iterable[State]: ...

    def next(self, group: int, read: Short) -> Iterable[Step]: ...

    def label(self, label: int, read: Short) -> bool | int: ...
