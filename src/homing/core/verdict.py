"""Three verdicts; the worst wins."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum


class Verdict(IntEnum):
    """Ordered from best to worst, so that the worst of several is their maximum."""

    HOLDS = 0
    UNKNOWN = 1
    VIOLATED = 2

    def __str__(self) -> str:
        return self.name

    @property
    def exit_code(self) -> int:
        """0 all hold, 1 violated, 2 unknown (3 is kept for bad input)."""
        return {Verdict.HOLDS: 0, Verdict.VIOLATED: 1, Verdict.UNKNOWN: 2}[self]


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """The worst of the verdicts; UNKNOWN when there is none, since nothing was checked."""
    return max(verdicts, default=Verdict.UNKNOWN)
