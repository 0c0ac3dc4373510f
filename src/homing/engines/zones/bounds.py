"""`sup` and `inf`: how far clocks and numbers go."""

from __future__ import annotations

from functools import partial

from homing.core.stop import Stopped
from homing.core.verdict import Verdict
from homing.engines.zones.reaching import Extent, Reaching
from homing.engines.zones.session import Finding, Session
from homing.engines.zones.timing import Constants
from homing.timed.property import Bound
from homing.timed.system import NEVER, Cell

FARTHEST = 1 << 16
"""A clock that passes this, however far a search keeps it apart, is said to have no bound."""


def measure(session: Session, finding: Finding, prop: Bound) -> None:
    """Finds the least or greatest value. Extrapolation forgets how far a clock is beyond the constants it is compared
    with, so for a clock these are raised until the value lies below them."""
    farthest = 1
    while True:
        extent, reaching = _search(session, prop, farthest)
        finding.counts, finding.reason = reaching.counts, reaching.reason
        if reaching.reason is not None:
            return
        if not _is_cut_off(prop, extent, farthest):
            _conclude(session, finding, prop, extent, reaching)
            return
        try:
            waits = prop.sense == "sup" and session.guarded(reaching, partial(reaching.waits, prop, extent))
        except Stopped as stopped:
            finding.reason = str(stopped)
            return
        if waits:
            finding.verdict, finding.reason = Verdict.HOLDS, "it has no upper bound"
            return
        if farthest >= FARTHEST:
            finding.reason = f"it passes {farthest}, and larger constants were not tried"
            return
        farthest *= 8


def _is_cut_off(prop: Bound, extent: Extent, farthest: int) -> bool:
    """Whether extrapolation may have hidden the value."""
    value = extent.most if prop.sense == "sup" else extent.least
    if not prop.clock or value is None:
        return False
    return abs(value >> 1) >= farthest


def _search(session: Session, prop: Bound, farthest: int) -> tuple[Extent, Reaching]:
    extent = Extent(prop.where, prop.of, prop.clock)
    least = None
    if prop.clock:
        kept = {prop.of, *prop.sources}
        constants = tuple(farthest if clock in kept else NEVER for clock in range(len(session.system.clocks) + 1))
        least = Constants(constants, constants)
    reaching = session.reaching(session.plan([prop.where], least=least), [], [extent])
    session.guarded(reaching, reaching.run)
    return extent, reaching


def _conclude(session: Session, finding: Finding, prop: Bound, extent: Extent, reaching: Reaching) -> None:
    code, state = (extent.most, extent.most_at) if prop.sense == "sup" else (extent.least, extent.least_at)
    if code is None:
        finding.verdict, finding.reason = Verdict.VIOLATED, "its condition never holds, so there is no value"
        return
    finding.verdict = Verdict.HOLDS
    run = reaching.run_to(state)[1]
    where = session.witnesses.graph.condition(prop.where, run.states[-1])
    if not prop.clock:
        finding.value = code
        session.show(finding, run, where)
        return
    finding.value = code >> 1 if prop.sense == "sup" else -(code >> 1)
    if code & 1 == 0:
        finding.reason = f"it comes as near to {finding.value} as you like, but does not reach it"
        return
    at = (prop.of, 0, code) if prop.sense == "sup" else (0, prop.of, code)
    exactly = (at, (at[1], at[0], 2 * (-(code >> 1)) + 1))
    session.show(finding, run, [Cell((*cell.constraints, *exactly)) for cell in where])
