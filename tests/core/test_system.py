"""Shapes are checked when they are made."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from homing.core.errors import ModelError
from homing.core.system import Event, Group, Label, Permutation, Read, Shape, Slot, Update

SLOTS = (Slot("queue"), Slot("client", ("a",)))


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        (lambda: Shape((Slot("x"), Slot("x")), ()), "slot 'x' is declared twice"),
        (
            lambda: Shape(SLOTS, (Group("send", (Read(2),), ()),)),
            r"group 'send' reads slot number 2, but slots go from 0 to 1; declared: queue, client\[a\]",
        ),
        (lambda: Shape(SLOTS, (Group("send", (), (-1,)),)), "group 'send' writes slot number -1"),
        (lambda: Shape(SLOTS, (Group("send", (), (0, 0)),)), "slot written by group 'send' '0' is declared twice"),
        (lambda: Shape(SLOTS, (), (Label("full", (Read(7),)),)), "label 'full' reads slot number 7"),
        (lambda: Shape(SLOTS, (), (Label("l", ()), Label("l", ()))), "label 'l' is declared twice"),
        (lambda: Shape(SLOTS, (), constraints=(0,)), "a constraint names label number 0"),
        (lambda: Shape(SLOTS, (), hidden=frozenset({3})), "the view hides slot number 3"),
        (lambda: Shape(SLOTS, (), symmetry=(Permutation((0, 0), lambda slot, value: value),)), "is no permutation"),
    ],
)
def test_mistakes_are_named(shape: Callable[[], Shape], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        shape()


def test_events_that_look_alike_have_different_keys() -> None:
    assert Event("e", (1,)).key != Event("e", (True,)).key
    assert str(Event("e", (1, "x"))) == "e(1, x)"


def test_a_permutation_moves_slots_and_values() -> None:
    swap = Permutation((1, 0), lambda slot, value: (value, "moved"))
    assert swap(("a", "b")) == (("b", "moved"), ("a", "moved"))


def test_updates_are_equal_when_function_and_arguments_are() -> None:
    assert Update(max, (1,)) == Update(max, (1,))
    assert Update(max, (1,)) != Update(max, (2,))
