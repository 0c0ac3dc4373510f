"""An order of names that people expect: 2 before 10."""

from __future__ import annotations

import re


def natural(name: str) -> list[tuple[int, int, str]]:
    """A sort key that compares runs of digits as numbers."""
    parts = re.findall(r"\d+|\D+", name)
    # Names that differ only in leading zeros still need one order, hence the text after the number.
    return [(0, int(part), part) if part.isdecimal() else (1, 0, part) for part in parts]
