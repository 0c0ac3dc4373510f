"""Threads for the kernels, which run outside Python's lock."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor


class Pool:
    """Runs a kernel once a thread, each on its share."""

    def __init__(self, threads: int, worth: int) -> None:
        self.threads = threads
        self._worth = worth
        self._executor = ThreadPoolExecutor(threads) if threads > 1 else None

    def run(self, share: Callable[[int, int], None], items: int) -> None:
        """Calls `share(n, of)` for n in 0 .. of - 1; with one thread when the items are few."""
        if self._executor is None or items < self._worth:
            share(0, 1)
            return
        futures = [self._executor.submit(share, n, self.threads) for n in range(self.threads)]
        for future in futures:
            future.result()

    def close(self) -> None:
        """Ends the threads; whoever still has work, such as a label of the graph, does it in its own."""
        if self._executor is not None:
            self._executor.shutdown()
            self._executor = None
