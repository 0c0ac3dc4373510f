"""What a lazy function reads, value by value."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from homing.core.values import Short, Value


class Reading:
    """Fetches a value when it is looked at; `seen` are the positions of those that were, in that order.

    A pure function that looked at these only would say the same whatever the others are.
    """

    def __init__(self, size: int, fetch: Callable[[int], Value]) -> None:
        self.seen: list[int] = []
        self._size = size
        self._fetch = fetch
        self._known: dict[int, Value] = {}

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, position: int) -> Value:
        if position not in self._known:
            if not 0 <= position < self._size:
                raise IndexError(position)
            self.seen.append(position)  # first: whether it fails depends on it, too
            self._known[position] = self._fetch(position)
        return self._known[position]

    @property
    def short(self) -> Short:
        """Itself, for those who take a tuple for granted and only look things up in it."""
        return cast("Short", self)
