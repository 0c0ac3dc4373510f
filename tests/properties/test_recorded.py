"""What pyModelChecking 1.3.4 says of thousands of random structures (recorded by `record.py`).

Its CTL we must agree with, also on LTL that can be written in CTL. Its LTL has a fault and is wrong both ways, on one
question in twenty or so: `q U (p R (G p))` would hold on a path that never has p for good. So where we differ there,
the tableau has to agree with us, and our lasso must show it.
"""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from tests.properties import tableau
from tests.properties.drawing import arena_of, word_of
from tests.properties.record import COUNTS, FILE, case
from tests.properties.structures import holds_on
from tests.scale import scaled

from homing.properties.ctl import Ctl
from homing.properties.ltl.check import counterexample

RECORDED = json.loads(FILE.read_text(encoding="utf-8"))


def test_ctl() -> None:
    assert len(RECORDED["CTL"]) == COUNTS["CTL"]
    for seed, expected in enumerate(RECORDED["CTL"]):
        structure, formula = case("CTL", seed)
        found = Ctl(arena_of(structure, "never"), ()).states(formula)
        assert sum(1 << int(state) for state in np.flatnonzero(found)) == expected, (seed, str(formula))


@pytest.mark.parametrize("batch", range(scaled(3)))
def test_ltl(batch: int) -> None:
    asked, differing, size = 0, 0, COUNTS["LTL"] // 3
    for seed in range(batch * size, (batch + 1) * size):
        structure, formula = case("LTL", seed)
        for state in range(len(structure.labels)):
            rooted = replace(structure, initial=(state,))
            arena = arena_of(rooted, "never")
            path = counterexample(arena, formula, ())
            asked += 1
            if (path is None) != bool(RECORDED["LTL"][seed] >> state & 1):
                differing += 1
                assert tableau.satisfiable(rooted, ~formula, (), "never") == (path is not None), (seed, str(formula))
            if path is not None:
                assert not holds_on(word_of(rooted, arena, path), formula), (seed, str(formula))
    assert differing < asked // 10


@pytest.mark.parametrize("batch", range(scaled(3)))
def test_ltl_that_is_ctl(batch: int) -> None:
    size = COUNTS["both"] // 3
    for seed in range(batch * size, (batch + 1) * size):
        structure, formula = case("both", seed)
        for state in range(len(structure.labels)):
            arena = arena_of(replace(structure, initial=(state,)), "never")
            holds = counterexample(arena, formula, ()) is None
            assert holds == bool(RECORDED["both"][seed] >> state & 1), (seed, str(formula))
