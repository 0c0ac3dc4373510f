"""Properties of the whole state graph, and the fairness they are checked under: data only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, get_args

from homing.core.errors import HomingError, Place
from homing.core.formula import Action, Between, Formula, Happens, logic_of, resolve, resolve_action
from homing.core.property import OnGraph
from homing.core.system import Event, Shape, TransitionSystem
from homing.core.values import encode

Stuttering: TypeAlias = Literal["never", "at the end", "always"]
"""Where a behaviour may stand still for ever. `at the end`: in states without a step (PAT, UPPAAL). `never`: only
infinite behaviours count (NuSMV). `always`: in every state, unless fairness forbids it (TLA+)."""


@dataclass(frozen=True)
class Weak:
    """`WF_v(A)`: enabled for ever from some point on, the action is taken again and again."""

    action: Action

    def __str__(self) -> str:
        return f"WF({self.action})"


@dataclass(frozen=True)
class Strong:
    """`SF_v(A)`: enabled again and again, the action is taken again and again."""

    action: Action

    def __str__(self) -> str:
        return f"SF({self.action})"


@dataclass(frozen=True)
class Justice:
    """The formula, without temporal operators, is true again and again."""

    formula: Formula

    def __str__(self) -> str:
        return f"justice({self.formula})"


@dataclass(frozen=True)
class Compassion:
    """If `when` is true again and again, so is `then`; both without temporal operators."""

    when: Formula
    then: Formula

    def __str__(self) -> str:
        return f"compassion({self.when}, {self.then})"


@dataclass(frozen=True)
class StrongGlobal:
    """PAT's strong global fairness: a step whose source is visited again and again is taken again and again."""

    def __str__(self) -> str:
        return "strong global fairness"


@dataclass(frozen=True)
class EachEvent:
    """PAT's event-level fairness: weak or strong fairness of every event that is not in `hidden`.

    Events are the same when name and arguments are, whoever takes part. Which ones there are is known after the search:
    `of_events` then puts fairness of each in its place.
    """

    kind: Literal["weak", "strong"]
    hidden: frozenset[str] = frozenset({"tau"})

    def __str__(self) -> str:
        return f"{self.kind} fairness of each event"


Fairness: TypeAlias = Weak | Strong | Justice | Compassion | StrongGlobal | EachEvent


def of_events(fairness: tuple[Fairness, ...], events: Iterable[Event], groups: int) -> tuple[Fairness, ...]:
    """The fairness with `EachEvent` written out for the events of a system that has so many groups."""
    if not any(isinstance(entry, EachEvent) for entry in fairness):
        return fairness
    known = {(event.name, encode(event.arguments)): event for event in events}
    every: frozenset[int | str] = frozenset(range(groups))
    found: list[Fairness] = []
    for entry in fairness:
        if not isinstance(entry, EachEvent):
            found.append(entry)
            continue
        make = Weak if entry.kind == "weak" else Strong
        for _, event in sorted(known.items(), key=lambda item: item[0]):
            if event.name not in entry.hidden:
                found.append(make(Action(every, None, str(event), Happens(event.name, event.arguments))))
    return tuple(found)


def process_fairness(
    kind: Literal["weak", "strong"], processes: dict[str, frozenset[int | str]]
) -> tuple[Fairness, ...]:
    """PAT's process fairness: weak or strong fairness of each process's groups."""
    make = Weak if kind == "weak" else Strong
    return tuple(make(Action(groups, name=name)) for name, groups in processes.items())


@dataclass(frozen=True)
class Temporal(OnGraph):
    """An LTL formula on every fair behaviour, or a CTL formula in every initial state with fair paths."""

    formula: Formula
    fairness: tuple[Fairness, ...] = ()
    stuttering: Stuttering = "at the end"
    place: Place | None = field(default=None, compare=False)

    def resolved(self, shape: Shape) -> Temporal:
        """With numbers for names; raises HomingError on unknown names, and on a mixture of logics."""
        try:
            if self.stuttering not in get_args(Stuttering):
                raise HomingError(f"unknown stuttering '{self.stuttering}'", known=get_args(Stuttering))
            formula = resolve(self.formula, shape)
            logic_of(formula)
            return replace(self, formula=formula, fairness=tuple(_resolved(f, shape) for f in self.fairness))
        except HomingError as error:
            where = error.place or self.place or shape.place
            raise HomingError(f"{error.message}, in '{self.name}'", where, error.known) from None


def _resolved(fairness: Fairness, shape: Shape) -> Fairness:
    match fairness:
        case Weak(action=action):
            return Weak(resolve_action(action, shape))
        case Strong(action=action):
            return Strong(resolve_action(action, shape))
        case Justice(formula=formula):
            return Justice(_plain(formula, shape))
        case Compassion(when=when, then=then):
            return Compassion(_plain(when, shape), _plain(then, shape))
        case StrongGlobal() | EachEvent():
            return fairness
    raise HomingError(f"{fairness!r} is no fairness", known=[kind.__name__ for kind in get_args(Fairness)])


def _plain(formula: Formula, shape: Shape) -> Formula:
    if logic_of(formula) not in ("state", "step"):
        raise HomingError(f"fairness by '{formula}', which has temporal operators", formula.place)
    return resolve(formula, shape)


@dataclass(frozen=True)
class EveryStep(OnGraph):
    """The labels are true in every initial state, and every step satisfies every condition: `Init /\\ [][A]_v`.

    Steps out of what the constraints allow count. `among` has the same slots and groups, and steps that the system
    leaves out: those that an action constraint forbids.
    """

    steps: tuple[Between, ...]
    initially: tuple[int, ...] = ()
    among: TransitionSystem | None = None


@dataclass(frozen=True)
class Refines(OnGraph):
    """The system refines a specification in a model of CSP: traces, (stable) failures, failures and divergences.

    Events are the same when name and arguments are. Those with a name in `hidden` are internal.
    """

    specification: TransitionSystem
    sense: Literal["T", "F", "FD"] = "T"
    hidden: frozenset[str] = frozenset({"tau"})

    def internal(self, event: Event) -> bool:
        """Whether nobody outside sees the event."""
        return event.name in self.hidden


@dataclass(frozen=True)
class Deterministic(OnGraph):
    """`processes`: after no trace can an event be both accepted and refused (CSP; a divergence counts as both).
    `steps`: no state has two steps with one event to different states."""

    sense: Literal["processes", "steps"] = "processes"
    hidden: frozenset[str] = frozenset({"tau"})


@dataclass(frozen=True)
class DivergenceFree(OnGraph):
    """No behaviour does internal steps only from some point on."""

    hidden: frozenset[str] = frozenset({"tau"})
