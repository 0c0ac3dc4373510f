"""What became of one file that was to be checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from homing.core.errors import HomingError
from homing.core.result import Report, Result
from homing.core.verdict import Verdict

BAD_INPUT = 3


@dataclass(frozen=True)
class Outcome:
    """A report, or the error that there is instead; with `--expect` also how it differs from what was expected."""

    model: str
    report: Report | None = None
    error: HomingError | None = None
    differences: tuple[Difference, ...] | None = None

    @property
    def failure(self) -> HomingError | None:
        """What is wrong with the input, found before or during the check."""
        return self.error or (self.report.error if self.report else None)

    @property
    def verdict(self) -> Verdict:
        """The worst of the verdicts; UNKNOWN where there is none."""
        return self.report.verdict if self.report is not None else Verdict.UNKNOWN

    @property
    def exit_code(self) -> int:
        """0 all hold, 1 violated, 2 unknown, 3 bad input; with expectations 0 as expected, 1 different."""
        if self.failure is not None:
            return BAD_INPUT
        if self.differences is not None:
            return 1 if self.differences else 0
        return self.verdict.exit_code


def with_traces(outcomes: Iterable[Outcome]) -> Iterator[Result]:
    """The results that have a trace."""
    for outcome in outcomes:
        for result in outcome.report.results if outcome.report is not None else ():
            if result.trace is not None:
                yield result


@dataclass(frozen=True)
class Difference:
    """One thing that is not as expected; `property` is None when it concerns the model as a whole."""

    property: str | None
    what: str

    def __str__(self) -> str:
        return f"{self.property}: {self.what}" if self.property else self.what


def worst_exit_code(codes: list[int]) -> int:
    """Bad input before violated before unknown; UNKNOWN when nothing was checked."""
    order = (BAD_INPUT, Verdict.VIOLATED.exit_code, Verdict.UNKNOWN.exit_code, Verdict.HOLDS.exit_code)
    return next((code for code in order if code in codes), Verdict.UNKNOWN.exit_code)
