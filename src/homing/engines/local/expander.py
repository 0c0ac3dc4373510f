"""All steps from many rows: chunk by chunk, learning what is missing until nothing is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from homing.core import evaluate
from homing.core.errors import TooWide
from homing.engines.local import kernels
from homing.engines.local.evaluator import Evaluator, Failed
from homing.engines.local.kernels import PARTITIONS, Array
from homing.engines.local.pool import Pool
from homing.engines.local.tuning import Quota, Tuning


@dataclass(frozen=True)
class Round:
    """The rows that could be expanded, and what came of them; `positions` says where they are in the batch."""

    rows: Array
    positions: Array
    out: kernels.Chunks

    @property
    def steps(self) -> int:
        """How many steps were found."""
        return int(self.out.filled.sum())

    @property
    def dead(self) -> Array:
        """Where in the batch the rows without a step are."""
        dead: Array = self.positions[self.out.dead[: len(self.rows)] == 1]
        return dead


class Expander:
    """Expands batches of rows with buffers that it keeps."""

    def __init__(
        self,
        evaluator: Evaluator,
        pool: Pool,
        learn: Callable[[list[Array], Array], Array],
        tuning: Tuning,
        quota: Quota,
    ) -> None:
        self._tuning = tuning
        self._chunk = tuning.chunk
        self._evaluator = evaluator
        self._pool = pool
        self._learn = learn
        self._quota = quota
        self._noted = 0
        self._capacity = 2 * tuning.chunk
        self._words = 0
        self._chunks = 0
        self._recording = self._storing = False
        self._most_steps = 1.0
        """Of a row, on average over a batch."""

    @property
    def batch(self) -> int:
        """How many rows to expand at once."""
        row = 8 * self._evaluator.layout.words + 16
        most = self._chunk * max(1, min(self._tuning.chunks, self._tuning.output // (row * self._capacity)))
        if not self._evaluator.shape.joint:
            return most
        # The steps of a joint system are a product: some rows more may be millions of steps.
        return max(1, min(most, int(self._tuning.output / (row * self._most_steps))))

    def rounds(
        self, rows: Array, recording: bool = False, storing: bool = False, merging: bool = True
    ) -> Iterator[Round]:
        """Expands the rows: first those for which all is known, then, after learning, the others.

        `recording` notes origins, groups and events; `storing` makes the rows ready for the visited set; with
        `merging`, a row that a step leads to is what stands for it under the symmetry.
        Between rounds the layout may change; a round's rows are in the layout of its time.
        """
        positions = np.arange(len(rows))
        while len(rows):
            out = self._expand(rows, recording, storing, merging)
            yield Round(rows, positions, out)
            deferred = out.deferred[: len(rows)] == 1
            if not deferred.any():
                return
            misses = [out.misses[c, : out.missed[c]] for c in range(len(out.filled))]
            rows, positions = self._learn(misses, rows)[deferred], positions[deferred]

    def given(self, rows: Array) -> kernels.Chunks:
        """The rows themselves, as if some step had produced them."""
        out = self._reset(len(rows), recording=False, storing=True)
        for chunk in range(len(out.filled)):
            part = rows[chunk * self._chunk : (chunk + 1) * self._chunk]
            out.rows[chunk, : len(part)] = part
            out.filled[chunk] = len(part)
            kernels.hash_rows(self._evaluator.plan, part, 0, len(part), out.hashes[chunk], 0)
        kernels.scatter(out, 0, 1)
        return out

    def _expand(self, rows: Array, recording: bool, storing: bool, merging: bool) -> kernels.Chunks:
        out = self._reset(len(rows), recording, storing)
        evaluator, size = self._evaluator, len(rows)
        groups = len(evaluator.shape.groups)
        ends = np.minimum(size, (np.arange(len(out.filled)) + 1) * self._chunk)
        expand = kernels.expand_together if evaluator.shape.joint else kernels.expand
        plan = evaluator.plan if merging else evaluator.plan._replace(source=evaluator.plan.source[:0])
        while True:
            arguments = (plan, evaluator.memo.arrays, groups, rows, self._chunk, out)
            self._pool.run(partial(expand, *arguments), size * groups)
            if (out.position == ends).all():
                break
            if evaluator.shape.joint:
                self._refuse_more(rows, out, ends)
            out = self._enlarge(out)
        self._most_steps = max(self._most_steps, int(out.filled.sum()) / size)
        if storing:
            self._pool.run(partial(kernels.scatter, out), int(out.filled.sum()))
        return out

    def _refuse_more(self, rows: Array, out: kernels.Chunks, ends: Array) -> None:
        """A state whose groups together have more steps than one group may have would only fill the memory."""
        room = out.rows.shape[1] - out.filled
        for chunk in np.flatnonzero((out.position < ends) & (room > evaluate.MOST_STEPS)):
            what = f"a state has more than {evaluate.MOST_STEPS} steps: what its groups may choose is multiplied"
            state = self._evaluator.state(rows[out.position[chunk]])
            raise Failed(TooWide(what, self._evaluator.shape.place), state)

    def _reset(self, size: int, recording: bool, storing: bool) -> kernels.Chunks:
        chunks = -(-size // self._chunk)
        words = self._evaluator.layout.words
        wanted = (words, recording, storing, self._quota.size)
        if chunks > self._chunks or wanted != (self._words, self._recording, self._storing, self._noted):
            self._chunks, (self._words, self._recording, self._storing, self._noted) = chunks, wanted
            self._buffers = self._allocate(self._capacity)
        out = self._first(chunks)
        out.position[:] = np.arange(chunks) * self._chunk
        out.filled[:] = 0
        out.missed[:] = 0
        out.dead[:size] = 0
        out.deferred[:size] = 0
        return out

    def _first(self, chunks: int) -> kernels.Chunks:
        """The buffers of the first so many chunks."""
        kept = {name: array[:chunks] for name, array in zip(kernels.Chunks._fields[:-2], self._buffers, strict=False)}
        return self._buffers._replace(**kept)

    def _allocate(self, capacity: int) -> kernels.Chunks:
        chunks, words = self._chunks, self._words
        kept, stored = (chunks, capacity if self._recording else 0), capacity if self._storing else 0
        return kernels.Chunks(
            position=np.zeros(chunks, np.int64),
            filled=np.zeros(chunks, np.int64),
            missed=np.zeros(chunks, np.int64),
            misses=np.empty((chunks, self._noted, 2 + self._evaluator.longest_key), np.uint32),
            bounds=np.zeros((chunks, PARTITIONS + 1), np.int64),
            rows=np.empty((chunks, capacity, words), np.uint32),
            hashes=np.empty((chunks, capacity), np.uint64),
            sorted=np.empty((chunks, stored, words), np.uint32),
            sorted_hashes=np.empty((chunks, stored), np.uint64),
            origin=np.empty(kept, np.uint32),
            group=np.empty(kept, np.uint32),
            event=np.empty(kept, np.uint32),
            dead=np.zeros(chunks * self._chunk, np.uint8),
            deferred=np.zeros(chunks * self._chunk, np.uint8),
        )

    def _enlarge(self, out: kernels.Chunks) -> kernels.Chunks:
        """Twice the room for what each chunk produces; what it holds is kept."""
        self._capacity *= 2
        chunks = len(out.filled)
        bigger = self._allocate(self._capacity)
        for name, old, new in zip(kernels.Chunks._fields, out, bigger, strict=True):
            if name in ("rows", "hashes", "origin", "group", "event"):
                new[:chunks, : old.shape[1]] = old
            elif name not in ("sorted", "sorted_hashes", "bounds"):
                new[: len(old)] = old
        self._buffers = bigger
        return self._first(chunks)
