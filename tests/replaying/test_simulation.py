"""Which sequences of events are possible, compared with a naive set of states."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homing.core import interpreter
from homing.core.builder import Builder, step
from homing.core.errors import HomingError, ModelError
from homing.core.formula import ANY, Happens, Wildcard
from homing.core.model import Model
from homing.core.result import Limits
from homing.core.system import Event, Shape, Step, TransitionSystem
from homing.core.values import Short, State, Value, encode
from homing.core.verdict import Verdict
from homing.core.wrappers import Constrained
from homing.replaying.judging import judge
from homing.replaying.reading import parse
from homing.replaying.simulation import Run, Settings
from tests import systems
from tests.reference import label_of, steps_from

TAU = Settings()


def graph(edges: Iterable[tuple[str, str | Event, str]], first: str = "0", goal: str = "") -> Model:
    """A system of one slot whose steps are edges between named states."""
    build = Builder("graph")
    at = build.slot("at", *first)
    known = list(edges)

    @build.group("go", [at], [at])
    def go(here: str) -> Iterable[Step]:
        for before, event, after in known:
            if before == here:
                yield step(event, {at: after})

    build.sometimes("arrives", [at], lambda here: here == goal)
    return build.model()


def ask(model: Model, text: str, chosen: Settings = TAU) -> Run:
    return judge(model, parse(text, "t"), chosen)


def walked(run: Run) -> str:
    return " ".join(str(move.event) for move in run.trace.moves)


# Small systems

CLOUDY = [
    ("0", "tau", "1"),
    ("1", "tau", "2"),
    ("2", "tau", "1"),
    ("2", "a", "3"),
    ("0", "a", "4"),
    ("3", "b", "5"),
    ("4", "c", "5"),
]


def test_internal_steps_need_not_be_mentioned() -> None:
    run = ask(graph(CLOUDY), "a, b")
    assert (run.verdict, walked(run)) == (Verdict.HOLDS, "tau tau a b")
    assert ask(graph(CLOUDY), "a, c").verdict is Verdict.HOLDS


def test_a_shortest_run_is_shown() -> None:
    edges = [("0", "tau", "1"), ("1", "tau", "2"), ("2", "a", "3"), ("0", "a", "4"), ("4", "tau", "3"), ("3", "b", "5")]
    assert walked(ask(graph(edges), "a, b")) == "a tau b"
    assert walked(ask(graph([*edges, ("2", "a", "5"), ("4", "b", "5")]), "a, b")) == "a b"


def test_internal_steps_may_be_mentioned() -> None:
    assert ask(graph(CLOUDY), "tau, a, b").verdict is Verdict.HOLDS
    assert ask(graph(CLOUDY), "τ, τ, τ, τ, a").verdict is Verdict.HOLDS
    assert ask(graph(CLOUDY), "tau, a, c").verdict is Verdict.VIOLATED


def test_what_is_possible_instead() -> None:
    run = ask(graph(CLOUDY), "a, d, b")
    assert (run.verdict, run.matched, walked(run)) == (Verdict.VIOLATED, 1, "a")
    assert {str(event) for event in run.possible} == {"b", "c"}
    assert run.reason == "event 2 'd' is not possible after the 1 before it"


def test_further_names_can_be_hidden() -> None:
    chosen = replace(TAU, internal=frozenset({"tau", "a"}))
    assert walked(ask(graph(CLOUDY), "c", chosen)) == "a c"
    assert ask(graph(CLOUDY), "c").verdict is Verdict.VIOLATED
    assert ask(graph(CLOUDY), "a, c", chosen).verdict is Verdict.HOLDS


def test_every_initial_state_counts() -> None:
    model = graph([("0", "a", "1"), ("2", "b", "1")], first="02")
    assert ask(model, "a").verdict is Verdict.HOLDS
    assert ask(model, "b").verdict is Verdict.HOLDS


ENDS = replace(TAU, ends=True)


@pytest.mark.parametrize(
    ("more", "text", "verdict"),
    [
        ([], "a, b", Verdict.HOLDS),
        ([], "a", Verdict.VIOLATED),
        ([("5", "tau", "5")], "a, b", Verdict.HOLDS),
        ([("5", "tau", "0")], "a, b", Verdict.VIOLATED),
        ([("5", "tau", "0"), ("5", "tau", "6")], "a, b", Verdict.HOLDS),
        ([("5", "terminate", "6")], "a, b", Verdict.HOLDS),
        ([("5", "terminate", "6"), ("6", "a", "6")], "a, b", Verdict.VIOLATED),
    ],
)
def test_complete_traces(more: list[tuple[str, str, str]], text: str, verdict: Verdict) -> None:
    assert ask(graph([*CLOUDY, *more]), text, ENDS).verdict is verdict


def test_a_goal_may_come_by_internal_steps() -> None:
    chosen = replace(TAU, goal=(0,))
    assert walked(ask(graph([*CLOUDY, ("3", "tau", "6")], goal="6"), "a", chosen)) == "tau tau a tau"
    run = ask(graph(CLOUDY, goal="6"), "a", chosen)
    assert (run.verdict, run.reason) == (Verdict.VIOLATED, "'arrives' is not true after it")
    both = replace(chosen, ends=True)
    assert ask(graph(CLOUDY, goal="3"), "a", chosen).verdict is Verdict.HOLDS
    assert ask(graph([*CLOUDY, ("3", "tau", "6")], goal="3"), "a", both).reason == "'arrives' is not true where it ends"


def test_nothing_follows_beyond_a_constraint() -> None:
    model = graph([("0", "a", "1"), ("1", "a", "0")], goal="0")
    bound = replace(model, system=Constrained(model.system, ["arrives"]))
    assert ask(model, "a, a").verdict is Verdict.HOLDS
    assert ask(bound, "a").verdict is Verdict.HOLDS
    assert ask(bound, "a, a").verdict is Verdict.VIOLATED
    assert ask(bound, "a", ENDS).verdict is Verdict.VIOLATED


def test_limits() -> None:
    build = Builder("runs away")
    n = build.slot("n", 0)

    @build.group("count", [n], [n])
    def count(value: int) -> Iterable[Step]:
        yield step("tau", {n: value + 1})

    for limits, reason in (
        (Limits(100), "stopped at 100 states"),
        (Limits(None, 0.01), "the time limit of 0.01 s was reached"),
    ):
        run = ask(build.model(), "never", replace(TAU, limits=limits))
        assert (run.verdict, run.reason) == (Verdict.UNKNOWN, reason)
    run = ask(build.model(), "never", replace(TAU, interrupted=lambda: True))
    assert (run.verdict, run.reason) == (Verdict.UNKNOWN, "interrupted")


def test_a_model_that_writes_no_value() -> None:
    build = Builder("wrong")
    n = build.slot("n", 0)

    @build.group("go", [n], [n])
    def go(value: int) -> Iterable[Step]:
        yield step("a", {n: [1]})  # type: ignore[dict-item]

    with pytest.raises(ModelError, match="what group 'go' writes cannot be encoded"):
        ask(build.model(), "a")


# What a text stands for


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("send", True),
        ("send(1, x)", True),
        ("send( 1,x )", True),
        ("snd!1.x", True),
        ("send(1)", False),
        ("snd", False),
    ],
)
def test_texts_without_a_pattern(text: str, fits: bool) -> None:
    model = graph([("0", Event("send", (1, "x"), text="snd!1.x"), "1")])
    assert (ask(model, text).verdict is Verdict.HOLDS) == fits


def pattern(text: str) -> Happens:
    name, *fields = text.split(".")
    if name not in ("send", "go"):
        raise HomingError(f"unknown event '{name}'", known=["send", "go"])
    constants: dict[str, int | Wildcard] = {"ONE": 1, "TWO": 2, "_": ANY}
    return Happens(name, tuple(constants[each] for each in fields))


def test_texts_with_a_pattern() -> None:
    model = replace(graph([("0", Event("send", (1,), text="send!1"), "1")]), pattern=pattern)
    for text, fits in (("send.ONE", True), ("send._", True), ("send!1", True), ("send.TWO", False), ("go", False)):
        run = ask(model, text)
        assert (run.verdict is Verdict.HOLDS) == fits
        assert run.error is None


def test_an_unknown_name_has_its_place() -> None:
    model = replace(graph([("0", Event("send", (1,)), "1")]), pattern=pattern)
    run = ask(model, "send.ONE,\n  sned.TWO")
    assert str(run.error) == "t:2:3: unknown event 'sned'; declared: send, go"


# Random systems


@dataclass(frozen=True)
class Blurred:
    """A random system whose first group is internal, and whose events no longer tell the steps of a group apart."""

    system: systems.RandomSystem

    @property
    def shape(self) -> Shape:
        return self.system.shape

    def initial(self) -> Iterable[State]:
        return self.system.initial()

    def next(self, group: int, read: Short) -> Iterable[Step]:
        for each in self.system.next(group, read):
            yield Step(Event("tau" if group == 0 else f"e{group % 3}"), each.writes)

    def label(self, label: int, read: Short) -> bool | int:
        return self.system.label(label, read)


blurred = st.builds(
    systems.RandomSystem,
    seed=st.integers(0, 2**32),
    slots=st.integers(1, 2),
    groups=st.integers(2, 5),
    labels=st.integers(0, 2),
    values=st.integers(1, 6),
    eagerness=st.integers(1, 3),
).map(Blurred)


def walk(system: TransitionSystem, draw: random.Random, most: int = 8) -> list[str]:
    """What is seen of a random walk."""
    state = draw.choice(list(system.initial()))
    seen = []
    for _ in range(most):
        steps = list(steps_from(system, state))
        if not steps:
            break
        event, state = draw.choice(steps)
        seen.append(event)
    return [event for event in seen if event != "tau"]


def closed(system: TransitionSystem, states: Iterable[State]) -> dict[bytes, State]:
    waiting = list(states)
    found: dict[bytes, State] = {}
    while waiting:
        state = waiting.pop()
        if encode(state) not in found:
            found[encode(state)] = state
            waiting += [after for event, after in steps_from(system, state) if event == "tau"]
    return found


def naive(system: TransitionSystem, events: list[str]) -> list[dict[bytes, State]]:
    """The states after each event, as long as there are any."""
    layers = [closed(system, system.initial())]
    for wanted in events:
        found = [state for here in layers[-1].values() for event, state in steps_from(system, here) if event == wanted]
        if not found:
            break
        layers.append(closed(system, found))
    return layers


def mutated(events: list[str], draw: random.Random) -> list[str]:
    changed = list(events)
    at = draw.randrange(len(events) + 1)
    match draw.choice(("insert", "drop", "swap")):
        case "insert":
            changed.insert(at, draw.choice(("e0", "e1", "e2")))
        case "drop":
            del changed[at : at + 1]
        case "swap":
            draw.shuffle(changed)
    return changed


@settings(max_examples=60, deadline=None)
@given(blurred, st.randoms(use_true_random=False))
def test_what_was_seen_is_a_trace(system: TransitionSystem, draw: random.Random) -> None:
    events = walk(system, draw)
    run = ask(Model("m", system, ()), f"<{', '.join(events)}>")
    assert run.verdict is Verdict.HOLDS
    interpreter.replay(system, run.trace)
    assert [str(move.event) for move in run.trace.moves if move.event.name != "tau"] == events


@settings(max_examples=80, deadline=None)
@given(blurred, st.randoms(use_true_random=False))
def test_as_the_naive_simulation(system: TransitionSystem, draw: random.Random) -> None:
    events = mutated(walk(system, draw), draw)
    layers = naive(system, events)
    run = ask(Model("m", system, ()), f"<{', '.join(events)}>")
    assert run.matched == len(layers) - 1
    assert (run.verdict is Verdict.HOLDS) == (run.matched == len(events))
    interpreter.replay(system, run.trace)
    if run.verdict is Verdict.VIOLATED:
        following = {event for state in layers[-1].values() for event, _ in steps_from(system, state)}
        assert {str(event) for event in run.possible} == following - {"tau"}
    elif system.shape.labels:
        there = any(label_of(system, 0, state) for state in layers[-1].values())
        asked = ask(Model("m", system, ()), f"<{', '.join(events)}>", replace(TAU, goal=(0,)))
        assert (asked.verdict is Verdict.HOLDS) == there


@settings(max_examples=60, deadline=None)
@given(blurred, st.randoms(use_true_random=False))
def test_complete_traces_as_the_naive_simulation(system: TransitionSystem, draw: random.Random) -> None:
    events = walk(system, draw)
    last = naive(system, events)[-1]
    shown = {key: {event for event, _ in steps_from(system, state)} for key, state in last.items()}
    ends = any(all(shown[key] <= {"tau"} for key in closed(system, [state])) for state in last.values())
    run = ask(Model("m", system, ()), f"<{', '.join(events)}>", ENDS)
    assert (run.verdict is Verdict.HOLDS) == ends


def test_values_that_look_alike_are_two_states() -> None:
    values: tuple[Value, ...] = (1, True)
    build = Builder("alike")
    n = build.slot("n", *values)

    @build.group("go", [n], [n])
    def go(value: Value) -> Iterable[Step]:
        yield step("number" if value is not True else "truth", {n: value})

    assert ask(build.model(), "number").verdict is ask(build.model(), "truth").verdict is Verdict.HOLDS
    assert ask(build.model(), "number, truth").verdict is Verdict.VIOLATED
