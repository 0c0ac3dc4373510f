"""Every construct in every context has the verdicts and counts that an independent tool recorded."""

from __future__ import annotations

from functools import cache
from itertools import groupby

import pytest
from tests.languages.catalogue import records
from tests.languages.catalogue.case import Case, Notation
from tests.languages.catalogue.notations import notations
from tests.languages.catalogue.trial import ENGINES, differences, is_tried

NOTATIONS = {notation.name: notation for notation in notations()}
LEAST = {"tla": 5000}
"""The least number of cases; for the others 2,000."""


@cache
def constructs(name: str) -> dict[str, list[Case]]:
    cases = sorted(NOTATIONS[name].cases(), key=lambda case: case.construct)
    return {construct: list(group) for construct, group in groupby(cases, lambda case: case.construct)}


@cache
def recorded(name: str) -> records.Records:
    return records.read(name)


@pytest.mark.parametrize("name", NOTATIONS)
def test_the_records_are_those_of_the_cases(name: str) -> None:
    cases = [case for group in constructs(name).values() for case in group]
    keys = [case.key for case in cases]
    assert len(keys) == len(set(keys))
    assert set(keys) == set(recorded(name).answers)
    assert len(keys) >= LEAST.get(name, 2000)


@pytest.mark.parametrize("name", NOTATIONS)
def test_every_exception_applies_to_a_case(name: str) -> None:
    notation = NOTATIONS[name]
    cases = [case for group in constructs(name).values() for case in group]
    for pattern in (*notation.refused, *notation.choices):
        alone = Notation(name, "", notation.cases, notation.answer, {pattern: ""})
        assert any(alone.refusal(case) is not None for case in cases), pattern


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("name", "construct"), [(name, construct) for name in NOTATIONS for construct in constructs(name)]
)
def test_a_construct_in_every_context(name: str, construct: str, engine: str) -> None:
    tried = [case for case in constructs(name)[construct] if is_tried(NOTATIONS[name], case, engine)]
    assert list(differences(NOTATIONS[name], tried, recorded(name), engine)) == []
