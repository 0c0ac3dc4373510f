"""Answers about CSP#: of the oracle in `tests/languages/csp`, an interpreter that shares nothing with Homing."""

from __future__ import annotations

from collections.abc import Iterable

from tests.languages.catalogue.case import Case
from tests.languages.csp.verdicts import answer

TOOL = "the interpreter in tests/languages/csp (reader.py, oracle.py, ltl.py)"


def answers(cases: Iterable[Case], tool: str = TOOL) -> tuple[str, dict[str, str]]:
    """The tool, and its answers by the keys of cases."""
    return tool, {case.key: answer(next(iter(case.files.values()))) for case in cases}
