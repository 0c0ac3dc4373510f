"""Answers of region graphs to the cases of UPPAAL's catalogue; no program is needed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tests.languages.catalogue.case import Case
from tests.languages.uppaal.verdicts import answer

TOOL = "region graphs, built by an interpreter of UPPAAL's semantics that shares no code with Homing"
MOST = {"Conditions on clocks": 14, "Clocks that are set": 14, "Channels": 6, "Processes": 6}
"""By group a number that no constant in a model exceeds, and that no clock passes where differences are compared."""
USUAL = 90


def answers(cases: Iterable[Case]) -> tuple[str, Mapping[str, str]]:
    """The tool, and what it answers by the keys of cases."""
    return TOOL, {case.key: answer(next(iter(case.files.values())), MOST.get(case.group, USUAL)) for case in cases}
