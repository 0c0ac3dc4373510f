"""Events as people write them."""

from __future__ import annotations

import pytest

from homing.core.errors import HomingError
from homing.replaying.reading import parse
from homing.replaying.story import Mention


def events(text: str) -> list[str]:
    return [stage.shown for stage in parse(text, "t").stages]


@pytest.mark.parametrize(
    "text",
    [
        "a.0.D, b(1, 2), c",
        "a.0.D\nb(1, 2)\nc\n",
        "a.0.D,\r\nb(1, 2),\r\n\r\n  c,\r\n",
        "a.0.D -> b(1, 2) -> c",
        "a.0.D→b(1, 2)→c",
        "<a.0.D, b(1, 2), c>",
        "⟨a.0.D, b(1, 2), c⟩",
        "<init -> a.0.D -> b(1, 2) -> c>",
        "# as in figure 3\n< a.0.D, // first\n b(1, 2), # second, then\n c> // done\n",
        '"a.0.D"\n"b(1, 2)"\n"c"',
    ],
)
def test_one_trace_in_many_ways(text: str) -> None:
    assert events(text) == ["a.0.D", "b(1, 2)", "c"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<>", []),
        ("⟨⟩  # nothing happens", []),
        ("<init>", []),
        ("init, a", ["init", "a"]),
        ("<init, a>", ["init", "a"]),
        ("put(⟨1, {2, 3}⟩), get", ["put(⟨1, {2, 3}⟩)", "get"]),
        ("skip duplicate(0)\nx>3, a-b", ["skip duplicate(0)", "x>3", "a-b"]),
        ("a#1, b//2", ["a#1", "b//2"]),
        ('"a, b", "c # d", say("x, y")', ["a, b", "c # d", 'say("x, y")']),
        ("a) b", ["a) b"]),
    ],
)
def test_what_is_an_event(text: str, expected: list[str]) -> None:
    assert events(text) == expected


def test_where_events_stand() -> None:
    stages = parse("a,  b\n\n  <x -> c(1,\t2)", "t").stages
    places = [stage.event.place for stage in stages if isinstance(stage.event, Mention)]
    assert [(place.line, place.column) for place in places] == [(1, 1), (1, 5), (3, 3), (3, 9)]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "t: holds no event; an empty trace is <>"),
        ("# only this\n", "t: holds no event"),
        ("a\n b(1, 2\nc", "t:2:3: '(' is not closed on its line"),
        ("a, b[0", "t:1:5: '[' is not closed"),
        ("\n <a, b", "t:2:2: '<' is never closed"),
        ("⟨a, b>", "t:1:1: '⟨' is never closed"),
        ("<a -> b ->", "t:1:1: '<' is never closed"),
    ],
)
def test_bad_texts(text: str, error: str) -> None:
    with pytest.raises(HomingError) as raised:
        parse(text, "t")
    assert str(raised.value).startswith(error)
