"""A reproduction on a terminal: a table a paper, then what the papers do not say."""

from __future__ import annotations

from collections import Counter

from homing.report.screen import Screen
from homing.report.table import Table, cell
from homing.report.wording import duration, plural
from homing.reproducing.claims import Paper
from homing.reproducing.judging import Confirmed, Judged, Mark
from homing.reproducing.running import Reproduction

STYLES = {
    Mark.AGREES: "green",
    Mark.DIFFERS: "bold red",
    Mark.VACUOUS: "yellow",
    Mark.STRONGER: "cyan",
    Mark.UNKNOWN: "bold yellow",
}


def paper(out: Screen, about: Paper, claims: list[Judged]) -> None:
    """The claims of one paper, and why those differ that do."""
    out.say(f"{about.name}: {about.authors}: {about.title} ({about.year})", "bold")
    out.say("")
    rows = [
        (*map(cell, (judged.claim.text, judged.published, judged.found)), cell(judged.mark.value, STYLES[judged.mark]))
        for judged in claims
    ]
    out.table(Table(("claim", "paper", "Homing", ""), rows))
    out.say("")
    for judged in claims:
        if judged.note:
            out.say(f"{judged.mark.value}: {judged.claim.text}: {judged.note}", STYLES[judged.mark])
            out.say(f"    {judged.measured.where}")
    out.say("")


def total(out: Screen, done: Reproduction) -> None:
    """What was found beyond the papers, each with its evidence, and the sum."""
    if done.findings:
        out.say("What the papers do not say", "bold")
        for finding in done.findings:
            _finding(out, finding)
        out.say("")
    out.say(summary(done), "bold red" if done.exit_code == 1 else "")


def _finding(out: Screen, confirmed: Confirmed) -> None:
    out.say("")
    missing = "" if confirmed.holds else " NOT SHOWN:"
    out.say(f"{confirmed.finding.paper}:{missing} {confirmed.finding.text}", "" if confirmed.holds else "bold red")
    for measured in confirmed.measured:
        out.say(f"    {measured.where}")
        out.say(f"        {measured.unknown or measured.text}")


def summary(done: Reproduction) -> str:
    """The sum in a line."""
    marks = Counter(judged.mark for judged in done.claims)
    counts = ", ".join(f"{marks[mark]} {_plural(mark, marks[mark])}" for mark in Mark if marks[mark])
    shown = sum(finding.holds for finding in done.findings)
    beyond = f"; {shown} of {plural(len(done.findings), 'finding')} beyond them shown" if done.findings else ""
    papers = plural(len(done.record.papers), "paper")
    return f"{papers}, {plural(len(done.claims), 'claim')}: {counts}{beyond} ({duration(done.seconds)})"


def _plural(mark: Mark, count: int) -> str:
    if mark is Mark.STRONGER:
        return "stronger form" if count == 1 else "stronger forms"
    return {Mark.AGREES: "agree", Mark.DIFFERS: "differ"}.get(mark, mark.value) if count != 1 else mark.value
