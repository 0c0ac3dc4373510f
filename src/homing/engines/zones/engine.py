"""Checks the properties of systems with clocks."""

from __future__ import annotations

from typing import cast

from homing.core import evaluate
from homing.core.errors import HomingError, ModelError
from homing.core.model import Model
from homing.core.property import Property
from homing.core.result import Exploration, Options, Report, Result
from homing.core.verdict import Verdict
from homing.engines.zones import bounds, liveness
from homing.engines.zones.reaching import Question, Reaching
from homing.engines.zones.session import Ended, Finding, Session
from homing.engines.zones.timing import Abstraction
from homing.timed import zones
from homing.timed.kernels.waiting import has_to_wait
from homing.timed.property import Bound, Forever, Inevitable, Invariant, LeadsTo, Reachable, Refused
from homing.timed.system import Cell, TimedSystem


def check(model: Model, options: Options, abstraction: Abstraction | None = None) -> Exploration:
    """The verdicts on all properties of a model: those of reachability in one search, the others one by one."""
    return checked(Session(model, cast(TimedSystem, model.system), options, abstraction or Abstraction()), options)


def checked(session: Session, options: Options) -> Exploration:
    """The same, with searches wherever the session has them done."""
    model = session.model
    check_start(session)
    if has_to_wait():
        options.show(session.watch.progress("the search is compiled, once; this takes some seconds"))
    findings = [Finding() for _ in model.properties]
    asked = list(zip(model.properties, findings, strict=True))
    try:
        _reach(session, asked, deadlock=False)
        _reach(session, asked, deadlock=True)
        for prop, finding in asked:
            _decide(session, prop, finding)
    except Ended:
        pass
    results = tuple(_result(session, prop, finding) for prop, finding in asked)
    report = Report(model.name, results, session.error, session.error_trace)
    most = max((finding.counts for finding in findings), key=lambda counts: counts.distinct)
    return Exploration(report, most, complete=True)


def check_start(session: Session) -> None:
    """Refuses a model that asks nothing, or cannot begin: whatever is asked of nothing holds."""
    if not session.model.properties:
        raise HomingError("nothing is asked about it: it has no queries", session.model.place)
    graph, system = session.witnesses.graph, session.system
    if any(True for _ in graph.initial()):
        return
    state = evaluate.initial(system)[0]
    start = zones.zero(len(system.clocks))
    names = [
        system.shape.labels[label].name
        for label, part in zip(system.parts, graph.parts(state), strict=True)
        if zones.constrain(start, part.invariant) is None
    ]
    raise ModelError(f"the initial state violates the invariant: {', '.join(names)}", session.model.place)


def _result(session: Session, prop: Property, finding: Finding) -> Result:
    session.watch.measure()
    reason = finding.reason
    if finding.verdict is Verdict.UNKNOWN and reason is None:
        reason = "the model failed"
    return Result(
        model=session.model.name,
        property=prop.name,
        verdict=finding.verdict,
        counts=finding.counts,
        seconds=finding.seconds or session.watch.seconds,
        memory_mb=session.watch.memory_mb,
        trace=finding.trace,
        value=finding.value,
        vacuous=finding.vacuous,
        reason=reason,
    )


def _decide(session: Session, prop: Property, finding: Finding) -> None:
    match prop:
        case Forever(where=where):
            liveness.stays(session, finding, where, Verdict.HOLDS)
        case Inevitable(where=where):
            liveness.stays(session, finding, where, Verdict.VIOLATED)
        case LeadsTo():
            liveness.leads(session, finding, prop)
        case Bound():
            bounds.measure(session, finding, prop)
        case Refused(why=why):
            finding.reason = why
        case _:
            return  # it was decided before
    finding.seconds = session.watch.seconds


def _reach(session: Session, asked: list[tuple[Property, Finding]], *, deadlock: bool) -> None:
    """Decides what asks for reachability; questions about deadlock need a search that forgets less."""
    chosen = [
        (prop, finding)
        for prop, finding in asked
        if isinstance(prop, Reachable | Invariant) and session.system.asks_deadlock(prop.where) == deadlock
    ]
    if not chosen:
        return
    labels = {prop.where for prop, _ in chosen}
    labels |= {prop.trigger for prop, _ in chosen if isinstance(prop, Invariant) and prop.trigger is not None}
    questions = {label: Question(label) for label in labels}
    plan = session.plan(sorted(labels), classic=deadlock)
    reaching = session.reaching(plan, [questions[label] for label in sorted(labels)])
    # What was found before the model failed stays.
    try:
        session.guarded(reaching, reaching.run)
    finally:
        for prop, finding in chosen:
            finding.counts = reaching.counts
            _judge(session, prop, finding, questions, reaching)
            finding.seconds = session.watch.seconds


def _judge(
    session: Session,
    prop: Reachable | Invariant,
    finding: Finding,
    questions: dict[int, Question],
    reaching: Reaching,
) -> None:
    question = questions[prop.where]
    met, unmet = Verdict.HOLDS, Verdict.VIOLATED
    if isinstance(prop, Invariant):
        met, unmet = unmet, met
    if question.state is not None:
        finding.verdict = met
        run = reaching.run_to(question.state)[1]
        session.show(finding, run, [Cell(question.goal, question.deadlock)])
        if isinstance(prop, Reachable) and finding.trace is not None and not finding.trace.moves:
            finding.vacuous = "true in an initial state"
    elif reaching.reason is not None:
        finding.reason = reaching.reason
    elif session.error is None:
        finding.verdict = unmet
        trigger = prop.trigger if isinstance(prop, Invariant) else None
        if trigger is not None and questions[trigger].state is None:
            finding.vacuous = "its condition never holds"
