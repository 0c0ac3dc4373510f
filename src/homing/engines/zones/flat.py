"""Systems with clocks for engines that know none: the zone is one more slot, and conditions are labels.

Every symbolic state is evaluated by the plain zone graph, and none covers another, so there are more of them, found
more slowly, than in the search through zones. What speaks of runs and bounds is left to that search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import cast

from homing.core.model import Model
from homing.core.property import OnGraph, Property, Sometimes
from homing.core.result import Counts, Exploration, Options, Report, Result
from homing.core.system import Group, Label, Read, Shape, Step, TransitionSystem
from homing.core.values import Short, State, Value, same
from homing.core.verdict import Verdict
from homing.core.witness import Move, Trace
from homing.engines.zones.engine import check as check_zones
from homing.engines.zones.engine import check_start
from homing.engines.zones.paths import Run
from homing.engines.zones.session import Finding, Session
from homing.engines.zones.timing import Abstraction
from homing.timed import zones
from homing.timed.property import Invariant, Reachable, Refused
from homing.timed.system import NEVER, Action, Cell, TimedSystem
from homing.timed.zonegraph import ZoneGraph
from homing.timed.zones import Zone

Engine = Callable[[Model, Options], Exploration]
RUNS = "what speaks of runs, or of bounds of clocks, was decided by the search through zones, on this machine alone"


class Flat(ZoneGraph):
    """The zone graph with zones extrapolated, so that there are finitely many; some conditions are labels."""

    def __init__(self, asked: tuple[int, ...], classic: bool, system: TransitionSystem) -> None:
        timed = cast(TimedSystem, system)
        super().__init__(timed)
        self.asked = asked
        self._same = classic or timed.ranked or bool(timed.diagonals)
        constants = [timed.constants(label) for label in asked]
        least = (NEVER,) * (len(timed.clocks) + 1)
        self._lower = _most(least, *(lower for lower, _ in constants))
        self._upper = _most(least, *(upper for _, upper in constants))
        reads = tuple(map(Read, range(len(self.shape.slots))))
        labels = tuple(Label(timed.shape.labels[label].name, reads) for label in asked)
        # One group: what one of them does is known only when all are looked at.
        group = Group("step", reads, tuple(range(len(reads))), timed.shape.place)
        self.shape: Shape = replace(self.shape, groups=(group,), labels=labels)

    def initial(self) -> Iterable[State]:
        for *state, zone in super().initial():
            yield (*state, self._extrapolated(tuple(state), cast(Zone, zone)))

    def next(self, group: int, read: Short) -> Iterable[Step]:
        *values, zone = read
        state = tuple(values)
        for option in self.options(state):
            for _, after in self.after(state, cast(Zone, zone), option):
                self._check(option)
                writes: dict[int, Value] = dict(enumerate(option.target))
                writes[self.zone_slot] = self._extrapolated(option.target, after)
                yield Step(option.step.event, writes)

    def label(self, label: int, read: Short) -> bool:
        *values, zone = read
        return self.cell(label, tuple(values), cast(Zone, zone)) is not None

    def cell(self, label: int, state: State, zone: Zone) -> Cell | None:
        """Where in a symbolic state a condition holds, if anywhere."""
        for cell in self.condition(self.asked[label], state):
            inside = zones.constrain(zone, cell.constraints)
            if inside is None:
                continue
            if cell.deadlock is None:
                return cell
            dead = self.deadlocked(state, inside)
            if dead if cell.deadlock else zones.subtract(inside, dead):
                return cell
        return None

    def _extrapolated(self, state: State, zone: Zone) -> Zone:
        parts = self.parts(state)
        lower = _most(self._lower, *(part.lower for part in parts))
        upper = _most(self._upper, *(part.upper for part in parts))
        if self._same:
            lower = upper = _most(lower, upper)
        return zones.extrapolate_lu(zone, (0, *lower[1:]), (0, *upper[1:]))

    def run(self, trace: Trace) -> Run:
        """A trace of it as a run of the system."""
        states = tuple(state[:-1] for state in trace.states)
        moves = []
        for state, target, move in zip(states, states[1:], trace.moves):
            assert isinstance(move.event, Action)
            taken = (
                option
                for option in self.options(state)
                if option.action.key == move.event.key and same(option.target, target)
            )
            moves.append(Move(self.system.shape.groups[next(taken).group].name, move.event))
        return Run(states, tuple(moves))


def _most(*bounds: tuple[int, ...]) -> tuple[int, ...]:
    """By clock, the greatest of all."""
    return tuple(map(max, zip(*bounds, strict=True)))


@dataclass
class _Search:
    """One search for some of the properties."""

    session: Session
    engine: Engine
    options: Options

    def run(self, asked: Sequence[tuple[Reachable | Invariant, Finding]], *, classic: bool) -> Report | None:
        """Decides what asks for reachability."""
        if not asked:
            return None
        labels = dict.fromkeys(prop.where for prop, _ in asked)
        triggers = [prop.trigger for prop, _ in asked if isinstance(prop, Invariant)]
        labels |= dict.fromkeys(label for label in triggers if label is not None)
        numbers = {label: number for number, label in enumerate(labels)}
        model = self.session.model.wrapped(partial(Flat, tuple(labels), classic))
        flat = cast(Flat, model.system)
        questions = tuple(Sometimes(flat.shape.labels[number].name, number) for number in numbers.values())
        exploration = self.engine(replace(model, properties=questions), _options(self.options, classic))
        exploration.done()
        report = exploration.report
        for prop, finding in asked:
            self._judge(flat, prop, finding, numbers, report.results)
        return report

    def _judge(
        self,
        flat: Flat,
        prop: Reachable | Invariant,
        finding: Finding,
        numbers: dict[int, int],
        results: Sequence[Result],
    ) -> None:
        found = results[numbers[prop.where]]
        finding.counts, finding.seconds, finding.reason = found.counts, found.seconds, found.reason
        met, unmet = Verdict.HOLDS, Verdict.VIOLATED
        if isinstance(prop, Invariant):
            met, unmet = unmet, met
        if found.verdict is Verdict.HOLDS and found.trace is not None:
            finding.verdict = met
            *state, zone = found.trace.states[-1]
            goal = flat.cell(numbers[prop.where], tuple(state), cast(Zone, zone))
            self.session.show(finding, flat.run(found.trace), () if goal is None else [goal])
            if isinstance(prop, Reachable) and finding.trace is not None and not finding.trace.moves:
                finding.vacuous = "true in an initial state"
        elif found.verdict is Verdict.VIOLATED:
            finding.verdict = unmet
            trigger = prop.trigger if isinstance(prop, Invariant) else None
            if trigger is not None and results[numbers[trigger]].verdict is Verdict.VIOLATED:
                finding.vacuous = "its condition never holds"


def _options(options: Options, classic: bool) -> Options:
    """Each search is kept, and resumed, by itself."""
    if not classic:
        return options
    path, folder = options.checkpoint, options.distribution.folder
    return replace(
        options,
        checkpoint=None if path is None else path.with_name(f"{path.stem}-deadlock{path.suffix}"),
        distribution=replace(options.distribution, folder=None if folder is None else f"{folder}-deadlock"),
    )


def check(model: Model, options: Options, engine: Engine) -> Exploration:
    """What can be reached, by an engine that knows no clocks; the rest by the search through zones."""
    runs = tuple(prop for prop in model.properties if _speaks_of_runs(prop))
    rest = tuple(prop for prop in model.properties if not _speaks_of_runs(prop))
    if not runs:
        return _reach(model, options, engine)
    here = check_zones(replace(model, properties=runs), options)
    reached = _reach(replace(model, properties=rest), options, engine) if rest else here
    of_runs, others = iter(here.report.results), iter(reached.report.results)
    results = tuple(next(of_runs if _speaks_of_runs(prop) else others) for prop in model.properties)
    error = reached.report.error or here.report.error
    measured = {**reached.report.engine, "notes": [*reached.report.engine.get("notes", ()), RUNS]}
    report = replace(reached.report, results=results, error=error, engine=measured)
    return replace(reached, report=report)


def _speaks_of_runs(prop: Property) -> bool:
    return isinstance(prop, OnGraph) and not isinstance(prop, Reachable | Invariant | Refused)


def _reach(model: Model, options: Options, engine: Engine) -> Exploration:
    """The verdicts on what can be reached."""
    session = Session(model, cast(TimedSystem, model.system), options, Abstraction())
    check_start(session)
    findings = [Finding() for _ in model.properties]
    search = _Search(session, engine, options)
    reports = []
    for classic in (False, True):
        chosen = [
            (prop, finding)
            for prop, finding in zip(model.properties, findings, strict=True)
            if isinstance(prop, Reachable | Invariant) and session.system.asks_deadlock(prop.where) == classic
        ]
        reports.append(search.run(chosen, classic=classic))
    results = tuple(_result(session, prop, finding) for prop, finding in zip(model.properties, findings, strict=True))
    error = next((report.error for report in reports if report is not None and report.error is not None), session.error)
    measured = next((report.engine for report in reports if report is not None), {})
    report = Report(model.name, results, error, engine=measured)
    most = max((finding.counts for finding in findings), key=lambda counts: counts.distinct, default=Counts())
    return Exploration(report, most, complete=True)


def _result(session: Session, prop: Property, finding: Finding) -> Result:
    reason = finding.reason
    if isinstance(prop, Refused):
        reason = prop.why
    return Result(
        model=session.model.name,
        property=prop.name,
        verdict=finding.verdict,
        counts=finding.counts,
        seconds=finding.seconds,
        memory_mb=session.watch.memory_mb,
        trace=finding.trace,
        vacuous=finding.vacuous,
        reason=reason if finding.verdict is Verdict.UNKNOWN else None,
    )
