"""What a solver does with a frame, one thing after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from homing.core.errors import ModelError, Place
from homing.languages.smv.closures import UNSET, Frame, Function, out_of_domain
from homing.languages.smv.terms import Variable

Found: TypeAlias = list[tuple[Any, ...]]


class Node(Protocol):
    """Does one thing with a frame, adds a solution to `found` where there is one, and returns how to go on."""

    def step(self, frame: Frame, found: Found) -> Node | None: ...


def run(node: Node | None, frame: Frame, found: Found) -> None:
    """Goes on until nothing is left; calls nest only where there is more than one way."""
    while node is not None:
        node = node.step(frame, found)


@dataclass(eq=False)
class Done:
    """All is known."""

    first: int
    last: int

    def step(self, frame: Frame, found: Found) -> Node | None:
        found.append(tuple(frame[self.first : self.last]))
        return None


@dataclass(eq=False)
class Check:
    """Goes on if all tests are true; a test that fails is no error where another one is false."""

    tests: list[Function]
    rest: Node

    def step(self, frame: Frame, found: Found) -> Node | None:
        failed = None
        for test in self.tests:
            try:
                if not test(frame):
                    return None
            except ModelError as error:
                failed = failed or error
        if failed is not None:
            raise failed
        return self.rest


@dataclass(eq=False)
class Give:
    """Goes on with each of some values of a variable."""

    count: Callable[[int], None]
    variable: Variable
    position: int
    values: Function
    strict: Place | None
    """An assignment: a value that the variable cannot have is an error there."""
    rest: Node
    spoilt: list[int]

    def step(self, frame: Frame, found: Found) -> Node | None:
        values = [value for value in self.values(frame) if self._fits(value)]
        if not values:
            return None
        self.count(len(values))
        for value in values[:-1]:
            self._put(frame, value)
            run(self.rest, frame, found)
        self._put(frame, values[-1])
        return self.rest

    def _fits(self, value: Any) -> bool:
        if self.variable.allows(value):
            return True
        if self.strict is not None:
            raise out_of_domain(self.variable, value, self.strict)
        return False

    def _put(self, frame: Frame, value: Any) -> None:
        frame[self.position] = value
        for other in self.spoilt:
            if other < len(frame):
                frame[other] = UNSET


@dataclass(eq=False)
class Branch:
    """Goes on with the first whose test is true."""

    tests: list[Function]
    then: Sequence[Node]
    otherwise: Node

    def step(self, frame: Frame, found: Found) -> Node | None:
        for test, node in zip(self.tests, self.then, strict=True):
            if test(frame):
                return node
        return self.otherwise


@dataclass(eq=False)
class Split:
    """Goes on with each of several."""

    ways: Sequence[Node]

    def step(self, frame: Frame, found: Found) -> Node | None:
        for way in self.ways[:-1]:
            run(way, frame, found)
        return self.ways[-1] if self.ways else None


@dataclass(eq=False)
class Missing:
    """Cannot go on."""

    error: ModelError

    def step(self, frame: Frame, found: Found) -> Node | None:
        raise self.error
