"""Turns resolved expressions into specialised ones: operators expanded, constants evaluated, small loops unrolled.

Bound names are looked up in an environment: a parameter is the expression that was given for it, a name that a
quantifier over a known set binds is a constant, any other is a cell. In an action, disjunctions and `\\E` are choices,
so that TRUE does not swallow its neighbours: TLC counts a step for each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from homing.core.errors import HomingError, Place
from homing.languages.tla.actions import assigned
from homing.languages.tla.calls import Calls
from homing.languages.tla.constructors import Constructors
from homing.languages.tla.ir import Cell, E, Routine, Var, const, local
from homing.languages.tla.loops import Loops, flat
from homing.languages.tla.reading import CHEAP, LONGEST, ROUNDS, Closure, Env, Known, Opening, TooMany
from homing.languages.tla.rewriting import folded, with_lets
from homing.languages.tla.scope import Bound, Builtin, Constant, Definition, Variable
from homing.languages.tla.substitution import moved
from homing.languages.tla.syntax import Node


class Specialiser(Known):
    """Specialises expressions for known constants and shapes of variables."""

    def expression(self, node: Node, env: Env, next_state: bool = False, action: bool = False) -> E:
        """The specialised expression; `next_state` when it stands below a prime."""
        return Scope(self, next_state, action).expression(node, env)

    def enabled(self, node: Node, env: Env, place: Place) -> E:
        action = Scope(self, False, True, probing=True).expression(node, env)
        given = assigned(action)[0]
        # What the action gives no value is what the variables that stand for it become.
        known = {number: e for number, e in self.substituted.items() if number not in given}
        return E("enabled", (moved(action, lambda var: known.get(var.number)),), (), place)

    def choices(self, node: Node, env: Env) -> list[Opening]:
        """`\\E` over a set that depends on the state, in an action: of which loops it is the disjunction."""
        return Scope(self, False, True).choices(node, env)

    def applied(self, function: E, key: E) -> E:
        """`function[key]`, as far as it is known."""
        return Scope(self, False, False).apply(function, key, key.place)


class Scope(Constructors, Loops, Calls):
    """Names, and the operators that they stand for, expanded."""

    def _ref(self, node: Node, env: Env) -> E:
        symbol = node.data
        symbol = self.parent.meanings.get(symbol, symbol) if not isinstance(symbol, Bound) else symbol
        if isinstance(symbol, Builtin):
            return self._builtin(symbol, node, env)
        if isinstance(symbol, Definition):
            return self._definition(symbol, node, env)
        if isinstance(symbol, Bound):
            return self._bound(symbol, node, env)
        if isinstance(symbol, Variable):
            return E("var", (), Var(symbol.number, (), self.next_state), node.place)
        if isinstance(symbol, Constant):
            raise HomingError(f"the configuration gives constant '{symbol.name}' no value", node.place)
        return const(symbol, node.place)  # a constant's value

    def _bound(self, symbol: Bound, node: Node, env: Env) -> E:
        found = env[symbol]
        if isinstance(found, Closure):
            return self.applied(found, [self.argument(arg, env) for arg in node.args], node.place)
        assert isinstance(found, E)
        return self.now(found)

    def argument(self, node: Node, env: Env) -> Any:
        """What an operator is given: an expression, or a closure for an operator."""
        if node.kind == "operator":
            symbol = node.data
            if isinstance(symbol, Bound):
                return env[symbol]
            return Closure(self.parent.meanings.get(symbol, symbol), env)
        # Below a prime, arguments are read in this state and primed where the parameter is used, unless all is settled.
        scope = self.scope(False, self.action) if self.next_state and not self.settled else self
        return scope.value(node, env) if not self.parent.free.is_action(node) else scope.expression(node, env)

    def applied(self, closure: Closure, args: Sequence[Any], place: Place) -> E:
        """An operator that was an argument, applied."""
        symbol = closure.symbol
        if isinstance(symbol, Definition):
            return self._expand(symbol, list(args), closure.env, place)
        if isinstance(symbol, Builtin):
            return self._builtin_of(symbol, list(args), place)
        if isinstance(symbol, Bound):
            return self.applied(closure.env[symbol], args, place)
        raise HomingError(f"'{symbol.name}' has no definition", place)

    def _definition(self, symbol: Definition, node: Node, env: Env) -> E:
        found = env.get(symbol)
        if isinstance(found, E):  # a name that LET defines, or a recursive function, inside itself
            return self.now(found)
        if self.probing and self.next_state and symbol.variable:
            now = self.scope(False, False).expression(node, env)
            if now.op != "var":
                return E("var", (), Var(self.parent.fresh(symbol, now), (), True), node.place)
        if found is None and not symbol.parameters and not symbol.outer:
            return self._constant(symbol, env, node.place)
        args = [self.argument(arg, env) for arg in node.args]
        if isinstance(found, Routine):
            return E("invoke", tuple(map(self.now, args)), found, node.place)
        return self._expand(symbol, args, self._inherited(symbol, found, env), node.place)

    @contextmanager
    def _stateless(self, symbol: Definition) -> Iterator[None]:
        """Notes, while a definition is expanded, whether it is a constant: TLC evaluates it once, as we do."""
        before, free = self.parent.stateless, self.parent.free
        mentioned = free.mentioned(symbol.body) if symbol.body is not None else frozenset()
        self.parent.stateless = before or not any(isinstance(each, Variable) for each in mentioned)
        try:
            yield
        finally:
            self.parent.stateless = before

    def _constant(self, symbol: Definition, env: Env, place: Place) -> E:
        """A definition without parameters; if its value is a constant, it is computed once."""
        known = self.parent.free.constants.get((symbol, self.action))
        if known is None:
            with self._stateless(symbol):
                e = self._expand(symbol, [], self._inherited(symbol, None, env), place)
            if not e.is_const or self.parent.free.needs_level(Node("ref", (), symbol, place)):
                return e
            known = self.parent.free.constants[symbol, self.action] = e
        return known

    def _inherited(self, symbol: Definition, found: Closure | None, env: Env) -> dict[Any, Any]:
        """What names stand for around the body of a definition."""
        if isinstance(found, Closure):
            inherited = dict(found.env)
        else:
            inherited = {bound: env[bound] for bound in symbol.outer if bound in env}
        # Operators that are being expanded stay known: they may be called again from here.
        return inherited | {key: item for key, item in env.items() if isinstance(item, Routine)}

    def _expand(self, symbol: Definition, args: list[Any], env: Env, place: Place) -> E:
        assert symbol.body is not None
        self.parent.enter(symbol, place)
        try:
            if symbol.function and self.parent.free.calls_itself(symbol):
                return self._recursive_function(symbol, env, place)
            if symbol.recursive and self.parent.free.calls_itself(symbol):
                return self._recursive(symbol, args, env, place)
            return self._inlined(symbol, args, env, place)
        finally:
            self.parent.leave()

    def _inlined(self, symbol: Definition, args: list[Any], env: Env, place: Place) -> E:
        inside, cells = passed(symbol.parameters, args, place, self.settled)
        assert symbol.body is not None
        body = self.expression(symbol.body, {**env, **inside})
        return with_lets(body, cells, place)

    def _recursive(self, symbol: Definition, args: list[Any], env: Env, place: Place) -> E:
        """A call that constants decide the depth of is written out; any other is made when it is evaluated."""
        unrolling = self.parent.unrolling
        constant = tuple(isinstance(arg, E) and arg.is_const for arg in args)
        evaluated = all(constant) and not self.action
        if evaluated or not any(constant) or (symbol, constant) in unrolling.endless:
            return self._routine(symbol, args, env, place)
        if unrolling.left is not None:  # inside another
            unrolling.count()
            return self._inlined(symbol, args, env, place)
        try:
            unrolling.left = ROUNDS
            e = self._inlined(symbol, args, env, place)
            if e.size <= LONGEST:
                return e
        except TooMany:
            pass
        finally:
            unrolling.left = None
        unrolling.endless.add((symbol, constant))
        return self._routine(symbol, args, env, place)

    def _routine(self, symbol: Definition, args: list[Any], env: Env, place: Place) -> E:
        values = [self.now(arg) for arg in args if isinstance(arg, E)]
        cells = tuple(Cell(p.name) for p, arg in zip(symbol.parameters, args) if isinstance(arg, E))
        routine = Routine(symbol.name, cells)
        free = iter(cells)
        inside = {**env, symbol: routine}
        for parameter, arg in zip(symbol.parameters, args):
            inside[parameter] = local(next(free)) if isinstance(arg, E) else arg
        assert symbol.body is not None
        routine.body = self.expression(symbol.body, inside)
        return folded(E("invoke", tuple(values), routine, place))

    def _recursive_function(self, symbol: Definition, env: Env, place: Place) -> E:
        assert symbol.body is not None
        this = Cell(symbol.name)
        domains, patterns, inside = self.cells(symbol.body.data, {**env, symbol: local(this)})
        body = self.value(symbol.body.args[0], inside)
        data = (this, *patterns)
        return folded(E("recfn", (*domains, body), data, place, binds=flat(data)))

    def _let(self, node: Node, env: Env) -> E:
        inside, cells = dict(env), list[Cell]()
        for definition in node.data:
            closure = Closure(definition, inside)
            inside[definition] = closure
            assert definition.body is not None
            if definition.parameters or definition.function or definition.recursive:
                continue
            if not self.settled and (self.next_state or self.parent.free.is_action(definition.body)):
                continue
            e = self.value(definition.body, inside)
            if e.has_prime and not self.settled:
                continue
            if e.size > CHEAP and not e.is_const:
                cell = Cell(definition.name, e)
                cells.append(cell)
                e = local(cell)
            inside[definition] = e
        return with_lets(self.expression(node.args[0], inside), cells, node.place)

    def _within(self, node: Node, env: Env) -> E:
        """`I(a)!Op(b)`: the parameters of the instance are given with the operator's own."""
        ref, *extra = node.args
        given = {bound: self.argument(arg, env) for bound, arg in zip(node.data, extra)}
        args = [self.argument(arg, env) for arg in ref.args]
        symbol = self.parent.meanings.get(ref.data, ref.data)
        if isinstance(symbol, Builtin):
            return self._builtin_of(symbol, args, node.place)
        return self._expand(symbol, args, {**env, **given}, node.place)


def passed(
    parameters: Sequence[Bound], args: Sequence[Any], place: Place, settled: bool = False
) -> tuple[dict[Any, Any], list[Cell]]:
    """What parameters stand for inside an operator; an argument with many parts is evaluated once, in a cell."""
    inside: dict[Any, Any] = {}
    cells: list[Cell] = []
    for parameter, arg in zip(parameters, args):
        inside[parameter] = arg
        if isinstance(arg, E) and arg.size > CHEAP and (settled or not arg.has_prime) and not arg.is_const:
            cells.append(Cell(parameter.name, arg))
            inside[parameter] = local(cells[-1], place)
    return inside, cells
