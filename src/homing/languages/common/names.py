"""Names that nobody declared."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def hint(name: str, known: Iterable[str]) -> str:
    """` (did you mean 'x'?)` where a name that is known looks like it, else nothing."""
    close = get_close_matches(name, list(known), 1)
    return f" (did you mean '{close[0]}'?)" if close else ""
