"""Properties of runs: `E[]`, `A<>` and `-->`, as UPPAAL means them: waiting for ever, running in ever shorter steps and
being stuck are all ways to go on without what is hoped for."""

from __future__ import annotations

from homing.core.errors import HomingError
from homing.core.stop import Stopped
from homing.core.verdict import Verdict
from homing.engines.zones.paths import Run
from homing.engines.zones.session import Finding, Session
from homing.engines.zones.staying import Beginning, Ending, Stay, Staying
from homing.timed.property import LeadsTo
from homing.timed.system import Cell

ONLY = {
    Ending.LOOPS: "only by Zeno runs: infinitely many steps in a bounded time",
    Ending.STUCK: "only by a timelock: no step is possible, nor may time pass for ever",
}
"""What a verdict rests on, where no run does on which time goes on."""


def stays(session: Session, finding: Finding, where: int, found: Verdict, beginning: Beginning | None = None) -> None:
    """Decides whether a condition can hold on a whole run; then the verdict is `found`, else its opposite."""
    _refuse_deadlock(session, where)
    staying, stay = _search(session, where, beginning, ticking=False)
    finding.counts = staying.counts
    if stay is None:
        finding.reason = staying.reason
        if staying.reason is None:
            finding.verdict = Verdict.HOLDS if found is Verdict.VIOLATED else Verdict.VIOLATED
            if beginning is None and found is Verdict.HOLDS:
                finding.reason = "it fails at the start" if staying.is_empty else "on every run it fails at some time"
            elif beginning is None and staying.is_empty:
                finding.vacuous = "true in every initial state"
        return
    note = f"then it {stay.ending.value}"
    if stay.ending is not Ending.WAITS:
        slow, divergent = _search(session, where, beginning, ticking=True)
        if divergent is not None:
            stay, note = divergent, f"then it {divergent.ending.value}"
        elif slow.reason is None:
            finding.reason = ONLY[stay.ending]
    finding.verdict = found
    run = stay.run if beginning is None else stay.run.after(beginning.run(stay.root))
    goals = _last_moments(session, run) if stay.ending is Ending.STUCK else (Cell(),)
    session.show(finding, run, goals, where if beginning is None else None, (note,))


def _last_moments(session: Session, run: Run) -> list[Cell]:
    """Where a run that is stuck may end: at best when an invariant stops the time, so that the trace waits for it."""
    invariant = session.witnesses.graph.timing(run.states[-1]).invariant
    reached = [(j, i, 1 - (bound & ~1)) for i, j, bound in invariant if bound & 1]
    return [*(Cell((constraint,), deadlock=True) for constraint in reached), Cell(deadlock=True)]


def _search(session: Session, where: int, beginning: Beginning | None, *, ticking: bool) -> tuple[Staying, Stay | None]:
    plan = session.plan([where], ticking=ticking, within=where, recording=True)
    staying = session.staying(plan, beginning)
    return staying, session.guarded(staying, lambda: staying.run(ticking=ticking), traceable=beginning is None)


def leads(session: Session, finding: Finding, prop: LeadsTo) -> None:
    """Decides `p --> q`: from wherever p holds and q does not, is there a run without q?"""
    _refuse_deadlock(session, prop.where, prop.until)
    reaching = session.reaching(session.plan([prop.where, prop.until]), [])
    session.guarded(reaching, reaching.run)
    finding.counts = reaching.counts
    if reaching.reason is not None:
        finding.reason = reaching.reason
        return
    try:
        beginning = session.guarded(reaching, lambda: reaching.beginning(prop))
    except Stopped as stopped:
        finding.reason = str(stopped)
        return
    if len(beginning):
        stays(session, finding, prop.until, Verdict.VIOLATED, beginning)
        return
    finding.verdict = Verdict.HOLDS
    if not beginning.triggered:
        finding.vacuous = "its left side never holds"


def _refuse_deadlock(session: Session, *labels: int) -> None:
    if any(session.system.asks_deadlock(label) for label in labels):
        raise HomingError("'deadlock' can be asked about with E<> and A[] only", session.model.place)
