from __future__ import annotations

from homing.core.system import Event
from homing.core.witness import Move, Trace
from homing.report.traces import describe, lines


def test_a_trace_is_what_changed() -> None:
    trace = Trace(
        ("queue", "done[a]"),
        (((), False), (("m",), False), (("m",), False), ((), True)),
        (
            Move("g", Event("publish", ("m",), "producer", "broker")),
            Move("g", Event("wait")),
            Move("g", Event("consume", ("m",), sender="broker")),
        ),
    )
    assert [str(line) for line in lines(trace)] == [
        "  0  initially",
        "       queue    ⟨⟩",
        "       done[a]  False",
        "  1  publish(m)   producer → broker",
        "       queue    ⟨⟩ → ⟨m⟩",
        "  2  wait",
        "       nothing changes",
        "  3  consume(m)   broker",
        "       queue    ⟨m⟩ → ⟨⟩",
        "       done[a]  False → True",
    ]


def test_true_is_not_one() -> None:
    trace = Trace(("x",), ((True,), (1,)), (Move("g", Event("e")),))
    assert str(list(lines(trace))[-1]) == "       x  True → 1"


def test_numbers_are_aligned() -> None:
    trace = Trace(("x",), tuple((n,) for n in range(12)), (Move("g", Event("e")),) * 11)
    numbered = [str(line) for line in lines(trace) if line.emphasis]
    assert (numbered[9], numbered[10]) == ("   9  e", "  10  e")


def test_events_name_who_takes_part() -> None:
    assert describe(Event("e")) == "e"
    assert describe(Event("e", receiver="b")) == "e   → b"
    assert describe(Event("e", (1, "x"), "a", "b")) == "e(1, x)   a → b"


def test_nothing_reaches_the_terminal_that_it_would_obey() -> None:
    trace = Trace(("\x1b[31m",), (("\x1b]0;title\x07",),), ())
    text = "\n".join(map(str, lines(trace)))
    assert "\x1b" not in text
    assert "\x07" not in text
    assert describe(Event("\x1b[2J")) == "\\x1b[2J"
