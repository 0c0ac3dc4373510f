"""Temporal formulas as the core has them, and the parts of a specification."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from homing.core.errors import HomingError, Place
from homing.core.formula import (
    Action,
    Between,
    Constant,
    Formula,
    Holds,
    Operation,
    always,
    eventually,
    leads_to,
)
from homing.core.temporal import Compassion, Fairness, Justice, Strong, Weak
from homing.languages.tla.groups import Origin, Part, is_disjunction, split
from homing.languages.tla.ir import E
from homing.languages.tla.reading import Closure, Env
from homing.languages.tla.scope import Bound, Builtin, Definition
from homing.languages.tla.specialise import Specialiser
from homing.languages.tla.syntax import Node
from homing.languages.tla.values import Fault, elements, show

Item = tuple[Node, Env]


@dataclass
class Behaviour:
    """`Init /\\ [][Next]_v /\\ L`, taken apart."""

    init: list[Item] = field(default_factory=list)
    next: list[Item] = field(default_factory=list)
    """Boxes: `[Next]_v`."""
    rest: list[Item] = field(default_factory=list)
    """Fairness and other temporal formulas."""
    invariant: list[Item] = field(default_factory=list)
    """`[]P` of a state predicate P."""


def meaning(node: Node, specialiser: Specialiser) -> Any:
    """What a reference stands for, None if the node is none."""
    if node.kind != "ref" or isinstance(node.data, Bound):
        return None
    return specialiser.meanings.get(node.data, node.data)


def opened(node: Node, env: Env, specialiser: Specialiser) -> Item | None:
    """The body of a definition and its environment, when the node just refers to one."""
    if node.kind == "ref" and isinstance(node.data, Bound):
        given = env.get(node.data)
        return _formula(given) if isinstance(given, Closure) else None
    symbol = meaning(node, specialiser)
    extra: dict[Any, Any] = {}
    if node.kind == "within":
        ref, *given = node.args
        symbol = meaning(ref, specialiser)
        extra = {bound: specialiser.expression(arg, env) for bound, arg in zip(node.data, given)}
        node = ref
    if not isinstance(symbol, Definition) or symbol.body is None:
        return None
    if symbol.recursive and specialiser.free.calls_itself(symbol):
        return None
    if any(arg.kind == "operator" for arg in node.args):
        return None
    args = [_argument(arg, env, specialiser) for arg in node.args]
    found = env.get(symbol)
    inside = dict(found.env) if isinstance(found, Closure) else {b: env[b] for b in symbol.outer if b in env}
    if found is not None and not isinstance(found, Closure):
        return None
    return symbol.body, {**inside, **extra, **dict(zip(symbol.parameters, args))}


def _argument(node: Node, env: Env, specialiser: Specialiser) -> E | Closure:
    """What a parameter stands for: a constant, or a formula that is read where the parameter is used."""
    if not specialiser.free.is_temporal(node, env) and not specialiser.free.is_action(node, env):
        e = specialiser.expression(node, env)
        if e.is_const:
            return e
    return Closure(Definition("", (), node, node.place, ""), env)


def _formula(closure: Closure) -> Item | None:
    """The formula that a parameter stands for, if it is none with parameters."""
    symbol = closure.symbol
    if not isinstance(symbol, Definition) or symbol.parameters or symbol.body is None:
        return None
    return symbol.body, closure.env


def conjuncts(node: Node, env: Env, specialiser: Specialiser) -> Iterator[Item]:
    """The conjuncts of a temporal formula, `\\A` over known sets unrolled."""
    symbol = meaning(node, specialiser)
    if node.kind == "and" or (isinstance(symbol, Builtin) and symbol.name == "/\\" and symbol.function is None):
        for arg in node.args:
            yield from conjuncts(arg, env, specialiser)
        return
    if not specialiser.free.is_temporal(node, env):
        yield node, env
        return
    if node.kind == "forall":
        for inside in rounds(node, env, specialiser):
            yield from conjuncts(node.args[0], inside, specialiser)
        return
    if node.kind == "let":
        yield from conjuncts(node.args[0], with_definitions(node, env), specialiser)
        return
    body = opened(node, env, specialiser)
    if body is not None:
        yield from conjuncts(*body, specialiser)
        return
    yield node, env


def with_definitions(node: Node, env: Env) -> dict[Any, Any]:
    """The environment inside a LET."""
    inside = dict(env)
    for definition in node.data:
        inside[definition] = Closure(definition, inside)
    return inside


def rounds(node: Node, env: Env, specialiser: Specialiser) -> list[dict[Any, Any]]:
    """The environments of a quantifier over known sets."""
    from homing.languages.tla.groups import bound

    found = [dict(env)]
    for binder in node.data:
        domain = specialiser.expression(binder.domain, env)
        if not domain.is_const:
            raise HomingError("a temporal formula can only be quantified over a constant set", node.place)
        try:
            items = list(elements(domain.data))
        except Fault as fault:
            raise HomingError(fault.message, node.place) from None
        for name in [binder.names] if binder.is_tuple else binder.names:
            found = [bound(inside, name, value) for inside in found for value in items]
    return found


def taken_apart(node: Node, env: Env, specialiser: Specialiser) -> Behaviour:
    """Sorts the conjuncts of a specification."""
    result = Behaviour()
    for part, inside in conjuncts(node, env, specialiser):
        symbol = meaning(part, specialiser)
        if not specialiser.free.is_temporal(part, inside):
            if specialiser.free.is_action(part, inside):
                raise HomingError("an action stands where a state or a temporal formula is wanted", part.place)
            result.init.append((part, inside))
        elif isinstance(symbol, Builtin) and symbol.name == "[]" and symbol.function is None:
            body = _through(part.args[0], inside, specialiser)
            if body[0].kind == "box":
                result.next.append(body)
            elif not specialiser.free.is_temporal(*body) and not specialiser.free.is_action(*body):
                result.invariant.append(body)
            else:
                result.rest.append((part, inside))
        else:
            result.rest.append((part, inside))
    return result


def _through(node: Node, env: Env, specialiser: Specialiser) -> Item:
    """Opens definitions until something else shows."""
    while True:
        body = opened(node, env, specialiser)
        if body is None or not specialiser.free.is_action(node, env):
            return node, env
        node, env = body


class Translator:
    """Turns temporal formulas into those of the core; `label` and `between` make the atoms."""

    def __init__(
        self,
        specialiser: Specialiser,
        label: Callable[[E, str], list[int]],
        between: Callable[[E, str], Between],
        parts: list[Part],
        slots_of: Callable[[E], frozenset[int] | None],
    ) -> None:
        self.specialiser = specialiser
        self._label = label
        self._between = between
        self._parts = parts
        self._slots_of = slots_of

    # Formulas

    def formula(self, node: Node, env: Env) -> Formula:
        """The formula of a node."""
        free = self.specialiser.free
        if not free.is_temporal(node, env):
            if free.is_action(node, env):
                raise HomingError(
                    "an action stands alone in a temporal formula; write [][A]_v or <><<A>>_v", node.place
                )
            return self.predicate(self.specialiser.expression(node, env), node)
        symbol = meaning(node, self.specialiser)
        if isinstance(symbol, Builtin) and symbol.function is None:
            return self._operator(symbol.name, node, env)
        handler = getattr(self, f"_{node.kind}", None)
        if handler is not None:
            found: Formula = handler(node, env)
            return found
        body = opened(node, env, self.specialiser)
        if body is None:
            raise HomingError("this temporal formula is not supported here", node.place)
        return self.formula(*body)

    def predicate(self, e: E, node: Node) -> Formula:
        """A state predicate."""
        if e.is_const and type(e.data) is bool:
            return Constant(e.data, node.place)
        labels = self._label(e, _text(node))
        parts = tuple(Holds(label, place=node.place) for label in labels)
        return parts[0] if len(parts) == 1 else Operation("and", parts, node.place)

    def _operator(self, name: str, node: Node, env: Env) -> Formula:
        match name:
            case "[]":
                body, inside = _through(node.args[0], env, self.specialiser)
                return always(self._step(body, inside) if body.kind == "box" else self.formula(body, inside))
            case "<>":
                body, inside = _through(node.args[0], env, self.specialiser)
                return eventually(self._step(body, inside) if body.kind == "angle" else self.formula(body, inside))
            case "~>":
                return leads_to(self.formula(node.args[0], env), self.formula(node.args[1], env))
            case "~":
                return ~self.formula(node.args[0], env)
        operators = {"/\\": "and", "\\/": "or", "=>": "implies", "<=>": "iff"}
        if name not in operators:
            raise HomingError(f"'{name}' is not supported in a temporal formula", node.place)
        return Operation(operators[name], tuple(self.formula(arg, env) for arg in node.args), node.place)

    def _and(self, node: Node, env: Env) -> Formula:
        return Operation("and", tuple(self.formula(arg, env) for arg in node.args), node.place)

    def _or(self, node: Node, env: Env) -> Formula:
        return Operation("or", tuple(self.formula(arg, env) for arg in node.args), node.place)

    def _forall(self, node: Node, env: Env) -> Formula:
        parts = [self.formula(node.args[0], inside) for inside in rounds(node, env, self.specialiser)]
        return Operation("and", tuple(parts), node.place)

    def _exists(self, node: Node, env: Env) -> Formula:
        parts = [self.formula(node.args[0], inside) for inside in rounds(node, env, self.specialiser)]
        return Operation("or", tuple(parts), node.place)

    def _let(self, node: Node, env: Env) -> Formula:
        return self.formula(node.args[0], with_definitions(node, env))

    def _if(self, node: Node, env: Env) -> Formula:
        condition, yes, no = (self.formula(arg, env) for arg in node.args)
        return (condition & yes) | (~condition & no)

    def _WF(self, node: Node, env: Env) -> Formula:  # noqa: N802
        enabled, taken = self._fair(node, env)
        return always(eventually(~enabled)) | always(eventually(taken))

    def _SF(self, node: Node, env: Env) -> Formula:  # noqa: N802
        enabled, taken = self._fair(node, env)
        return eventually(always(~enabled)) | always(eventually(taken))

    def _fair(self, node: Node, env: Env) -> tuple[Formula, Formula]:
        """Whether `<<A>>_v` is enabled, and whether it is taken."""
        angle = Node("angle", (node.args[1], node.args[0]), None, node.place)
        enabled = self.predicate(self.specialiser.enabled(angle, env, node.place), node)
        return enabled, self._between(self.specialiser.expression(angle, env), _text(node.args[1]))

    def _step(self, node: Node, env: Env) -> Formula:
        """`[A]_v` or `<<A>>_v`, as a condition on steps."""
        return self._between(self.specialiser.expression(node, env), _text(node.args[0]))

    # Fairness of the specification

    def fairness(self, node: Node, env: Env) -> Fairness | Formula:
        """What a conjunct of the specification demands of behaviours."""
        if node.kind in ("WF", "SF"):
            action = self._action(node, env)
            if action is not None:
                return Weak(action) if node.kind == "WF" else Strong(action)
            enabled, taken = self._fair(node, env)
            if node.kind == "WF":
                return Justice(~enabled | taken)
            return Compassion(enabled, taken)
        return self.formula(node, env)

    def _action(self, node: Node, env: Env) -> Action | None:
        """The groups that are all the steps of an action, when the next-state relation has it as it is."""
        shown = self.specialiser.expression(node.args[0], env)
        slots = self._slots_of(shown)
        if slots is None or not self._parts:
            return None
        origins = list(self._origins(node.args[1], env))
        found: set[int | str] = set()
        for origin in origins:
            if origin is None:
                return None
            groups = [n for n, part in enumerate(self._parts) if any(o.key == origin.key for o in part.origins)]
            if not groups and not self._is_empty(origin):
                return None
            found.update(groups)
        name = ", ".join(_shown(origin) for origin in origins if origin is not None)
        return Action(frozenset(found), frozenset(slots), name)

    def _is_empty(self, origin: Origin) -> bool:
        """Whether an operator with constant arguments is no action at all, for these constants."""
        assert origin.definition.body is not None
        env = dict(zip(origin.definition.parameters, map(_const, origin.arguments)))
        return not origin.definition.outer and next(split(origin.definition.body, self.specialiser, env), None) is None

    def _origins(self, node: Node, env: Env) -> Iterator[Origin | None]:
        """The operators, with constant arguments, whose disjunction an action is."""
        symbol = meaning(node, self.specialiser)
        if isinstance(symbol, Definition) and not env.get(symbol):
            args = [None if a.kind == "operator" else self.specialiser.expression(a, env) for a in node.args]
            if all(arg is not None and arg.is_const for arg in args):
                origin = Origin(symbol, tuple(arg.data for arg in args if arg is not None))
                if any(o.key == origin.key for part in self._parts for o in part.origins):
                    yield origin
                    return
                body = opened(node, env, self.specialiser)
                if body is not None and body[0].kind in ("or", "exists", "ref"):
                    yield from self._origins(*body)
                    return
                yield origin
                return
            yield None
        elif is_disjunction(node, symbol):
            for arg in node.args:
                yield from self._origins(arg, env)
        elif node.kind == "exists":
            try:
                found = rounds(node, env, self.specialiser)
            except HomingError:
                yield None
                return
            for inside in found:
                yield from self._origins(node.args[0], inside)
        else:
            yield None


def _const(value: Any) -> E:
    from homing.languages.tla.ir import const

    return const(value)


def _shown(origin: Origin) -> str:
    arguments = ", ".join(map(show, origin.arguments))
    return f"{origin.definition.name}({arguments})" if arguments else origin.definition.name


def _text(node: Node) -> str:
    """What to call a part of a formula."""
    if node.kind in ("ref", "within"):
        symbol = node.data if node.kind == "ref" else node.args[0].data
        return str(getattr(symbol, "name", "formula"))
    return f"{node.place.line}:{node.place.column}"


__all__ = ["Behaviour", "Place", "Translator", "conjuncts", "taken_apart"]
