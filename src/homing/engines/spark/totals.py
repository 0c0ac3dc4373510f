"""What all rounds of a run took together, and how it is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol


class Timed(Protocol):
    """What came of a task."""

    @property
    def seconds(self) -> float: ...


@dataclass
class Totals:
    """Sums over all rounds."""

    rounds: int = 0
    initial: int = 0
    evaluations: int = 0
    steps: int = 0
    crossing: int = 0
    loaded: int = 0
    splits: int = 0
    seconds: float = 0.0
    worked: float = 0.0
    """Seconds that tasks took, summed."""

    def told(self, outcomes: Sequence[Timed], partitions: int) -> str:
        """How the last round went, in a line."""
        busy = [outcome.seconds for outcome in outcomes]
        skew = max(busy) * len(busy) / max(sum(busy), 1e-9)
        crossing = f"{self.crossing / max(self.steps, 1):.0%} crossing"
        return f"round {self.rounds}, {len(outcomes)} of {partitions} partitions, {crossing}, skew {skew:.1f}"

    def measures(self, sizes: Sequence[int], partitions: int) -> dict[str, Any]:
        """The sums and what follows from them, as JSON; how many states each partition has is given."""
        states = sum(sizes)
        return asdict(self) | {
            "partitions": partitions,
            "crossing_ratio": round(self.crossing / max(self.steps, 1), 4),
            "skew": round(max(sizes, default=0) * partitions / max(states, 1), 2),
            "states_by_partition": list(sizes),
            "states_per_second": round(states / max(self.seconds, 1e-9)),
        }
