"""Values and their bytes."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homing.core.values import NotAValue, Value, decode, encode, same, show, substitute

atoms = st.none() | st.booleans() | st.integers() | st.text() | st.binary()
values: st.SearchStrategy[Value] = st.recursive(
    atoms, lambda inner: st.lists(inner, max_size=4).map(tuple) | st.frozensets(inner, max_size=4), max_leaves=12
)


@given(values)
def test_decode_undoes_encode(value: Value) -> None:
    assert same(decode(encode(value)), value)
    assert encode(decode(encode(value))) == encode(value)


@given(values, values)
def test_one_encoding_for_each_value(one: Value, other: Value) -> None:
    assert (encode(one) == encode(other)) == same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, True),
        (0, False),
        ((1,), (True,)),
        (frozenset({1}), frozenset({True})),
        ("1", 1),
        (b"1", "1"),
        ((), frozenset()),
    ],
)
def test_look_alikes_are_kept_apart(one: Value, other: Value) -> None:
    assert encode(one) != encode(other)
    assert not same(one, other)


def test_the_order_of_a_set_does_not_matter() -> None:
    names = [f"n{number}" for number in range(100)]
    assert encode(frozenset(names)) == encode(frozenset(reversed(names)))


class Colour(Enum):
    RED = 1


class Point(NamedTuple):
    x: int


@pytest.mark.parametrize("wrong", [1.5, [1], {"a": 1}, {1}, object(), Colour.RED, Point(1), (1, [2]), frozenset({1.5})])
def test_other_objects_are_refused_by_name(wrong: Value) -> None:
    with pytest.raises(NotAValue, match="is no value; values are None, bool"):
        encode(wrong)


@pytest.mark.parametrize("data", [b"", b"i3:1", b"x1:1", b"i1:12", b"(5:i1:1", b"i1", b"s2:\xff\xff"])
def test_damaged_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        decode(data)


def test_show_reads_as_written() -> None:
    assert show(("a", 1, True, None, frozenset({2, 1}))) == "⟨a, 1, True, None, {1, 2}⟩"
    assert show("") == "''"


def test_substitute_reaches_every_depth() -> None:
    value: Value = ("p", ("p", "q"), frozenset[Value]({"p", 1}))
    assert substitute(value, {"p": "q", "q": "p"}) == ("q", ("q", "p"), frozenset({"q", 1}))
