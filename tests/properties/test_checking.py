"""Whole checks, from a model to a report: verdicts, lassos, vacuity, refusals."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.properties.notation import parse, path
from tests.properties.structures import System, graph_of

from homing import CheckedModel, HomingError, Limits, Options, Verdict
from homing.core.builder import Builder, step
from homing.core.formula import (
    FALSE,
    TRUE,
    Action,
    Formula,
    Happens,
    Holds,
    always,
    eventually,
    leads_to,
    on_all_paths,
    on_some_path,
)
from homing.core.interpreter import ReplayFailed, replay
from homing.core.result import Result
from homing.core.system import Step
from homing.core.temporal import (
    Compassion,
    Deterministic,
    DivergenceFree,
    Fairness,
    Justice,
    Refines,
    Strong,
    StrongGlobal,
    Stuttering,
    Temporal,
    Weak,
    process_fairness,
)
from homing.core.witness import Trace
from homing.core.wrappers import Symmetric, View
from homing.properties.checker import Checker

WAITS, SERVED, IDLE = Holds("waits"), Holds("served"), Holds("idle")


def action(*groups: str, changing: frozenset[int | str] | None = None) -> Action:
    return Action(frozenset(groups), changing)


def server(*, gives_up: bool = False) -> Builder:
    """A client asks, a server answers when its gate is open; the gate opens and shuts by itself."""
    build = Builder("server")
    client = build.slot("client", "idle")
    gate = build.slot("gate", True)

    @build.group("ask", reads=[client], writes=[client])
    def ask(state: str) -> Iterator[Step]:
        if state == "idle":
            yield step("ask", {client: "waits"})

    @build.group("answer", reads=[client, gate], writes=[client])
    def answer(state: str, is_open: bool) -> Iterator[Step]:
        if state == "waits" and is_open:
            yield step("answer", {client: "served"})

    @build.group("swing", reads=[gate, client], writes=[gate])
    def swing(is_open: bool, state: str) -> Iterator[Step]:
        if state == "waits":
            yield step("swing", {gate: not is_open})

    @build.group("look", reads=[client], writes=[client])
    def look(state: str) -> Iterator[Step]:
        yield step("look", {client: state})

    if gives_up:

        @build.group("give up", reads=[client], writes=[client])
        def give_up(state: str) -> Iterator[Step]:
            if state == "waits":
                yield step("give up", {client: "gone"})

    for name in ("idle", "waits", "served"):
        build.label(name, [client], lambda state, name=name: state == name)
    return build


def ask(
    formula: Formula,
    *fairness: Fairness,
    stuttering: Stuttering = "at the end",
    gives_up: bool = False,
) -> Result:
    build = server(gives_up=gives_up)
    build.temporal("asked", formula, fairness=fairness, stuttering=stuttering)
    model = build.model()
    result = CheckedModel((model,)).check().results[0]
    if result.trace is not None:
        replay(model.system, result.trace)
    return result


def events(trace: Trace | None) -> list[str]:
    assert trace is not None
    return [move.event.name for move in trace.moves]


RESPONSE = leads_to(WAITS, SERVED)
ANSWER = action("answer", changing=frozenset({"client"}))


@pytest.mark.parametrize(
    ("fairness", "verdict"),
    [
        ((), Verdict.VIOLATED),
        ((Weak(ANSWER),), Verdict.VIOLATED),
        ((Strong(ANSWER),), Verdict.VIOLATED),  # the gate may stay shut while the client looks
        ((Strong(ANSWER), Weak(action("swing"))), Verdict.HOLDS),
        ((Weak(ANSWER), Weak(action("swing"))), Verdict.VIOLATED),
        ((StrongGlobal(),), Verdict.HOLDS),
        ((Justice(~WAITS),), Verdict.HOLDS),
        ((Compassion(WAITS, SERVED),), Verdict.HOLDS),
        (process_fairness("strong", {"server": frozenset({"answer"}), "gate": frozenset({"swing"})}), Verdict.HOLDS),
        (process_fairness("weak", {"server": frozenset({"answer"}), "gate": frozenset({"swing"})}), Verdict.VIOLATED),
    ],
)
def test_a_response_needs_fairness(fairness: tuple[Fairness, ...], verdict: Verdict) -> None:
    result = ask(RESPONSE, *fairness)
    assert result.verdict is verdict
    assert (result.trace is not None) == (verdict is Verdict.VIOLATED)
    if result.trace is not None:
        assert result.trace.loop is not None
        assert len(result.trace.notes) == len(fairness)


def test_fairness_of_steps_that_change_nothing_is_none() -> None:
    """SF_v of looking, where v is not changed by it, is no assumption: `<<A>>_v` is never enabled."""
    client = frozenset[int | str]({"client"})
    unmoved = ask(always(eventually(Happens("look"))), Strong(action("look", changing=client)))
    assert unmoved.verdict is Verdict.VIOLATED
    assert ask(always(eventually(Happens("look"))), Strong(action("look"))).verdict is Verdict.HOLDS


def test_a_step_that_writes_more_than_the_subscript() -> None:
    build = Builder("two")
    one, two = build.slot("one", 0), build.slot("two", 0)

    @build.group("turn", reads=[one, two], writes=[one, two])
    def turn(first: int, second: int) -> Iterator[Step]:
        yield step("first", {one: 1 - first})
        if first == 0:
            yield step("second", {two: 1})

    build.label("two", [two], lambda value: value == 1)
    for name, slots in (("by two", {"two"}), ("by one", {"one"})):
        fair = Strong(action("turn", changing=frozenset(slots)))
        build.temporal(name, eventually(Holds("two")), fairness=[fair])
    results = CheckedModel((build.model(),)).check().results
    assert [result.verdict for result in results] == [Verdict.HOLDS, Verdict.VIOLATED]


def test_stuttering() -> None:
    """TLA+ may stand still anywhere, unless fairness forbids it; elsewhere only where nothing is left to do."""
    asked = eventually(~IDLE)
    assert ask(asked, Weak(action("ask"))).verdict is Verdict.HOLDS
    assert ask(asked, Weak(action("ask")), stuttering="always").verdict is Verdict.HOLDS
    still = ask(asked, stuttering="always")
    assert still.verdict is Verdict.VIOLATED
    assert still.trace is not None
    assert still.trace.loop == 0
    assert still.trace.states[-1] == still.trace.states[0]


def test_ctl() -> None:
    assert ask(on_all_paths(always(WAITS >> on_some_path(eventually(SERVED))))).verdict is Verdict.HOLDS
    result = ask(on_all_paths(always(WAITS >> on_some_path(eventually(SERVED)))), gives_up=True)
    assert result.verdict is Verdict.HOLDS
    result = ask(on_all_paths(always(on_some_path(eventually(SERVED)))), gives_up=True)
    assert result.verdict is Verdict.VIOLATED
    assert events(result.trace) == ["ask", "give up"]
    result = ask(on_some_path(eventually(SERVED)))
    assert events(result.trace) == ["ask", "answer"], "what holds on some path comes with it"
    result = ask(on_all_paths(eventually(SERVED)))
    assert result.trace is not None
    assert result.trace.loop is not None


@pytest.mark.parametrize(
    ("formula", "fairness", "vacuous"),
    [
        (leads_to(WAITS & SERVED, IDLE), (), "'waits & served' never happens"),
        (leads_to(Happens("cancel"), SERVED), (), "'cancel' never happens"),
        (always(eventually(WAITS & IDLE) >> SERVED), (), "'F (waits & idle)' never happens"),
        (eventually(IDLE), (), "true in every initial state"),
        (on_some_path(eventually(IDLE)), (), "true in every initial state"),
        (on_all_paths(always((WAITS & IDLE) >> SERVED)), (), "'waits & idle' never happens"),
        (RESPONSE, (Justice(FALSE),), "its negation holds as well: no behaviour is fair"),
        (on_all_paths(always(IDLE)), (Justice(FALSE),), "its negation holds as well: no behaviour is fair"),
        (always(TRUE), (), "true whatever the system does"),
        (eventually(IDLE) | always(~IDLE), (), "true whatever the system does"),
        (RESPONSE, (Justice(SERVED),), None),
        (on_all_paths(always(IDLE | WAITS | SERVED)), (), None),
        (eventually(always(~WAITS)), (Justice(SERVED),), None),
    ],
)
def test_empty_reasons(formula: Formula, fairness: tuple[Fairness, ...], vacuous: str | None) -> None:
    result = ask(formula, *fairness)
    assert result.verdict is Verdict.HOLDS
    assert result.vacuous == vacuous


def test_results_come_in_the_order_of_the_properties() -> None:
    build = server()
    build.temporal("first", RESPONSE)
    build.always("second", [0], lambda state: state != "served")
    build.temporal("third", on_some_path(eventually(SERVED)))
    build.deadlock_free()
    build.ask(Deterministic("fifth"))
    build.ask(DivergenceFree("sixth"))
    report = CheckedModel((build.model(),)).check()
    found = [(result.property, result.verdict.name) for result in report.results]
    assert found == [
        ("first", "VIOLATED"),
        ("second", "VIOLATED"),
        ("third", "HOLDS"),
        ("deadlock free", "HOLDS"),
        ("fifth", "HOLDS"),
        ("sixth", "HOLDS"),
    ]
    assert report.results[5].vacuous == "there are no internal steps"


def test_refinement_of_another_system() -> None:
    for gives_up, verdict in ((False, Verdict.HOLDS), (True, Verdict.VIOLATED)):
        build = server(gives_up=gives_up)
        build.ask(Refines("as specified", server().system(), "FD", frozenset({"swing", "look"})))
        build.ask(Refines("in traces", server().system(), "T", frozenset({"swing", "look"})))
        result = CheckedModel((build.model(),)).check(["in traces"]).results[0]
        assert result.verdict is verdict
        if gives_up:
            assert events(result.trace)[-1] == "give up"


def test_a_search_that_did_not_end_leaves_it_unknown() -> None:
    build = server()
    build.temporal("asked", RESPONSE)
    report = CheckedModel((build.model(),)).check(options=Options(limits=Limits(states=2)))
    assert report.results[0].verdict is Verdict.UNKNOWN
    assert report.results[0].reason == "the limit of 2 states was reached"


def test_a_model_that_fails_leaves_it_unknown() -> None:
    build = server()

    @build.group("fail", reads=[0])
    def fail(state: str) -> Iterator[Step]:
        raise ValueError("broken")

    build.temporal("asked", RESPONSE)
    report = CheckedModel((build.model(),)).check()
    assert report.error is not None
    assert (report.results[0].verdict, report.results[0].reason) == (Verdict.UNKNOWN, "the model failed")


@pytest.mark.parametrize("merging", ["symmetry", "view"])
def test_symmetry_and_view_are_refused(merging: str) -> None:
    build = server()
    build.temporal("asked", RESPONSE)
    build.always("safe", [0], lambda state: state != "gone")
    plain = build.system()
    system = Symmetric(plain, [["x", "y"]]) if merging == "symmetry" else View(plain, ["gate"])
    checked = CheckedModel((build.model(system),))
    refused, safe = checked.check().results
    assert refused.verdict is Verdict.UNKNOWN
    assert refused.reason is not None
    assert merging in refused.reason
    assert "unsound" in refused.reason
    assert safe.verdict is Verdict.HOLDS
    allowed = checked.check(unsound=True).results[0]
    assert allowed.verdict is Verdict.VIOLATED
    assert allowed.reason is not None
    assert allowed.reason.startswith("unsound: ")
    assert allowed.trace is None


def test_a_graph_with_large_levels() -> None:
    build = Builder("wide")
    value = build.slot("value", *range(30_000))

    @build.group("count", reads=[value], writes=[value])
    def count(number: int) -> Iterator[Step]:
        yield step("count", {value: max(0, number - 20_000)})

    build.label("zero", [value], lambda number: number == 0)
    build.temporal("ends", eventually(always(Holds("zero"))))
    assert CheckedModel((build.model(),)).check(options=Options(threads=2)).results[0].verdict is Verdict.HOLDS


def test_bad_formulas_are_refused_before_the_search() -> None:
    build = server()
    build.temporal("asked", leads_to(Holds("asks"), SERVED))
    with pytest.raises(HomingError, match=r"test_checking\.py: unknown label 'asks' in a formula, in 'asked'") as error:
        CheckedModel((build.model(),)).check()
    assert error.value.known == ("idle", "waits", "served")


def test_a_lasso_that_does_not_close_is_caught() -> None:
    structure = path(". p q")
    trace = Checker(System(structure), graph_of(structure)).check(Temporal("x", parse("G F p"))).trace
    assert trace is not None
    replay(System(structure), trace)
    with pytest.raises(ReplayFailed, match="does not return"):
        replay(System(structure), Trace(trace.slots, trace.states, trace.moves, loop=0))
