"""Results as JUnit XML: a test suite a model, a test case a property."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree import ElementTree

from homing.core.result import Report, Result
from homing.core.verdict import Verdict
from homing.report import traces
from homing.report.outcome import Outcome
from homing.report.wording import lines, remark


def render(outcomes: Iterable[Outcome]) -> str:
    """The document that `--junit` writes; with expectations, a failure is a difference from them."""
    root = ElementTree.Element("testsuites", name="homing")
    for outcome in outcomes:
        suite = _suite(outcome)
        root.append(suite)
    for name in ("tests", "failures", "errors"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    ElementTree.indent(root)
    return "<?xml version='1.0' encoding='utf-8'?>\n" + ElementTree.tostring(root, encoding="unicode") + "\n"


def _suite(outcome: Outcome) -> ElementTree.Element:
    cases = list(_cases(outcome))
    suite = ElementTree.Element("testsuite", name=_clean(outcome.model), tests=str(len(cases)))
    suite.set("failures", str(sum(case.find("failure") is not None for case in cases)))
    suite.set("errors", str(sum(case.find("error") is not None for case in cases)))
    if outcome.report is not None and outcome.report.results:
        suite.set("time", f"{max(result.seconds for result in outcome.report.results):.3f}")
        suite.append(_counts(outcome.report))
    suite.extend(cases)
    return suite


def _counts(report: Report) -> ElementTree.Element:
    counts = report.results[0].counts
    properties = ElementTree.Element("properties")
    for name in ("distinct", "generated", "depth"):
        ElementTree.SubElement(properties, "property", name=name, value=str(getattr(counts, name)))
    return properties


def _cases(outcome: Outcome) -> Iterable[ElementTree.Element]:
    if outcome.failure is not None:
        yield _case(outcome.model, "the model itself", 0.0, "error", str(outcome.failure))
    results = outcome.report.results if outcome.report else ()
    for result in results:
        # One search decides all properties: each gets its share, so that the times of a suite add up.
        seconds = result.seconds / len(results)
        if outcome.differences is None:
            yield _judged(result, seconds)
        else:
            found = [difference.what for difference in outcome.differences if difference.property == result.property]
            yield _case(result.model, result.property, seconds, "failure" if found else None, "; ".join(found))
    whole = [difference.what for difference in outcome.differences or () if difference.property is None]
    if whole:
        yield _case(outcome.model, "the model as a whole", 0.0, "failure", "; ".join(whole))


def _judged(result: Result, seconds: float) -> ElementTree.Element:
    if result.verdict is Verdict.VIOLATED:
        text = "\n".join(map(str, traces.lines(result.trace))) if result.trace is not None else ""
        message = f"{result.verdict}{remark(result)}"
        return _case(result.model, result.property, seconds, "failure", message, text)
    if result.verdict is Verdict.UNKNOWN:
        return _case(result.model, result.property, seconds, "error", f"UNKNOWN: {result.reason}")
    return _case(result.model, result.property, seconds)


def _case(
    model: str, name: str, seconds: float, kind: str | None = None, message: str = "", text: str = ""
) -> ElementTree.Element:
    case = ElementTree.Element("testcase", classname=_clean(model), name=_clean(name), time=f"{seconds:.3f}")
    if kind is not None:
        body = ElementTree.SubElement(case, kind, message=_clean(message))
        body.text = _clean(text or message)
    return case


def _clean(text: str) -> str:
    return lines(text)
