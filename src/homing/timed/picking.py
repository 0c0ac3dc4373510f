"""Numbers that are easy to read, out of an interval."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor


@dataclass(frozen=True)
class Interval:
    """From `low` to `high`, or without end; which of them are inside."""

    low: Fraction
    open_low: bool
    high: Fraction | None
    open_high: bool

    def __contains__(self, number: Fraction) -> bool:
        if number < self.low or (self.open_low and number == self.low):
            return False
        return self.high is None or number < self.high or (not self.open_high and number == self.high)


def simplest(interval: Interval) -> Fraction:
    """The least integer of an interval that is not empty, or else a number with the least denominator."""
    denominator = 1
    while True:
        # The least multiple of 1 / denominator that is inside, if there is one.
        scaled = interval.low * denominator
        least = floor(scaled) + 1 if interval.open_low else ceil(scaled)
        if (number := Fraction(least, denominator)) in interval:
            return number
        denominator += 1
