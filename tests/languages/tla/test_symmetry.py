"""Permutations of model values, as permutations of states."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from tests.languages.tla.support import check, write

from homing import checking
from homing.core.errors import HomingError, Place
from homing.core.model import Model
from homing.core.result import Counts
from homing.core.system import Shape
from homing.languages.tla import load_one, symmetry

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


def _all_of(count: int) -> list[symmetry.Image]:
    names = [b"m%d" % number for number in range(count)]
    return [{old: new for old, new in zip(names, row) if old != new} for row in itertools.permutations(names)]


def test_a_group_is_generated_by_few_of_its_elements(monkeypatch: pytest.MonkeyPatch) -> None:
    """All permutations of a set are given, and each is multiplied with a few of them, not with all."""
    product = Mock(side_effect=symmetry._product)
    monkeypatch.setattr(symmetry, "_product", product)
    assert len(symmetry._generated(_all_of(6), Place("M.cfg", 1, 1))) == 719
    assert product.call_count < 20 * 720


def test_elements_of_a_group_have_one_order() -> None:
    given = _all_of(4)
    place = Place("M.cfg", 1, 1)
    assert symmetry._generated(given, place) == symmetry._generated(given[::-1], place)


def test_a_group_that_is_too_large_is_refused(tmp_path: Path) -> None:
    config = CONFIG.replace("c1, c2, c3", "c1, c2, c3, c4, c5, c6, c7")
    with pytest.raises(HomingError, match=r"\.cfg:1:\d+: SYMMETRY generates more than 5040 permutations"):
        load_one(write(tmp_path, SPEC, config))


@pytest.mark.parametrize(
    ("declared", "words"),
    [("SYMMETRY Symmetry", "the symmetry that the model declares is none"), ("", "this is a bug in Homing")],
)
def test_a_symmetry_is_named_as_the_cause_where_a_trace_cannot_be_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, declared: str, words: str
) -> None:
    monkeypatch.setattr("homing.engines.local.engine.decides", lambda *_: False)
    never = SPEC + "Never == sent = {}\n"
    config = CONFIG.replace("SYMMETRY Symmetry", declared) + "\nINVARIANT Never\n"
    report = check(tmp_path, never, config)
    assert {result.property: result.verdict.name for result in report.results}["Never"] == "UNKNOWN"
    assert words in str(report.error)
