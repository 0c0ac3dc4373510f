"""Which engine is chosen, and what is said of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from benchmarks import chain
from tests.engines.test_limits import counting

from homing import checking, engines
from homing.core.builder import Builder, step
from homing.core.model import Model
from homing.core.result import Counts, Exploration, Limits, Options, Progress, Report
from homing.core.system import Step
from homing.core.verdict import Verdict
from homing.core.wrappers import Symmetric
from homing.engines import auto
from homing.languages.smv import model
from homing.languages.smv.tokens import Source

FREE = "MODULE main VAR " + " ".join(f"b{n} : boolean;" for n in range(30)) + " INVARSPEC b0 | !b0"


def test_where_states_cannot_be_listed_the_symbolic_engine_is_used() -> None:
    report = checking.check(model(Source("x.smv", FREE)), "auto", Options(threads=1))
    (result,) = report.results
    assert (result.verdict, result.counts.distinct) == (Verdict.HOLDS, 2**30)
    assert report.engine["engine"] == "symbolic"
    assert report.engine["notes"][0].startswith("the symbolic engine was chosen, since b0, b1")


def test_too_many_steps_of_one_state() -> None:
    text = "MODULE main VAR " + " ".join(f"v{n} : 0..9;" for n in range(7)) + " ASSIGN "
    text += " ".join(f"init(v{n}) := 0; next(v{n}) := 0..9;" for n in range(7)) + " INVARSPEC v0 < 10"
    report = checking.check(model(Source("x.smv", text)), "auto", Options(threads=1))
    assert report.error is None
    assert report.results[0].counts.distinct == 10**7
    assert "a state has more than 1000000 steps" in report.engine["notes"][0]


def test_a_limit_says_who_may_get_further() -> None:
    limited = Options(threads=1, limits=Limits(states=20_000))
    (note,) = engines.check(chain.model(8), "auto", limited).report.engine["notes"]
    assert note.startswith("--engine symbolic may get further: 2")
    few = Options(threads=1, limits=Limits(states=1_000))
    (note,) = engines.check(counting(1).model(), "auto", few).report.engine["notes"]
    assert note.startswith("--engine spark may get further")


def test_under_a_symmetry_states_are_listed_anyway() -> None:
    names = ("a", "b", "c", "d")
    b = Builder("counters")
    for name in names:
        value = b.slot("value", 0, index=(name,))

        @b.group(f"count {name}", [value], [value])
        def count(now: int, value: int = value) -> Iterator[Step]:
            yield step("count", {value: (now + 1) % 30})

    b.deadlock_free()
    limited = Options(threads=1, limits=Limits(states=20_000))
    for system, other in ((b.system(), "symbolic"), (Symmetric(b.system(), [names]), "spark")):
        (note,) = engines.check(b.model(system), "auto", limited).report.engine["notes"]
        assert note.startswith(f"--engine {other} may get further")


def test_what_was_spent_before_counts_for_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Limits] = []

    def check(model: Model, options: Options) -> Exploration:
        given.append(options.limits)
        return Exploration(Report(model.name, ()), Counts())

    monkeypatch.setattr("homing.engines.symbolic.engine.check", check)
    engines.check(model(Source("x.smv", FREE)), "auto", Options(threads=1, limits=Limits(seconds=10, begun=7.0)))
    engines.check(model(Source("x.smv", FREE)), "auto", Options(threads=1, limits=Limits(seconds=10)))
    assert given[0] == Limits(seconds=10, begun=7.0)
    assert given[1].begun is not None


def test_otherwise_it_is_the_local_engine() -> None:
    found = engines.check(chain.model(3), "auto", Options(threads=1))
    assert not found.report.engine
    assert found.counts == engines.check(chain.model(3), "local", Options(threads=1)).counts


def long_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the first moment on, and the first state."""
    monkeypatch.setattr(auto, "LONG", 0.0)
    monkeypatch.setattr(auto, "MANY", 1)


def test_a_long_run_says_who_may_be_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    long_runs(monkeypatch)
    found = engines.check(chain.model(8), "auto", Options(threads=1))
    (note,) = found.report.engine["notes"]
    states = f"{found.counts.distinct:,} states were found, with"
    assert note.startswith(f"--engine symbolic may be faster: {states}")
    assert found.counts == engines.check(chain.model(8), "local", Options(threads=1)).counts


def test_while_it_runs_it_says_so_once(monkeypatch: pytest.MonkeyPatch) -> None:
    long_runs(monkeypatch)
    monkeypatch.setattr("homing.engines.local.watch.INTERVAL", 0.0)
    shown: list[Progress] = []
    engines.check(chain.model(8), "auto", Options(threads=1, show=shown.append))
    notes = [progress.note for progress in shown if "--engine" in progress.note]
    assert len(notes) == 1
    assert notes[0].startswith("--engine symbolic may be faster")
    assert len(shown) > 1


def test_a_run_that_fills_the_machine_names_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    long_runs(monkeypatch)
    b = Builder("up to 50")
    value = b.slot("value", 0)

    @b.group("count", [value], [value])
    def count(now: int) -> Iterator[Step]:
        yield from [step("count", {value: now + 1})] if now < 50 else []

    model, few = b.model(), Options(threads=1)
    assert not engines.check(model, "auto", few).report.engine
    monkeypatch.setattr(auto, "MUCH", 0.0)
    (note,) = engines.check(model, "auto", few).report.engine["notes"]
    assert note.startswith("--engine spark has room for more")
    assert "of this machine's" in note
