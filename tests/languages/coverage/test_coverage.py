"""What the pages on languages say is read is read, and comes to what they say; what is refused, is refused so."""

from __future__ import annotations

import pytest
from tests.languages.coverage.rows import LANGUAGES, Row, outcome, rows

ROWS = [row for language in LANGUAGES for row in rows(language)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_rows_of_both_sorts(language: str) -> None:
    found = [row.refused for row in ROWS if row.language == language]
    assert found.count(False) >= 30
    assert found.count(True) >= 5


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.language}: {row.construct}")
def test_a_row(row: Row) -> None:
    assert outcome(row) == row.gives
