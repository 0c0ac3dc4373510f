"""Limits, failures, and sets too large to list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.symbolic import connect_four, philosophers
from tests.engines.test_limits import counting

from homing import checking
from homing.core.builder import Builder, step
from homing.core.errors import HomingError
from homing.core.model import Model
from homing.core.property import DeadlockFree
from homing.core.result import Limits, Options
from homing.core.stop import Stopped
from homing.core.system import Step, TransitionSystem
from homing.core.verdict import Verdict
from homing.core.wrappers import Constrained, View
from homing.engines.local.engine import check as check_locally
from homing.engines.local.numbering import Interner
from homing.engines.symbolic.engine import check
from homing.engines.symbolic.relation import Relation
from homing.engines.symbolic.space import Set, Space
from homing.engines.symbolic.tuning import Strategy, Tuning, chosen
from homing.languages.smv import load, model
from homing.languages.smv.tokens import Source

MODELS = Path(__file__).parents[3] / "models"
STRATEGIES: tuple[Strategy, ...] = ("levels", "chaining", "saturation")


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (Options(limits=Limits(states=2000)), "the limit of 2000 states was reached"),
        (Options(limits=Limits(seconds=0.6)), "the time limit of 0.6 s was reached"),
        # Whichever is met first: the memory is looked at once in a while.
        (Options(limits=Limits(memory_mb=1)), "the memory limit of 1 MB was reached|the memory was not enough"),
        (Options(interrupted=lambda: True), "interrupted"),
    ],
)
def test_a_limit_ends_in_unknown_with_all_that_was_found(options: Options, reason: str) -> None:
    report = check(counting(2).model(), options).report
    five, small, least = report.results
    assert small.verdict is Verdict.UNKNOWN
    assert re.match(reason, small.reason or "")
    assert least.verdict is Verdict.UNKNOWN
    assert least.value in ((0, None) if reason == "interrupted" else (0,))  # it may be too early for a first state
    if "states" in reason:
        assert five.verdict is Verdict.HOLDS
        assert five.trace is not None
        assert five.trace.states[-1][0] == 5
        assert five.counts.distinct >= 2000


def test_too_many_nodes_end_in_unknown() -> None:
    """A relation between two halves of the bits, far apart in the order: the more bits, the twice the nodes."""
    size = 24
    text = "MODULE main VAR " + " ".join(f"a{n} : boolean; b{n} : boolean;" for n in range(size))
    text += " INIT " + " & ".join(f"(a{n} <-> b{(n * 7 + 3) % size})" for n in range(size))
    text += " ASSIGN " + " ".join(f"next(a{n}) := a{n}; next(b{n}) := b{n};" for n in range(size))
    found = check(model(Source("x.smv", text)), Options(threads=1), Tuning(nodes=3000, cache=1024)).report
    (result,) = found.results
    assert result.verdict is Verdict.UNKNOWN
    assert result.reason is not None
    assert "memory" in result.reason


def test_a_limit_before_all_states_were_looked_at_for_deadlock(monkeypatch: pytest.MonkeyPatch) -> None:
    """All states are known by then, but that none of them is dead is not."""

    def late(self: Relation, states: Set) -> Set:
        raise Stopped("it is late")

    b = Builder("stops")
    value = b.slot("value", 0)

    @b.group("count", [value], [value])
    def count(now: int) -> Iterator[Step]:
        yield from [step("count", {value: now + 1})] if now < 5 else []

    b.deadlock_free()
    b.always("small", [value], lambda now: now < 10)
    (dead, small) = check(b.model(), Options(threads=1)).report.results
    assert (dead.verdict, small.verdict) == (Verdict.VIOLATED, Verdict.HOLDS)
    monkeypatch.setattr(Relation, "dead", late)
    report = check(b.model(), Options(threads=1)).report
    assert [(result.verdict, result.reason) for result in report.results] == [(Verdict.UNKNOWN, "it is late")] * 2


class Ordered:
    """A system each of whose labels is asked where all before it are true."""

    def __init__(self, system: TransitionSystem) -> None:
        labels = enumerate(system.shape.labels)
        after = tuple(replace(label, after=tuple(range(number))) for number, label in labels)
        self.shape = replace(system.shape, labels=after)
        self.initial, self.next, self.label = system.initial, system.next, system.label


def test_labels_after_many_others_are_asked_once() -> None:
    b = Builder("many labels")
    value = b.slot("value", 0)

    @b.group("count", [value], [value])
    def count(now: int) -> Iterator[Step]:
        yield step("count", {value: (now + 1) % 5})

    for number in range(40):
        b.always(f"not {number + 5}", [value], lambda now, least=number: now < least + 5)
    model = b.model()
    model = replace(model, system=Ordered(model.system))
    report = check(model, Options(threads=1, limits=Limits(seconds=20))).report
    assert report.verdict is Verdict.HOLDS


def failing() -> Builder:
    b = Builder("failing")
    value = b.slot("value", 0)

    @b.group("count", [value], [value])
    def count(now: int) -> Iterator[Step]:
        yield step(f"a {12 // (3 - now)}th", {value: now + 1})

    b.always("small", [value], lambda now: now < 100)
    return b


def test_a_model_that_fails_shows_where() -> None:
    report = check(failing().model(), Options(threads=1)).report
    assert report.error is not None
    assert "ZeroDivisionError" in str(report.error)
    assert report.error_trace is not None
    assert report.error_trace.states[-1] == (3,)
    assert report.results[0].verdict is Verdict.UNKNOWN


def test_a_view_keeps_one_of_the_states_that_look_the_same() -> None:
    """A counter that goes on for ever, hidden: what is seen of it is finite."""
    b = Builder("logged")
    seen, log = b.slot("seen", 0), b.slot("log", 0)

    @b.group("turn", [seen, log], [seen, log])
    def turn(value: int, length: int) -> Iterator[Step]:
        yield step("turn", {seen: (value + 1) % 3, log: length + 1})
        yield step("note", {log: length + 7})

    b.deadlock_free()
    report = check(b.model(View(b.system(), ["log"])), Options()).report
    assert report.verdict is Verdict.HOLDS
    assert (report.results[0].counts.distinct, report.results[0].counts.generated) == (3, 7)


def test_a_view_of_states_that_turn_up_together() -> None:
    """Of four that look the same, and are found at once, one stays."""
    b = Builder("logged")
    seen, log = b.slot("seen", 0), b.slot("log", 0)

    @b.group("turn", [seen], [seen, log])
    def turn(value: int) -> Iterator[Step]:
        yield from (step("turn", {seen: (value + 1) % 3, log: number}) for number in range(4))

    b.deadlock_free()
    model = b.model(View(b.system(), ["log"]))
    one, other = (each(model, Options(threads=1)).counts for each in (check, check_locally))
    assert (one.distinct, one.generated, one.depth) == (other.distinct, other.generated, other.depth) == (3, 13, 3)


def test_steps_of_groups_that_describe_themselves_one_by_one() -> None:
    """A disjunction is interleaving: its parts are groups, and a step may lead to several values."""
    parts = (f"({x} < 3 & next({x}) in {x} + 1 .. 4 & next({y}) = {y})" for x, y in ("ab", "ba"))
    text = f"MODULE main VAR a : 0..4; b : 0..4; INIT a = 0 & b = 0; TRANS {' | '.join(parts)}"
    found = replace(model(Source("x.smv", text)), properties=(DeadlockFree(),))
    assert not found.system.shape.joint
    one, other = (each(found, Options(threads=1)).counts for each in (check, check_locally))
    assert replace(one, evaluations=0) == replace(other, evaluations=0)
    assert one.transitions > 30


def test_a_trace_stays_inside_the_constraints() -> None:
    b = Builder("two ways")
    place, way = b.slot("place", 0), b.slot("way", 0)

    @b.group("go", [place], [place, way])
    def go(now: int) -> Iterator[Step]:
        if now == 0:
            yield from (step("go", {place: 1, way: number}) for number in (1, 2))
        if now == 1:
            yield step("go", {place: 2, way: 0})

    b.sometimes("there", [place], lambda now: now == 2)
    b.label("allowed", [way], lambda now: now != 1)
    for strategy in STRATEGIES:
        model = b.model(Constrained(b.system(), ["allowed"]))
        (result,) = check(model, Options(threads=1), Tuning(strategy=strategy)).report.results
        assert result.trace is not None
        assert result.trace.states == ((0, 0), (1, 2), (2, 0))


def test_a_state_outside_the_constraints_is_no_deadlock() -> None:
    b = Builder("up to five")
    value = b.slot("value", 0)

    @b.group("count", [value], [value])
    def count(now: int) -> Iterator[Step]:
        yield from [step("count", {value: now + 1})] if now < 5 else []

    b.deadlock_free()
    b.label("below five", [value], lambda now: now < 5)
    model = b.model(Constrained(b.system(), ["below five"]))
    for strategy in STRATEGIES:
        report = check(model, Options(threads=1), Tuning(strategy=strategy)).report
        assert (report.verdict, report.results[0].counts.distinct) == (Verdict.HOLDS, 5)


def counter(bits: int, never: int) -> Model:
    """Counts up and round; its value is never this."""
    most = 2**bits - 1
    return model(
        Source("counter.smv", f"MODULE main VAR n : 0..{most}; ASSIGN init(n) := 0; next(n) := (n + 1) mod {most + 1};"
                              f" INVARSPEC NAME small := n != {never} INVARSPEC NAME possible := n >= 0")
    )  # fmt: skip


def test_a_long_row_of_states_is_leapt_over() -> None:
    report = check(counter(12, 4096), Options(), Tuning(leap=20)).report
    assert report.verdict is Verdict.HOLDS
    counts = report.results[0].counts
    assert (counts.distinct, counts.generated, counts.depth) == (4096, 4097, 4096)
    assert report.engine["rounds"] < 50


def test_what_is_found_in_a_leap_has_its_shortest_trace() -> None:
    report = check(counter(8, 200), Options(), Tuning(leap=20)).report
    small, possible = report.results
    assert small.verdict is Verdict.VIOLATED
    assert small.trace is not None
    assert len(small.trace) == 200
    assert possible.verdict is Verdict.HOLDS


def test_a_state_without_a_step_behind_a_leap() -> None:
    text = "MODULE main VAR n : 0..255; INIT n = 0; TRANS n < 200 & next(n) = n + 1"
    found = replace(model(Source("x.smv", text)), properties=(DeadlockFree(),))
    (result,) = check(found, Options(threads=1), Tuning(leap=20)).report.results
    assert (result.verdict, result.counts.distinct) == (Verdict.VIOLATED, 201)
    assert result.trace is not None
    assert len(result.trace) == 200


def test_an_unknown_strategy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOMING_SYMBOLIC", "magic")
    with pytest.raises(HomingError, match="unknown strategy 'magic'"):
        chosen()


def test_sets_that_are_kept_stay_when_fields_get_more_bits() -> None:
    interner = Interner()
    space = Space([interner], [0], 1 << 12, 1 << 10, 1)
    kept = [space.keep(space.false, space.now)]
    for number in range(300):
        interner.intern(number)
        space.fit()
        kept.append(space.keep(space.of_rows([(number,), (number // 2,)], space.now), space.now))
    for number, entry in enumerate(kept[1:]):
        assert set(space.rows(entry.set, space.now)) == {(number,), (number // 2,)}
    assert space.states(kept[7].set) == 2


def register(size: int) -> str:
    """A shift register of free bits."""
    moved = " ".join(f"next(b{n}) := b{n - 1};" for n in range(1, size))
    asked = f"INVARSPEC b0 | !b0 CTLSPEC AG EF b{size - 1} LTLSPEC G (b0 -> X F b0) CTLSPEC AG b0 = b1"
    return "MODULE main VAR " + " ".join(f"b{n} : boolean;" for n in range(size)) + f" ASSIGN {moved} {asked}"


def test_more_states_than_can_be_listed() -> None:
    report = checking.check(model(Source("x.smv", register(60))), "symbolic", Options(threads=1))
    assert [str(result.verdict) for result in report.results] == ["HOLDS", "HOLDS", "VIOLATED", "VIOLATED"]
    assert report.results[0].counts.distinct == 2**60
    assert report.results[0].counts.transitions == 2**61
    assert all(result.trace is not None for result in report.results[2:])


def test_planted_faults_are_found() -> None:
    for path in sorted((MODELS / "overlay" / "faults").glob("*.smv")):
        (loaded,) = load(path)
        one, other = (checking.check(loaded, engine, Options(threads=1)) for engine in ("symbolic", "local"))
        assert [r.verdict for r in one.results] == [r.verdict for r in other.results]
        assert one.verdict is Verdict.VIOLATED
        assert one.results[0].counts.distinct == other.results[0].counts.distinct


def test_a_strategy_is_chosen() -> None:
    """Pieces only come on the board: a level is a simpler set than what chaining finds; philosophers move freely."""
    pieces = check(connect_four(4, 4), Options(threads=1), Tuning(doubt=5000)).report
    assert (pieces.engine["strategy"], pieces.results[0].counts.distinct) == ("levels", 187_927)
    people = check(philosophers(8), Options(threads=1), Tuning(doubt=20)).report
    assert (people.engine["strategy"], people.results[0].counts.distinct) == ("chaining", 1154)


def test_what_chaining_found_outlives_a_doubt() -> None:
    """In a round of chaining `long` goes all the way; as many states by levels have it on half of its way only."""
    b = Builder("two ways")
    long, short = b.slot("long", 0), b.slot("short", 0)
    for place in range(6):

        @b.group(f"long {place}", [long], [long])
        def go(now: int, place: int = place) -> Iterator[Step]:
            if now == place:
                yield step("go", {long: now + 1})

    @b.group("short", [short], [short])
    def rise(now: int) -> Iterator[Step]:
        if now < 5:
            yield step("rise", {short: now + 1})

    b.always("never too far", [long], lambda now: now < 7)
    b.always("never there", [long, short], lambda far, near: (far, near) != (6, 2))
    report = check(b.model(), Options(threads=1), Tuning(doubt=5, simpler=0)).report
    assert (report.engine["strategy"], report.results[0].counts.distinct) == ("chaining", 42)
    assert [result.verdict.name for result in report.results] == ["HOLDS", "VIOLATED"]
