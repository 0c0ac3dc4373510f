"""What mkdocs asks while it builds the site."""

from __future__ import annotations

import re
from typing import Any


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Within code in a table, GitHub wants a bar with a backslash, and Python-Markdown would show it."""
    lines = markdown.split("\n")
    return "\n".join(_row(line) if line.startswith("|") else line for line in lines)


def _row(line: str) -> str:
    return re.sub(r"`[^`]*`", lambda code: code[0].replace("\\|", "|"), line)
