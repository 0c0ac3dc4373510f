"""Which engine is chosen, and what is said of it."""

from __future__ import annotations

from benchmarks import chain
from tests.engines.test_limits import counting

from homing import checking, engines
from homing.core.result import Limits, Options
from homing.core.verdict import Verdict
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


def test_otherwise_it_is_the_local_engine() -> None:
    found = engines.check(chain.model(3), "auto", Options(threads=1))
    assert not found.report.engine
    assert found.counts == engines.check(chain.model(3), "local", Options(threads=1)).counts
