"""Where Homing and TLC once disagreed; found by random specifications and a second look. The numbers are TLC's."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.languages.tla.support import check, counts, verdicts, write

import homing
from homing import checking
from homing.core.result import Distribution, Options
from homing.languages.tla import load_one

QUEUE = """
EXTENDS Naturals, Sequences
VARIABLE log
Init == log = <<>>
Next == Len(log) < 2 /\\ log' = Append(log, 1)
Spec == Init /\\ [][Next]_log /\\ WF_log(Next)
Open == Len(log) > 0 /\\ log[Len(log)] = 1
Closed == ~Open
Reached == <>Open
Again == Open ~> ~Open
Wrong == log = <<>> /\\ Len(log) > 1 /\\ Head(log) = 1
First == Len(log) < 2 /\\ Head(log) = 1
"""


def test_a_conjunct_is_not_asked_where_one_before_it_is_false(tmp_path: Path) -> None:
    config = """
        SPECIFICATION Spec
        INVARIANTS Closed Open Wrong
        PROPERTIES Reached Again
        CHECK_DEADLOCK FALSE
    """
    found = verdicts(check(tmp_path, QUEUE, config))
    assert found == {
        "Closed": "VIOLATED", "Open": "VIOLATED", "Wrong": "VIOLATED", "Reached": "HOLDS", "Again": "VIOLATED"
    }  # fmt: skip


def test_a_conjunct_that_fails_where_those_before_it_are_true_is_an_error(tmp_path: Path) -> None:
    report = check(tmp_path, QUEUE, "SPECIFICATION Spec\nINVARIANT First\nCHECK_DEADLOCK FALSE")
    assert report.error is not None
    assert "Head" in str(report.error)


def test_a_constraint_is_asked_from_left_to_right(tmp_path: Path) -> None:
    spec = QUEUE + "Within == Len(log) = 0 \\/ (Len(log) > 0 /\\ Head(log) = 1)\nStart == log = <<>> /\\ Len(log) < 1\n"
    report = check(tmp_path, spec, "SPECIFICATION Spec\nCONSTRAINTS Within Start\nCHECK_DEADLOCK FALSE")
    assert counts(report) == (1, 2, 1)


CHOICES = """
EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\\ y = 0
{next}
"""


@pytest.mark.parametrize(
    ("action", "wanted"),
    [
        # All variables have their values: what follows is a test, whose ways to be true are not counted.
        ("x' = 1 - x /\\ y' = y /\\ (x' = x' \\/ y' = 0)", (2, 3, 2)),
        ("x' = 1 - x /\\ y' = y /\\ (\\E i \\in 0..3 : i >= x')", (2, 3, 2)),
        ("x' = 1 - x /\\ (TRUE \\/ y = 0) /\\ y' = y", (2, 5, 2)),
        ("x' = 1 - x /\\ (IF x = 0 THEN y' = y ELSE (y' = 1 \\/ y' = 0)) /\\ (\\E i \\in 0..3 : i >= x')", (4, 7, 4)),
        ("x' = 1 - x /\\ (x = 0 => y' = 1) /\\ (x # 0 => (y' = 0 \\/ y' = 1))", (3, 5, 3)),
    ],
)
def test_generated_states(tmp_path: Path, action: str, wanted: tuple[int, int, int]) -> None:
    spec = CHOICES.format(next=f"Next == {action}")
    assert counts(check(tmp_path, spec, "INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE")) == wanted


def test_a_subset_of_a_set_is_a_choice(tmp_path: Path) -> None:
    spec = """
        VARIABLE s
        Init == s \\subseteq {1, 2}
        Next == s' \\subseteq s
    """
    assert counts(check(tmp_path, spec, "INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE")) == (4, 13, 1)


COUNTER = """
EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == x' = x + 1
Spec == Init /\\ [][Next]_x /\\ WF_x(Next)
Low == x < 3
LowNext == x' < 3
Below == [][x' < 3]_x
Reaches == <>(x = 3)
"""


@pytest.mark.parametrize("constraint", ["CONSTRAINT Low", "ACTION_CONSTRAINT LowNext"])
def test_steps_that_a_constraint_forbids_are_looked_at(tmp_path: Path, constraint: str) -> None:
    report = check(tmp_path, COUNTER, f"SPECIFICATION Spec\n{constraint}\nPROPERTY Below\nCHECK_DEADLOCK FALSE")
    (result,) = report.results
    assert result.verdict.name == "VIOLATED"
    assert result.trace is not None
    assert [state for (state,) in result.trace.states] == [0, 1, 2, 3]


@pytest.mark.parametrize("constraint", ["CONSTRAINT Low", "ACTION_CONSTRAINT LowNext"])
def test_what_a_constraint_forbids_is_enabled_all_the_same(tmp_path: Path, constraint: str) -> None:
    """No behaviour within the constraint is fair, so there is none that breaks the property."""
    report = check(tmp_path, COUNTER, f"SPECIFICATION Spec\n{constraint}\nPROPERTY Reaches\nCHECK_DEADLOCK FALSE")
    assert verdicts(report) == {"Reaches": "HOLDS"}


VOTES = """
EXTENDS Naturals, FiniteSets, TLC
CONSTANT P
VARIABLES vote, last
vars == <<vote, last>>
Init == vote = [p \\in P |-> 0] /\\ last \\in P
Vote(p) == vote[p] < 2 /\\ vote' = [vote EXCEPT ![p] = @ + 1] /\\ last' = p
Next == \\E p \\in P : Vote(p)
Spec == Init /\\ [][Next]_vars
Symmetry == Permutations(P)
One == [][\\E p \\in P : vote' = [vote EXCEPT ![p] = @ + 1] /\\ last' = p]_vars
Turns == [][last' # last]_vars
Always == <>(\\A p \\in P : vote[p] = 2)
"""


def test_a_condition_on_steps_is_decided_under_symmetry(tmp_path: Path) -> None:
    config = """
        CONSTANT P = {p1, p2, p3}
        SPECIFICATION Spec
        SYMMETRY Symmetry
        PROPERTIES One Turns Always
        CHECK_DEADLOCK FALSE
    """
    report = check(tmp_path, VOTES, config)
    assert verdicts(report) == {"One": "HOLDS", "Turns": "VIOLATED", "Always": "UNKNOWN"}
    trace = report.results[1].trace
    assert trace is not None
    assert len(trace.moves) == 1


ABSTRACT = """
---- MODULE Abstract ----
VARIABLES active, done
Finish == ~active /\\ done' = TRUE /\\ UNCHANGED active
Spec == WF_<<active, done>>(Finish)
CanFinish == [](ENABLED Finish)
====
"""
CONCRETE = """
EXTENDS Naturals
VARIABLES active, token
done == token = 0 /\\ ~active
Init == active \\in BOOLEAN /\\ token = 2
Stop == active /\\ active' = FALSE /\\ UNCHANGED token
Pass == token > 0 /\\ token' = token - 1 /\\ UNCHANGED active
Spec == Init /\\ [][Stop \\/ Pass]_<<active, token>> /\\ WF_<<active, token>>(Pass)
A == INSTANCE Abstract
Refines == A!Spec
Can == A!CanFinish
Loose == (Init /\\ [][Stop \\/ Pass]_<<active, token>>)
"""


def test_enabled_of_an_instance_may_choose_the_next_value_of_what_stands_for_its_variable(tmp_path: Path) -> None:
    (tmp_path / "Abstract.tla").write_text(ABSTRACT.lstrip(), "utf-8")
    config = "SPECIFICATION {spec}\nPROPERTIES Refines Can\nCHECK_DEADLOCK FALSE"
    report = check(tmp_path, CONCRETE, config.format(spec="Spec"))
    assert verdicts(report) == {"Refines": "HOLDS", "Can": "VIOLATED"}
    report = check(tmp_path, CONCRETE, config.format(spec="Loose"))
    assert verdicts(report) == {"Refines": "VIOLATED", "Can": "VIOLATED"}


def test_a_replacement_may_call_what_it_replaces_through_an_instance(tmp_path: Path) -> None:
    base = """
        EXTENDS Naturals
        VARIABLE x
        Step(n) == n + 1
        Init == x = 0
        Next == x < 4 /\\ x' = Step(x)
    """
    write(tmp_path, base, "", "Base")
    spec = """
        EXTENDS Base
        Twice(n) == LET B == INSTANCE Base IN B!Step(n) + 1
    """
    config = write(tmp_path, spec, "INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\nCONSTANT Step <- Twice")
    assert counts(checking.check(load_one(config), options=Options(threads=1))) == (3, 3, 3)


def test_an_update_asks_only_for_what_it_needs(tmp_path: Path) -> None:
    """Nothing is in the set, so the head of the empty sequence is never wanted."""
    spec = """
        EXTENDS Naturals, Sequences
        VARIABLES q, s
        Init == q = <<>> /\\ s = {}
        Next == s' = {m \\in s : Len(q) > 0 /\\ Head(q) # m} /\\ UNCHANGED q
    """
    assert counts(check(tmp_path, spec, "INIT Init\nNEXT Next")) == (1, 2, 1)


BEYOND = """
EXTENDS Naturals
VARIABLES x, f
Init == x = 0 /\\ f = [i \\in 1..2 |-> 0]
Next == x' = x + 1 /\\ f' = [f EXCEPT ![1] = x]
Low == x < 2
LowNext == x' < 2
Small == x < 2 /\\ f[2] = 0
Smaller == x < 3
First == f[1] < 1
Always == [](x < 2)
True == TRUE
Never == x < 1 /\\ f[1] = 0
"""


@pytest.mark.parametrize("engine", ["local", "symbolic", "spark"])
@pytest.mark.parametrize("constraint", ["CONSTRAINT Low", "ACTION_CONSTRAINT LowNext"])
def test_invariants_count_where_a_forbidden_step_leads(tmp_path: Path, constraint: str, engine: str) -> None:
    config = f"""
        INIT Init
        NEXT Next
        {constraint}
        INVARIANTS Small Smaller First True Never
        PROPERTY Always
        CHECK_DEADLOCK FALSE
    """
    spread = Distribution(partitions=2, folder=str(tmp_path / "run"))
    model = homing.load(write(tmp_path, BEYOND, config))
    report = model.check(engine=engine, options=Options(threads=1, distribution=spread))
    assert counts(report) == (2, 3, 2)
    assert verdicts(report) == {
        "Small": "VIOLATED", "Smaller": "HOLDS", "First": "VIOLATED", "True": "HOLDS", "Never": "VIOLATED",
        "Always": "VIOLATED",
    }  # fmt: skip


def test_an_invariant_that_fails_where_a_forbidden_step_leads_is_an_error_or_unknown(tmp_path: Path) -> None:
    spec = BEYOND + "Fails == x < 2 \\/ f[3] = 0\n"
    config = "INIT Init\nNEXT Next\nACTION_CONSTRAINT LowNext\nINVARIANT Fails\nCHECK_DEADLOCK FALSE"
    (result,) = check(tmp_path, spec, config).results
    assert result.verdict.name == "UNKNOWN"
    assert "3" in (result.reason or "")


@pytest.mark.parametrize("junction", ["x /\\ TRUE", "TRUE /\\ x", "x \\/ FALSE", "FALSE \\/ x", "\n  /\\ x"])
def test_a_number_is_no_condition_also_where_the_rest_is_known(tmp_path: Path, junction: str) -> None:
    """TLC: `Attempted to evaluate an expression of form P /\\ Q when P was an integer`."""
    spec = f"""
VARIABLE x
Init == x = 0
Next == x' = 1
Value == ({junction})
P == [][UNCHANGED Value]_x
"""
    report = check(tmp_path, spec, "INIT Init\nNEXT Next\nPROPERTY P\nCHECK_DEADLOCK FALSE")
    (result,) = report.results
    assert result.verdict.name == "UNKNOWN"
    assert "boolean is wanted" in (result.reason or "")


ABLE = """
EXTENDS Naturals
VARIABLES x, y
Able == ENABLED (x = 1 /\\ x' = 3)
Init == x \\in 0..2 /\\ y = (IF Able THEN 5 ELSE 6) /\\ (x = 0 \\/ Able)
Next == x' = x /\\ y' = y
Right == x < 2 /\\ y = 6 - x
"""


def test_enabled_in_init_speaks_of_the_initial_state(tmp_path: Path) -> None:
    report = check(tmp_path, ABLE, "INIT Init\nNEXT Next\nINVARIANT Right")
    assert counts(report) == (2, 4, 1)
    assert verdicts(report) == {"deadlock free": "HOLDS", "Right": "HOLDS"}
