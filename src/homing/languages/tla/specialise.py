"""Turns resolved expressions into specialised ones: operators expanded, constants evaluated, small loops unrolled.

Bound names are looked up in an environment: a parameter is the expression that was given for it, a name that a
quantifier over a known set binds is a constant, any other is a cell. In an action, disjunctions and `\\E` are choices,
so that TRUE does not swallow its neighbours: TLC counts a step for each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice, product
from typing import Any

from homing.core.errors import HomingError, Place
from homing.languages.tla.actions import is_next
from homing.languages.tla.free import Free
from homing.languages.tla.ir import FALSE, TRUE, Cell, E, Routine, Var, const, local, primed
from homing.languages.tla.modules.logic import CUP, DIFFER, EQUAL, FUNCTIONS, MEMBER, PRODUCT, SUBSET
from homing.languages.tla.resolve import Binder
from homing.languages.tla.rewriting import are_tuples, class_of, folded, narrowed, with_lets
from homing.languages.tla.scope import Bound, Builtin, Constant, Definition, Symbol, Variable
from homing.languages.tla.sets import Functions, Records, is_endless
from homing.languages.tla.slots import Shapes, class_key
from homing.languages.tla.syntax import Node
from homing.languages.tla.values import Fault, as_set, elements, show

UNROLL = 40
"""A loop over more elements than this is left a loop."""
CHEAP = 6
"""An argument with no more parts than this is copied to where it is used."""
DEEPEST = 150
"""Operators that expand deeper than this call each other without end, or nearly so."""

LOGICAL = frozenset({"and", "or", "not", "implies", "forall", "exists"})


@dataclass(frozen=True)
class Closure:
    """An operator given as an argument, and the environment of its body."""

    symbol: Symbol
    env: Env


Env = Mapping[Any, Any]


class Specialiser:
    """Specialises expressions for known constants and shapes of variables."""

    def __init__(self, meanings: Mapping[Symbol, Any], shapes: Shapes, free: Free) -> None:
        self.meanings = meanings
        """By constant, or by operator that the configuration replaces: a value, or the symbol that stands in."""
        self.shapes = shapes
        self.free = free
        self._depth = 0
        self._fresh: dict[Definition, int] = {}

    def expression(self, node: Node, env: Env, next_state: bool = False, action: bool = False) -> E:
        """The specialised expression; `next_state` when it stands below a prime."""
        return _Scope(self, next_state, action).expression(node, env)

    def enabled(self, node: Node, env: Env, place: Place) -> E:
        """Whether an action can be done."""
        return E("enabled", (_Scope(self, False, True, probing=True).expression(node, env),), None, place)

    def fresh(self, definition: Definition) -> int:
        """The number, after those of the variables, of an instance's variable inside ENABLED."""
        return self._fresh.setdefault(definition, len(self.shapes.names) + len(self._fresh))

    def _enter(self, definition: Definition, place: Place) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            self._depth = 0
            raise HomingError(f"'{definition.name}' is expanded without end; is it to be RECURSIVE?", place)

    def _leave(self) -> None:
        self._depth -= 1


