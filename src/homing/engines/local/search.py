"""The breadth-first search: level by level, each observed as a whole before it is expanded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from homing.core import evaluate
from homing.core.system import TransitionSystem
from homing.core.values import State
from homing.engines.local import kernels
from homing.engines.local.evaluator import RAISED, Evaluator
from homing.engines.local.expander import Expander, Round
from homing.engines.local.kernels import GROWING, Array
from homing.engines.local.packing import Layout
from homing.engines.local.pool import Pool
from homing.engines.local.tuning import Quota, Tuning
from homing.engines.local.visited import Level, Visited

DEFAULT = Tuning()


@dataclass
class Tally:
    """What has been counted; a batch that was broken off is not in it."""

    initial: int = 0
    outside: int = 0
    transitions: int = 0
    deadlocks: int = 0
    depth: int = 0


class Search:
    """The states found so far and all that is needed to find more."""

    def __init__(
        self,
        system: TransitionSystem,
        threads: int = 1,
        tick: Callable[[], None] = lambda: None,
        tuning: Tuning = DEFAULT,
    ) -> None:
        self.system = system
        self.evaluator = Evaluator(system, tick)
        self.visited = Visited(self.evaluator.layout.words)
        self.tally = Tally()
        self.pool = Pool(threads, tuning.parallel)
        self._tuning = tuning
        self._quota = Quota(tuning, 2 + self.evaluator.longest_key)
        self._expander = Expander(self.evaluator, self.pool, self._learn, tuning, self._quota)

    def start(self) -> Level:
        """The initial states, as the first level."""
        states = evaluate.initial(self.system)
        self.tally.initial = len(states)
        rows = self.rows(states)
        self.visited.insert(self.evaluator.plan, self._expander.given(rows), self.pool)
        return self.visited.close_level()

    def rows(self, states: list[State]) -> Array:
        """The canonical rows of states."""
        plan, layout = self.evaluator.plan, self.evaluator.layout
        rows = self.evaluator.rows(states)
        self._refit(plan, layout, rows[:0])
        return rows

    def restore(self, values: Any, layout: Array, contents: list[Array], levels: list[tuple[Array, Array]]) -> None:
        """Takes over what an earlier run found, in the layout it had then."""
        self.evaluator.restore(values)
        plan, words = self.evaluator.plan, self.evaluator.layout.words
        old = plan._replace(word=layout[0], shift=layout[1], mask=layout[2])
        self.visited = Visited(words)
        moved = [np.empty((len(rows), words), np.uint32) for rows in contents]
        for rows, packed in zip(contents, moved, strict=True):
            kernels.repack(old, plan, rows, packed)
        self.visited.restore(plan, moved, levels, self.pool)

    def expand(
        self,
        level: Level,
        skip: int,
        dead: Callable[[Array], None],
        steps: Callable[[Round], None] | None = None,
    ) -> Iterator[int]:
        """Finds the next level, batch by batch; yields how much of this one is done. `dead` gets deadlocks, `steps` all
        steps, to the states that they really lead to."""
        merging = bool(self.evaluator.shape.symmetry)
        while skip < len(level):
            self.evaluator.forget(self._tuning.memo)
            size = min(self._expander.batch, len(level) - skip)
            count, ends = 0, []
            for found in self.rounds(level, skip, size, recording=steps is not None, storing=True):
                self.visited.insert(self.evaluator.plan, found.out, self.pool)
                if steps is not None and not merging:
                    steps(found)
                count += found.steps
                ends.append(found.dead)
            if steps is not None and merging:
                for found in self.rounds(level, skip, size, recording=True, merging=False):
                    steps(found)
            stuck = np.sort(np.concatenate(ends)) if ends else np.empty(0, np.int64)
            if len(stuck):
                # Gathered anew: what was learnt meanwhile may have changed the layout.
                dead(self.visited.rows(level, skip, size)[stuck])
            # Last, so that a batch that is broken off and done again counts once.
            self.tally.transitions += count
            self.tally.deadlocks += len(stuck)
            skip += size
            yield skip

    def rounds(
        self,
        level: Level,
        skip: int,
        size: int,
        recording: bool = False,
        storing: bool = False,
        merging: bool = True,
    ) -> Iterator[Round]:
        """The steps from some rows of a level, those outside the constraints left out."""
        rows, inside = self.inside(self.visited.rows(level, skip, size))
        kept = np.flatnonzero(inside)
        for found in self._expander.rounds(rows[kept], recording, storing, merging):
            yield Round(found.rows, kept[found.positions], found.out)

    def steps(self, rows: Array) -> Iterator[Round]:
        """The steps from some rows, with their groups and events."""
        return self._expander.rounds(rows, recording=True)

    @property
    def batch(self) -> int:
        """How many rows to expand at once."""
        return self._expander.batch

    @property
    def memory(self) -> int:
        """How large the memo may grow, in bytes."""
        return self._tuning.memo

    def inside(self, rows: Array) -> tuple[Array, Array]:
        """Which rows satisfy all constraints; and the rows, in the layout that is now in force."""
        constraints = self.evaluator.shape.constraints
        if not constraints:
            return rows, np.ones(len(rows), np.bool_)
        rows, values = self.observe(rows, constraints)
        return rows, (values != 0).all(axis=0)

    def observed(
        self, level: Level, labels: Sequence[int], wanted: Array | None = None
    ) -> Iterator[tuple[Array, Array]]:
        """The rows of a level, or those that are wanted, and, by label and row, what the labels say of them."""
        size = self._tuning.chunk * self._tuning.chunks
        for skip in range(0, len(level), size):
            rows = self.visited.rows(level, skip, size)
            yield self.observe(rows if wanted is None else rows[wanted[skip : skip + size]], labels)

    def observe(self, rows: Array, labels: Sequence[int]) -> tuple[Array, Array]:
        """By label and row the value of the label; and the rows, in the layout that is now in force."""
        rows, values = self._values(rows, labels)
        known = self.evaluator.shape.labels
        if any(known[label].after and (values[n] == RAISED).any() for n, label in enumerate(labels)):
            return self._excused(rows, labels)
        return rows, values

    def _excused(self, rows: Array, labels: Sequence[int]) -> tuple[Array, Array]:
        """The same where a label failed: it is false where one before it is."""
        known = self.evaluator.shape.labels
        asked = sorted({*labels, *(earlier for label in labels for earlier in known[label].after)})
        rows, found = self._values(rows, asked)
        values = dict(zip(asked, found, strict=True))
        for label in asked:
            if known[label].after:
                failed = values[label] == RAISED
                values[label][np.any([values[earlier] == 0 for earlier in known[label].after], axis=0)] = 0
                failed &= values[label] == RAISED
                if failed.any():
                    self.evaluator.fail(label, rows[int(np.argmax(failed))])
        return rows, np.array([values[label] for label in labels])

    def _values(self, rows: Array, labels: Sequence[int]) -> tuple[Array, Array]:
        functions = np.array(labels, np.int64) + len(self.evaluator.shape.groups)
        values = np.zeros((len(labels), len(rows)), np.int32)
        todo = list(range(0, len(rows), self._tuning.chunk)) if len(labels) else []
        while todo:
            room = self._quota.size
            misses = self._look(rows, functions, values, todo)
            todo = [start for start, missed in zip(todo, misses, strict=True) if len(missed)]
            if todo:
                rows = self._learn(misses, rows)
                if all(len(missed) < room for missed in misses):
                    _leave_out(functions, misses)
        return rows, values

    def _look(self, rows: Array, functions: Array, values: Array, starts: list[int]) -> list[Array]:
        """Fills in the values of the chunks that start there; returns the misses of each."""
        plan, memo = self.evaluator.plan, self.evaluator.memo.arrays
        misses = [np.empty((self._quota.size, 2 + self.evaluator.longest_key), np.uint32) for _ in starts]

        def look(share: int, of: int) -> None:
            for n in range(share, len(starts), of):
                part = slice(starts[n], starts[n] + self._tuning.chunk)
                missed = kernels.observe(plan, memo, rows[part], functions, values[:, part], misses[n])
                misses[n] = misses[n][:missed]
                misses[n][:, 0] += starts[n]

        self.pool.run(look, self._tuning.chunk * len(starts) * len(functions))
        return misses

    def _learn(self, misses: list[Array], rows: Array) -> Array:
        plan, layout, before = self.evaluator.plan, self.evaluator.layout, self.evaluator.evaluations
        try:
            self.evaluator.learn(misses, rows)
        finally:
            rows = self._refit(plan, layout, rows)
        self._quota.adapt(list(map(len, misses)), self.evaluator.evaluations - before)
        return rows

    def _refit(self, plan: kernels.Plan, layout: Layout, rows: Array) -> Array:
        """Moves everything that is stored, and the rows, to the layout now in force."""
        now = self.evaluator.layout
        if now is layout:
            return rows
        self.visited.repack(plan, self.evaluator.plan, now.words, self.pool)
        moved = np.empty((len(rows), now.words), np.uint32)
        kernels.repack(plan, self.evaluator.plan, rows, moved)
        return moved


def _leave_out(functions: Array, misses: list[Array]) -> None:
    """Marks the labels that all is known of, given all that is not."""
    waiting = np.concatenate([missed[:, 2] for missed in misses]) & ~np.uint32(GROWING)
    functions[~np.isin(functions, waiting)] = kernels.NONE
