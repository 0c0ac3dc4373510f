"""What all searches through symbolic states have in common."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from homing.core.errors import HomingError, ModelError
from homing.core.result import Counts
from homing.core.stop import Stopped
from homing.engines.local.evaluator import Failed
from homing.engines.local.watch import Watch
from homing.engines.zones.paths import Run, run_to
from homing.engines.zones.symbolic import Failing, Symbolic
from homing.timed.kernels.arrays import Array
from homing.timed.system import Cell


class Searching:
    """One search, wave by wave."""

    def __init__(self, symbolic: Symbolic, watch: Watch) -> None:
        self.symbolic = symbolic
        self.watch = watch
        self.depth = 0
        self.reason: str | None = None
        """Why not all was seen."""

    @property
    def is_decided(self) -> bool:
        """Whether nothing is left to be found."""
        raise NotImplementedError

    def see(self, wave: Array) -> None:
        """Looks at new states."""
        raise NotImplementedError

    def explore(self, begin: Callable[[], Array]) -> None:
        """Goes from wave to wave until all is seen, or nothing is left to be found."""
        symbolic = self.symbolic
        try:
            for wave in symbolic.waves(begin()):
                self.depth += 1
                self.see(wave)
                if self.is_decided:
                    return
                self.watch.count(int(symbolic.states.size[0]), len(wave), self.depth)
        except Stopped as stopped:
            self.reason = str(stopped)

    @property
    def counts(self) -> Counts:
        """What was counted so far; states that others cover are not distinct."""
        symbolic = self.symbolic
        count = int(symbolic.states.size[0])
        return Counts(
            distinct=count - int(symbolic.states.covered[:count].sum()),
            generated=int(symbolic.states.size[1]),
            depth=self.depth,
            transitions=int(symbolic.states.size[1]) - symbolic.begun,
            evaluations=symbolic.search.evaluator.evaluations,
        )

    def run_to(self, state: int) -> tuple[int, Run]:
        """The run to a symbolic state along which it was found, and in which of its first states the search began."""
        return run_to(self.symbolic, state)

    def failure(self, failed: Failed | Failing) -> tuple[HomingError, Run | None, Cell | None]:
        """How the model failed, a run to where it did, and what is to hold there."""
        symbolic = self.symbolic
        if isinstance(failed, Failing):
            action = symbolic.discrete.actions[int(symbolic.discrete.edges.action[failed.edge])]
            return ModelError(action.failure), self.run_to(failed.state)[1], Cell(action.guard)
        number = int(symbolic.discrete.numbers([failed.state])[0])
        found = np.flatnonzero(symbolic.states.discrete[: symbolic.states.size[0]] == number)
        return failed.error, self.run_to(int(found[0]))[1] if len(found) else None, None
