"""What pyModelChecking says of random structures (`tests/properties/record.py`), asked of sets of states."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from tests.engines.symbolic.structures import Explored, Kind, described, learnt
from tests.properties import tableau
from tests.properties.record import FILE, case
from tests.scale import scaled

from homing.engines.symbolic.ctl import Ctl
from homing.engines.symbolic.ltl import satisfying

RECORDED = json.loads(FILE.read_text(encoding="utf-8"))
KINDS = pytest.mark.parametrize("kind", [learnt, described])


@KINDS
def test_ctl(kind: Kind) -> None:
    for seed in range(min(scaled(200), len(RECORDED["CTL"]))):
        structure, formula = case("CTL", seed)
        explored = Explored(structure, kind)
        found = Ctl(explored.arena, ()).states(explored.formula(formula))
        assert sum(1 << state for state in explored.numbers(found)) == RECORDED["CTL"][seed], (seed, str(formula))


@KINDS
def test_ltl_that_is_ctl(kind: Kind) -> None:
    for seed in range(min(scaled(60), len(RECORDED["both"]))):
        structure, formula = case("both", seed)
        explored = Explored(structure, kind)
        for state in explored.each():
            holds = satisfying(explored.arena, ~explored.formula(formula), ()) is None
            assert holds == bool(RECORDED["both"][seed] >> state & 1), (seed, state, str(formula))


@KINDS
def test_ltl(kind: Kind) -> None:
    """Where it is wrong, as it is every so often, the tableau has to agree with us."""
    asked = differing = 0
    for seed in range(min(scaled(60), len(RECORDED["LTL"]))):
        structure, formula = case("LTL", seed)
        explored = Explored(structure, kind)
        for state in explored.each():
            holds = satisfying(explored.arena, ~explored.formula(formula), ()) is None
            asked += 1
            if holds != bool(RECORDED["LTL"][seed] >> state & 1):
                differing += 1
                rooted = replace(structure, initial=(state,))
                assert tableau.satisfiable(rooted, ~formula, (), "never") != holds, (seed, state, str(formula))
    assert differing <= asked // 5
