"""Times for the actions of a run."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.scale import scaled
from tests.timed.networks import above, below, exactly

from homing.timed import zones
from homing.timed.schedule import NotARun, Stay, replay, schedule
from homing.timed.system import Action, Constraints, Reset, at_most

X, Y = 1, 2
CLOCKS = 3


def possible(stays: Sequence[Stay], actions: Sequence[Action]) -> bool:
    """By zones, step by step."""
    zone: zones.Zone | None = zones.zero(CLOCKS)
    for number, stay in enumerate(stays):
        zone = zone and zones.constrain(zone, stay.invariant)
        if zone and stay.delay:
            zone = zones.constrain(zones.up(zone), stay.invariant)
        if number < len(actions):
            zone = zone and zones.constrain(zone, actions[number].guard)
            zone = zone and zones.reset(zone, actions[number].resets)
        else:
            zone = zone and zones.constrain(zone, stay.goal)
    return zone is not None


Run = tuple[list[Stay], list[Action]]


def run(seed: int, closed: bool) -> Run:
    """Possible about as often as not: what makes it impossible is mostly left out."""
    draw = random.Random(seed)
    stays, actions = [stay(draw, closed)], list[Action]()
    for _ in range(draw.randint(0, 12)):
        action, following = Action("a", guard=some(draw, closed), resets=some_resets(draw)), stay(draw, closed)
        if draw.random() < 0.05 or possible([*stays, following], [*actions, action]):
            actions.append(action)
            stays.append(following)
    return stays, actions


def runs(closed: bool) -> st.SearchStrategy[Run]:
    return st.integers(0, 10**9).map(lambda seed: run(seed, closed))


def some(draw: random.Random, closed: bool) -> Constraints:
    found = []
    for _ in range(draw.choice([0, 1, 1, 2])):
        i, j = draw.sample(range(CLOCKS + 1), 2)
        found.append((i, j, at_most(draw.randint(-3, 3), strict=not closed and draw.random() < 0.5)))
    return tuple(found)


def some_resets(draw: random.Random) -> tuple[Reset, ...]:
    numbers = [(draw.randint(1, CLOCKS), draw.randint(0, 2), draw.randint(0, CLOCKS)) for _ in range(2)]
    return tuple(Reset(*three) for three in numbers[: draw.randint(0, 2)])


def stay(draw: random.Random, closed: bool) -> Stay:
    invariant = some(draw, closed) if draw.random() < 0.4 else ()
    return Stay(invariant, draw.random() < 0.7, some(draw, closed))


@settings(max_examples=scaled(400))
@given(st.integers(0, 10**9))
def test_a_schedule_is_found_where_there_is_one(seed: int) -> None:
    closed, many = seed % 3 == 0, seed % 5 == 0
    stays, actions = run(seed, closed)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("homing.timed.schedule.MANY", 0 if many else 200)
        found = schedule(CLOCKS, stays, actions)
    assert (found is not None) == possible(stays, actions)
    if found is not None:
        replay(CLOCKS, stays, actions, found)
        assert not closed or all(delay.denominator == 1 for delay in found)


@settings(max_examples=scaled(200))
@given(st.data())
def test_replaying_notices_what_a_schedule_would_not_allow(data: st.DataObject) -> None:
    """Other delays are possible just if the run is possible with stays that last that long."""
    stays, actions = data.draw(runs(False))
    halves = st.integers(0, 6).map(lambda number: Fraction(number, 2))
    delays = [data.draw(halves) for _ in stays]
    # One more clock sees how long a stay was, twice as long as it may be: bounds are whole numbers.
    timed = [Stay(twice(s.invariant), s.delay, twice(s.goal)) for s in stays]
    forced = []
    for number, delay in enumerate(delays):
        watched = exactly(CLOCKS + 1, int(2 * delay))
        if number < len(actions):
            resets = tuple(Reset(r.clock, 2 * r.value, r.source) for r in actions[number].resets)
            guard = twice(actions[number].guard) + watched
            forced.append(Action("a", guard=guard, resets=(*resets, Reset(CLOCKS + 1))))
        else:
            timed[number] = Stay(timed[number].invariant, timed[number].delay, timed[number].goal + watched)
    if schedule(CLOCKS + 1, timed, forced) is None:
        with pytest.raises(NotARun):
            replay(CLOCKS, stays, actions, delays)
    else:
        replay(CLOCKS, stays, actions, delays)


def twice(constraints: Constraints) -> Constraints:
    return tuple((i, j, bound // 2 * 4 + bound % 2) for i, j, bound in constraints)


def test_early_and_easy_to_read() -> None:
    stays = [Stay(), Stay(below(X, 5)), Stay(goal=above(Y, 9, strict=True))]
    actions = [Action("a", guard=above(X, 3), resets=(Reset(X, 1),)), Action("b", guard=above(X, 2, strict=True))]
    assert schedule(2, stays, actions) == [Fraction(3), Fraction(2), Fraction(5)]


def test_fractions_only_where_they_are_needed() -> None:
    between = above(X, 0, strict=True) + below(X, 1, strict=True)
    actions = [Action("a", guard=between), Action("b", guard=between, resets=(Reset(Y),)), Action("c", guard=between)]
    stays = [Stay(), Stay(), Stay(), Stay(goal=above(Y, 0, strict=True) + below(X, 1))]
    assert schedule(2, stays, actions) == [Fraction(1, 2), 0, 0, Fraction(1, 2)]


def test_one_time_bounds_the_next() -> None:
    """The first may be any, but once it is picked there is less than 1 left for the second."""
    actions = [
        Action("a", guard=above(X, 0, strict=True), resets=(Reset(Y),)),
        Action("b", guard=above(Y, 0, strict=True) + below(Y, 1, strict=True)),
    ]
    assert schedule(2, [Stay(), Stay(), Stay()], actions) == [Fraction(1), Fraction(1, 2), Fraction(0)]


@pytest.mark.parametrize("length", [150, 1000])
def test_a_long_run(length: int) -> None:
    tick = Action("tick", guard=above(X, 1, strict=True) + below(X, 2, strict=True), resets=(Reset(X),))
    stays, actions = [Stay(below(X, 2))] * (length + 1), [tick] * length
    found = schedule(1, stays, actions)
    assert found is not None
    replay(1, stays, actions, found)
    assert length > 150 or {delay.denominator for delay in found[:-1]} == {2}


@pytest.mark.parametrize(
    ("stays", "actions", "delays", "message"),
    [
        ([Stay(below(X, 1))], [], [2], "the invariant when stay 0 ends does not hold: clock 1 - clock 0 <= 1"),
        ([Stay(above(X, 1))], [], [2], "the invariant when stay 0 begins does not hold: clock 0 - clock 1 <= -1"),
        ([Stay(delay=False)], [], [1], "stay 0 cannot last 1"),
        ([Stay()], [], [-1], "stay 0 cannot last -1"),
        ([Stay(goal=above(X, 1))], [], [0], "the goal does not hold"),
        ([Stay(), Stay()], [Action("a", guard=above(X, 3))], [2, 0], "the guard of action 0, a, does not hold"),
        ([Stay(), Stay()], [], [2, 0], "2 stays, 0 actions and 2 delays do not make a run"),
    ],
)
def test_replaying_says_what_is_wrong(
    stays: list[Stay], actions: list[Action], delays: list[int], message: str
) -> None:
    with pytest.raises(NotARun, match=message):
        replay(1, stays, actions, list(map(Fraction, delays)))
