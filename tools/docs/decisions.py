"""The list of decisions, from their titles."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "docs" / "decisions"
HEAD = """# Decisions

<!-- Written by `./homing docs` from the titles. -->

What was decided, and why, for those who want to undo it.

| | |
| --- | --- |
"""


def page() -> str:
    """A row a decision."""
    files = sorted(FOLDER.glob("[0-9]*.md"))
    return HEAD + "".join(f"| [{file.stem[:4]}]({file.name}) | {_title(file)} |\n" for file in files)


def _title(file: Path) -> str:
    """Without its number, which some have and some do not."""
    first = file.read_text("utf-8").partition("\n")[0]
    title = re.sub(r"^#\s*(\d+[.:]\s*)?", "", first).strip()
    return title[:1].upper() + title[1:]
