"""Whether what was measured is what a paper says."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from homing.report.wording import duration, remark
from homing.reproducing.claims import Claim, Facts, Finding
from homing.reproducing.measures import Measured

WORDS = {
    "HOLDS": ("valid", "satisfied", "true", "found"),
    "VIOLATED": ("not valid", "violated", "false", "none"),
}
"""How papers say it: a goal that no state reaches is not valid, a property that fails is violated."""


class Mark(StrEnum):
    """What came of a claim."""

    AGREES = "agrees"
    DIFFERS = "differs"
    VACUOUS = "vacuous"
    STRONGER = "stronger form"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Judged:
    """A claim with what was measured and what that makes of it."""

    claim: Claim
    measured: Measured
    mark: Mark

    @property
    def published(self) -> str:
        words = "not asked" if self.claim.published is None else shown(self.claim.published)
        return f"{words}; {self.claim.beside}" if self.claim.beside else words

    @property
    def found(self) -> str:
        """What was measured, and how long that took; where it differs, what differs."""
        text = self.measured.text
        if self.mark is Mark.DIFFERS and self.claim.published is not None:
            text = shown({name: self.measured.facts.get(name) for name in self.claim.published})
        return f"{text}; {duration(self.measured.seconds)}" if self.measured.seconds else text

    @property
    def note(self) -> str:
        """Why there is no agreement."""
        if self.mark is Mark.UNKNOWN:
            return self.measured.unknown or ""
        if self.mark is Mark.DIFFERS and self.measured.result is not None:
            return f"{self.claim.because} {self.measured.result.verdict}{remark(self.measured.result)}."
        if self.mark is Mark.VACUOUS:
            return " ".join(filter(None, (self.measured.vacuous, self.claim.because)))
        return "" if self.mark is Mark.AGREES else self.claim.because


@dataclass(frozen=True)
class Confirmed:
    """A finding with its evidence measured."""

    finding: Finding
    measured: tuple[Measured, ...]

    @property
    def holds(self) -> bool:
        """Whether all evidence shows what it has to."""
        return all(_same(each.facts, found) for each, found in zip(self.finding.evidence, self.measured))


def judge(claim: Claim, measured: Measured) -> Judged:
    """The mark of a claim."""
    if measured.unknown is not None:
        mark = Mark.UNKNOWN
    elif claim.published is None:
        mark = Mark.STRONGER
    elif not _same(claim.published, measured):
        mark = Mark.DIFFERS
    else:
        mark = Mark.AGREES if measured.vacuous is None else Mark.VACUOUS
    return Judged(claim, measured, mark)


def _same(wanted: Facts, measured: Measured) -> bool:
    return all(_equal(name, value, measured.facts.get(name)) for name, value in wanted.items())


def _equal(name: str, wanted: Any, found: Any) -> bool:
    if name == "verdict":
        return wanted == found or wanted in WORDS.get(str(found), ())
    return bool(wanted == found)


def shown(facts: Facts) -> str:
    """Facts in a line: `valid`, `968 distinct, depth 18`, `path 1-2-3`."""
    return ", ".join(_shown(name, value) for name, value in facts.items())


def _shown(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return name if value else f"not {name}"
    if isinstance(value, int) and name not in ("depth",):
        return f"{value:,} {name}"
    if isinstance(value, list):
        rows = ("|".join(map(str, row)) if isinstance(row, list) else str(row) for row in value)
        return f"{name} {' / '.join(rows)}"
    return str(value) if name == "verdict" else f"{name} {value}"


__all__ = ["Confirmed", "Judged", "Mark", "judge", "shown"]
