"""Permutations of model values, as permutations of states."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.languages.tla.support import write

from homing import checking
from homing.core.model import Model
from homing.core.result import Counts
from homing.core.system import Shape
from homing.languages.tla import load_one

SPEC = """
EXTENDS Naturals, TLC
CONSTANTS C, N
VARIABLES owner, sent
Init == owner = [c \\in C |-> "none"] /\\ sent = {}
Take(c, n) == owner[c] = "none" /\\ owner' = [owner EXCEPT ![c] = n] /\\ sent' = sent \\cup {[to |-> c, about |-> n]}
Give(c) == owner[c] /= "none" /\\ owner' = [owner EXCEPT ![c] = "none"] /\\ UNCHANGED sent
Next == \\E c \\in C : Give(c) \\/ \\E n \\in N : Take(c, n)
Sound == \\A m \\in sent : m.to \\in C
Symmetry == Permutations(C) \\cup Permutations(N)
"""
CONFIG = "CONSTANTS C = {c1, c2, c3} N = {n1, n2} INIT Init NEXT Next SYMMETRY Symmetry CHECK_DEADLOCK FALSE"


class _Reshaped:
    """A system with another shape."""

    def __init__(self, system: Any, shape: Shape) -> None:
        self._system = system
        self.shape = shape

    def __getattr__(self, name: str) -> Any:
        return getattr(self._system, name)


def _counts(model: Model) -> Counts:
    return checking.check(model).results[0].counts


def test_products_are_one_permutation_after_the_other(tmp_path: Path) -> None:
    system = load_one(write(tmp_path, SPEC, CONFIG)).system
    elements = system.shape.symmetry
    assert len(elements) == 11
    (state,) = system.initial()
    owners = (b"n1", b"n2", "none")
    for slot in range(3):
        state = (*state[:slot], owners[slot], *state[slot + 1 :])
    for one in elements:
        for then, product in zip(elements, one.products, strict=True):
            assert then(one(state)) == (state if product < 0 else elements[product](state))


def test_products_change_no_count(tmp_path: Path) -> None:
    model = load_one(write(tmp_path, SPEC, CONFIG + " INVARIANT Sound"))
    shape = model.system.shape
    alone = replace(shape, symmetry=tuple(replace(element, products=()) for element in shape.symmetry))
    with_, without = (replace(model, system=_Reshaped(model.system, each)) for each in (shape, alone))
    one, other = _counts(with_), _counts(without)
    assert (one.distinct, one.generated, one.depth) == (other.distinct, other.generated, other.depth)
