"""What operators do: the types they want, and the functions they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from homing.core.errors import ModelError, Place
from homing.languages.smv.terms import BOOLEAN, INTEGER, Type


def divide(left: int, right: int) -> int:
    """Towards zero, as in C."""
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def remainder(left: int, right: int) -> int:
    """With the sign of the dividend, as in C."""
    return left - right * divide(left, right)


ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": divide,
    "mod": remainder,
}
COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
BITWISE: dict[str, Callable[[int, int], int]] = {
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "xnor": lambda a, b: ~(a ^ b),
    "<->": lambda a, b: ~(a ^ b),
    "->": lambda a, b: ~a | b,
}


def fitted(value: int, width: int, signed: bool) -> int:
    """A number as a word holds it: modulo its size."""
    value &= (1 << width) - 1
    return value - (1 << width) if signed and value >> (width - 1) else value


def resized(width: int, old: Type) -> Callable[[int], int]:
    """`resize(w, width)`: a signed word that gets narrower keeps its sign bit and its lowest other bits."""
    if not old.signed or width >= old.width:
        return lambda value: fitted(value, width, old.signed)
    low = (1 << (width - 1)) - 1
    return lambda value: (value & low) - (low + 1 if value < 0 else 0)


def representable(width: int, signed: bool) -> range:
    """The numbers that `swconst` and `uwconst` make words of."""
    half = 1 << (width - 1)
    return range(-half, half if signed else 2 * half)


def on_words(function: Callable[..., int], result: Type) -> Callable[..., int]:
    """A function of numbers as one of words."""
    width, signed = result.width, result.signed

    def apply(*values: int) -> int:
        return fitted(function(*values), width, signed)

    return apply


def checked(function: Callable[[int, int], int], place: Place) -> Callable[[int, int], int]:
    """A division that says where, when it is by zero."""

    def apply(left: int, right: int) -> int:
        if right == 0:
            raise ModelError("a division by zero", place)
        return function(left, right)

    return apply


def shift(operator: str, width: int, signed: bool, place: Place) -> Callable[[int, int], int]:
    """`<<` and `>>`; signed words keep their sign to the right."""

    def apply(value: int, by: int) -> int:
        if not 0 <= by <= width:
            raise ModelError(f"a shift by {by} of a word with {width} bits", place)
        return fitted(value << by if operator == "<<" else value >> by, width, signed)

    return apply


def joined(low: Type) -> Callable[[int, int], int]:
    """`a :: b`, by the type of b."""

    def apply(left: int, right: int) -> int:
        return (left << low.width) | (right & ((1 << low.width) - 1))

    return apply


def bits(high: int, low: int) -> Callable[[int], int]:
    """`w[high:low]`."""
    mask = (1 << (high - low + 1)) - 1
    return lambda value: (value >> low) & mask


def counted(*values: bool) -> int:
    """`count(…)`: how many are true."""
    return sum(values)


FUNCTIONS: dict[str, tuple[int | None, Type | None, Type | None, Callable[..., Any]]] = {
    # How many arguments (None: any number), of which type, the type of the result (None: the argument's), what it is.
    "count": (None, BOOLEAN, INTEGER, counted),
    "abs": (1, INTEGER, INTEGER, abs),
    "min": (2, INTEGER, INTEGER, min),
    "max": (2, INTEGER, INTEGER, max),
}
