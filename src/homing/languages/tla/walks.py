"""A few random walks, to see what sets hold; always the same ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from homing.core.errors import HomingError
from homing.core.system import Pure
from homing.core.values import State
from homing.languages.tla.units import GroupUnit

WALKS, STEPS = 8, 24


def seen(states: Sequence[State], groups: Sequence[GroupUnit], slots: Iterable[int]) -> dict[int, set[Any]]:
    """By slot that holds sets, the elements that were met; without slots that turned out to hold something else."""
    found: dict[int, set[Any]] = {slot: set() for slot in slots}
    chance = Random(1)
    for _ in range(WALKS):
        state = chance.choice(states)
        for _ in range(STEPS):
            for slot in list(found):
                if type(value := state[slot]) is frozenset:
                    found[slot] |= value
                else:
                    del found[slot]
            options = list(_successors(state, groups))
            if not options:
                break
            state = chance.choice(options)
    return found


def _successors(state: State, groups: Sequence[GroupUnit]) -> Iterable[State]:
    for group in groups:
        try:
            read = []
            for each in group.reads:
                value = state[each.slot] if each.through is None else each.through(state[each.slot])
                if each.guard and value is False:
                    break
                read.append(value)
            else:
                for step in group.steps(tuple(read)):
                    after = list(state)
                    for slot, written in step.writes.items():
                        after[slot] = written(state[slot]) if isinstance(written, Pure) else written
                    yield tuple(after)
        except (HomingError, RecursionError):
            continue  # whoever checks the model is told
