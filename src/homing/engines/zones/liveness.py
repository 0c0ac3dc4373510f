"""Properties of runs: `E[]`, `A<>` and `-->`, as UPPAAL means them: waiting for ever, running in ever shorter steps and
being stuck are all ways to go on without what is hoped for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from homing.core.errors import HomingError
from homing.core.values import State
from homing.core.verdict import Verdict
from homing.engines.zones.paths import Run, run_to
from homing.engines.zones.reaching import Reaching, counted
from homing.engines.zones.session import Finding, Session
from homing.engines.zones.staying import Ending, Stay, Staying
from homing.engines.zones.symbolic import Symbolic
from homing.engines.zones.ticking import Ticking
from homing.timed import zones
from homing.timed.kernels.arrays import Array
from homing.timed.property import LeadsTo
from homing.timed.system import EVERYWHERE, NOWHERE, Cell

ONLY = {
    Ending.LOOPS: "only by Zeno runs: infinitely many steps in a bounded time",
    Ending.STUCK: "only by a timelock: no step is possible, nor may time pass for ever",
}
"""What a verdict rests on, where no run does on which time goes on."""


@dataclass(frozen=True)
class Beginning:
    """Where runs begin: discrete states with zones, and how they are reached."""

    symbolic: Symbolic
    found: list[tuple[int, Array]]
    triggered: bool
    """Whether the left side holds anywhere."""

    @property
    def states(self) -> list[State]:
        """The discrete states, in the order of the zones."""
        discrete, numbers = self.symbolic.discrete, self.symbolic.states.discrete
        return [discrete.state(int(numbers[state])) for state, _ in self.found]

    def zones(self, clocks: int) -> Array:
        """The zones, for so many clocks: those that are not known yet are 0."""
        known = len(self.symbolic.system.clocks)
        wider = [zones.matrix(zones.zero(clocks)) for _ in self.found]
        for zone, (_, narrow) in zip(wider, self.found, strict=True):
            zone[: known + 1, : known + 1] = narrow
            zone[: known + 1, known + 1 :] = narrow[:, :1]
            zone[known + 1 :, : known + 1] = narrow[:1]
        return np.array(wider, np.int32)

    def run(self, root: int) -> Run:
        """The run to one of the beginnings."""
        return run_to(self.symbolic, self.found[root][0])[1]


def stays(session: Session, finding: Finding, where: int, found: Verdict, beginning: Beginning | None = None) -> None:
    """Decides whether a condition can hold on a whole run; then the verdict is `found`, else its opposite."""
    _refuse_deadlock(session, where)
    staying, stay = _search(session, where, beginning, ticking=False)
    finding.counts = counted(staying.symbolic, staying.depth)
    if stay is None:
        finding.reason = staying.reason
        if staying.reason is None:
            finding.verdict = Verdict.HOLDS if found is Verdict.VIOLATED else Verdict.VIOLATED
            if beginning is None and found is Verdict.HOLDS:
                finding.reason = "it fails at the start" if staying.empty else "on every run it fails at some time"
            elif beginning is None and staying.empty:
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
    system = Ticking(session.system) if ticking else session.system
    symbolic = session.symbolic([where], system=system, within=where, recording=True)
    staying = Staying(symbolic, session.watch)

    def begin() -> Array:
        if beginning is None:
            return symbolic.start()
        return symbolic.start_in(beginning.states, beginning.zones(len(system.clocks)))

    def search() -> Stay | None:
        return staying.run(begin, ticking=ticking)

    return staying, session.guarded(symbolic, search, traceable=beginning is None)


def leads(session: Session, finding: Finding, prop: LeadsTo) -> None:
    """Decides `p --> q`: from wherever p holds and q does not, is there a run without q?"""
    _refuse_deadlock(session, prop.where, prop.until)
    symbolic = session.symbolic([prop.where, prop.until])
    reaching = Reaching(symbolic, session.watch, [])
    session.guarded(symbolic, lambda: reaching.run(all_of_it=True))
    finding.counts = reaching.counts
    if reaching.reason is not None:
        finding.reason = reaching.reason
        return
    beginning = session.guarded(symbolic, lambda: _beginning(session, symbolic, prop))
    if beginning.found:
        stays(session, finding, prop.until, Verdict.VIOLATED, beginning)
        return
    finding.verdict = Verdict.HOLDS
    if not beginning.triggered:
        finding.vacuous = "its left side never holds"


def _beginning(session: Session, symbolic: Symbolic, prop: LeadsTo) -> Beginning:
    """All parts of symbolic states where p holds and q does not."""
    every = np.flatnonzero(symbolic.states.covered[: symbolic.states.size[0]] == 0)
    numbers = symbolic.states.discrete[every]
    when, until = symbolic.condition(prop.where, every), symbolic.condition(prop.until, every)
    every = every[when[numbers] != NOWHERE]
    found: list[tuple[int, Array]] = []
    triggered = False
    for state in every.tolist():
        number = int(symbolic.states.discrete[state])
        zone = zones.zone_of(symbolic.zones.dbm[symbolic.states.zone[state]])
        for cell in _cells(session, int(when[number])):
            part = zones.constrain(zone, cell.constraints)
            if part is None:
                continue
            triggered = True
            for other in _cells(session, int(until[number])):
                piece = zones.constrain(part, other.constraints)
                if piece is not None:
                    found.append((state, zones.matrix(piece)))
    return Beginning(symbolic, found, triggered)


def _cells(session: Session, number: int) -> tuple[Cell, ...]:
    return () if number == NOWHERE else (Cell(),) if number == EVERYWHERE else session.system.cells(number)


def _refuse_deadlock(session: Session, *labels: int) -> None:
    if any(session.system.asks_deadlock(label) for label in labels):
        raise HomingError("'deadlock' can be asked about with E<> and A[] only", session.model.place)
