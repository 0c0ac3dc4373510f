"""Numbers as texts have them: digits beyond what Python reads or writes are refused in one sentence."""

from __future__ import annotations

import re

from homing.core.errors import HomingError, Place

MOST_DIGITS = 4300
"""Python's own limit, beyond which reading or writing a number takes longer than its digits are worth."""
MOST_BITS = 14_284
"""All numbers of so many bits can be written with as many digits."""
LONG = re.compile(rf"[\d_]{{{MOST_DIGITS + 1},}}")


def whole(text: str, place: Place | None = None, base: int = 10) -> int:
    """The number that digits stand for."""
    if len(text.lstrip("-0")) <= MOST_DIGITS // 4:
        return int(text, base)
    value = None if base == 10 and len(text) > MOST_DIGITS else int(text, base)
    if value is None or value.bit_length() > MOST_BITS:
        raise _too_long(len(text), place)
    return value


def too_long(text: str, file: str) -> HomingError:
    """The error about a text that a parser refused for the digits of a number, with the place of the first such one."""
    found = LONG.search(text)
    if found is None:
        return HomingError(f"a number has too many digits: at most {MOST_DIGITS:,}", Place(file))
    before = text[: found.start()]
    place = Place(file, before.count("\n") + 1, len(before) - before.rfind("\n"))
    return _too_long(len(found[0]), place)


def _too_long(digits: int, place: Place | None) -> HomingError:
    return HomingError(f"a number of {digits:,} digits is too long: at most {MOST_DIGITS:,}", place)
