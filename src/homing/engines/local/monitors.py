"""What each property waits for while the levels go by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from homing.core import interpreter
from homing.core.property import Always, DeadlockFree, Extreme, Safety, Sometimes, labels_of
from homing.core.system import TransitionSystem
from homing.core.values import State
from homing.core.verdict import Verdict
from homing.engines.local.kernels import Array

Pick = Callable[[int], State]


@dataclass
class Finding:
    """A state that decides a property, the number of its level, and its value where one is asked for."""

    state: State
    level: int
    value: int | None = None


@dataclass
class Monitor:
    """Follows one property; `finding` is set once a state decides it, or is the best so far."""

    prop: Safety
    finding: Finding | None = field(default=None)

    @property
    def labels(self) -> tuple[int, ...]:
        """The labels to observe on every state."""
        return labels_of(self.prop)

    @property
    def decided(self) -> bool:
        """Whether no further state can change the verdict."""
        return self.finding is not None and not isinstance(self.prop, Extreme)

    def see(self, level: int, values: dict[int, Array], pick: Pick) -> None:
        """Takes in some states of a level; `pick` gives one of them by its position."""
        if self.decided:
            return
        match self.prop:
            case Always(labels=labels):
                self._first(level, np.any([values[label] == 0 for label in labels], axis=0), pick)
            case Sometimes(label=label):
                self._first(level, values[label] != 0, pick)
            case Extreme():
                self._best(self.prop, level, values, pick)

    def _first(self, level: int, hits: Array, pick: Pick) -> None:
        if hits.any():
            self.finding = Finding(pick(int(np.argmax(hits))), level)

    def _best(self, prop: Extreme, level: int, values: dict[int, Array], pick: Pick) -> None:
        measured = values[prop.label]
        chosen = np.flatnonzero(values[prop.where]) if prop.where is not None else np.arange(len(measured))
        if not len(chosen):
            return
        best = np.argmin if prop.sense == "min" else np.argmax
        position = int(chosen[best(measured[chosen])])
        value = int(measured[position])
        found = self.finding.value if self.finding else None
        if found is None or (value < found if prop.sense == "min" else value > found):
            self.finding = Finding(pick(position), level, value)

    def see_dead(self, level: int, excused: Array, pick: Pick) -> None:
        """Takes in states without a step, some of them excused."""
        if isinstance(self.prop, DeadlockFree) and not self.decided:
            self._first(level, ~excused, pick)

    def verdict(self, exhaustive: bool) -> Verdict:
        """The verdict, given whether all states were seen."""
        if isinstance(self.prop, Extreme):
            decided, found = exhaustive, self.finding is not None
        else:
            decided, found = exhaustive or self.decided, self.decided
        if not decided:
            return Verdict.UNKNOWN
        good = found if isinstance(self.prop, Sometimes | Extreme) else not found
        return Verdict.HOLDS if good else Verdict.VIOLATED


def decides(system: TransitionSystem, prop: Safety, finding: Finding, state: State) -> bool:
    """Whether a state is what a finding claims, asked without an engine."""
    match prop:
        case DeadlockFree():
            return next(iter(interpreter.successors(system, state)), None) is None
        case Always(labels=labels):
            return not all(interpreter.label(system, label, state) for label in labels)
        case Sometimes(label=label):
            return bool(interpreter.label(system, label, state))
        case Extreme(label=label):
            return interpreter.label(system, label, state) == finding.value
