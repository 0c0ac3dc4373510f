"""Random sources through the whole front end, against the oracle.

`HOMING_TEST_SCALE=20` draws twenty times as many; `HOMING_TEST_FROM` starts at another seed.
"""

from __future__ import annotations

import os
from dataclasses import replace

import pytest
from tests.languages.csp import nodes
from tests.languages.csp.comparing import bisimilar, built
from tests.languages.csp.drawing import draw
from tests.languages.csp.oracle import Failure, Graph, World, explore, refines
from tests.languages.csp.reader import read

from homing import checking
from homing.core.errors import ModelError
from homing.core.model import Model
from homing.core.property import DeadlockFree
from homing.core.result import Options, Report, Result
from homing.core.verdict import Verdict
from homing.languages.csp.assertions import models
from homing.languages.csp.parsing import parse
from homing.languages.csp.program import Program, program
from homing.languages.csp.syntax import Asks, Reaches, RefinesAssertion, Source
from homing.languages.csp.system import System

SCALE = int(os.environ.get("HOMING_TEST_SCALE", "1"))
FIRST = int(os.environ.get("HOMING_TEST_FROM", "0"))
BATCH = 25
MOST = 70
"""Systems with more states take too long."""


@pytest.mark.parametrize("batch", range(5 * SCALE))
def test_agrees_with_the_oracle(batch: int) -> None:
    for seed in range(FIRST + batch * BATCH, FIRST + (batch + 1) * BATCH):
        text = draw(seed)
        try:
            compare(text, SCALE > 1 or seed % 8 == 0)
        except BaseException as error:
            error.add_note(f"seed {seed}:\n{text}")
            raise


def compare(text: str, engine: bool) -> None:
    """The graphs, and what the engine says where that is wanted: it takes its time."""
    source, known = parse(text, "drawn.csp"), read(text)
    process = source.assertions[0].process
    try:
        expected = explore(known, known.asks[0].process, MOST)
    except Failure:
        fails(source)
        return
    if expected is None:
        return
    for split in (True, False):
        found = built(program(source), process, MOST, split=split)
        assert found is not None
        same_graph(expected, found)
        if engine and not split:
            same_counts(counted(program(source), source), found)
    if engine:
        same_verdicts(source, known, expected, checked(plain(source)))
        same_refinements(source, known, expected)


def fails(source: Source) -> None:
    """An error in the model is found, whichever way it is run."""
    for split in (True, False):
        with pytest.raises(ModelError):
            built(program(source), source.assertions[0].process, 10 * MOST, split=split)
    assert checked(plain(source)).error is not None


def same_graph(expected: Graph, found: Graph) -> None:
    assert bisimilar(expected, found)
    assert len(found.states) == len(expected.states)
    assert found.transitions == expected.transitions
    assert found.levels() == expected.levels()
    assert found.traces(3) == expected.traces(3)


def checked(source: Source) -> Report:
    """What Homing reports on all assertions."""
    (model,) = models(program(source), "")
    return checking.check(model, options=Options(threads=1))


def counted(laid: Program, source: Source) -> Result:
    """What is counted of the system in one piece."""
    system = System(laid, source.assertions[0].process, split=False)
    report = checking.check(Model("drawn", system, (DeadlockFree(unless=0),)), options=Options(threads=1))
    return report.results[0]


def same_counts(result: Result, found: Graph) -> None:
    assert result.verdict is (Verdict.VIOLATED if found.deadlocks() else Verdict.HOLDS)
    if result.verdict is Verdict.HOLDS:  # otherwise the search ends early
        assert result.counts.distinct == len(found.states)
        assert result.counts.transitions == sum(map(len, found.edges))
        assert result.counts.depth == max(found.depth) + 1


def same_verdicts(source: Source, known: nodes.Source, expected: Graph, report: Report) -> None:
    """The verdicts, and from the assertion that needs all states also what is counted."""
    assert report.error is None
    hidden = any(variable.hidden for variable in source.variables)
    for ask, wanted, result in zip(plain(source).assertions, known.asks, report.results, strict=False):
        if hidden and isinstance(ask, Asks) and ask.question in ("divergencefree", "deterministic"):
            continue  # refused under a view
        if isinstance(ask, Asks):
            assert (result.verdict is Verdict.HOLDS) == answer(ask.question, expected), ask.text
        elif isinstance(ask, Reaches):
            reaches(World(known), wanted, expected, result)
    counts = report.results[0].counts
    assert counts.distinct == len(expected.states)
    assert counts.depth == max(expected.depth) + 1
    assert counts.deadlocks == sum(not out for out in expected.edges)


def plain(source: Source) -> Source:
    """Without refinements, whose specifications may be too large."""
    asks = tuple(ask for ask in source.assertions if not isinstance(ask, RefinesAssertion))
    return replace(source, assertions=asks)


def same_refinements(source: Source, known: nodes.Source, expected: Graph) -> None:
    asked = [ask for ask in source.assertions if isinstance(ask, RefinesAssertion)]
    try:
        other = explore(known, known.asks[-1].about[0], MOST)
    except Failure:
        return
    if other is None or any(variable.hidden for variable in source.variables):
        return
    report = checked(replace(source, assertions=tuple(asked)))
    for ask, result in zip(asked, report.results, strict=True):
        assert (result.verdict is Verdict.HOLDS) == refines(expected, other, ask.sense), ask.text


def answer(question: str, expected: Graph) -> bool:
    match question:
        case "deadlockfree":
            return not expected.deadlocks()
        case "nonterminating":
            return all(expected.edges)
        case "divergencefree":
            return not expected.diverging()
    return expected.deterministic()


def reaches(world: World, ask: nodes.Ask, expected: Graph, result: Result) -> None:
    goal, _, measure = ask.about
    stores = [store for store, _ in expected.states if world.truth(goal, {}, store)]
    assert (result.verdict is Verdict.HOLDS) == bool(stores), result.property
    if measure is not None and stores:
        assert result.value == max(world.number(measure, {}, store) for store in stores)
