"""Expressions: checked for their types and compiled to functions of a memory."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from homing.languages.uppaal import operators
from homing.languages.uppaal import syntax as s
from homing.languages.uppaal.access import Access
from homing.languages.uppaal.code import NO_EFFECTS, Code, Effects, Target, constant, converted, loading, storing
from homing.languages.uppaal.scope import FunctionName, Scope, Variable
from homing.languages.uppaal.store import Bounds, Fault, Memory, Ranges
from homing.languages.uppaal.text import a
from homing.languages.uppaal.types import (
    BOOL,
    INT,
    VOID,
    Bool,
    Chan,
    Clock,
    Int,
    Type,
    choices,
    compatible,
    compound,
    numeric,
)
from homing.timed.system import Reset

UNROLLED = 64
"""A quantifier over no more values than this is written out, which makes its indices constant."""
MOST_VALUES = 100_000
COMBINE: dict[str, Callable[[Any], Any]] = {"sum": sum, "forall": all, "exists": any}


class Expressions(Access):
    """One method a kind of expression."""

    @abstractmethod
    def function_call(self, node: s.Call, function: FunctionName, scope: Scope) -> Code:
        """A call of a declared function."""

    def expression(self, node: s.Expression, scope: Scope) -> Code:
        return self._folded(self._expression(node, scope))

    def _expression(self, node: s.Expression, scope: Scope) -> Code:
        match node:
            case s.Number():
                return constant(node, Int(node.value, node.value), node.value)
            case s.Truth():
                return constant(node, BOOL, node.value)
            case s.Name():
                return self.name(node, scope)
            case s.Index():
                return self.index(node, scope)
            case s.Member():
                return self.member(node, scope)
            case s.Call():
                return self._call(node, scope)
            case s.Unary():
                return self._unary(node, scope)
            case s.Binary():
                return self._binary(node, scope)
            case s.Conditional():
                return self._conditional(node, scope)
            case s.Assign():
                return self.assignment(node, scope)
            case s.Stepped():
                return self._stepped(node, scope)
            case s.Quantified():
                return self._quantified(node, scope)
            case s.Deadlock():
                raise node.error("'deadlock' belongs into queries, as a condition")
            case s.Rate():
                raise node.error(f"the rate '{node.words}' belongs into invariants")
            case s.Initialiser():
                raise node.error("values in braces belong into declarations")

    def _folded(self, code: Code) -> Code:
        """With its value, where that is constant; where evaluating it fails, it fails when it is needed."""
        effects = code.effects
        foldable = not code.known and not effects.reads and not effects.writes and code.type != VOID
        if not foldable or code.type.has(Clock) or code.type.has(Chan):
            return code
        if code.target is not None and code.target.fixed is None:
            return code
        try:
            value = code.run(self.store.memory())
        except Fault:
            return code
        return Code(code.node, code.type, lambda _memory: value, effects, code.target, None, True, value)

    # Operators

    def operand(self, node: s.Expression, scope: Scope) -> Code:
        """What one can calculate with."""
        code = self.expression(node, scope)
        if isinstance(code.type, Clock):
            raise node.error(f"the clock '{node.words}' stands in an integer expression")
        if not numeric(code.type):
            raise node.error(f"'{node.words}' is {a(str(code.type))}, where a number or truth value is wanted")
        return code

    def _unary(self, node: s.Unary, scope: Scope) -> Code:
        code = self.operand(node.operand, scope)
        run = code.run
        if node.operator == "!":
            return Code(node, BOOL, lambda memory: not run(memory), code.effects)

        def negated(ranges: Ranges) -> tuple[int, int]:
            low, high = code.interval(ranges)
            return -high, -low

        if node.operator == "-":
            return Code(node, INT, lambda memory: -run(memory), code.effects, bounds=negated)
        return Code(node, INT, lambda memory: +run(memory), code.effects, bounds=code.interval)

    def _binary(self, node: s.Binary, scope: Scope) -> Code:
        if node.operator in ("==", "!="):
            return self._equality(node, scope)
        left, right = self.operand(node.left, scope), self.operand(node.right, scope)
        effects, perhaps = left.effects.then(right.effects), left.effects.then(right.effects.perhaps())
        one, other = left.run, right.run
        if node.operator == "&&":
            if left.known and not left.value:
                return constant(node, BOOL, False)
            return Code(node, BOOL, lambda m: bool(one(m)) and bool(other(m)), perhaps)
        if node.operator == "||":
            if left.known and left.value:
                return constant(node, BOOL, True)
            return Code(node, BOOL, lambda m: bool(one(m)) or bool(other(m)), perhaps)
        if node.operator == "xor":
            return Code(node, BOOL, lambda m: bool(one(m)) is not bool(other(m)), effects)
        if node.operator in operators.RELATIONS:
            relation = operators.RELATIONS[node.operator]
            return Code(node, BOOL, lambda m: relation(one(m), other(m)), effects)
        return self.arithmetic(node, node.operator, left, right)

    def arithmetic(self, node: s.Node, operator: str, left: Code, right: Code) -> Code:
        """What two numbers give."""
        function = operators.calculate(node, operator)
        one, other = left.run, right.run

        def bounds(ranges: Ranges) -> tuple[int, int]:
            return operators.interval(operator, left.interval(ranges), right.interval(ranges))

        return Code(node, INT, lambda m: function(one(m), other(m)), left.effects.then(right.effects), bounds=bounds)

    def _equality(self, node: s.Binary, scope: Scope) -> Code:
        left, right = self.expression(node.left, scope), self.expression(node.right, scope)
        for side in (left, right):
            if side.type.has(Clock):
                raise side.node.error(f"the clock '{side.node.words}' stands in an integer expression")
        if not self._comparable(left, right):
            raise node.error(f"'{node.words}' compares {a(str(left.type))} with {a(str(right.type))}")
        one, other, wanted = left.run, right.run, node.operator == "=="
        return Code(node, BOOL, lambda m: (one(m) == other(m)) is wanted, left.effects.then(right.effects))

    def _comparable(self, left: Code, right: Code) -> bool:
        if isinstance(left.type, Chan) and isinstance(right.type, Chan):
            return True
        return left.type != VOID and compatible(left.type, right.type)

    def _conditional(self, node: s.Conditional, scope: Scope) -> Code:
        condition = self.operand(node.condition, scope)
        then, otherwise = self.expression(node.then, scope), self.expression(node.otherwise, scope)
        if then.type.has(Clock) or not compatible(then.type, otherwise.type):
            raise node.error(f"'{node.words}' has {a(str(then.type))} or {a(str(otherwise.type))} for a value")
        test, one, other = condition.run, then.run, otherwise.run
        effects = condition.effects.then(then.effects.perhaps(), otherwise.effects.perhaps())
        of = INT if isinstance(then.type, Int) or isinstance(otherwise.type, Int) else then.type
        if condition.known:
            chosen = then if condition.value else otherwise
            return Code(node, chosen.type, chosen.run, chosen.effects, bounds=chosen.interval)

        def bounds(ranges: Ranges) -> tuple[int, int]:
            (low, high), (least, most) = then.interval(ranges), otherwise.interval(ranges)
            return min(low, least), max(high, most)

        return Code(node, of, lambda m: one(m) if test(m) else other(m), effects, bounds=bounds)

    # Assignments

    def assignable(self, node: s.Expression, scope: Scope) -> tuple[Code, Target]:
        """What is assigned to."""
        code = self.expression(node, scope)
        if code.target is None:
            raise node.error(f"'{node.words}' cannot be assigned to")
        if code.target.const:
            raise node.error(f"'{node.words}' is constant and cannot be assigned to")
        if code.type.has(Chan):
            raise node.error(f"the channel '{node.words}' cannot be assigned to")
        return code, code.target

    def assignment(self, node: s.Assign, scope: Scope) -> Code:
        """`x = e`, `x += e`."""
        code, target = self.assignable(node.target, scope)
        value = self.expression(node.value, scope)
        if isinstance(code.type, Clock):
            return self._clock(node, code, target, value)
        if code.type.has(Clock):
            raise node.error(f"'{node.target.words}' has clocks and cannot be assigned as a whole")
        if node.operator:
            for operand in (code, value):
                if not numeric(operand.type):
                    raise operand.node.error(
                        f"'{operand.node.words}' is {a(str(operand.type))}, where a number is wanted"
                    )
            return self._changed(node, node.operator, code, target, value)
        if isinstance(value.type, Clock):
            raise node.value.error(f"the clock '{node.value.words}' stands in an integer expression")
        if not compatible(code.type, value.type) or value.type == VOID:
            raise node.error(f"'{node.words}' assigns {a(str(value.type))} to {a(str(code.type))}")
        return self._stored(node, code, target, value)

    def _storing(self, node: s.Node, code: Code, target: Target) -> Callable[[Memory, int, Any], None]:
        """How a value is stored; through a reference, the ranges of the variable that it stands for count."""
        what, cells, size = f"'{code.node.words}'", self.store.cells, code.type.cells
        leaves = set(code.type.leaves())
        if target.region and all(cells[address].type in leaves for address in target.region):
            return storing(code.type, node, what)

        def store(memory: Memory, start: int, value: Any) -> None:
            values = value if compound(code.type) else (value,)
            for address, given in zip(range(start, start + size), values):
                memory[address] = converted(cells[address].type, node, what)(given)

        return store

    def _stored(self, node: s.Node, code: Code, target: Target, value: Code) -> Code:
        store, load = self._storing(node, code, target), loading(code.type)
        address, run = target.run, value.run
        effects = target.effects.then(value.effects, Effects(writes=frozenset(target.region)))
        self.fact(target.region, value, code.type)

        def assign(memory: Memory) -> Any:
            place = address(memory)
            store(memory, place, run(memory))
            return load(memory, place)

        return Code(node, code.type, assign, effects, bounds=_bounds(code.type, value))

    def _changed(
        self, node: s.Node, operator: str, code: Code, target: Target, operand: Code, *, old: bool = False
    ) -> Code:
        """`x += e`, `x++`: its place is found once, as that may have effects; its value is the new or the `old` one."""
        function = operators.calculate(node, operator)
        value = self.arithmetic(node, operator, code, operand)
        store, load = self._storing(node, code, target), loading(code.type)
        address, run = target.run, operand.run
        effects = target.effects.then(value.effects, Effects(writes=frozenset(target.region)))
        self.fact(target.region, value, code.type)

        def change(memory: Memory) -> Any:
            place = address(memory)
            before = load(memory, place)
            store(memory, place, function(before, run(memory)))
            return before if old else load(memory, place)

        return Code(node, code.type, change, effects, bounds=code.interval if old else _bounds(code.type, value))

    def fact(self, region: range, value: Code, of: Type) -> None:
        """Notes what is assigned where."""
        if compound(of) or isinstance(of, Bool):
            self.store.facts.append((region, lambda _ranges: (-(2**31), 2**31 - 1)))
        else:
            self.store.facts.append((region, value.interval))

    def _clock(self, node: s.Assign, code: Code, target: Target, value: Code) -> Code:
        """`x = 0`, `x = y`."""
        if node.operator:
            raise node.error(f"a clock is set by '=', not by '{node.operator}='")
        number, run = target.run, value.run
        cells = frozenset(target.region)
        kills = cells if target.fixed is not None else frozenset()
        if isinstance(value.type, Clock):
            source = value.target
            if source is None or not target.region or not source.region:
                raise node.error(f"'{node.words}' copies a clock through a reference, which is not supported")
            copies = frozenset((one, other) for one in target.region for other in source.region)
            effects = target.effects.then(source.effects, Effects(writes=cells, kills=kills, copies=copies))

            def copy(memory: Memory) -> None:
                memory.resets.append(Reset(memory[number(memory)], 0, run(memory)))

            return Code(node, VOID, copy, effects)
        if not numeric(value.type):
            raise node.error(f"'{node.words}' assigns {a(str(value.type))} to a clock")

        self.store.clock_values.append(value.interval)

        def reset(memory: Memory) -> None:
            new = run(memory)
            if new < 0:
                raise Fault(node, f"'{node.words}' gives a clock the value {int(new)}, which is less than 0")
            memory.resets.append(Reset(memory[number(memory)], int(new)))

        return Code(node, VOID, reset, target.effects.then(value.effects, Effects(writes=cells, kills=kills)))

    def _stepped(self, node: s.Stepped, scope: Scope) -> Code:
        code, target = self.assignable(node.operand, scope)
        if not isinstance(code.type, Int | Bool):
            raise node.error(f"'{node.operand.words}' is {a(str(code.type))}, where a number is wanted")
        return self._changed(node, node.operator[0], code, target, constant(node, INT, 1), old=not node.prefix)

    # Quantifiers and calls

    def bound_values(self, node: s.Quantified | s.Select | s.Iteration, scope: Scope) -> tuple[Type, range]:
        """What a bound name ranges over."""
        of = self.type(node.type, scope)
        values = choices(of)
        if values is None:
            raise node.error(f"'{node.name}' ranges over {a(str(of))}, which has no finite set of values")
        if len(values) > MOST_VALUES:
            raise node.error(f"'{node.name}' ranges over more than {MOST_VALUES} values")
        return of, values

    def binding(self, name: str, of: Type, value: int, scope: Scope) -> Scope:
        """A scope in which a name stands for a value."""
        given = bool(value) if isinstance(of, Bool) else value
        address = self.store.constant(of, name, (given,))
        return Scope(scope, {name: Variable(of, address, const=True)}, scope.owner)

    def _quantified(self, node: s.Quantified, scope: Scope) -> Code:
        of, values = self.bound_values(node, scope)
        if len(values) > UNROLLED:
            return self._looped(node, of, values, scope)
        parts = [self.operand(node.body, self.binding(node.name, of, value, scope)) for value in values]
        runs = [part.run for part in parts]
        effects = NO_EFFECTS.then(*(part.effects for part in parts))
        if node.quantifier == "sum":

            def bounds(ranges: Ranges) -> tuple[int, int]:
                ends = [part.interval(ranges) for part in parts]
                return sum(low for low, _ in ends), sum(high for _, high in ends)

            return Code(node, INT, lambda m: sum(run(m) for run in runs), effects, bounds=bounds)
        if node.quantifier == "forall":
            return Code(node, BOOL, lambda m: all(run(m) for run in runs), effects)
        return Code(node, BOOL, lambda m: any(run(m) for run in runs), effects)

    def _looped(self, node: s.Quantified, of: Type, values: range, scope: Scope) -> Code:
        address = self.store.local(of, node.name)
        self.store.facts.append(((address,), lambda _ranges: (values[0], values[-1])))
        inner = Scope(scope, {node.name: Variable(of, address, const=True)}, scope.owner)
        body = self.operand(node.body, inner)
        run = body.run

        def each(memory: Memory) -> Any:
            for value in values:
                memory[address] = value
                yield run(memory)

        combine: Callable[[Any], Any] = COMBINE[node.quantifier]
        of_all = INT if node.quantifier == "sum" else BOOL
        bounds: Bounds | None = (lambda _ranges: (-(2**31), 2**31 - 1)) if node.quantifier == "sum" else None
        return Code(node, of_all, lambda m: combine(each(m)), body.effects.without((address,)), bounds=bounds)

    def _call(self, node: s.Call, scope: Scope) -> Code:
        if isinstance(node.of, s.Member):
            return self._of_another(node, node.of, scope)
        if not isinstance(node.of, s.Name):
            raise node.error(f"'{node.of.words}' is no function")
        entity = scope.find(node.of.name)
        if isinstance(entity, FunctionName):
            return self.function_call(node, entity, scope)
        if node.of.name == "abs" and entity is None and len(node.arguments) == 1:
            return self._absolute(node, scope)
        if entity is not None:
            raise node.of.error(f"'{node.of.name}' is no function")
        raise scope.missing("unknown function", node.of.name, node, FunctionName)

    def _of_another(self, node: s.Call, function: s.Member, scope: Scope) -> Code:
        """A query may call the functions of processes."""
        process = self.process(function.of, scope)
        entity = None if process is None else process.scope.names.get(function.name)
        if isinstance(entity, FunctionName):
            return self.function_call(node, entity, scope)
        raise node.error(f"'{function.words}' is no function")

    def _absolute(self, node: s.Call, scope: Scope) -> Code:
        code = self.operand(node.arguments[0], scope)
        run = code.run

        def bounds(ranges: Ranges) -> tuple[int, int]:
            low, high = code.interval(ranges)
            return 0, max(abs(low), abs(high))

        return Code(node, INT, lambda m: abs(run(m)), code.effects, bounds=bounds)


def _bounds(of: Type, value: Code) -> Bounds | None:
    """Of a value that was stored; a truth value is 0 or 1 then."""
    return None if isinstance(of, Bool) else value.interval
