"""Fairness as bits on edges: what a cycle must have, and what it must have if it has something else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from homing.core.formula import Formula
from homing.core.temporal import Compassion, Fairness, Justice, Strong, StrongGlobal, Weak
from homing.properties import kernels
from homing.properties.arena import Arena

Array = NDArray[Any]
WORD = 64


@dataclass(frozen=True, eq=False)
class Word:
    """Up to 64 conditions of one kind, each a bit: a cycle with the bit in `need` must have it in `give`.

    Without `need`, every cycle needs all bits: generalised Büchi. With it: Streett.
    """

    bits: Array
    """One number: the bits in use."""
    give: Array
    need: Array | None = None


@dataclass(frozen=True, eq=False)
class Conditions:
    """All of fairness, by edge of an arena."""

    words: tuple[Word, ...] = ()
    everywhere: bool = False
    """Strong global fairness: every step of every state of the cycle."""

    def __bool__(self) -> bool:
        return bool(self.words) or self.everywhere


def conditions_of(arena: Arena, fairness: tuple[Fairness, ...]) -> Conditions:
    """The fairness as bits; properties mostly share it, so the arena keeps the last."""
    if arena.kept.get("fairness") != fairness:
        arena.kept.update({"fairness": fairness, "conditions": _conditions(arena, fairness)})
    found = arena.kept["conditions"]
    assert isinstance(found, Conditions)
    return found


def is_feasible(arena: Arena, fairness: tuple[Fairness, ...]) -> bool:
    """Whether every path can surely go on fairly. Fairness of actions can always be kept where an end is no obstacle:
    by taking turns with what is enabled (machine closure; Abadi and Lamport, "An old-fashioned recipe for real time",
    1994)."""
    return arena.stuttering != "never" and not any(isinstance(entry, Justice | Compassion) for entry in fairness)


def _conditions(arena: Arena, fairness: tuple[Fairness, ...]) -> Conditions:
    """Weak fairness is generalised Büchi (taken or disabled), strong fairness is Streett."""
    fairness = tuple(dict.fromkeys(fairness))
    buchi = [entry for entry in fairness if isinstance(entry, Weak | Justice)]
    streett = [entry for entry in fairness if isinstance(entry, Strong | Compassion)]
    words = [_word(arena, buchi[low : low + WORD], False) for low in range(0, len(buchi), WORD)]
    words += [_word(arena, streett[low : low + WORD], True) for low in range(0, len(streett), WORD)]
    return Conditions(tuple(words), any(isinstance(entry, StrongGlobal) for entry in fairness))


def _word(arena: Arena, entries: list[Any], strong: bool) -> Word:
    give = np.zeros(len(arena.target), np.uint64)
    need = np.zeros(len(arena.target) if strong else 0, np.uint64)
    for number, entry in enumerate(entries):
        bit = np.array([1 << number], np.uint64)
        match entry:
            case Weak(action=action) | Strong(action=action):
                kind, listed = arena.kinds(action)
                kernels.mark_fair(arena.start, arena.target, arena.group, kind, listed, strong, bit, need, give)
            case Justice(formula=formula):
                _set(give, arena, formula, bit)
            case Compassion(when=when, then=then):
                _set(need, arena, when, bit)
                _set(give, arena, then, bit)
    bits = np.array([(1 << len(entries)) - 1], np.uint64)
    return Word(bits, give, need if strong else None)


def _set(marks: Array, arena: Arena, formula: Formula, bit: Array) -> None:
    marks[arena.on_edges(formula)] |= bit[0]


def explain(arena: Arena, fairness: Iterable[Fairness], edges: Array) -> list[str]:
    """How a cycle of these edges is fair, a sentence a condition."""
    notes = []
    for entry in dict.fromkeys(fairness):
        match entry:
            case Weak(action=action) | Strong(action=action):
                taken, enabled = arena.steps(action)
                on = enabled[arena.source[edges]]
                if taken[edges].any():
                    how = "taken in the loop"
                elif not on.any():
                    how = "never enabled in the loop"
                else:
                    how = "disabled in the loop again and again"
            case Justice():
                how = "true in the loop"
            case Compassion(when=when, then=then):
                happens = arena.on_edges(when)[edges].any()
                how = f"{then} in the loop" if happens else f"never {when} in the loop"
            case _:
                how = "every step from every state of the loop is taken in the loop"
        notes.append(f"{entry}: {how}")
    return notes
