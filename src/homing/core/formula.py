"""Temporal formulas, one type for all notations: CTL, LTL with past, over states, events and enabled groups.

Notation, as `str` prints it: `X F G U R W` look ahead, `Y Z O H S T` look back, `A E` quantify over paths. A formula is
read at a position of a path: a state and the step taken from it. So an event atom is true where the step about to be
taken shows the event; `Y e` is true where the step before did. A step that only stutters shows no event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import is_
from typing import Literal, TypeAlias

from homing.core.errors import HomingError, Place
from homing.core.system import Event, Shape
from homing.core.values import Value, encode, same, show

Logic: TypeAlias = Literal["state", "step", "CTL", "LTL"]

ARITY: dict[str, int | None] = {
    **dict.fromkeys(("and", "or"), None),
    **dict.fromkeys(("implies", "iff", "U", "R", "W", "S", "T"), 2),
    **dict.fromkeys(("not", "X", "F", "G", "Y", "Z", "O", "H", "A", "E"), 1),
}
FUTURE = frozenset("XFGURW")
PAST = frozenset("YZOHST")
QUANTIFIERS = frozenset("AE")
SIGNS = {"not": "!", "and": "&", "or": "|", "implies": "->", "iff": "<->"}


class Formula:
    """The base of all formulas; `p & q`, `p | q`, `~p` and `p >> q` (implies) build larger ones."""

    place: Place | None

    def __and__(self, other: Formula) -> Formula:
        return Operation("and", (self, other))

    def __or__(self, other: Formula) -> Formula:
        return Operation("or", (self, other))

    def __rshift__(self, other: Formula) -> Formula:
        return Operation("implies", (self, other))

    def __invert__(self) -> Formula:
        return Operation("not", (self,))

    def walk(self) -> Iterator[Formula]:
        """This formula and all its parts, outermost first."""
        waiting: list[Formula] = [self]
        while waiting:
            formula = waiting.pop()
            yield formula
            if isinstance(formula, Operation):
                waiting += formula.operands[::-1]


@dataclass(frozen=True)
class Constant(Formula):
    """True or false."""

    value: bool
    place: Place | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return "true" if self.value else "false"


@dataclass(frozen=True)
class Holds(Formula):
    """A label, by number or by name, is true (not 0) in the state."""

    label: int | str
    name: str = field(default="", compare=False)
    place: Place | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return _quoted(self.name or str(self.label))


@dataclass(frozen=True)
class Wildcard:
    """Stands for any value in a pattern."""

    def __str__(self) -> str:
        return "_"


ANY = Wildcard()


@dataclass(frozen=True, eq=False)
class Happens(Formula):
    """The step taken shows an event that matches; None matches anything."""

    event: str
    arguments: tuple[Value | Wildcard, ...] | None = None
    sender: str | None = None
    receiver: str | None = None
    place: Place | None = field(default=None, compare=False)

    @property
    def _key(self) -> tuple[object, ...]:
        """Equal for equal patterns only; `==` alone would take an argument True for 1."""
        wanted = (
            None
            if self.arguments is None
            else tuple(argument if isinstance(argument, Wildcard) else encode(argument) for argument in self.arguments)
        )
        return self.event, wanted, self.sender, self.receiver

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Happens) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def matches(self, event: Event) -> bool:
        """Whether an event fits the pattern."""
        return (
            event.name == self.event
            and self.sender in (None, event.sender)
            and self.receiver in (None, event.receiver)
            and (self.arguments is None or self._fits(event.arguments))
        )

    def _fits(self, arguments: tuple[Value, ...]) -> bool:
        wanted = self.arguments or ()
        return len(wanted) == len(arguments) and all(
            isinstance(want, Wildcard) or same(want, got) for want, got in zip(wanted, arguments, strict=True)
        )

    def __str__(self) -> str:
        if self.arguments is None:
            return _quoted(self.event)
        shown = ", ".join(str(a) if isinstance(a, Wildcard) else show(a) for a in self.arguments)
        return f"{_quoted(self.event)}({shown})" if shown else f"{_quoted(self.event)}()"


@dataclass(frozen=True)
class Action:
    """Steps of some groups; with `changing`, only those that change one of these slots: TLA+'s `<<A>>_v`.

    With `event`, only those that show it: one parameter instance, where a group has the steps of several.
    """

    groups: frozenset[int | str]
    changing: frozenset[int | str] | None = None
    name: str = field(default="", compare=False)
    event: Happens | None = None

    def __str__(self) -> str:
        return self.name or "{" + ", ".join(sorted(map(str, self.groups))) + "}"


@dataclass(frozen=True)
class Enabled(Formula):
    """The state has a step of the action."""

    action: Action
    place: Place | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"enabled({self.action})"


@dataclass(frozen=True)
class Taken(Formula):
    """The step taken is one of the action."""

    action: Action
    place: Place | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"taken({self.action})"


@dataclass(frozen=True)
class Between(Formula):
    """The step taken satisfies a condition on what two labels say, one before it and one after it.

    The labels are ints, such as the numbers of what was read; `holds` is asked once for each pair that occurs.
    """

    name: str
    before: int
    after: int
    holds: Callable[[int, int], bool] = field(repr=False)
    place: Place | None = field(default=None, compare=False)
    number: int = 0
    """Tells conditions on the same labels apart, where `holds` is not the same in every process."""
    only: Between | None = None
    """Where this one is false the condition is false, too: then it need not be asked."""

    @property
    def key(self) -> tuple[int, int, int]:
        """The same in every process."""
        return self.before, self.after, self.number

    def __str__(self) -> str:
        return _quoted(self.name)


@dataclass(frozen=True)
class Operation(Formula):
    """An operator of `ARITY` with its operands; `and` and `or` take any number of them."""

    operator: str
    operands: tuple[Formula, ...]
    place: Place | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if self.operator not in ARITY:
            raise HomingError(f"unknown operator '{self.operator}' in a formula", self.place, ARITY)
        wanted = ARITY[self.operator]
        if wanted is not None and len(self.operands) != wanted:
            takes = "one operand" if wanted == 1 else f"{wanted} operands"
            raise HomingError(f"operator '{self.operator}' takes {takes}, not {len(self.operands)}", self.place)
        for operand in self.operands:
            if not isinstance(operand, Formula):
                raise HomingError(f"operator '{self.operator}' is applied to {operand!r}, no formula", self.place)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        """Kept: formulas are keys wherever they are decided, and each hash would walk all of it."""
        return hash((self.operator, self.operands))

    @cached_property
    def looks_ahead(self) -> bool:
        """Whether an operator of the future is in it."""
        return self.operator in FUTURE or any(isinstance(o, Operation) and o.looks_ahead for o in self.operands)

    def __str__(self) -> str:
        shown = [_inner(operand) for operand in self.operands]
        sign = SIGNS.get(self.operator, self.operator)
        if self.operator == "not":
            return f"!{shown[0]}"
        if len(shown) == 1:
            return shown[0] if ARITY[self.operator] is None else f"{sign} {shown[0]}"
        return f" {sign} ".join(shown) or ("true" if self.operator == "and" else "false")


TRUE, FALSE = Constant(True), Constant(False)
Atom: TypeAlias = Holds | Happens | Enabled | Taken | Between


def always(formula: Formula) -> Formula:
    """`G f`: now and at every later position."""
    return Operation("G", (formula,))


def eventually(formula: Formula) -> Formula:
    """`F f`: now or at some later position."""
    return Operation("F", (formula,))


def next_(formula: Formula) -> Formula:
    """`X f`: at the next position."""
    return Operation("X", (formula,))


def until(left: Formula, right: Formula) -> Formula:
    """`f U g`: g comes, and f holds until then."""
    return Operation("U", (left, right))


def leads_to(left: Formula, right: Formula) -> Formula:
    """`f ~> g`: whenever f, then g or g later."""
    return always(Operation("implies", (left, eventually(right))))


def on_all_paths(formula: Formula) -> Formula:
    """`A f`."""
    return Operation("A", (formula,))


def on_some_path(formula: Formula) -> Formula:
    """`E f`."""
    return Operation("E", (formula,))


def logic_of(formula: Formula) -> Logic:
    """The least logic that a formula is of; a mixture raises HomingError with the place of the offender."""
    operators = {part.operator: part for part in formula.walk() if isinstance(part, Operation)}
    quantifier = next((operators[name] for name in sorted(QUANTIFIERS & operators.keys())), None)
    if quantifier is None:
        if operators.keys() & (FUTURE | PAST):
            return "LTL"
        return "step" if any(isinstance(part, Happens | Taken | Between) for part in formula.walk()) else "state"
    _check_ctl(formula)
    return "CTL"


def _check_ctl(formula: Formula) -> None:
    """In CTL a quantifier and a temporal operator of the future come in pairs, over states."""
    waiting = [formula]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Happens | Taken | Between):
            raise HomingError(f"'{part}' speaks of a step, which CTL cannot", part.place)
        if not isinstance(part, Operation):
            continue
        if part.operator in FUTURE | PAST:
            raise HomingError(f"'{part}' mixes LTL into CTL: no quantifier before '{part.operator}'", part.place)
        if part.operator not in QUANTIFIERS:
            waiting += part.operands
            continue
        path = part.operands[0]
        if not (isinstance(path, Operation) and path.operator in FUTURE):
            raise HomingError(
                f"'{part}' is no CTL: '{part.operator}' wants a temporal operator next", part.place, sorted(FUTURE)
            )
        waiting += path.operands


def resolve(formula: Formula, shape: Shape) -> Formula:
    """The formula with names of labels, groups and slots turned into numbers; raises on what is not declared."""
    match formula:
        case Holds(label=label):
            number = _label(label, shape, formula.place)
            if number == label and formula.name:
                return formula
            return replace(formula, label=number, name=formula.name or _name(label, shape))
        case Enabled() | Taken():
            return replace(formula, action=resolve_action(formula.action, shape, formula.place))
        case Operation():
            operands = tuple(resolve(operand, shape) for operand in formula.operands)
            if all(map(is_, operands, formula.operands)):
                return formula
            return replace(formula, operands=operands)
    return formula


def resolve_action(action: Action, shape: Shape, place: Place | None = None) -> Action:
    """The action with group and slot numbers; a name stands for all groups or slots so called."""
    if shape.joint:
        raise HomingError("an action of some groups, in a system whose groups all move at once", place)
    groups = _numbers(action.groups, "group", [(group.name, group.name) for group in shape.groups], place)
    shown = action.name or ", ".join(sorted({shape.groups[number].name for number in groups}))
    if action.event is not None and not action.name:
        shown = str(action.event)
    if action.changing is None:
        return Action(frozenset(groups), None, shown, action.event)
    slots = [(slot.name, str(slot)) for slot in shape.slots]
    return Action(frozenset(groups), frozenset(_numbers(action.changing, "slot", slots, place)), shown, action.event)


def _label(label: int | str, shape: Shape, place: Place | None) -> int:
    if isinstance(label, int) and 0 <= label < len(shape.labels):
        return label
    names = [known.name for known in shape.labels]
    if isinstance(label, str) and label in names:
        return names.index(label)
    what = f"'{label}'" if isinstance(label, str) else f"number {label}"
    raise HomingError(f"unknown label {what} in a formula", place or shape.place, names)


def _name(label: int | str, shape: Shape) -> str:
    return label if isinstance(label, str) else shape.labels[label].name if 0 <= label < len(shape.labels) else ""


def _numbers(
    wanted: Iterable[int | str], what: str, known: list[tuple[str, str]], place: Place | None
) -> frozenset[int]:
    found: set[int] = set()
    for entry in wanted:
        if isinstance(entry, int):
            matching = {entry} if 0 <= entry < len(known) else set()
        else:
            matching = {number for number, names in enumerate(known) if entry in names}
        if not matching:
            shown = f"'{entry}'" if isinstance(entry, str) else f"number {entry}"
            raise HomingError(f"unknown {what} {shown} in a formula", place, dict.fromkeys(full for _, full in known))
        found |= matching
    return frozenset(found)


def _inner(formula: Formula) -> str:
    text = str(formula)
    simple = not isinstance(formula, Operation) or formula.operator == "not" or len(formula.operands) == 0
    return text if simple else f"({text})"


def _quoted(name: str) -> str:
    return name if name.replace("_", "").replace(".", "").isalnum() else f'"{name}"'
