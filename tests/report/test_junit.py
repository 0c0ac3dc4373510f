from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from homing.core.errors import HomingError
from homing.core.verdict import Verdict
from homing.report import junit
from homing.report.outcome import Difference, Outcome
from tests.report.results import report, result


def parse(*outcomes: Outcome) -> ElementTree.Element:
    return ElementTree.fromstring(junit.render(outcomes).encode())


def test_a_suite_a_model_and_a_case_a_property() -> None:
    root = parse(Outcome("m.py", report(result("p"), result("q", Verdict.UNKNOWN, reason="too long"))))
    (suite,) = root
    assert (suite.get("name"), suite.get("tests"), suite.get("errors")) == ("m.py", "2", "1")
    assert suite.get("time") == "0.500"
    assert {entry.get("name"): entry.get("value") for entry in suite.findall("properties/property")} == {
        "distinct": "10",
        "generated": "20",
        "depth": "3",
    }
    good, unknown = suite.findall("testcase")
    assert (good.get("classname"), good.get("name"), good.get("time"), len(good)) == ("m.py", "p", "0.250", 0)
    assert [(child.tag, child.get("message")) for child in unknown] == [("error", "UNKNOWN: too long")]


def test_a_bad_file_is_an_error() -> None:
    root = parse(Outcome("bad.py", error=HomingError("is bad")))
    error = root.find("testsuite/testcase/error")
    assert error is not None
    assert error.get("message") == "is bad"


def test_with_expectations_only_differences_fail() -> None:
    found = report(result("p", Verdict.VIOLATED), result("q"))
    fine = parse(Outcome("m.py", found, differences=()))
    assert fine.get("failures") == "0"
    different = parse(
        Outcome("m.py", found, differences=(Difference("q", "expected VIOLATED"), Difference(None, "distinct")))
    )
    assert [case.get("name") for case in different.iter("testcase") if case.find("failure") is not None] == [
        "q",
        "the model as a whole",
    ]


@given(st.text(st.characters()), st.text(st.characters(codec=None)))
def test_any_name_gives_valid_xml(model: str, name: str) -> None:
    broken = HomingError(f"{name} in {model}")
    root = parse(
        Outcome(model, report(result(name, Verdict.VIOLATED), model=model)),
        Outcome(model, error=broken),
    )
    assert root.get("failures") == "1"
    assert root.get("errors") == "1"
