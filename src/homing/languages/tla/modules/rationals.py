"""DyadicRationals of the community: fractions whose denominator is a power of two, as records [num, den]."""

from __future__ import annotations

from math import gcd

from homing.languages.tla.modules.build import strict
from homing.languages.tla.modules.numbers import add, multiply
from homing.languages.tla.scope import Builtin
from homing.languages.tla.values import Fault, Value, apply, show

FIELDS = ("den", "num")


def _parts(value: Value) -> tuple[int, int]:
    """Numerator and denominator, in lowest terms."""
    numerator, denominator = apply(value, "num"), apply(value, "den")
    if type(numerator) is not int or type(denominator) is not int or denominator < 1:
        raise Fault(f"{show(value)} is no rational number")
    common = gcd(numerator, denominator)
    return numerator // common, denominator // common


def _made(numerator: int, denominator: int) -> Value:
    common = gcd(numerator, denominator)
    # Integers have 32 bits in TLA+, here too.
    return (None, FIELDS, (multiply(denominator // common, 1), add(numerator // common, 0)))


def _add(one: Value, other: Value) -> Value:
    (a, b), (c, d) = _parts(one), _parts(other)
    return _made(a * d + c * b, b * d)


def _half(value: Value) -> Value:
    numerator, denominator = _parts(value)
    return _made(numerator, 2 * denominator)


def _is_dyadic(value: Value) -> Value:
    denominator = _parts(value)[1]
    return denominator & (denominator - 1) == 0


def _printed(value: Value) -> Value:
    numerator, denominator = _parts(value)
    return str(numerator) if denominator == 1 else f"{numerator}/{denominator}"


DYADIC_RATIONALS: dict[str, Builtin] = dict(
    [
        strict("Zero", lambda: _made(0, 1)),
        strict("One", lambda: _made(1, 1)),
        strict("Add", _add),
        strict("Half", _half),
        strict("IsDyadicRational", _is_dyadic),
        strict("PrettyPrint", _printed),
    ]
)
