"""Sequences."""

from __future__ import annotations

from collections.abc import Callable

from homing.languages.tla.modules.build import lazy, strict
from homing.languages.tla.scope import Builtin
from homing.languages.tla.sets import Sequences
from homing.languages.tla.values import Fault, Value, is_sequence, kind, show


def sequence(value: Value, what: str) -> tuple[Value, ...]:
    """A sequence, or a Fault that says what it was wanted for."""
    if not is_sequence(value):
        raise Fault(f"{what} is applied to {show(value)}, {kind(value)}, which is no sequence")
    assert isinstance(value, tuple)
    return value


def truth(value: Value, what: str) -> bool:
    """A boolean, or a Fault."""
    if type(value) is not bool:
        raise Fault(f"{what} is {show(value)}, {kind(value)}, where a boolean is wanted")
    return value


def _length(value: Value) -> int:
    return len(value) if isinstance(value, str) else len(sequence(value, "Len"))


def joined(one: Value, other: Value) -> Value:
    """`one \\o other`."""
    if isinstance(one, str) and isinstance(other, str):
        return one + other
    return sequence(one, "\\o") + sequence(other, "\\o")


def _append(value: Value, item: Value) -> Value:
    return (*sequence(value, "Append"), item)


def _head(value: Value) -> Value:
    if not sequence(value, "Head"):
        raise Fault("Head is applied to <<>>")
    return value[0]


def _tail(value: Value) -> Value:
    if not (value if isinstance(value, str) else sequence(value, "Tail")):
        raise Fault(f"Tail is applied to {show(value)}")
    return value[1:]


def subsequence(value: Value, first: Value, last: Value) -> Value:
    """`SubSeq(value, first, last)`."""
    for bound in (first, last):
        if type(bound) is not int:
            raise Fault(f"SubSeq is given {show(bound)}, {kind(bound)}, as a position")
    whole = value if isinstance(value, str) else sequence(value, "SubSeq")
    if first > last:
        return whole[:0]
    if not (first >= 1 and last <= len(whole)):
        raise Fault(f"SubSeq({show(whole)}, {first}, {last}) asks for what is not there")
    return whole[first - 1 : last]


def _select(value: Value, test: Callable[[Value], Value]) -> Value:
    return tuple(item for item in sequence(value, "SelectSeq") if truth(test(item), "the test of SelectSeq"))


SEQUENCES: dict[str, Builtin] = dict(
    [
        lazy("Seq", Sequences),
        strict("Len", _length),
        strict("\\o", joined),
        strict("Append", _append),
        strict("Head", _head),
        strict("Tail", _tail),
        strict("SubSeq", subsequence),
        strict("SelectSeq", _select, (0, 1)),
    ]
)
