"""Sizes of buffers. They decide how fast a search is, never what it finds; tests shrink them to reach every edge."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Tuning:
    """The defaults suit state spaces from a handful of states to all that fits in memory."""

    chunk: int = 4096
    """Rows expanded one after the other. Chunks, not threads, decide the order of what is found, so that it does
    not depend on the number of threads."""
    chunks: int = 64
    """Chunks of a batch."""
    quota: int = 512
    """Misses that a chunk notes in the first round."""
    output: int = 256 << 20
    """Bytes for the rows that a batch produces; more steps a state make smaller batches."""
    memo: int = 1 << 30
    """Bytes for what the model returned; above it the memo is emptied before the next batch."""
    parallel: int = 20_000
    """Pieces of work below this number take less time than waking a thread."""


class Quota:
    """How many misses a chunk notes in one round: more, once it turns out that nearly every one asks something new."""

    BYTES = 64 << 20
    """For the misses of a whole batch."""

    def __init__(self, tuning: Tuning, width: int) -> None:
        self.size = tuning.quota
        self._most = max(self.size, self.BYTES // (4 * width * tuning.chunks))

    def adapt(self, noted: list[int], learnt: int) -> None:
        """After a round in which chunks noted so many misses, among which there was so much to learn."""
        if max(noted) >= self.size and 2 * learnt > sum(noted):
            self.size = min(4 * self.size, self._most)
