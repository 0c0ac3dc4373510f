"""What every comparison hands over: one sentence, a table, plots; and how samples become a mean with its interval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from homing.core.errors import HomingError
from homing.overlay.network import Network, nowhere
from homing.overlay.readers import load
from homing.report.plots import Plot, Series

# Quantiles of Student's t distribution, 97.5 %, for 1 to 30 degrees of freedom.
STUDENT = (
    12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281, 2.2010, 2.1788, 2.1604, 2.1448,
    2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860, 2.0796, 2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484,
    2.0452, 2.0423,
)  # fmt: skip
NORMAL = 1.9600
MOST_SEEDS = 1000
MOST_BROKERS = 200  # some 15 s for one draw of the layers


@dataclass(frozen=True)
class Estimate:
    """A mean and its 95 % confidence interval; one sample has none."""

    mean: float
    low: float = math.nan
    high: float = math.nan

    def __str__(self) -> str:
        if math.isnan(self.mean):
            return "-"
        places = _places(self.mean)
        around = "" if math.isnan(self.low) else f" ±{self.high - self.mean:,.{places}f}"
        return f"{self.mean:,.{places}f}{around}"

    def as_data(self) -> dict[str, float | None]:
        return {name: None if math.isnan(value) else value for name, value in vars(self).items()}


Cell = str | int | float | Estimate


@dataclass(frozen=True)
class Comparison:
    """A finding, the table behind it, and its plots."""

    what: str
    finding: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...]
    plots: tuple[Plot, ...]

    def as_data(self) -> dict[str, Any]:
        rows = [
            {name: cell.as_data() if isinstance(cell, Estimate) else cell for name, cell in zip(self.columns, row)}
            for row in self.rows
        ]
        return {"what": self.what, "finding": self.finding, "rows": rows, "notes": list(self.notes)}


def estimate(samples: Sequence[float]) -> Estimate:
    """The mean with its interval by Student's t, which asks that samples are independent: one a network."""
    count = len(samples)
    mean = math.fsum(samples) / count
    if count == 1:
        return Estimate(mean)
    variance = math.fsum((sample - mean) ** 2 for sample in samples) / (count - 1)
    quantile = STUDENT[count - 2] if count - 2 < len(STUDENT) else NORMAL * (1 + 1.2 / (count - 1))
    half = quantile * math.sqrt(variance / count)
    return Estimate(mean, mean - half, mean + half)


def drawn(source: str, seeds: int) -> list[Network]:
    """The networks that one word stands for: `random:32:64` without a seed is as many as there are seeds."""
    if not 1 <= seeds <= MOST_SEEDS:
        raise HomingError(f"--seeds goes from 1 to {MOST_SEEDS}, and {seeds} was given")
    many = source.startswith("random:") and "seed=" not in source
    networks = [load(f"{source}:seed={seed}") for seed in range(1, seeds + 1)] if many else [load(source)]
    brokers = len(networks[0].brokers)
    if brokers > MOST_BROKERS:
        raise HomingError(
            f"every pair is followed under every failure: at most {MOST_BROKERS} brokers, not {brokers}",
            nowhere(networks[0].name),
        )
    return networks


def line(label: str, x: Sequence[float], points: Sequence[Estimate], kind: str = "line") -> Series:
    """Estimates as a series with its intervals."""
    return Series(label, x, [p.mean for p in points], [p.low for p in points], [p.high for p in points], kind)


def number(value: float) -> str:
    """At least three digits, without an exponent."""
    return f"{value:,.{_places(value)}f}"


def _places(value: float) -> int:
    """Decimals that leave three digits that count."""
    if value == 0 or not math.isfinite(value):
        return 0
    return max(0, 2 - math.floor(math.log10(abs(value))))
