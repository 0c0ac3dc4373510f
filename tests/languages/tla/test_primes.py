"""Primes reach every name in every position, as TLC has it: its answers are recorded in `primes.records`."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.languages.tla import primes
from tests.languages.tla.support import counts

from homing import checking
from homing.core.errors import HomingError
from homing.core.result import Options
from homing.languages.tla import load_one

RECORDS = primes.records()
COUNTED = {position for position in primes.POSITIONS if position != "composition"}
"""Positions where generated states are TLC's, too: it counts the states inside a composition."""


def answer(folder: Path, name: str, position: str) -> str:
    for file, text in primes.files(name, position).items():
        (folder / file).write_text(text, "utf-8")
    try:
        report = checking.check(load_one(folder / "Spec.cfg"), options=Options(threads=1))
        if report.error is not None:
            raise report.error
    except HomingError:
        return "ERROR"
    verdict = max(
        (result.verdict for result in report.results), key=lambda one: ("HOLDS", "UNKNOWN", "VIOLATED").index(one.name)
    ).name
    return " ".join([verdict, *map(str, counts(report))])


@pytest.mark.parametrize("name", primes.NAMES)
def test_a_name_in_all_positions(name: str, tmp_path: Path) -> None:
    different = []
    for position in primes.POSITIONS:
        found, wanted = answer(tmp_path, name, position), RECORDS[name, position]
        if not agree(found, wanted, position):
            different.append(f"{position}: {found}, not {wanted}")
    assert not different


def agree(found: str, wanted: str, position: str) -> bool:
    """A search that finds a violation may end there, so states are compared where there is none."""
    if wanted in ("SANY", "ERROR") or wanted.startswith("VIOLATED"):
        return found.split(maxsplit=1)[0] == wanted.split(maxsplit=1)[0].replace("SANY", "ERROR")
    parts = slice(None) if position in COUNTED else slice(0, 4, 3)
    return found.split()[parts] == wanted.split()[parts] and found.split()[1] == wanted.split()[1]


def test_every_case_is_recorded() -> None:
    assert RECORDS.keys() == {(name, position) for name in primes.NAMES for position in primes.POSITIONS}
