"""Simulated time: SimPy's event queue, with one event for each call.

Processes of SimPy (generators that wait) cost two of its events a wait; a call costs one, and most of what happens here
is a call: a packet leaves a queue, or arrives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simpy import Environment
from simpy.events import NORMAL, Event


class Call(Event):
    """An event that calls one function, which finds in `about` what it was scheduled for."""

    def __init__(self, environment: Environment, delay: float, function: Callable[[Call], None], about: Any) -> None:
        # Event's own constructor would set these twice: this is the innermost loop.
        self.env = environment
        self.callbacks = [function]
        self._ok = True
        self._value = None
        self.about = about
        environment.schedule(self, NORMAL, delay)


class Clock:
    """Calls functions later; calls at the same time happen in the order in which they were asked for."""

    def __init__(self) -> None:
        self._environment = Environment()

    @property
    def now(self) -> float:
        return float(self._environment.now)

    def after(self, delay: float, function: Callable[[Call], None], about: Any = None) -> None:
        Call(self._environment, delay, function, about)

    def at(self, time: float, function: Callable[[Call], None], about: Any = None) -> None:
        Call(self._environment, max(time - self._environment.now, 0.0), function, about)

    def run(self, until: float) -> None:
        """Everything that happens before `until`; what happens at that moment is left for later."""
        if until > self._environment.now:
            self._environment.run(until)
