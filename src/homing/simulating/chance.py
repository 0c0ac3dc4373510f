"""Random walks that a seed repeats, on any machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random, SystemRandom

from homing.core.system import Event
from homing.simulating.walk import Choice, Walk

SEEDS = 1_000_000
"""Seeds that nobody chose are below this: short enough to be typed."""


def any_seed() -> int:
    """A seed for those who give none."""
    return SystemRandom().randrange(SEEDS)


class Chance:
    """Picks, each choice with the same probability."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._random = Random(seed)

    def pick(self, choices: Sequence[Choice]) -> Choice:
        """One of them, whatever order they are in: that of a model in Python may differ from run to run."""
        ordered = sorted(choices, key=lambda choice: choice.key)
        # Of all that Random offers, only `random` promises the same numbers in every version of Python.
        return ordered[int(self._random.random() * len(ordered))]


def wander(walk: Walk, chance: Chance, steps: int, until: Callable[[Event], bool] | None = None) -> bool:
    """So many random steps, or fewer when one shows what is waited for or none is possible; whether one did show it."""
    if not walk.states:
        walk.take(chance.pick(walk.choices()))
    for _ in range(steps):
        choices = walk.choices()
        if not choices:
            break
        walk.take(chance.pick(choices))
        if until is not None and until(walk.moves[-1].event):
            return True
    return False
