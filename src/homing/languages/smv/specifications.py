"""Specifications as properties, with a label for each condition on a state."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod

from homing.core.errors import HomingError
from homing.core.formula import ANY, FALSE, TRUE, Formula, Happens, Holds, Operation
from homing.core.property import Always, DeadlockFree, Property
from homing.core.temporal import Compassion, Fairness, Justice, Temporal
from homing.languages.smv import syntax as s
from homing.languages.smv.closures import Compiler
from homing.languages.smv.expressions import CTL_UNARY, LTL_UNARY, TEMPORAL
from homing.languages.smv.flattening import Asked, Flat
from homing.languages.smv.instances import Instance
from homing.languages.smv.relation import MOST_INPUTS
from homing.languages.smv.resolving import has_next
from homing.languages.smv.showing import written
from homing.languages.smv.system import INPUT, Observed
from homing.languages.smv.terms import Constant, Scalar, Term, Variable, atoms, may_fail, show

TOTAL = "the transition relation is total"
"""What is asked where a file asks nothing."""
MOST_UNROLLED = 1000
"""How far a bounded operator reaches: it is written out."""
CONNECTIVES = {"&": "and", "|": "or", "!": "not", "->": "implies", "<->": "iff", "xnor": "iff"}
NEGATED = "reads '-a :: b' on line {} as -(a :: b), as NuSMV's manual has it; NuSMV 2.6.0 itself reads (-a) :: b"
COMPASSIONATE = "CTL speaks of paths that satisfy COMPASSION; NuSMV 2.6.0 does not support that and may differ"
HISTORICAL = "'H' with bounds does not ask for a time before the first state; in NuSMV 2.6.0 it is false there"
LTL_BINARY = {"U": "U", "V": "R", "S": "S", "T": "T"}


class Specifications:
    """The properties of a model; `labels` and `inputs` are what they need of its system."""

    def __init__(self, flat: Flat) -> None:
        self.flat = flat
        self.source = flat.source
        self.labels: list[Observed] = []
        self.inputs: dict[Variable, None] = {}
        """Those that formulas speak of."""
        self.notes: dict[str, str] = {}
        """By the name of a property, choices that its verdict may depend on."""
        self._known: dict[tuple[int, str], Formula] = {}
        self._formulas: dict[Asked, Formula] = {}
        self._numbers: dict[str, int] = {}
        self._every_input = [variable for variable in flat.variables if variable.kind == "IVAR"]
        self.fairness = tuple(self._fairness(constraint, scope) for constraint, scope in flat.fairness)
        for asked in flat.asked:
            if not self._is_invariant(asked):
                self._formula_of(asked)  # for its inputs

    def _fairness(self, constraint: s.Constraint, scope: Instance) -> Fairness:
        formulas = [self._formula(condition, scope) for condition in constraint.conditions]
        return Justice(formulas[0]) if constraint.kind == "JUSTICE" else Compassion(formulas[0], formulas[1])

    def _error(self, message: str, at: int) -> HomingError:
        return self.source.error(message, at)

    # Properties

    def properties(self, total: bool) -> tuple[Property, ...]:
        """One a specification, in their order; `total` says that every state is known to have a successor."""
        if not self.flat.asked:
            return (DeadlockFree(TOTAL),)
        used: set[str] = set()
        return tuple(self._property(asked, total and not self.fairness, used) for asked in self.flat.asked)

    def _property(self, asked: Asked, plainly: bool, used: set[str]) -> Property:
        spec = asked.spec
        name = self._named(asked, used)
        if choices := self._choices(spec):
            self.notes[name] = "; ".join(choices)
        if self._is_invariant(asked) and (plainly or spec.kind == "INVARSPEC"):
            # Decided while searching, so that the search may end early.
            inner = spec.formula.operands[0] if _is_always(spec.formula) else spec.formula  # type: ignore[union-attr]
            split = (
                isinstance(inner, s.Operation) and inner.operator == "&" and not self._is_guarded(inner, asked.scope)
            )
            parts = inner.operands if split else (inner,)  # type: ignore[union-attr]
            labels = [self._whole(part, asked.scope) for part in parts]
            return Always(name, labels[0], tuple(labels[1:]))
        return Temporal(name, self._formula_of(asked), self.fairness, "never", self.source.place(spec.at))

    def _choices(self, spec: s.Specification) -> list[str]:
        """Where NuSMV and its manual differ, and this model or specification has it."""
        instances = self.flat.main.all()
        negated = [at for each in instances for at in each.module.negated]
        found = [NEGATED.format(self.source.place(negated[0]).line)] if negated else []
        if spec.kind == "CTLSPEC" and any(isinstance(each, Compassion) for each in self.fairness):
            found.append(COMPASSIONATE)
        if any(isinstance(part, s.Bounded) and part.operator == "H" for part in _parts(spec.formula)):
            found.append(HISTORICAL)
        return found

    def _named(self, asked: Asked, used: set[str]) -> str:
        name = asked.spec.name or asked.spec.text
        if asked.scope.path:
            name = f"{name} IN {asked.scope.path}"
        if name in used:
            name = f"{name} (line {self.source.place(asked.spec.at).line})"
        while name in used:
            name += "'"
        used.add(name)
        return name

    def _is_invariant(self, asked: Asked) -> bool:
        """Whether it asks for a condition on every state, and of no input."""
        spec = asked.spec
        if spec.kind == "INVARSPEC":
            return True
        if not _is_always(spec.formula):
            return False
        inner = spec.formula.operands[0]  # type: ignore[union-attr]
        return not _is_temporal(inner) and not self._inputs_of(self._term(inner, asked.scope))

    def _formula_of(self, asked: Asked) -> Formula:
        spec = asked.spec
        if asked in self._formulas:
            return self._formulas[asked]
        formula = self._formulas[asked] = self._formula(spec.formula, asked.scope)
        if spec.kind != "LTLSPEC" and any(isinstance(part, Happens) for part in formula.walk()):
            names = ", ".join(f"'{each}'" for each in self.inputs)
            raise self._error(f"a formula of CTL cannot speak of inputs: {names}", spec.at)
        return formula

    # Formulas

    def _formula(self, expression: s.Expression, scope: Instance) -> Formula:
        """Each condition without connectives is a label of its own, so that each reads little."""
        match expression:
            case s.Operation(operator=operator, operands=operands):
                if operator in LTL_UNARY:
                    return Operation(operator, (self._formula(operands[0], scope),))
                if operator in CTL_UNARY:
                    path = Operation(operator[1], (self._formula(operands[0], scope),))
                    return Operation(operator[0], (path,))
                if operator in CONNECTIVES or operator == "xor" or operator in LTL_BINARY or operator in ("AU", "EU"):
                    return self._connected(expression, scope)
            case s.Bounded():
                return self._bounded(expression, scope)
            case s.Truth(value=value):
                return TRUE if value else FALSE
        return self._atom(expression, scope)

    def _connected(self, expression: s.Operation, scope: Instance) -> Formula:
        operator = expression.operator
        if self._is_word(expression, scope) or self._is_guarded(expression, scope):
            return self._atom(expression, scope)
        parts = tuple(self._formula(operand, scope) for operand in expression.operands)
        if operator in ("AU", "EU"):
            return Operation(operator[0], (Operation("U", parts),))
        if operator in LTL_BINARY:
            return Operation(LTL_BINARY[operator], parts)
        if operator == "xor":
            return ~Operation("iff", parts)
        return Operation(CONNECTIVES[operator], parts)

    def _is_word(self, expression: s.Expression, scope: Instance) -> bool:
        """Whether a connective is one of words, which its first operand tells."""
        while isinstance(expression, s.Operation) and expression.operator in CONNECTIVES:
            expression = expression.operands[0]
        if isinstance(expression, s.Operation | s.Bounded | s.Truth | s.Case):
            return False
        return self._term(expression, scope).type.kind == "word"

    def _is_guarded(self, expression: s.Expression, scope: Instance) -> bool:
        """Does a condition on a state keep an evaluation from failing elsewhere, as `n != 0 -> 3 / n = 1` does?"""
        if _is_temporal(expression):
            return False
        term = self._term(expression, scope)
        return isinstance(term, Constant) or may_fail(term)

    def _bounded(self, expression: s.Bounded, scope: Instance) -> Formula:
        """A bounded operator written out: `EBF 0..2 p` is `p | EX (p | EX p)`."""
        resolver, operator = self.flat.resolver, expression.operator
        low = resolver.constant(expression.low, scope, "a bound")
        high = low if expression.high is None else resolver.constant(expression.high, scope, "a bound")
        if not 0 <= low <= high <= MOST_UNROLLED:
            raise self._error(f"bounds from {low} to {high}; they go from 0 to {MOST_UNROLLED}", expression.at)
        parts = [self._formula(operand, scope) for operand in expression.operands]
        goal = parts[-1]
        quantifier = operator[0] if len(operator) == 3 else ""
        kind = operator[2] if quantifier else operator
        step = {"H": "Z", "O": "Y"}.get(kind, "X")
        connective = "and" if kind in "GH" else "or"

        def after(formula: Formula) -> Formula:
            moved = Operation(step, (formula,))
            return Operation(quantifier, (moved,)) if quantifier else moved

        found = goal if expression.high is not None else Operation(kind, (goal,))
        for _ in range(high - low):
            rest = after(found)
            found = Operation(connective, (goal, parts[0] & rest if kind == "U" else rest))
        for _ in range(low):
            found = parts[0] & after(found) if kind == "U" else after(found)
        return found

    # Conditions

    def _term(self, expression: s.Expression, scope: Instance) -> Term:
        term = self.flat.resolver.term(expression, scope)
        if has_next(term):
            raise self._error("'next' has no meaning in a specification", expression.at)
        return term

    def _condition(self, expression: s.Expression, scope: Instance) -> Term:
        return self.flat.resolver.build.boolean(self._term(expression, scope))

    def _inputs_of(self, term: Term) -> list[Variable]:
        found = {variable for variable, _ in atoms(term)}
        return [variable for variable in self._every_input if variable in found]

    def _atom(self, expression: s.Expression, scope: Instance) -> Formula:
        text = written(expression)
        key = (id(scope), text)
        if key not in self._known:
            self._known[key] = self._made(expression, scope, text)
        return self._known[key]

    def _made(self, expression: s.Expression, scope: Instance, text: str) -> Formula:
        term = self._condition(expression, scope)
        if isinstance(term, Constant):
            return TRUE if term.value else FALSE
        inputs = self._inputs_of(term)
        if inputs:
            return self._with_inputs(expression, term, scope, text, inputs)
        return self._label(expression, term, scope, text, {})

    def _label(
        self, expression: s.Expression, term: Term, scope: Instance, text: str, inputs: dict[Variable, Scalar]
    ) -> Holds:
        name = f"{text} IN {scope.path}" if scope.path else text
        while name in self._numbers:
            name += "'"
        self._numbers[name] = len(self.labels)
        self.labels.append(Observed(name, term, self.source.place(expression.at), inputs))
        return Holds(self._numbers[name], name)

    def _whole(self, expression: s.Expression, scope: Instance) -> int:
        """The number of a label for a condition as it stands."""
        text = written(expression)
        found = self._known.get((id(scope), text))
        if isinstance(found, Holds):
            assert isinstance(found.label, int)
            return found.label
        term = self._condition(expression, scope)
        for variable in self._inputs_of(term):
            raise self._error(f"an invariant cannot speak of the input variable '{variable}'", expression.at)
        label = self._label(expression, term, scope, text, {})
        if found is None and not isinstance(term, Constant):
            self._known[id(scope), text] = label
        assert isinstance(label.label, int)
        return label.label

    def _with_inputs(
        self, expression: s.Expression, term: Term, scope: Instance, text: str, inputs: list[Variable]
    ) -> Formula:
        """For each choice of the inputs: the step shows it, and the condition is true with it put in."""
        if prod(len(each.domain) for each in inputs) > MOST_INPUTS:
            raise self._error(f"'{text}' speaks of inputs with more than {MOST_INPUTS} combinations", expression.at)
        self.inputs |= dict.fromkeys(inputs)
        alone = len(atoms(term)) == len(inputs)
        ways: list[Formula] = []
        for values in product(*(each.domain for each in inputs)):
            chosen = dict(zip(inputs, values, strict=True))
            pattern = tuple(chosen.get(each, ANY) for each in self._every_input)
            if alone:
                compiler = Compiler(self.source, [(each, False) for each in inputs])
                if compiler.single(term)(compiler.frame(values)):
                    ways.append(Happens(INPUT, pattern))
                continue
            shown = ", ".join(f"{each} = {show(value)}" for each, value in chosen.items())
            ways.append(Happens(INPUT, pattern) & self._label(expression, term, scope, f"{text} ({shown})", chosen))
        return Operation("or", tuple(ways))


def _is_always(formula: s.Expression) -> bool:
    return isinstance(formula, s.Operation) and formula.operator in ("AG", "G")


def _is_temporal(expression: s.Expression) -> bool:
    """Whether there is an operator of time below connectives."""
    return any(
        isinstance(part, s.Bounded)
        or (isinstance(part, s.Operation) and (part.operator in TEMPORAL or part.operator in ("AU", "EU")))
        for part in _parts(expression)
    )


def _parts(expression: s.Expression) -> Iterator[s.Expression]:
    """A formula and what its connectives and operators of time apply to."""
    waiting = [expression]
    while waiting:
        part = waiting.pop()
        yield part
        if isinstance(part, s.Bounded | s.Operation):
            waiting += part.operands
