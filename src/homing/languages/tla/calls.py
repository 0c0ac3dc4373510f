"""Specialises the operators of the language and of its standard modules."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from homing.core.errors import HomingError, Place
from homing.languages.tla.actions import is_next
from homing.languages.tla.changing import Changing, variables_of
from homing.languages.tla.composing import composed
from homing.languages.tla.free import LEVEL
from homing.languages.tla.ir import TRUE, Cell, E, Var, const, local
from homing.languages.tla.modules.chance import DRAWING
from homing.languages.tla.modules.logic import DIFFER, EQUAL, MEMBER, ONLY, SUBSET
from homing.languages.tla.modules.tlc import TLC_GET
from homing.languages.tla.reading import Env, Reading
from homing.languages.tla.rewriting import are_tuples, class_of, folded
from homing.languages.tla.scope import Bound, Builtin
from homing.languages.tla.sets import Functions, Powerset, Records, is_endless
from homing.languages.tla.slots import class_key
from homing.languages.tla.substitution import primed
from homing.languages.tla.syntax import Node
from homing.languages.tla.values import as_set

LOGICAL = frozenset({"and", "or", "not", "implies", "forall", "exists"})
_SPECIAL: dict[str, str] = {
    "/\\": "_and",
    "\\/": "_or",
    "~": "_not",
    "=>": "_implies",
    "<=>": "_iff",
    "'": "_prime",
    "UNCHANGED": "_unchanged",
    "ENABLED": "_enabled",
    "\\cdot": "_composed",
    "[]": "_temporal",
    "<>": "_temporal",
    "~>": "_temporal",
    "-+->": "_temporal",
}
"""Operators that are read in a way of their own, and the methods that do it."""


class Calls(Reading):
    """Operators applied: those written in Python, and those that logic and time are made of."""

    def _builtin(self, symbol: Builtin, node: Node, env: Env) -> E:
        special = _SPECIAL.get(symbol.name) if symbol.function is None else None
        if special is not None:
            handler: Callable[[Node, Env], E] = getattr(self, special)
            return handler(node, env)
        if symbol.name == "UNION" and node.args[0].kind == "set" and len(node.args[0].args) == 1:
            return self.call(ONLY, [self.value(node.args[0].args[0], env)], node.place)
        if symbol in DRAWING:
            return self._drawn(symbol, node, env)
        args = [
            self._operand(arg, env, arity) if arity else self.value(arg, env)
            for arg, arity in zip(node.args, symbol.operators or (0,) * len(node.args))
        ]
        return self.call(symbol, args, node.place)

    def _drawn(self, symbol: Builtin, node: Node, env: Env) -> E:
        """What is drawn at random depends on the seed, the place, what is bound there, and the state if any."""
        place, parent = node.place, self.parent
        parent.free.drew = True
        moment = [const((parent.seed, place.line or 0, place.column or 0, place.text or ""), place)]
        moment += [self.now(found) for name, found in env.items() if isinstance(name, Bound) and isinstance(found, E)]
        if not self.next_state and not parent.stateless:
            names = [name for name in parent.shapes.names if name != LEVEL]
            moment += [E("var", (), Var(number), place) for number in range(len(names))]
        args = [self.value(arg, env) for arg in node.args]
        return folded(E("call", (*args, folded(E("tuple", tuple(moment), None, place))), symbol, place))

    def _operand(self, node: Node, env: Env, arity: int) -> E:
        """An operator that is given to one written in Python."""
        return self._as_operator(self.argument(node, env), arity, node.place)

    def _as_operator(self, closure: Any, arity: int, place: Place) -> E:
        cells = tuple(Cell(f"argument {n + 1}") for n in range(arity))
        scope = self.scope(self.next_state, False)
        body = scope.applied(closure, [local(cell) for cell in cells], place)
        return E("operator", (body,), cells, place, binds=cells)

    def _builtin_of(self, symbol: Builtin, args: list[Any], place: Place) -> E:
        args = [self.now(arg) if isinstance(arg, E) else arg for arg in args]
        if symbol in DRAWING:
            raise HomingError(f"'{symbol.name}' cannot be used as an argument", place)
        if symbol.function is None:
            return self._logical(symbol, args, place)
        arities = symbol.operators or (0,) * len(args)
        given = [self._as_operator(a, n, place) if n else a for a, n in zip(args, arities)]
        return self.call(symbol, given, place)

    def _logical(self, symbol: Builtin, args: list[E], place: Place) -> E:
        ops = {"/\\": "and", "\\/": "or", "~": "not", "=>": "implies", "<=>": "iff"}
        if symbol.name not in ops:
            raise HomingError(f"'{symbol.name}' cannot be used as an argument", place)
        return folded(E(ops[symbol.name], tuple(args), None, place))

    def call(self, symbol: Builtin, args: list[E], place: Place) -> E:
        self.parent.free.reached |= symbol.outside
        if symbol is EQUAL and are_tuples(args):
            parts = [(lambda a=a, b=b: self.call(EQUAL, [a, b], place)) for a, b in zip(args[0].args, args[1].args)]
            return self.junction("and", parts, place)
        if symbol is EQUAL and not self.action and (keys := self._shared_keys(*args)) is not None:
            each = [[self.apply(arg, const(key, place), place) for arg in args] for key in keys]
            # What is only read is compared first: mostly it tells them apart.
            each.sort(key=lambda pair: not all(arg.op in ("var", "const") for arg in pair))
            return self.junction("and", [partial(self.call, EQUAL, pair, place) for pair in each], place)
        if symbol is EQUAL and args[1].is_const and args[1].data is True and args[0].op in LOGICAL:
            return args[0]  # so that an instance can give a value to what stands for its variable
        if symbol is MEMBER and args[0].op == "var" and not args[0].data.primed and args[1].is_const:
            memberships = self._memberships(args[0], args[1].data, place)
            if memberships is not None:
                return self.junction("and", memberships, place)
        if symbol.name == "\\subseteq" and (parts_of := self._classes_of(args[0])):
            return self.junction(
                "and", [partial(self.call, symbol, [part, args[1]], place) for part in parts_of], place
            )
        if self.action and symbol.name == "\\subseteq" and is_next(args[0]):
            return self.call(MEMBER, [args[0], self.call(SUBSET, args[1:], place)], place)
        if symbol is TLC_GET and args[0].is_const and args[0].data == "level" and self.parent.level is not None:
            return self._level(self.parent.level, place)
        if symbol.name in ("\\in", "\\notin") and args[1].op == "var" and not args[1].data.primed:
            args[1] = self._part_of(args[0], args[1])
        return folded(E("call", tuple(args), symbol, place))

    def _classes_of(self, e: E) -> list[E]:
        """The slots of a set that is split, which together have its elements."""
        if e.op != "var" or e.data.primed:
            return []
        classes = self.parent.shapes.classes(e.data.number, e.data.path)
        paths = [(*e.data.path, class_key(number)) for number in range(len(classes))] if classes is not None else []
        return [E("var", (), Var(e.data.number, path), e.place) for path in paths]

    def _shared_keys(self, one: E, other: E) -> tuple[Any, ...] | None:
        """The keys of two functions that are split, so that they are compared slot by slot; None for all others."""
        if not (one.reads or other.reads):
            return None
        keys = self.keys_of(one)
        return keys if keys is not None and keys == self.keys_of(other) else None

    def _level(self, level: E, place: Place) -> E:
        if self.next_state and level.reads:
            raise HomingError('TLCGet("level") below a prime is not supported', place)
        return level

    def _memberships(self, var: E, group: Any, place: Place) -> list[Callable[[], E]] | None:
        """`v \\in [S -> T]` key by key, where v is split by the keys S, `v \\in SUBSET S` slot by slot: so each part
        is read by itself."""
        if isinstance(group, Powerset):
            return [partial(self.call, MEMBER, [e, const(group)], place) for e in self._classes_of(var)] or None
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
            partial(self.call, MEMBER, [self.apply(var, const(key), place), const(images[key])], place) for key in tree
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
        if self.parent.free.asks_enabled(node.args[0]):  # in there, primes mean something else
            return primed(self.value(node.args[0], env))
        return self.scope(True, False).expression(node.args[0], env)

    def _unchanged(self, node: Node, env: Env) -> E:
        if self.probing:
            return self._kept(self._later(node.args[0], env), self.value(node.args[0], env), node.place)
        return self.unchanged(self.value(node.args[0], env), node.place)

    def _later(self, node: Node, env: Env) -> E:
        """The expression about the next state."""
        if self.probing and not self.next_state and not self.parent.free.asks_enabled(node):
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
        variables = variables_of(shown, later) if self.probing else None
        if variables is not None:
            place = node.place
            found = Changing(self.keys_of, lambda e, key: self.apply(e, key, place)).of(action, variables)
            if found is not None:
                return found
        return E("and", (action, E("call", (later, shown), DIFFER, node.place)), None, node.place)

    def _enabled(self, node: Node, env: Env) -> E:
        return self.now(self.parent.enabled(node.args[0], env, node.place))

    def _temporal(self, node: Node, env: Env) -> E:
        raise HomingError(f"'{node.data.name}' is temporal and has no value in a state", node.place)

    def _composed(self, node: Node, env: Env) -> E:
        if not self.action or self.next_state:
            raise HomingError(
                "action composition (\\cdot) is not supported outside of the next-state relation", node.place
            )
        first, second = (self.expression(arg, env) for arg in node.args)
        return composed(first, second, partial(self.parent.between, node), node.place)

    def _WF(self, node: Node, env: Env) -> E:  # noqa: N802
        raise HomingError("fairness is temporal and has no value in a state", node.place)

    _SF = _WF
