"""What came of a claim follows from what was measured, and from nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from homing.core.errors import HomingError
from homing.reproducing.claims import Claim, Evidence, Finding, Question, Record, read
from homing.reproducing.judging import Confirmed, Mark, judge, shown
from homing.reproducing.measures import Measured, names
from homing.reproducing.running import Reproduction

QUESTION = Question("check", {})


def claim(published: dict[str, Any] | None, because: str = "a reason") -> Claim:
    return Claim("paper", "it works", "Table 1", published, QUESTION, because)


def measured(vacuous: str | None = None, unknown: str | None = None, **facts: Any) -> Measured:
    return Measured(facts, "as found", "homing check x", vacuous=vacuous, unknown=unknown)


@pytest.mark.parametrize(
    ("published", "found", "mark"),
    [
        ({"verdict": "valid"}, measured(verdict="HOLDS"), Mark.AGREES),
        ({"verdict": "not valid"}, measured(verdict="VIOLATED"), Mark.AGREES),
        ({"verdict": "valid"}, measured(verdict="VIOLATED"), Mark.DIFFERS),
        ({"verdict": "violated"}, measured(verdict="HOLDS"), Mark.DIFFERS),
        ({"verdict": "valid"}, measured(verdict="HOLDS", vacuous="at once"), Mark.VACUOUS),
        ({"verdict": "valid"}, measured(verdict="UNKNOWN", unknown="time"), Mark.UNKNOWN),
        ({"distinct": 968, "depth": 18}, measured(distinct=968, depth=18, verdict="HOLDS"), Mark.AGREES),
        ({"distinct": 968, "depth": 18}, measured(distinct=968, depth=17), Mark.DIFFERS),
        ({"distinct": 968}, measured(), Mark.DIFFERS),
        (None, measured(verdict="VIOLATED"), Mark.STRONGER),
    ],
)
def test_marks(published: dict[str, Any] | None, found: Measured, mark: Mark) -> None:
    assert judge(claim(published), found).mark is mark


def test_a_reason_is_only_given_where_there_is_no_agreement() -> None:
    assert judge(claim({"verdict": "valid"}), measured(verdict="HOLDS")).note == ""
    assert judge(claim({"verdict": "valid"}), measured(verdict="VIOLATED")).note == "a reason"


def test_what_differs_is_shown_by_the_names_of_what_was_published() -> None:
    judged = judge(claim({"distinct": 491, "transitions": 987}), measured(distinct=145, transitions=289, depth=29))
    assert (judged.published, judged.found) == ("491 distinct, 987 transitions", "145 distinct, 289 transitions")


def test_facts_in_a_line() -> None:
    facts = {
        "verdict": "valid",
        "distinct": 23312,
        "depth": 18,
        "a trace": True,
        "array": ["1 2", "2 1"],
        "path": "1-2",
    }
    assert shown(facts) == "valid, 23,312 distinct, depth 18, a trace, array 1 2 / 2 1, path 1-2"


def test_a_finding_whose_evidence_fails_is_not_shown() -> None:
    finding = Finding("paper", "it breaks", (Evidence(QUESTION, {"verdict": "VIOLATED", "steps": 8}),))
    assert Confirmed(finding, (measured(verdict="VIOLATED", steps=8),)).holds
    assert not Confirmed(finding, (measured(verdict="HOLDS"),)).holds
    assert not Confirmed(finding, (measured(verdict="VIOLATED", steps=9),)).holds


def test_exit_codes() -> None:
    done = Reproduction(Record((), (), ()))
    assert done.exit_code == 0
    done.findings.append(Confirmed(Finding("p", "t", (Evidence(QUESTION, {"verdict": "HOLDS"}),)), (measured(),)))
    assert done.exit_code == 1
    done.claims.append(judge(claim(None), measured(unknown="time")))
    assert done.exit_code == 2


def test_a_measure_that_fails_leaves_its_claim_unknown() -> None:
    missing = Claim("p", "t", "s", {"verdict": "valid"}, Question("check", {"model": "models/none.csp"}), "")
    (judged,) = Reproduction(Record((), (missing,), ())).measure_claims("p", lambda progress: None)
    assert judged.mark is Mark.UNKNOWN
    assert "models/none.csp" in judged.note


def test_an_interrupted_run_measures_nothing_more() -> None:
    asked = Claim("p", "t", "s", None, QUESTION, "")
    (judged,) = Reproduction(Record((), (asked,), ()), lambda: True).measure_claims("p", lambda progress: None)
    assert (judged.mark, judged.note) == (Mark.UNKNOWN, "interrupted")


def test_unknown_papers_are_refused_with_those_that_are_known() -> None:
    with pytest.raises(HomingError, match=r"unknown paper 'kafka'.*kafka-csp"):
        read().only(["kafka"])


def test_every_question_has_a_measure() -> None:
    assert {question.by for question in read().questions()} <= set(names())