class _Scope:
    """One way of reading: this state or the next, an action or a value."""

    def __init__(self, parent: Specialiser, next_state: bool, action: bool, probing: bool = False) -> None:
        self.parent = parent
        self.next_state = next_state
        self.action = action
        self.probing = probing
        """Inside ENABLED: there the next value of an instance's variable is any value, not one of what stands for it"""

    def scope(self, next_state: bool, action: bool) -> _Scope:
        """Another way of reading at the same place."""
        return _Scope(self.parent, next_state, action, self.probing)

    def value(self, node: Node, env: Env) -> E:
        """The same, where a value is wanted."""
        scope = self if not self.action else self.scope(self.next_state, False)
        return scope.expression(node, env)

    def expression(self, node: Node, env: Env) -> E:
        handler: Callable[[Node, Env], E] | None = getattr(self, f"_{node.kind}", None)
        if handler is None:
            raise HomingError(f"'{node.kind}' cannot be evaluated", node.place)
        return handler(node, env)

    # Values

    def _const(self, node: Node, env: Env) -> E:
        return const(node.data, node.place)

    def _unbounded(self, node: Node, env: Env) -> E:
        raise HomingError(f"{node.data} is not supported: what it ranges over cannot be listed", node.place)

    def _set(self, node: Node, env: Env) -> E:
        return self._fold("set", node, env)

    def _tuple(self, node: Node, env: Env) -> E:
        return self._fold("tuple", node, env)

    def _record(self, node: Node, env: Env) -> E:
        return folded(E("record", tuple(self.value(arg, env) for arg in node.args), node.data, node.place))

    def _fold(self, op: str, node: Node, env: Env) -> E:
        return folded(E(op, tuple(self.value(arg, env) for arg in node.args), None, node.place))

    def _functions(self, node: Node, env: Env) -> E:
        return self._call(FUNCTIONS, [self.value(arg, env) for arg in node.args], node.place)

    def _product(self, node: Node, env: Env) -> E:
        return self._call(PRODUCT, [self.value(arg, env) for arg in node.args], node.place)

    def _records(self, node: Node, env: Env) -> E:
        fields = node.data
        made = Builtin("[a: S]", len(fields), lambda *images: Records(fields, images), lazy=True)
        return self._call(made, [self.value(arg, env) for arg in node.args], node.place)

    def _apply(self, node: Node, env: Env) -> E:
        function, key = (self.value(arg, env) for arg in node.args)
        return self.apply(function, key, node.place)

    def apply(self, function: E, key: E, place: Place) -> E:
        """`function[key]`, as far as it is known."""
        if key.is_const:
            match function.op:
                case "var":
                    var = function.data
                    if self.parent.shapes.has(var.number, (*var.path, key.data)):
                        return E("var", (), Var(var.number, (*var.path, key.data), var.primed), place)
                case "local":
                    known = function.data.known
                    if known is not None and key.data in known.marks:
                        return const(known.marks[key.data], place)
                case "table" | "record":
                    if key.data in function.data:
                        found: E = function.args[function.data.index(key.data)]
                        return found
                case "except":
                    return self._apply_except(function, key, place)
        return folded(E("apply", (function, key), None, place))

    def _apply_except(self, function: E, key: E, place: Place) -> E:
        base, *path, new = function.args
        if not path[0].is_const or function.data is not None:
            return E("apply", (function, key), None, place)
        if path[0].data != key.data or type(path[0].data) is not type(key.data):
            return self.apply(base, key, place)
        if base.op != "var" or not self.parent.shapes.has(base.data.number, (*base.data.path, key.data)):
            return E("apply", (function, key), None, place)
        if len(path) == 1:
            return new
        return E("except", (self.apply(base, key, place), *path[1:], new), None, place)

    def _except(self, node: Node, env: Env) -> E:
        result = self.value(node.args[0], env)
        position = 1
        for length, at in node.data:
            path = [self.value(arg, env) for arg in node.args[position : position + length]]
            old = result
            for key in path:
                old = self.apply(old, key, node.place)
            cell = None if old.size <= CHEAP and result.size <= 3 * CHEAP else Cell("@")
            inside = {**env, at: old if cell is None else local(cell)}
            new = self.value(node.args[position + length], inside)
            if cell is not None and cell not in new.cells:
                cell = None
            binds = () if cell is None else (cell,)
            result = folded(E("except", (result, *path, new), cell, node.place, binds=binds))
            position += length + 1
        return result

    def _if(self, node: Node, env: Env) -> E:
        condition = self.value(node.args[0], env)
        if condition.is_const and type(condition.data) is bool:
            return self.expression(node.args[1 if condition.data else 2], env)
        branches = tuple(self.expression(arg, env) for arg in node.args[1:])
        return E("if", (condition, *branches), None, node.place)

    def _case(self, node: Node, env: Env) -> E:
        args: list[E] = []
        for position in range(0, len(node.args) - 1, 2):
            condition = self.value(node.args[position], env)
            if condition.is_const and condition.data is False:
                continue
            chosen = self.expression(node.args[position + 1], env)
            if condition.is_const and condition.data is True:
                return E("case", (*args, chosen), None, node.place) if args else chosen
            args += [condition, chosen]
        if len(node.args) % 2:
            other = self.expression(node.args[-1], env)
            return E("case", (*args, other), None, node.place) if args else other
        return E("case", tuple(args), None, node.place)

    # Logic

    def _and(self, node: Node, env: Env) -> E:
        return self._junction("and", node, env)

    def _or(self, node: Node, env: Env) -> E:
        return self._junction("or", node, env)

    def _junction(self, op: str, node: Node, env: Env) -> E:
        return self.junction(op, (lambda a=arg: self.expression(a, env) for arg in node.args), node.place)

    def junction(self, op: str, parts: Any, place: Place) -> E:
        """`and` or `or` of parts, of which those after a decisive one are not looked at."""
        neutral = op == "and"
        kept: list[E] = []
        for part in parts:
            e = part()
            if e.is_const and type(e.data) is bool:
                if e.data is neutral and not (self.action and op == "or"):
                    continue
                if e.data is not neutral and (op == "and" or not self.action):
                    if not kept:
                        return FALSE if op == "and" else TRUE
                    kept.append(e)
                    break
                if e.data is False and op == "or":
                    continue
            kept.append(e)
        if not kept:
            return TRUE if neutral else FALSE
        # A single part is still a junction: it must be a boolean, but its reader sees to that.
        return kept[0] if len(kept) == 1 else E(op, tuple(kept), None, place)

    # Names

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
            return self.applied(found, [self._argument(arg, env) for arg in node.args], node.place)
        assert isinstance(found, E)
        return primed(found) if self.next_state and found.reads else found

    def _argument(self, node: Node, env: Env) -> Any:
        """What an operator is given: an expression, or a closure for an operator."""
        if node.kind == "operator":
            symbol = node.data
            if isinstance(symbol, Bound):
                return env[symbol]
            return Closure(self.parent.meanings.get(symbol, symbol), env)
        # Below a prime, arguments are read in this state and primed where the parameter is used.
        scope = self.scope(False, self.action) if self.next_state else self
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
        if isinstance(found, E):  # a recursive function, inside itself
            return found
        if self.probing and self.next_state and symbol.variable:
            now = self.scope(False, False).expression(node, env)
            if now.op != "var":
                return E("var", (), Var(self.parent.fresh(symbol), (), True), node.place)
        args = [self._argument(arg, env) for arg in node.args]
        if isinstance(found, Routine):
            return E("invoke", tuple(map(self._now, args)), found, node.place)
        inherited: dict[Any, Any]
        if isinstance(found, Closure):
            inherited = dict(found.env)
        else:
            inherited = {bound: env[bound] for bound in symbol.outer if bound in env}
            # Operators that are being expanded stay known: they may be called again from here.
            inherited |= {key: item for key, item in env.items() if isinstance(item, Routine)}
        return self._expand(symbol, args, inherited, node.place)

    def _expand(self, symbol: Definition, args: list[Any], env: Env, place: Place) -> E:
        assert symbol.body is not None
        self.parent._enter(symbol, place)
        try:
            if symbol.function and self.parent.free.calls_itself(symbol):
                return self._recursive_function(symbol, env, place)
            if symbol.recursive and self.parent.free.calls_itself(symbol):
                return self._recursive(symbol, args, env, place)
            return self._inlined(symbol, args, env, place)
        finally:
            self.parent._leave()

    def _inlined(self, symbol: Definition, args: list[Any], env: Env, place: Place) -> E:
        inside, cells = dict(env), list[Cell]()
        for parameter, arg in zip(symbol.parameters, args):
            if isinstance(arg, E) and arg.size > CHEAP and not arg.has_prime and not arg.is_const:
                cell = Cell(parameter.name, arg)
                cells.append(cell)
                inside[parameter] = local(cell, place)
            else:
                inside[parameter] = arg
        assert symbol.body is not None
        body = self.expression(symbol.body, inside)
        return with_lets(body, cells, place)

    def _now(self, e: E) -> E:
        """An argument where it is used: below a prime, it is about the next state."""
        return primed(e) if self.next_state else e

    def _recursive(self, symbol: Definition, args: list[Any], env: Env, place: Place) -> E:
        values = [self._now(arg) for arg in args if isinstance(arg, E)]
        cells = tuple(Cell(p.name) for p, arg in zip(symbol.parameters, args) if isinstance(arg, E))
        routine = Routine(symbol.name, cells)
        free = iter(cells)
        inside = {**env, symbol: routine}
        for parameter, arg in zip(symbol.parameters, args):
            inside[parameter] = local(next(free)) if isinstance(arg, E) else arg
        assert symbol.body is not None
        scope = self.scope(self.next_state, False)
        routine.body = scope.expression(symbol.body, inside)
        return folded(E("invoke", tuple(values), routine, place))

    def _recursive_function(self, symbol: Definition, env: Env, place: Place) -> E:
        assert symbol.body is not None
        this = Cell(symbol.name)
        domains, patterns, inside = self._cells(symbol.body.data, {**env, symbol: local(this)})
        body = self.value(symbol.body.args[0], inside)
        data = (this, *patterns)
        return folded(E("recfn", (*domains, body), data, place, binds=_flat(data)))

    def _let(self, node: Node, env: Env) -> E:
        inside, cells = dict(env), list[Cell]()
        for definition in node.data:
            closure = Closure(definition, inside)
            inside[definition] = closure
            assert definition.body is not None
            if definition.parameters or definition.function or definition.recursive:
                continue
            if self.parent.free.is_action(definition.body) or self.next_state:
                continue
            e = self.value(definition.body, inside)
            if e.size > CHEAP and not e.is_const and not e.has_prime:
                cell = Cell(definition.name, e)
                cells.append(cell)
                e = local(cell)
            if not e.has_prime:
                inside[definition] = e
        return with_lets(self.expression(node.args[0], inside), cells, node.place)

    def _within(self, node: Node, env: Env) -> E:
        """`I(a)!Op(b)`: the parameters of the instance are given with the operator's own."""
        ref, *extra = node.args
        given = {bound: self._argument(arg, env) for bound, arg in zip(node.data, extra)}
        args = [self._argument(arg, env) for arg in ref.args]
        symbol = self.parent.meanings.get(ref.data, ref.data)
        if isinstance(symbol, Builtin):
            return self._builtin_of(symbol, args, node.place)
        return self._expand(symbol, args, {**env, **given}, node.place)

    # Builtin operators

    def _builtin(self, symbol: Builtin, node: Node, env: Env) -> E:
        handler = _SPECIAL.get(symbol.name) if symbol.function is None else None
        if symbol.refused:
            raise HomingError(f"'{symbol.name}' is not supported: {symbol.refused}", node.place)
        if handler is not None:
            return handler(self, node, env)
        if symbol.name == "UNION" and node.args[0].kind == "set" and len(node.args[0].args) == 1:
            return self.value(node.args[0].args[0], env)  # its only element need not be listed
        args = [
            self._operand(arg, env, arity) if arity else self.value(arg, env)
            for arg, arity in zip(node.args, symbol.operators or (0,) * len(node.args))
        ]
        return self._call(symbol, args, node.place)

    def _operand(self, node: Node, env: Env, arity: int) -> E:
        """An operator that is given to one written in Python."""
        return self._as_operator(self._argument(node, env), arity, node.place)

    def _as_operator(self, closure: Any, arity: int, place: Place) -> E:
        cells = tuple(Cell(f"argument {n + 1}") for n in range(arity))
        scope = self.scope(self.next_state, False)
        body = scope.applied(closure, [local(cell) for cell in cells], place)
        return E("operator", (body,), cells, place, binds=cells)

    def _builtin_of(self, symbol: Builtin, args: list[Any], place: Place) -> E:
        if symbol.refused:
            raise HomingError(f"'{symbol.name}' is not supported: {symbol.refused}", place)
        args = [self._now(arg) if isinstance(arg, E) else arg for arg in args]
        if symbol.function is None:
            return self._logical(symbol, args, place)
        arities = symbol.operators or (0,) * len(args)
        given = [self._as_operator(a, n, place) if n else a for a, n in zip(args, arities)]
        return self._call(symbol, given, place)

    def _logical(self, symbol: Builtin, args: list[E], place: Place) -> E:
        ops = {"/\\": "and", "\\/": "or", "~": "not", "=>": "implies", "<=>": "iff"}
        if symbol.name not in ops:
            raise HomingError(f"'{symbol.name}' cannot be used as an argument", place)
        return folded(E(ops[symbol.name], tuple(args), None, place))

    def _call(self, symbol: Builtin, args: list[E], place: Place) -> E:
        if symbol is EQUAL and are_tuples(args):
            parts = [(lambda a=a, b=b: self._call(EQUAL, [a, b], place)) for a, b in zip(args[0].args, args[1].args)]
            return self.junction("and", parts, place)
        if symbol is EQUAL and args[1].is_const and args[1].data is True and args[0].op in LOGICAL:
            return args[0]  # so that an instance can give a value to what stands for its variable
        if symbol is MEMBER and args[0].op == "var" and not args[0].data.primed and args[1].is_const:
            memberships = self._memberships(args[0], args[1].data, place)
            if memberships is not None:
                return self.junction("and", memberships, place)
        if self.action and symbol.name == "\\subseteq" and is_next(args[0]):
            return self._call(MEMBER, [args[0], self._call(SUBSET, args[1:], place)], place)
        if symbol.name in ("\\in", "\\notin") and args[1].op == "var" and not args[1].data.primed:
            args[1] = self._part_of(args[0], args[1])
        return folded(E("call", tuple(args), symbol, place))

    def _memberships(self, var: E, group: Any, place: Place) -> list[Callable[[], E]] | None:
        """`v \\in [S -> T]` key by key, where v is split by the keys S: then each part is read by itself."""
        tree = self.parent.shapes.node(var.data.number, var.data.path)
        if not isinstance(tree, dict):
            return None
        images: dict[Any, Any]
        match group:
            case Functions(source=source, image=image) if not is_endless(source):
                images = dict.fromkeys(as_set(source), image)
            case Records(fields=fields, images=found):
                images = dict(zip(fields, found))
            case _:
                return None
        if frozenset(images) != frozenset(tree):
            return None
        return [
            partial(self._call, MEMBER, [self.apply(var, const(key), place), const(images[key])], place) for key in tree
        ]

    def _part_of(self, element: E, group: E) -> E:
        """The slot of a set that an element can only be in, if that is known."""
        classes = self.parent.shapes.classes(group.data.number, group.data.path)
        number = None if classes is None else class_of(element, classes)
        if number is None:
            return group
        return E("var", (), Var(group.data.number, (*group.data.path, class_key(number))), group.place)

    def _not(self, node: Node, env: Env) -> E:
        return folded(E("not", (self.value(node.args[0], env),), None, node.place))

    def _implies(self, node: Node, env: Env) -> E:
        left = self.value(node.args[0], env)
        if left.is_const and type(left.data) is bool:
            return self.expression(node.args[1], env) if left.data else TRUE
        return folded(E("implies", (left, self.expression(node.args[1], env)), None, node.place))

    def _iff(self, node: Node, env: Env) -> E:
        return folded(E("iff", tuple(self.value(arg, env) for arg in node.args), None, node.place))

    def _prime(self, node: Node, env: Env) -> E:
        if self.next_state:
            raise HomingError("a prime stands below a prime", node.place)
        return self.scope(True, False).expression(node.args[0], env)

    def _unchanged(self, node: Node, env: Env) -> E:
        if self.probing:
            return self._kept(self._later(node.args[0], env), self.value(node.args[0], env), node.place)
        return self.unchanged(self.value(node.args[0], env), node.place)

    def _later(self, node: Node, env: Env) -> E:
        """The expression about the next state."""
        if self.probing and not self.next_state:
            return self.scope(True, False).expression(node, env)
        return primed(self.value(node, env))

    def _kept(self, later: E, now: E, place: Place) -> E:
        """`UNCHANGED e` for the two readings of e."""
        if now.op in ("tuple", "record") and later.op == now.op:
            parts = [(lambda a=a, b=b: self._kept(a, b, place)) for a, b in zip(later.args, now.args)]
            return self.junction("and", parts, place)
        if is_next(later) and later.data.number >= len(self.parent.shapes.names):
            return E("call", (later, now), EQUAL, place)
        return self.unchanged(now, place)

    def unchanged(self, e: E, place: Place) -> E:
        """`UNCHANGED e`."""
        if e.op == "var":
            return E("unchanged", (), (e.data,), place)
        if e.op in ("tuple", "record"):
            parts = [lambda arg=arg: self.unchanged(arg, place) for arg in e.args]
            return self.junction("and", parts, place)
        return folded(E("call", (primed(e), e), EQUAL, place))

    def _box(self, node: Node, env: Env) -> E:
        action = self.expression(node.args[0], env)
        return E("or", (action, self.unchanged(self.value(node.args[1], env), node.place)), None, node.place)

    def _angle(self, node: Node, env: Env) -> E:
        action = self.expression(node.args[0], env)
        shown = self.value(node.args[1], env)
        later = self._later(node.args[1], env)
        return E("and", (action, E("call", (later, shown), DIFFER, node.place)), None, node.place)

    def _enabled(self, node: Node, env: Env) -> E:
        if self.next_state:
            raise HomingError("ENABLED below a prime is not supported", node.place)
        return self.parent.enabled(node.args[0], env, node.place)

    def _temporal(self, node: Node, env: Env) -> E:
        raise HomingError(f"'{node.data.name}' is temporal and has no value in a state", node.place)

    def _composed(self, node: Node, env: Env) -> E:
        raise HomingError("action composition (\\cdot) is not supported", node.place)

    def _WF(self, node: Node, env: Env) -> E:  # noqa: N802
        raise HomingError("fairness is temporal and has no value in a state", node.place)

    _SF = _WF

    # Binders

    def _cells(self, binders: tuple[Binder, ...], env: Env) -> tuple[list[E], list[Any], dict[Any, Any]]:
        """The sets that names are bound to, by cell the pattern, and the environment with them."""
        domains, patterns, inside = list[E](), list[Any](), dict(env)
        for binder in binders:
            domain = self.value(binder.domain, env)
            if binder.is_tuple:
                cells = tuple(Cell(name.name) for name in binder.names)
                domains.append(domain)
                patterns.append(cells)
                inside |= {name: local(cell) for name, cell in zip(binder.names, cells)}
                continue
            for name in binder.names:
                cell = Cell(name.name)
                domains.append(domain)
                patterns.append(cell)
                inside[name] = local(cell)
        return domains, patterns, inside

    def _unrolled(self, node: Node, env: Env) -> list[dict[Any, Any]] | None:
        """The environments of all rounds of a loop over known sets, if they are few and it pays."""
        if not self.parent.free.is_stateful(node.args[0], env) and not self.action:
            return None
        choices: list[tuple[Bound | tuple[Bound, ...], list[Any]]] = []
        for binder in node.data:
            domain = self.value(binder.domain, env)
            if not domain.is_const:
                return None
            try:
                found = list(islice(elements(domain.data), 1 + UNROLL))
            except Fault as fault:
                raise HomingError(fault.message, binder.domain.place) from None
            choices += [(binder.names, found)] if binder.is_tuple else [(name, found) for name in binder.names]
        rounds = 1
        for _, found in choices:
            rounds *= len(found)
        if rounds > UNROLL:
            return None
        return [self._round([name for name, _ in choices], chosen, env, node) for chosen in product(
            *(found for _, found in choices))]  # fmt: skip

    def _round(self, names: list[Any], chosen: tuple[Any, ...], env: Env, node: Node) -> dict[Any, Any]:
        inside = dict(env)
        for name, value in zip(names, chosen):
            if not isinstance(name, tuple):
                inside[name] = const(value)
                continue
            if type(value) is not tuple or len(value) != len(name):
                raise HomingError(f"{show(value)} is no tuple of {len(name)}", node.place)
            inside |= {part: const(item) for part, item in zip(name, value)}
        return inside

    def _by_class(self, op: str, node: Node, env: Env) -> E | None:
        """A loop over a set that is split, as one for each of its slots."""
        if len(node.data) != 1 or node.data[0].is_tuple or len(node.data[0].names) != 1:
            return None
        domain, name = self.value(node.data[0].domain, env), node.data[0].names[0]
        classes = None
        if domain.op == "var" and not domain.data.primed:
            classes = self.parent.shapes.classes(domain.data.number, domain.data.path)
        if classes is None:
            return None
        return _combined(self, op, [partial(self._in_class, op, node, env, domain, n, known, name)
                                    for n, known in enumerate(classes.known)], node.place)  # fmt: skip

    def _in_class(self, op: str, node: Node, env: Env, domain: E, number: int, known: Any, name: Bound) -> E:
        cell = Cell(name.name, known=known)
        path = (*domain.data.path, class_key(number))
        part = E("var", (), Var(domain.data.number, path), domain.place)
        scope = self if op in ("exists", "forall") else self.scope(self.next_state, False)
        body = scope.expression(node.args[0], {**env, name: local(cell)})
        if body.is_const:
            if body.data is (op == "forall") and op != "map":
                return TRUE if op == "forall" else const(frozenset()) if op == "filter" else FALSE
            if body.data is True and op == "filter":
                return part
        made = E(op, (part, body), (cell,), node.place, binds=(cell,))
        return narrowed(made) if op == "exists" and self.action else made

    def _loop(self, op: str, node: Node, env: Env) -> E:
        found = self._by_class(op, node, env) if op in ("exists", "forall", "filter", "map") else None
        if found is not None:
            return found
        domains, patterns, inside = self._cells(node.data, env)
        scope = self if op == "exists" or (op == "forall" and self.action) else self.scope(self.next_state, False)
        body = scope.expression(node.args[0], inside)
        return folded(E(op, (*domains, body), tuple(patterns), node.place, binds=_flat(tuple(patterns))))

    def _forall(self, node: Node, env: Env) -> E:
        rounds = self._unrolled(node, env)
        if rounds is None:
            return self._loop("forall", node, env)
        parts = [lambda inside=inside: self.expression(node.args[0], inside) for inside in rounds]
        return self.junction("and", parts, node.place)

    def _exists(self, node: Node, env: Env) -> E:
        rounds = self._unrolled(node, env)
        if rounds is None:
            loop = self._loop("exists", node, env)
            return narrowed(loop) if self.action and loop.op == "exists" else loop
        parts = [lambda inside=inside: self.expression(node.args[0], inside) for inside in rounds]
        return self.junction("or", parts, node.place)

    def _fn(self, node: Node, env: Env) -> E:
        rounds = self._unrolled(node, env)
        if rounds is None:
            return self._loop("fn", node, env)
        names = [name for binder in node.data for name in ([binder.names] if binder.is_tuple else binder.names)]
        keys = tuple(_key(names, inside) for inside in rounds)
        values = tuple(self.value(node.args[0], inside) for inside in rounds)
        return folded(E("table", values, keys, node.place))

    def _filter(self, node: Node, env: Env) -> E:
        rounds = self._unrolled(node, env)
        if rounds is None:
            return self._loop("filter", node, env)
        return self._chosen("select", node, rounds)

    def _chosen(self, op: str, node: Node, rounds: list[dict[Any, Any]]) -> E:
        binder = node.data[0]
        values = tuple(_key([binder.names if binder.is_tuple else binder.names[0]], inside) for inside in rounds)
        conditions = tuple(self.value(node.args[0], inside) for inside in rounds)
        return folded(E(op, conditions, values, node.place))

    def _map(self, node: Node, env: Env) -> E:
        rounds = self._unrolled(node, env)
        if rounds is None:
            return self._loop("map", node, env)
        return folded(E("set", tuple(self.value(node.args[0], inside) for inside in rounds), None, node.place))

    def _choose(self, node: Node, env: Env) -> E:
        rounds = self._unrolled(node, env)
        if rounds is None:
            return self._loop("choose", node, env)
        return self._chosen("first", node, rounds)

    def _choose_any(self, node: Node, env: Env) -> E:
        """`CHOOSE x : x \\notin S` is how one writes a value like no other: a model value, as in TLC."""
        raise HomingError(
            "CHOOSE without a set is not supported; give the operator that it defines a value in the configuration",
            node.place,
        )


