"""What every part of specialising needs: one way of reading an expression, and what is known of the specification."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from homing.core.errors import HomingError, Place
from homing.languages.tla.frames import is_boolean
from homing.languages.tla.free import Free
from homing.languages.tla.ir import FALSE, TRUE, E, fingerprint
from homing.languages.tla.scope import Builtin, Definition, Symbol
from homing.languages.tla.slots import Shapes
from homing.languages.tla.substitution import primed
from homing.languages.tla.syntax import Node

CHEAP = 6
"""What has no more parts than this is copied to where it is used."""
DEEPEST = 150
"""Operators that expand deeper than this call each other without end, or nearly so."""

ROUNDS = 64
"""A recursive operator is written out at most so many times,"""
LONGEST = 800
"""and only if no more parts come of it than this."""

Env = Mapping[Any, Any]


@dataclass(frozen=True)
class Closure:
    """An operator given as an argument, and the environment of its body."""

    symbol: Symbol
    env: Env


@dataclass(frozen=True)
class Opening:
    """The inside of a loop: its environment, and what makes the loop of a body that was specialised in it."""

    env: Env
    closed: Callable[[E], E]


class TooMany(Exception):
    """A recursive operator does not end soon."""


class Unrolling:
    """How far a recursive operator has been written out, and for which constant arguments that does not end."""

    def __init__(self) -> None:
        self.left: int | None = None
        self.endless: set[tuple[Definition, tuple[bool, ...]]] = set()

    def count(self) -> None:
        """One round more."""
        assert self.left is not None
        self.left -= 1
        if self.left < 0:
            raise TooMany


class Known(ABC):
    """The constants and the shapes of variables that expressions are specialised for."""

    def __init__(self, meanings: Mapping[Symbol, Any], shapes: Shapes, free: Free) -> None:
        self.meanings = meanings
        """By constant, or by operator that the configuration replaces: a value, or the symbol that stands in."""
        self.shapes = shapes
        self.free = free
        self.level: E | None = None
        """What `TLCGet("level")` is: how many states a behaviour has up to here."""
        self.universes: Mapping[int, tuple[Any, ...]] = {}
        """By variable that holds sets, the few elements that these seem to have; actions are split by them."""
        self.looped: set[int] = set()
        self.seed = 0
        """What draws at random depend on."""
        self.stateless = False
        """Whether what is read is a constant, whatever the state is."""
        """Variables whose elements an action goes through."""
        self.unrolling = Unrolling()
        self._depth = 0
        self._fresh: dict[Any, int] = {}
        self.substituted: dict[int, E] = {}
        """By number of an instance's variable, the next value of what stands for it."""

    @abstractmethod
    def enabled(self, node: Node, env: Env, place: Place) -> E:
        """Whether an action can be done."""

    def fresh(self, definition: Definition, now: E) -> int:
        """The number, after those of the variables, of an instance's variable inside ENABLED; `now` stands for it."""
        key = (definition, fingerprint(now), now.cells)
        number = self._fresh.setdefault(key, len(self.shapes.names) + len(self._fresh))
        self.substituted[number] = primed(now)
        return number

    def between(self, node: Node, number: int) -> int:
        """The number of what holds a variable's value between the two steps of a composition."""
        return self._fresh.setdefault((id(node), number), len(self.shapes.names) + len(self._fresh))

    def enter(self, definition: Definition, place: Place) -> None:
        """Goes into an operator."""
        self._depth += 1
        if self._depth > DEEPEST and self.unrolling.left is not None:
            self._depth -= 1
            raise TooMany
        if self._depth > DEEPEST:
            self._depth = 0
            raise HomingError(f"'{definition.name}' is expanded without end; is it to be RECURSIVE?", place)

    def leave(self) -> None:
        """Comes out of it."""
        self._depth -= 1


class Reading(ABC):
    """One way of reading: this state or the next, an action or a value."""

    def __init__(self, parent: Known, next_state: bool, action: bool, probing: bool = False) -> None:
        self.parent = parent
        self.next_state = next_state
        self.action = action
        self.probing = probing
        """Inside ENABLED: there the next value of an instance's variable is any value, not one of what stands for it"""

    @property
    def settled(self) -> bool:
        """Whether the next state does not change while the expression is evaluated, so that its values can be kept."""
        return not self.action and not self.probing

    def scope(self, next_state: bool, action: bool) -> Self:
        """Another way of reading at the same place."""
        return type(self)(self.parent, next_state, action, self.probing)

    def value(self, node: Node, env: Env) -> E:
        """The same, where a value is wanted."""
        scope = self if not self.action else self.scope(self.next_state, False)
        return scope.expression(node, env)

    def expression(self, node: Node, env: Env) -> E:
        handler: Callable[[Node, Env], E] | None = getattr(self, f"_{node.kind}", None)
        if handler is None:
            raise HomingError(f"'{node.kind}' cannot be evaluated", node.place)
        e = handler(node, env)
        if e.place is node.place:
            e.names = env
        return e

    @abstractmethod
    def argument(self, node: Node, env: Env) -> Any:
        """What an operator is given: an expression, or a closure for an operator."""

    @abstractmethod
    def applied(self, closure: Closure, args: Sequence[Any], place: Place) -> E:
        """An operator that was an argument, applied."""

    @abstractmethod
    def call(self, symbol: Builtin, args: list[E], place: Place) -> E:
        """An operator that is written in Python, applied."""

    @abstractmethod
    def apply(self, function: E, key: E, place: Place) -> E:
        """`function[key]`, as far as it is known."""

    @abstractmethod
    def keys_of(self, e: E) -> tuple[Any, ...] | None:
        """The keys of a function whose values are known one by one, in order; None where that is not so."""

    def now(self, e: E) -> E:
        """An argument where it is used: below a prime, it is about the next state."""
        return primed(e) if self.next_state else e

    def junction(self, op: str, parts: Iterable[Callable[[], E]], place: Place) -> E:
        """`and` or `or` of parts, of which those after a decisive one are not looked at."""
        neutral = op == "and"
        kept: list[E] = []
        for part in parts:
            e = part()
            if e.is_const and type(e.data) is bool:
                if e.data is neutral and not (self.action and op == "or"):
                    continue
                if e.data is not neutral and (op == "and" or not self.action):
                    if not kept:
                        return FALSE if op == "and" else TRUE
                    kept.append(e)
                    break
                if e.data is False and op == "or":
                    continue
            kept.append(e)
        if not kept:
            return TRUE if neutral else FALSE
        # A single part is still a junction: it must be a boolean.
        alone = len(kept) == 1 and (self.action or is_boolean(kept[0]))
        return kept[0] if alone else E(op, tuple(kept), None, place)
