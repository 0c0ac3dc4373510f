"""Assertions of CSP# as properties, one model for each process that they are about."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from homing.core.errors import HomingError, ModelError, Place
from homing.core.formula import FALSE, TRUE, Formula, Happens, Holds, Operation
from homing.core.model import Model
from homing.core.property import Always, DeadlockFree, Extreme, Property, Sometimes
from homing.core.temporal import (
    Deterministic,
    DivergenceFree,
    EachEvent,
    Fairness,
    Refines,
    StrongGlobal,
    Temporal,
    process_fairness,
)
from homing.languages import FAIRNESS
from homing.languages.csp.depth import below
from homing.languages.csp.events import pattern
from homing.languages.csp.expressions import evaluate, offset
from homing.languages.csp.program import Program
from homing.languages.csp.syntax import (
    Ask,
    Asks,
    Binary,
    Call,
    Expression,
    Happening,
    Name,
    Prefix,
    Process,
    Reaches,
    Reference,
    RefinesAssertion,
    Satisfies,
    Truth,
    Unary,
)
from homing.languages.csp.syntax import Formula as Written
from homing.languages.csp.syntax import Temporal as WrittenTemporal
from homing.languages.csp.system import TERMINATED, System
from homing.languages.csp.values import NeedsState, shown

OPERATORS = {
    "[]": "G",
    "<>": "F",
    "X": "X",
    "U": "U",
    "R": "R",
    "V": "R",
    "W": "W",
    "!": "not",
    "&&": "and",
    "||": "or",
    "->": "implies",
    "<->": "iff",
}


def models(program: Program, digest: str, fairness: str | None = None) -> tuple[Model, ...]:
    """One model for each process that is asserted something of; `fairness` is for formulas that name none."""
    if not program.source.assertions:
        raise HomingError("asserts nothing: there is no #assert", Place(program.source.file))
    if fairness is not None and fairness not in FAIRNESS:
        raise HomingError(f"unknown fairness '{fairness}'", known=FAIRNESS)
    subjects: dict[str, list[Ask]] = {}
    for ask in program.source.assertions:
        subjects.setdefault(_subject(program, ask.process), []).append(ask)
    return tuple(_Subject(program, part, asks, fairness).model(digest) for part, asks in subjects.items())


def _subject(program: Program, process: Process) -> str:
    """The process that an assertion is about, as it is called."""
    if not isinstance(process, Reference):
        return f"process at {process.place.line}:{process.place.column}"
    try:
        values = [evaluate(program.names, argument, {}) for argument in process.arguments]
    except NeedsState:
        raise ModelError("the arguments in an assertion have to be constant", process.place) from None
    return f"{process.name}({', '.join(map(shown, values))})"


@dataclass
class _Subject:
    """The assertions about one process, and the labels that they need."""

    program: Program
    part: str
    asks: list[Ask]
    fairness: str | None
    labels: dict[str, Expression] = field(default_factory=dict)
    measures: dict[str, Expression] = field(default_factory=dict)
    specifications: dict[str, System] = field(default_factory=dict)

    def model(self, digest: str) -> Model:
        questions = [self._question(ask) for ask in self.asks]  # first, for they collect the labels
        properties = tuple(self._property(ask, question) for ask, question in zip(self.asks, questions, strict=True))
        return Model(
            self.program.source.file,
            self.system,
            properties,
            digest,
            Place(self.program.source.file),
            self.part,
            pattern=lambda text: pattern(self.program, text),
        )

    @cached_property
    def system(self) -> System:
        return System(self.program, self.asks[0].process, self.labels, measures=self.measures)

    def _question(self, ask: Ask) -> Formula | None:
        """What an assertion asks in each state or along a behaviour."""
        match ask:
            case Reaches(goal=goal, measure=measure):
                if measure is not None:
                    self.measures[self._measured(measure)] = measure
                return self._label(goal)
            case Satisfies(formula=formula):
                inner = _invariant(self.program, formula)
                return self._formula(formula) if inner is None else self._label(inner)
        return None

    def _property(self, ask: Ask, question: Formula | None) -> Property:
        match ask:
            case Asks(question="deadlockfree"):
                return DeadlockFree(ask.text, self._number(TERMINATED))
            case Asks(question="nonterminating"):
                return DeadlockFree(ask.text)
            case Asks(question="divergencefree"):
                return DivergenceFree(ask.text)
            case Asks(question="deterministic"):
                return Deterministic(ask.text, "steps")
            case Reaches(sense=sense, measure=measure):
                assert isinstance(question, Holds)
                where = self._number(str(question.label))
                if sense is None or measure is None:
                    return Sometimes(ask.text, where)
                return Extreme(ask.text, self._number(self._measured(measure)), sense, where)
            case Satisfies(formula=formula) if _invariant(self.program, formula) is not None:
                assert isinstance(question, Holds)
                return Always(ask.text, self._number(str(question.label)))
            case Satisfies(fairness=fairness):
                assert question is not None
                return Temporal(ask.text, question, self._fair(fairness, ask), "at the end", ask.place)
            case RefinesAssertion(specification=specification, sense=sense):
                return Refines(ask.text, self._specification(specification), sense)
        raise ModelError("an assertion of an unknown kind", ask.place)

    def _specification(self, process: Process) -> System:
        """Made once for all senses of refinement: to see what its components may do can take long."""
        try:
            name = _subject(self.program, process)
        except ModelError:  # a specification may depend on the first state
            return System(self.program, process)
        if name not in self.specifications:
            self.specifications[name] = System(self.program, process)
        return self.specifications[name]

    def _number(self, label: str) -> int:
        return [each.name for each in self.system.shape.labels].index(label)

    def _fair(self, fairness: str | None, ask: Ask) -> tuple[Fairness, ...]:
        match fairness or self.fairness:
            case "event-weak":
                return (EachEvent("weak"),)
            case "event-strong":
                return (EachEvent("strong"),)
            case "process-weak":
                return process_fairness("weak", self._processes(ask))
            case "process-strong":
                return process_fairness("strong", self._processes(ask))
            case "strong-global":
                return (StrongGlobal(),)
        return ()

    def _processes(self, ask: Ask) -> dict[str, frozenset[int | str]]:
        if self.system.sorter is None:
            why = "what its processes are changes while it runs, or one is atomic"
            raise ModelError(f"process fairness of '{self.part}' is not supported, since {why}", ask.place, FAIRNESS)
        return self.system.processes()

    # Formulas

    def _label(self, expression: Expression) -> Holds:
        name = self._named(expression)
        self.labels[name] = expression
        return Holds(name, place=expression.place)

    def _named(self, expression: Expression) -> str:
        if isinstance(expression, Name):
            return expression.name
        return f"condition at {expression.place.line}:{expression.place.column}"

    def _measured(self, expression: Expression) -> str:
        """The label of what is to be least or greatest: not that of a condition with the same text."""
        return f"value at {expression.place.line}:{expression.place.column}"

    def _formula(self, formula: Written) -> Formula:
        """Each part without time or events is a label of its own, so that each reads little."""
        match formula:
            case WrittenTemporal(operator=operator, operands=operands):
                return Operation(OPERATORS[operator], tuple(map(self._formula, operands)), formula.place)
            case Binary(operator="&&" | "||" | "->" | "<->" as operator, left=left, right=right):
                parts = (self._formula(left), self._formula(right))
                return Operation(OPERATORS[operator], parts, formula.place)
            case Unary(operator="!", operand=operand):
                return Operation("not", (self._formula(operand),), formula.place)
            case Truth(value=value):
                return TRUE if value else FALSE
            case Happening():
                # PAT: an event holds in the state that it leads to.
                return Operation("Y", (self._event(formula),), formula.place)
            case Name(name=name) if name in self.program.names.macros:
                body = self.program.names.macros[name].body
                return self._label(formula) if _plain(self.program, body) else self._formula(body)
        return self._label(formula)

    def _event(self, happening: Happening) -> Happens:
        event = happening.event
        values = tuple(evaluate(self.program.names, argument, {}) for argument in event.arguments)
        name = event.name
        if name in self.program.names.channels:
            layout = self.program.names.channels[name]
            if layout.capacity and not happening.kind and not _does(self.program, name):
                ends = f"'{name}!…' and '{name}?…'"
                raise ModelError(f"channel '{name}' has a buffer, so its events are {ends}", happening.place)
            name = layout.element(offset(self.program.names, layout, happening, {})) + happening.kind
        return Happens(name, values, place=happening.place)


def _does(program: Program, name: str) -> bool:
    """Whether some process does an event of this name by itself, though a channel has it too."""
    nodes = (node for definition in program.source.definitions for node, _ in below(definition.body))
    return any(isinstance(node, Prefix) and node.event is not None and node.event.name == name for node in nodes)


def _invariant(program: Program, formula: Written) -> Expression | None:
    """The condition p of a formula `[] p`; None for others, also for p alone, which is about the first state only."""
    match formula:
        case WrittenTemporal(operator="[]", operands=(inner,)) if _plain(program, inner):
            return inner  # type: ignore[return-value]
    return None


def _plain(program: Program, formula: Written) -> bool:
    """Whether a formula is a condition on one state."""
    waiting = [formula]
    while waiting:
        part = waiting.pop()
        match part:
            case WrittenTemporal() | Happening():
                return False
            case Binary(left=left, right=right):
                waiting += [left, right]
            case Unary(operand=operand):
                waiting.append(operand)
            case Name(name=name) | Call(function=name) if name in program.names.macros:
                waiting.append(program.names.macros[name].body)
    return True
