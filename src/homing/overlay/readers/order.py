"""An order of names that people expect: 2 before 10."""

from __future__ import annotations

import re
import unicodedata


def natural(name: str) -> list[tuple[int, int, str, str]]:
    """A sort key that compares runs of digits as numbers, however long they are."""
    parts = re.findall(r"\d+|\D+", name)
    return [_key(part) if part.isdecimal() else (1, 0, "", part) for part in parts]


def _key(digits: str) -> tuple[int, int, str, str]:
    plain = "".join(str(unicodedata.decimal(digit)) for digit in digits).lstrip("0")
    # Names that differ only in leading zeros still need one order, hence the text after the number.
    return (0, len(plain), plain, digits)
