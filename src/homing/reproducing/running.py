"""Answers the questions of a record, one after the other, and says how far it is."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from homing.core.errors import HomingError
from homing.core.result import Progress
from homing.reproducing.claims import Claim, Evidence, Question, Record
from homing.reproducing.judging import Confirmed, Judged, Mark, judge
from homing.reproducing.measures import Bench, Measured, measure

Show = Callable[[Progress], None]


@dataclass
class Reproduction:
    """What came of a record so far."""

    record: Record
    interrupted: Callable[[], bool] = lambda: False
    claims: list[Judged] = field(default_factory=list)
    findings: list[Confirmed] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._bench = Bench(tuple(self.record.questions()), self._progress, self.interrupted)
        self._began = time.monotonic()
        self._show: Show = lambda progress: None
        self._doing = ""

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    @property
    def exit_code(self) -> int:
        """0 when everything was measured, and every finding shown; 1 when one is not; 2 when something is unknown."""
        unknown = any(judged.mark is Mark.UNKNOWN for judged in self.claims)
        return 2 if unknown else int(not all(finding.holds for finding in self.findings))

    def measure_claims(self, paper: str, show: Show) -> list[Judged]:
        """The claims of a paper, measured and judged."""
        self._show = show
        of_paper = [claim for claim in self.record.claims if claim.paper == paper]
        judged = [self._claim(claim) for claim in of_paper]
        self.claims += judged
        return judged

    def measure_findings(self, show: Show) -> None:
        """What was found beyond the papers, measured."""
        self._show = show
        for finding in self.record.findings:
            self._doing = f"{finding.paper}: {finding.text}"
            self.findings.append(Confirmed(finding, tuple(map(self._evidence, finding.evidence))))

    def _claim(self, claim: Claim) -> Judged:
        number = self.record.claims.index(claim) + 1
        self._doing = f"claim {number} of {len(self.record.claims)}, {claim.paper}: {claim.text}"
        return judge(claim, self._answer(claim.question))

    def _evidence(self, evidence: Evidence) -> Measured:
        return self._answer(evidence.question)

    def _answer(self, question: Question) -> Measured:
        """A measure that fails leaves its claim unknown, and the others their chance."""
        if self.interrupted():
            return Measured({}, "not measured", "", unknown="interrupted")
        self._show(Progress(self._doing, 0, 0.0, 0, 0, 0.0, self.seconds))
        try:
            return measure(self._bench, question)
        except HomingError as error:
            return Measured({}, "not measured", "", unknown=str(error))

    def _progress(self, progress: Progress) -> None:
        """What an engine says, with the claim that it is about."""
        self._show(Progress(self._doing, *(getattr(progress, name) for name in FIGURES)))


FIGURES = ("states", "states_per_second", "frontier", "depth", "memory_mb", "seconds", "note", "detail")
