"""Traces as JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homing.core.errors import HomingError
from homing.core.system import Event
from homing.core.values import Value, encode
from homing.core.witness import Branch, Move, Trace
from homing.replaying.reading import parse
from homing.replaying.story import Given
from homing.report import json_format

atoms = st.none() | st.booleans() | st.integers() | st.text() | st.binary()
values: st.SearchStrategy[Value] = st.recursive(
    atoms, lambda inner: st.lists(inner, max_size=3).map(tuple) | st.frozensets(inner, max_size=3), max_leaves=8
)


def document(**fields: Any) -> str:
    trace = {"slots": ["n"], "states": [[0], [1]], "moves": [{"group": "g", "event": "e"}], **fields}
    return json.dumps(trace)


@given(values, values)
def test_values_come_back(one: Value, other: Value) -> None:
    moves = (Move("g", Event("e", (one, other), "me", None, "c")),)
    trace = Trace(("x", "y"), ((one, other), (other, one)), moves, loop=1)
    branched = replace(trace, branches=(Branch(1, "why", trace),))
    story = parse(json.dumps(json_format.trace(branched)), "t")
    assert story.states is not None
    assert encode(story.states) == encode(trace.states)
    event = story.stages[0].event
    assert isinstance(event, Given)
    assert encode(event.arguments) == encode((one, other))
    assert dict(event.ends) == {"sender": "me", "receiver": None, "channel": "c"}
    assert (story.slots, story.loop, story.stages[0].group) == (("x", "y"), 1, "g")
    (branch,) = story.branches
    assert (branch.at, branch.why, branch.story.loop) == (1, "why", 1)


def results(*traces: object) -> str:
    listed = [{"property": f"p{n}", "trace": trace, "system": f"S{n}"} for n, trace in enumerate(traces)]
    return json.dumps({"version": 1, "results": listed})


def test_the_first_trace_or_the_one_named() -> None:
    one, two = ({"moves": [{"text": name}]} for name in "ab")
    text = results(None, one, two)
    assert (parse(text, "t").stages[0].shown, parse(text, "t").system) == ("a", "S1")
    assert parse(text, "t", "p2").stages[0].shown == "b"


@pytest.mark.parametrize(
    ("text", "name", "error"),
    [
        ("{", None, "t:1:2: no JSON"),
        ("{}", None, "t: the document has neither 'moves', as a trace has, nor 'results'"),
        ('{"results": 3}', None, "t: 'results' is no list"),
        ('{"results": [3]}', None, "t: 'results' has 3 in it, which is no object"),
        (results(None), None, "t: holds no trace"),
        (results(None), "p0", "t: holds no trace of 'p0'"),
        (results(None), "q", "t: no result on a property 'q'; declared: p0"),
        (results({}), None, "t: the trace of 'p0' is no object with 'moves'"),
        (document(), "p", "t: is a single trace, not results with one of a property 'p'"),
        (document(states=[[0]]), None, "t: the trace has 1 states for 1 moves"),
        (document(states=[[0], [1.5]]), None, "t: state 1 of the trace holds 1.5, which stands for no value"),
        (document(states=[[0], [{"bytes": "0x"}]]), None, 't: state 1 of the trace holds {"bytes": "0x"}'),
        (document(loop=2), None, "t: 'loop' of the trace is 2, no number of a state from 0 to 1"),
        (document(loop=True), None, "t: 'loop' of the trace is true"),
        (document(loop=0, states=None), None, "t: the trace has a loop or branches, but no 'states'"),
        (document(moves=[{"group": "g"}]), None, "t: move 1 of the trace has neither 'event' nor 'text'"),
        (document(moves=[{"event": 1}]), None, "t: 'event' of move 1 of the trace is 1, which is no text"),
        (document(branches=[{"trace": 1}]), None, "t: branch 1 of the trace is no object with 'moves'"),
        (document(branches=[{"trace": {"moves": []}}]), None, "t: branch 1 of the trace has no 'states'"),
        ('{"a":' * 100_000, None, "t: no JSON to be read here: nested too deeply"),
    ],
)
def test_bad_documents(text: str, name: str | None, error: str) -> None:
    with pytest.raises(HomingError) as raised:
        parse(text, "t", name)
    assert str(raised.value).startswith(error)


def test_text_has_no_properties() -> None:
    with pytest.raises(HomingError, match="is no JSON, so it has no trace of a property 'p'"):
        parse("a, b", "t", "p")
