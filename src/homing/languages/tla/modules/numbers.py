"""Naturals, Integers, Reals: integers of 32 bits, as in TLC."""

from __future__ import annotations

from homing.languages.tla.modules.build import lazy, refused, strict
from homing.languages.tla.scope import Builtin
from homing.languages.tla.sets import Everything, interval
from homing.languages.tla.values import LARGEST, LEAST, Fault, Value, kind, show

NAT, INT, REAL = Everything("Nat"), Everything("Int"), Everything("Real")


def _numbers(sign: str, one: Value, other: Value) -> None:
    for value in (one, other):
        if type(value) is not int:
            raise Fault(f"'{sign}' is applied to {show(value)}, {kind(value)}")


def _within(sign: str, one: int, other: int, result: int) -> int:
    if LEAST <= result <= LARGEST:
        return result
    raise Fault(f"{one} {sign} {other} is {result}, which needs more than 32 bits")


def add(one: Value, other: Value) -> int:
    """`one + other`."""
    if type(one) is not int or type(other) is not int:
        _numbers("+", one, other)
    result: int = one + other
    return result if LEAST <= result <= LARGEST else _within("+", one, other, result)


def subtract(one: Value, other: Value) -> int:
    """`one - other`."""
    if type(one) is not int or type(other) is not int:
        _numbers("-", one, other)
    result: int = one - other
    return result if LEAST <= result <= LARGEST else _within("-", one, other, result)


def multiply(one: Value, other: Value) -> int:
    """`one * other`."""
    _numbers("*", one, other)
    return _within("*", one, other, one * other)


def _power(one: Value, other: Value) -> int:
    _numbers("^", one, other)
    if other < 0:
        raise Fault(f"{one} ^ {other} has a negative exponent")
    if one == 0 and other == 0:
        raise Fault("0 ^ 0 has no value")
    if abs(one) > 1 and other > 31:
        raise Fault(f"{one} ^ {other} needs more than 32 bits")
    return _within("^", one, other, one**other)


def modulo(one: Value, other: Value) -> int:
    """`one % other`."""
    _numbers("%", one, other)
    if other <= 0:
        raise Fault(f"{one} % {other} divides by what is not positive")
    return int(one % other)


def _divide(one: Value, other: Value) -> int:
    _numbers("\\div", one, other)
    if other == 0:
        raise Fault(f"{one} \\div {other} divides by 0")
    return int(one // other)


def less(one: Value, other: Value) -> bool:
    """`one < other`."""
    if type(one) is not int or type(other) is not int:
        _numbers("<", one, other)
    return bool(one < other)


def at_most(one: Value, other: Value) -> bool:
    """`one <= other`."""
    if type(one) is not int or type(other) is not int:
        _numbers("<=", one, other)
    return bool(one <= other)


def more(one: Value, other: Value) -> bool:
    """`one > other`."""
    if type(one) is not int or type(other) is not int:
        _numbers(">", one, other)
    return bool(one > other)


def at_least(one: Value, other: Value) -> bool:
    """`one >= other`."""
    if type(one) is not int or type(other) is not int:
        _numbers(">=", one, other)
    return bool(one >= other)


def _interval(one: Value, other: Value) -> Value:
    _numbers("..", one, other)
    return interval(one, other)


def _negative(value: Value) -> int:
    _numbers("-", value, 0)
    return _within("-", 0, value, -value)


ADD = Builtin("+", 2, add)
NATURALS: dict[str, Builtin] = dict(
    [
        ("+", ADD),
        strict("-", subtract),
        strict("*", multiply),
        strict("^", _power),
        strict("%", modulo),
        strict("\\div", _divide),
        strict("<", less),
        strict(">", more),
        strict("<=", at_most),
        strict(">=", at_least),
        lazy("..", _interval),
        lazy("Nat", lambda: NAT),
    ]
)
INTEGERS: dict[str, Builtin] = {**NATURALS, **dict([strict("-.", _negative), lazy("Int", lambda: INT)])}
REALS: dict[str, Builtin] = {
    **INTEGERS,
    **dict([lazy("Real", lambda: REAL)]),
    **refused("there are no fractions", **{"/": 2}),
    **refused("there is no such number", Infinity=0),
}
