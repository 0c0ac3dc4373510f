"""What `homing reproduce` does."""

from __future__ import annotations

import sys
from pathlib import Path

from homing.commands.interruption import interruptible
from homing.report import files
from homing.report.progress import display
from homing.report.screen import Screen
from homing.reproducing import claims, document, page, showing
from homing.reproducing.running import Reproduction


def run(papers: tuple[str, ...], html: Path | None, json: str | None) -> int:
    """Measures, shows paper by paper, writes; the exit code."""
    record = claims.read().only(papers)
    out = Screen(sys.stdout)
    out.quiet = json == files.STDOUT  # a document on stdout must be alone there
    with interruptible() as interruption:
        done = Reproduction(record, interruption)
        for paper in record.papers:
            with display(quiet=False) as show:
                judged = done.measure_claims(paper.name, show)
            showing.paper(out, paper, judged)
        with display(quiet=False) as show:
            done.measure_findings(show)
    showing.total(out, done)
    if json is not None:
        files.write(json, document.render(done))
    if html is not None:
        out.say(f"written: {page.write(done, html)}")
    return done.exit_code
