"""Measures on models: a property checked, a trace replayed, what a counterexample visits."""

from __future__ import annotations

from homing import api, bundled
from homing.core.result import Limits, Options, Report, Result
from homing.core.verdict import Verdict
from homing.core.witness import Trace
from homing.replaying.judging import judge
from homing.replaying.reading import parse
from homing.replaying.simulation import Settings
from homing.report.wording import plural, remark
from homing.reproducing.claims import Facts
from homing.reproducing.measures import LIMIT, Bench, Measured


def check(bench: Bench, about: Facts) -> Measured:
    """Verdict and counts of a property of a model; of the whole model where none is named."""
    report = _report(bench, about["model"])
    results = [r for r in report.results if about.get("property") in (None, r.property)]
    result = max(results, key=lambda each: each.verdict.exit_code)
    counts = result.counts
    facts: dict[str, object] = {
        "verdict": result.verdict.name,
        "distinct": counts.distinct,
        "generated": counts.generated,
        "transitions": counts.transitions,
        "depth": counts.depth,
    }
    if result.trace is not None:
        facts["steps"] = len(result.trace)
    facts["vacuous"] = result.vacuous is not None
    if result.value is not None:
        facts["value"] = result.value
    size = f", {plural(counts.distinct, 'state')}, depth {counts.depth}" if counts.distinct else ""
    return Measured(
        facts,
        f"{result.verdict.name}{', vacuous' if result.vacuous else remark(result)}{size}",
        _where(about),
        result.seconds,
        result.vacuous,
        _unknown(report, result),
        result if result.trace is not None else None,
    )


def visited(bench: Bench, about: Facts) -> Measured:
    """The values that a slot goes through in the counterexample."""
    report = _report(bench, about["model"])
    result = next(r for r in report.results if r.property == about["property"])
    if result.trace is None:
        return Measured({}, f"{result.verdict.name}, no trace", _where(about), unknown=_unknown(report, result))
    path = ", ".join(_column(result.trace, about["slot"]))
    facts = {"verdict": result.verdict.name, "path": path}
    return Measured(facts, f"{result.verdict.name}, path {path}", _where(about), result.seconds, result=result)


def events(bench: Bench, about: Facts) -> Measured:
    """What happens on the way of the trace found; a step of one process is its name alone, as UPPAAL shows it."""
    report = _report(bench, about["model"])
    result = next(r for r in report.results if r.property == about["property"])
    if result.trace is None:
        return Measured({}, f"{result.verdict.name}, no trace", _where(about), unknown=_unknown(report, result))
    moves = [move.event for move in result.trace.readable().moves]
    text = ", ".join(str(event.sender if event.receiver is None else event) for event in moves)
    return Measured({"events": text}, text, _where(about), result.seconds, result=result)


def replay(bench: Bench, about: Facts) -> Measured:
    """Whether a trace that a paper prints is one of the model."""
    text = bundled.path(about["trace"]).read_text(encoding="utf-8")
    story = parse(text, about["trace"])
    models = api.load(bundled.path(about["model"])).models
    model = next(model for model in models if model.part == about["system"])
    found = judge(model, story, Settings(limits=Limits(seconds=LIMIT), interrupted=bench.interrupted))
    is_one = found.verdict is Verdict.HOLDS
    return Measured(
        {"a trace": is_one},
        f"{'a trace' if is_one else 'no trace'} of {about['system']}, {plural(found.matched, 'event')} followed",
        f"homing replay {bundled.shown(about['model'])} {bundled.shown(about['trace'])}",
        unknown="the time limit was reached" if found.verdict is Verdict.UNKNOWN else None,
    )


def _report(bench: Bench, name: str) -> Report:
    """All that will be asked about a model, in one check."""
    if name not in bench.known:
        asked = [question.about for question in bench.questions if question.about.get("model") == name]
        names = dict.fromkeys(about["property"] for about in asked if "property" in about)
        loaded = api.load(bundled.path(name))
        options = Options(limits=Limits(seconds=LIMIT), show=bench.show, interrupted=bench.interrupted)
        bench.known[name] = loaded.check(list(names), options=options)
    report = bench.known[name]
    assert isinstance(report, Report)
    return report


def _unknown(report: Report, result: Result) -> str | None:
    if report.error is not None:
        return str(report.error)
    return result.reason or "undecided" if result.verdict is Verdict.UNKNOWN else None


def _where(about: Facts) -> str:
    asked = f' --property "{about["property"]}"' if "property" in about else ""
    return f"homing check {bundled.shown(about['model'])}{asked}"


def _column(trace: Trace, slot: str) -> list[str]:
    at = [str(known) for known in trace.slots].index(slot)
    return [str(state[at]) for state in trace.states]


MEASURES = {"check": check, "visited": visited, "events": events, "replay": replay}
