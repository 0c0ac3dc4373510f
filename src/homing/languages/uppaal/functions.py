"""Functions and statements."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from homing.languages.uppaal import syntax as s
from homing.languages.uppaal.code import NO_EFFECTS, Code, Effects, Run, storing
from homing.languages.uppaal.declaring import Declarations
from homing.languages.uppaal.expressions import UNROLLED
from homing.languages.uppaal.scope import FunctionName, Scope, Variable
from homing.languages.uppaal.store import Fault, Memory, Ranges
from homing.languages.uppaal.text import a, counted
from homing.languages.uppaal.types import (
    INT,
    VOID,
    Chan,
    Clock,
    Int,
    Type,
    compatible,
    compound,
    initial,
)

MOST_ROUNDS = 1_000_000
"""A loop that goes round more often than this is taken to never end."""
Does = Callable[[Memory], "tuple[Any] | None"]
"""A statement; it returns a tuple where the function returns."""
Statement = tuple[Does, Effects]


@dataclass(frozen=True, eq=False)
class Compiled:
    """A function: where its arguments go, and what it does."""

    type: Type
    parameters: tuple[tuple[Type, int, bool, bool], ...]
    """Each with its type, address, whether it is a reference, and whether that is constant."""
    does: Does
    effects: Effects
    returns: tuple[Code, ...]


class Functions(Declarations):
    """Adds what consists of statements."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.returning: list[tuple[Type, list[Code]]] = []
        self.locals: list[list[int]] = []

    def function(self, node: s.Function, scope: Scope) -> None:
        function = FunctionName(node, scope)
        scope.declare(node.name, function, node)
        self.compiled(function, node)  # now, while only what stands before it is declared

    def function_call(self, node: s.Call, function: FunctionName, scope: Scope) -> Code:
        compiled = self.compiled(function, node)
        if len(node.arguments) != len(compiled.parameters):
            wanted = counted(len(compiled.parameters), "argument")
            raise node.error(f"'{function.node.name}' takes {wanted}, not {len(node.arguments)}")
        passing: list[Callable[[Memory], tuple[Callable[[Memory, int, Any], None], int, Any]]] = []
        effects = [compiled.effects]
        for argument, parameter in zip(node.arguments, compiled.parameters):
            passed, effect = self._argument(argument, parameter, scope)
            passing.append(passed)
            effects.append(effect)
        does, returns = compiled.does, compiled.returns

        def call(memory: Memory) -> Any:
            values = [passed(memory) for passed in passing]  # all before any: an argument may call the same function
            for store, address, value in values:
                store(memory, address, value)
            result = does(memory)
            return result[0] if result else None

        def bounds(ranges: Ranges) -> tuple[int, int]:
            ends = [code.interval(ranges) for code in returns]
            return min(low for low, _ in ends), max(high for _, high in ends)

        given = bounds if returns and isinstance(compiled.type, Int) else None
        return Code(node, compiled.type, call, NO_EFFECTS.then(*effects), bounds=given)

    def _argument(
        self, node: s.Expression, parameter: tuple[Type, int, bool, bool], scope: Scope
    ) -> tuple[Any, Effects]:
        of, address, reference, const = parameter
        code = self.expression(node, scope)
        if reference:
            target = code.target
            if target is None or (target.const and not const):
                raise node.error(f"'{node.words}' cannot be passed by reference")
            if not compatible(of, code.type) and not (isinstance(of, Chan) and isinstance(code.type, Chan)):
                raise node.error(f"'{node.words}' is {a(str(code.type))}, where {a(str(of))} is wanted")
            place = target.run
            region = frozenset(target.region)
            touched = Effects(frozenset(self.store.changing(target.region)), frozenset() if const else region)
            if not const:
                self.store.facts.append((region, lambda _ranges: (-(2**31), 2**31 - 1)))
            return (lambda memory: (_put, address, place(memory))), target.effects.then(touched)
        if isinstance(code.type, Clock):
            raise node.error(f"the clock '{node.words}' stands in an integer expression")
        if not compatible(of, code.type):
            raise node.error(f"'{node.words}' is {a(str(code.type))}, where {a(str(of))} is wanted")
        store, run = storing(of, node, "the parameter"), code.run
        self.fact(range(address, address + of.cells), code, of)
        return (lambda memory: (store, address, run(memory))), code.effects

    def compiled(self, function: FunctionName, node: s.Node) -> Compiled:
        """The function, compiled once."""
        if function.compiled is not None:
            return function.compiled
        if function.compiling:
            raise node.error(f"the function '{function.node.name}' calls itself, which is not possible")
        function.compiling = True
        of = self.type(function.node.type, function.scope)
        inner = Scope(function.scope, {}, function.scope.owner)
        own: list[int] = []
        self.locals.append(own)
        codes: list[Code] = []
        self.returning.append((of, codes))
        parameters = tuple(self._parameter(parameter, inner) for parameter in function.node.parameters)
        does, effects = self._block(function.node.body, Scope(inner, {}, inner.owner))
        self.returning.pop()
        self.locals.pop()
        outside = effects.without(own)
        function.compiled = Compiled(of, parameters, self._returned(function, of, does), outside, tuple(codes))
        return function.compiled

    def _returned(self, function: FunctionName, of: Type, does: Does) -> Does:
        if of == VOID:
            return does
        node = function.node

        def run(memory: Memory) -> tuple[Any] | None:
            result = does(memory)
            if result is None:
                raise Fault(node, f"the function '{node.name}' ends without returning a value")
            return result

        return run

    def _local(self, of: Type, name: str) -> int:
        address = self.store.local(of, name)
        self.locals[-1].extend(range(address, address + of.cells))
        return address

    def _parameter(self, node: s.Parameter, scope: Scope) -> tuple[Type, int, bool, bool]:
        of = self.sized(self.type(node.type, scope), node.declared, scope)
        self.refuse_valueless(of, node.declared)
        const = "const" in node.type.prefixes
        if node.reference:
            address = self._local(INT, node.declared.name)
            scope.declare(node.declared.name, Variable(of, address, const, reference=True), node)
        else:
            if of.has(Clock) or of.has(Chan):
                raise node.error(f"{a(str(of))} is passed by reference: write '&' before '{node.declared.name}'")
            address = self._local(of, node.declared.name)
            scope.declare(node.declared.name, Variable(of, address, const), node)
        return of, address, node.reference, const

    # Statements

    def _block(self, node: s.Block, scope: Scope) -> Statement:
        parts = [self._statement(statement, scope) for statement in node.statements]
        return _sequence(parts)

    def _statement(self, node: s.Statement, scope: Scope) -> Statement:
        match node:
            case s.Block():
                return self._block(node, Scope(scope, {}, scope.owner))
            case s.Evaluate():
                return self.evaluation(node, scope)
            case s.Return():
                return self._return(node, scope)
            case s.If():
                return self._if(node, scope)
            case s.Loop():
                return self._loop(node, scope)
            case s.Iteration():
                return self._iteration(node, scope)
            case s.Typedef():
                self.typedef(node, scope)
                return _sequence([])
            case s.Variables():
                return _sequence([self._declaration(node, declared, scope) for declared in node.declared])

    def evaluation(self, node: s.Evaluate, scope: Scope) -> Statement:
        """Expressions, for what they do."""
        codes = [self.expression(expression, scope) for expression in node.expressions]
        runs = [code.run for code in codes]
        effects = NO_EFFECTS.then(*(code.effects for code in codes))
        if len(runs) == 1:
            only = runs[0]

            def one(memory: Memory) -> None:
                only(memory)

            return one, effects

        def each(memory: Memory) -> None:
            for run in runs:
                run(memory)

        return each, effects

    def _declaration(self, node: s.Variables, declared: s.Declared, scope: Scope) -> Statement:
        of = self.sized(self.type(node.type, scope), declared, scope)
        self.refuse_valueless(of, declared)
        if of.has(Clock) or of.has(Chan):
            raise declared.error(f"{a(str(of))} cannot be declared within a function")
        address = self._local(of, declared.name)
        leaves = list(of.leaves())
        first = [initial(leaf) for leaf in leaves]
        parts: list[tuple[Callable[[Memory, int, Any], None], Run]] = []
        effects = NO_EFFECTS
        if declared.initial is not None:
            codes = list(self.flat(of, declared.initial, scope))
            parts = [(storing(leaf, given, f"'{declared.name}'"), run) for leaf, (given, run) in zip(leaves, codes)]
            effects = self._flat_effects(of, declared.initial, scope, address)
        scope.declare(declared.name, Variable(of, address, "const" in node.type.prefixes), declared)

        def declare(memory: Memory) -> None:
            if not parts:
                memory[address : address + len(first)] = first
            for offset, (store, run) in enumerate(parts):
                store(memory, address + offset, run(memory))

        region = frozenset(range(address, address + of.cells))
        return declare, effects.then(Effects(writes=region))

    def _flat_effects(self, of: Type, node: s.Expression, scope: Scope, address: int) -> Effects:
        """What an initialiser reads, and what is known of the values that it gives."""
        if isinstance(node, s.Initialiser):
            self.store.facts.append((range(address, address + of.cells), lambda _ranges: (-(2**31), 2**31 - 1)))
            return NO_EFFECTS.then(*(self._inner_effects(value, scope) for _, value in node.values))
        code = self.expression(node, scope)
        self.fact(range(address, address + of.cells), code, of)
        return code.effects

    def _inner_effects(self, node: s.Expression, scope: Scope) -> Effects:
        if isinstance(node, s.Initialiser):
            return NO_EFFECTS.then(*(self._inner_effects(value, scope) for _, value in node.values))
        return self.expression(node, scope).effects

    def _return(self, node: s.Return, scope: Scope) -> Statement:
        of, codes = self.returning[-1]
        if node.value is None:
            if of != VOID:
                raise node.error(f"a value of the type {of} has to be returned")
            return (lambda _memory: (None,)), Effects(returns=True)
        code = self.expression(node.value, scope)
        if of == VOID:
            raise node.error("a void function returns no value")
        if not compatible(of, code.type):
            raise node.value.error(f"'{node.value.words}' is {a(str(code.type))}, where {a(str(of))} is returned")
        codes.append(code)
        run = code.run
        if compound(of):
            return (lambda memory: (run(memory),)), code.effects.then(Effects(returns=True))
        store = storing(of, node.value, "the result")

        def give(memory: Memory) -> tuple[Any]:
            cell = Memory([None])
            store(cell, 0, run(memory))
            return (cell[0],)

        return give, code.effects.then(Effects(returns=True))

    def _condition(self, node: s.Evaluate, scope: Scope) -> Code:
        """The last of the expressions counts; those before it are done."""
        if len(node.expressions) > 1:
            raise node.error("one condition is wanted here, not several expressions")
        return self.operand(node.expressions[0], scope)

    def _if(self, node: s.If, scope: Scope) -> Statement:
        condition = self._condition(node.condition, scope)
        then, then_effects = self._statement(node.then, Scope(scope, {}, scope.owner))
        effects = condition.effects.then(then_effects.perhaps())
        otherwise: Does | None = None
        if node.otherwise is not None:
            otherwise, other_effects = self._statement(node.otherwise, Scope(scope, {}, scope.owner))
            both = then_effects.kills & other_effects.kills
            effects = effects.then(other_effects.perhaps(), Effects(kills=both))
        test = condition.run

        def choose(memory: Memory) -> tuple[Any] | None:
            if test(memory):
                return then(memory)
            return otherwise(memory) if otherwise is not None else None

        return choose, effects

    def _loop(self, node: s.Loop, scope: Scope) -> Statement:
        nothing: Statement = (lambda _memory: None), NO_EFFECTS
        first, first_effects = self.evaluation(node.first, scope) if node.first is not None else nothing
        test: Run = lambda _memory: True  # noqa: E731
        test_effects = NO_EFFECTS
        if node.condition is not None:
            condition = self._condition(node.condition, scope)
            test, test_effects = condition.run, condition.effects
        step, step_effects = self.evaluation(node.step, scope) if node.step is not None else nothing
        body, body_effects = self._statement(node.body, Scope(scope, {}, scope.owner))
        after = node.after

        def loop(memory: Memory) -> tuple[Any] | None:
            first(memory)
            for round_number in range(MOST_ROUNDS):
                if not (after and round_number == 0) and not test(memory):
                    return None
                result = body(memory)
                if result is not None:
                    return result
                step(memory)
            raise Fault(node, f"a loop goes round more than {MOST_ROUNDS} times")

        return loop, first_effects.then(test_effects, step_effects.perhaps(), body_effects.perhaps())

    def _iteration(self, node: s.Iteration, scope: Scope) -> Statement:
        of, values = self.bound_values(node, scope)
        if len(values) <= UNROLLED:
            parts = [self._statement(node.body, self.binding(node.name, of, value, scope)) for value in values]
            return _sequence(parts)
        address = self._local(of, node.name)
        self.store.facts.append(((address,), lambda _ranges: (values[0], values[-1])))
        inner = Scope(scope, {node.name: Variable(of, address, const=True)}, scope.owner)
        body, effects = self._statement(node.body, inner)

        def loop(memory: Memory) -> tuple[Any] | None:
            for value in values:
                memory[address] = value
                result = body(memory)
                if result is not None:
                    return result
            return None

        return loop, effects


def _put(memory: Memory, address: int, value: Any) -> None:
    memory[address] = value


def _sequence(parts: list[Statement]) -> Statement:
    runs = [does for does, _ in parts]

    def run(memory: Memory) -> tuple[Any] | None:
        for does in runs:
            result = does(memory)
            if result is not None:
                return result
        return None

    all_effects = NO_EFFECTS
    for _, effects in parts:
        all_effects = all_effects.then(effects.perhaps() if all_effects.returns else effects)
    return run, all_effects
