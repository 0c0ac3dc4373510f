"""`homing reproduce`: its options, and what it does."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Exit, Option

EPILOG = "Exit code: 0 all was measured and every finding shown, 1 a finding is not shown, 2 something is unknown."

PaperName = Annotated[
    list[str] | None, Option("--paper", metavar="NAME", help="Only this paper; repeatable.  [default: all]")
]
Html = Annotated[Path | None, Option(metavar="DIR", help="Write a page with charts, plots and tables to this folder.")]
Json = Annotated[str | None, Option(metavar="FILE", help="Write claims and findings as JSON; - is stdout.")]


def reproduce(paper: PaperName = None, html: Html = None, json: Json = None) -> None:
    """Check the results of five papers again, and say what they do not."""
    # Imported when it is needed, so that --help is quick.
    from homing.commands.reproducing import run

    raise Exit(run(tuple(paper or ()), html, json))
