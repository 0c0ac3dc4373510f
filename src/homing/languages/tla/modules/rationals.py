"""DyadicRationals of the community: fractions whose denominator is a power of two, as records [num, den]."""

from __future__ import annotations

from typing import TYPE_CHECKING

from homing.languages.tla.modules.build import strict
from homing.languages.tla.modules.numbers import add, multiply
from homing.languages.tla.scope import Builtin
from homing.languages.tla.values import Fault, Value, apply, record, show

if TYPE_CHECKING:
    from fractions import Fraction


def _fraction(value: Value) -> Fraction:
    parts = apply(value, "num"), apply(value, "den")
    if any(type(part) is not int for part in parts) or parts[1] < 1:
        raise Fault(f"{show(value)} is no rational number")
    return _made(*parts)


def _made(numerator: int, denominator: int = 1) -> Fraction:
    from fractions import Fraction  # few specifications have any

    return Fraction(numerator, denominator)


def _value(fraction: Fraction) -> Value:
    # Integers have 32 bits in TLA+, here too.
    return record(("num", "den"), (add(fraction.numerator, 0), multiply(fraction.denominator, 1)))


def _is_dyadic(value: Value) -> Value:
    denominator = _fraction(value).denominator
    return denominator & (denominator - 1) == 0


def _printed(value: Value) -> Value:
    return str(_fraction(value))


DYADIC_RATIONALS: dict[str, Builtin] = dict(
    [
        strict("Zero", lambda: _value(_made(0))),
        strict("One", lambda: _value(_made(1))),
        strict("Add", lambda one, other: _value(_fraction(one) + _fraction(other))),
        strict("Half", lambda value: _value(_fraction(value) / 2)),
        strict("IsDyadicRational", _is_dyadic),
        strict("PrettyPrint", _printed),
    ]
)
