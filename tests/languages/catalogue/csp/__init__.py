"""The catalogue of CSP#. The oracle of `tests/languages/csp`, which shares nothing with Homing, gives the answers."""

from __future__ import annotations

from collections.abc import Iterator

from tests.languages.catalogue.case import ERROR, Case, Notation
from tests.languages.catalogue.csp import formulas, processes, terms

from homing.core.result import Report
from homing.core.verdict import Verdict

LETTER = {Verdict.HOLDS: "H", Verdict.VIOLATED: "V"}


def cases() -> Iterator[Case]:
    yield from processes.cases()
    yield from terms.cases()
    yield from formulas.cases()


def answer(report: Report) -> str:
    """The verdicts, the extreme values, and how many states each system has."""
    if any(result.verdict is Verdict.UNKNOWN for result in report.results):
        return ERROR  # a formula has no value in some state
    verdicts = [
        LETTER[result.verdict] if result.value is None else f"{LETTER[result.verdict]}={result.value}"
        for result in report.results
    ]
    sizes = {result.part: result.counts.distinct for result in report.results}
    return f"{' '.join(verdicts)}; {' '.join(map(str, sizes.values()))}"


NOTATION = Notation("csp", "CSP#", cases, answer, {**processes.REFUSED}, share=5)
