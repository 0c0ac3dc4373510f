"""Conditions that read much and look at little: asked seldom, and right all the same."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest
from tests.languages.tla.support import check, complaint, counts, verdicts

from homing.engines.local import planning
from homing.languages.tla.conditions import LabelUnit

SPEC = r"""
EXTENDS Integers
VARIABLES pc, x, nxt
P == 1..4
Init == pc = [p \in P |-> "a"] /\ x = [p \in P |-> 0] /\ nxt = [p \in P |-> p]
Go(p) == /\ pc[p] = "a"
         /\ x[p] < 3
         /\ x' = [x EXCEPT ![p] = @ + 1]
         /\ nxt' = [nxt EXCEPT ![p] = 1 + (@ % 4)]
         /\ pc' = [pc EXCEPT ![p] = IF x[p] = 2 THEN "cs" ELSE "a"]
Next == \E p \in P : Go(p)
Sum == x[1] + x[2] + x[3] + x[4]
Late == pc[1] = "cs" => \/ pc[2] = "a"
                        \/ x[nxt[3]] < 3
                        \/ Sum # 11
Few == pc[1] = "cs" => pc[2] = "a" \/ x[nxt[3]] < 3 \/ Sum >= 0
Other == IF pc[3] = "cs" THEN x[4] > 1 => x[nxt[2]] + x[1] >= 0
         ELSE \A p \in {q \in P : pc[q] = "cs"} : nxt[p] # p \/ Sum > 0
Fails == pc[4] = "cs" => \/ x[3] < 2
                         \/ x[nxt[1]] > 0
                         \/ Sum \div x[nxt[1]] > 100
"""
CONFIG = "INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\nINVARIANT "


def test_what_is_looked_at_is_all_that_counts(tmp_path: Path) -> None:
    evaluations = []
    for lazy in (False, True):
        with patch.object(LabelUnit, "lazy", lazy):
            found = check(tmp_path, SPEC, CONFIG + "Few Other")
        assert verdicts(found) == {"Few": "HOLDS", "Other": "HOLDS"}
        assert counts(found) == (256, 769, 13)
        evaluations.append(found.results[0].counts.evaluations)
    assert 2 * evaluations[1] < evaluations[0]


@pytest.mark.parametrize("bits", [0, 4, 14])
def test_a_fault_behind_much_that_is_not_looked_at_is_found(bits: int, tmp_path: Path) -> None:
    with patch.object(planning, "DENSE_BITS", bits):
        found = check(tmp_path, SPEC, CONFIG + "Late")
        assert verdicts(found) == {"Late": "VIOLATED"}
        trace = found.results[0].trace
        assert trace is not None
        assert len(trace.moves) == 11
        said = complaint(tmp_path, SPEC, CONFIG + "Fails")
    assert "division by zero" in said or "by 0" in said


def test_a_list_of_one_conjunct_hides_no_operator(tmp_path: Path) -> None:
    spec = r"""
        EXTENDS Integers
        VARIABLE x
        Up == x < 3 /\ x' = x + 1
        Down == x = 3 /\ x' = 0
        Next == /\ \E n \in {1} : \/ Up
                                  \/ Down
        Spec == x = 0 /\ [][Next]_x /\ WF_x(Up \/ Down)
        Returns == []<>(x = 0)
        Small == x < 2
        """
    found = check(tmp_path, spec, "SPECIFICATION Spec\nINVARIANT Small\nPROPERTY Returns")
    assert verdicts(found) == {"deadlock free": "HOLDS", "Small": "VIOLATED", "Returns": "HOLDS"}
    trace = found.results[1].trace
    assert trace is not None
    assert [move.event.name for move in trace.moves] == ["Up", "Up"]
