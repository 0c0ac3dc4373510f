"""The catalogue of TLA+; its records come from TLC."""

from __future__ import annotations

from tests.languages.catalogue.case import ERROR, Notation
from tests.languages.catalogue.tla.choices import CHOICES, REFUSED
from tests.languages.catalogue.tla.enumeration import cases

from homing.core.result import Report


def answer(report: Report) -> str:
    """Distinct and generated states, depth, and the properties that are violated.

    Where a property cannot be evaluated, its verdict is UNKNOWN; TLC ends with an error then.
    """
    verdicts = {(result.property.removesuffix(" (liveness)"), result.verdict.name) for result in report.results}
    if any(verdict == "UNKNOWN" for _, verdict in verdicts):
        return ERROR
    if verdicts == {("assumptions", "HOLDS")}:
        return "assumptions HOLDS"
    counts = report.results[0].counts
    bad = sorted(f"{name} {verdict}" for name, verdict in verdicts if verdict != "HOLDS")
    depth = [f"depth {counts.depth}"] if counts.distinct else []
    return ", ".join([f"{counts.distinct} distinct", f"{counts.generated} generated", *depth, *bad])


NOTATION = Notation("tla", "TLA+", cases, answer, REFUSED, CHOICES)