def _combined(scope: _Scope, op: str, parts: list[Callable[[], E]], place: Place) -> E:
    if op in ("exists", "forall"):
        return scope.junction("or" if op == "exists" else "and", parts, place)
    found = [e for e in (part() for part in parts) if not (e.is_const and e.data == frozenset())]
    if not found:
        return const(frozenset(), place)
    result = found[0]
    for e in found[1:]:
        result = E("call", (result, e), CUP, place)
    return result


def _key(names: list[Any], env: Env) -> Any:
    parts = [tuple(env[part].data for part in name) if isinstance(name, tuple) else env[name].data for name in names]
    return parts[0] if len(parts) == 1 else tuple(parts)


def _flat(data: Any) -> tuple[Cell, ...]:
    return tuple(cell for item in data for cell in (item if isinstance(item, tuple) else (item,)))


_SPECIAL: dict[str, Callable[[_Scope, Node, Env], E]] = {
    "/\\": _Scope._and,
    "\\/": _Scope._or,
    "~": _Scope._not,
    "=>": _Scope._implies,
    "<=>": _Scope._iff,
    "'": _Scope._prime,
    "UNCHANGED": _Scope._unchanged,
    "ENABLED": _Scope._enabled,
    "\\cdot": _Scope._composed,
    "[]": _Scope._temporal,
    "<>": _Scope._temporal,
    "~>": _Scope._temporal,
    "-+->": _Scope._temporal,
}
