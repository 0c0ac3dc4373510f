"""Specialises what binds names: over small known sets it is unrolled, over a set that is split it goes by slots."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice, product
from typing import Any

from homing.core.errors import HomingError, Place
from homing.languages.tla.ir import FALSE, TRUE, Cell, E, Var, const, local
from homing.languages.tla.modules.logic import CUP, HELD
from homing.languages.tla.reading import Env, Opening, Reading
from homing.languages.tla.rewriting import folded, narrowed
from homing.languages.tla.scope import Binder, Bound
from homing.languages.tla.slots import class_key
from homing.languages.tla.syntax import Node
from homing.languages.tla.values import Fault, elements, show

UNROLL = 40
"""A loop over more elements than this is left a loop."""


class Loops(Reading):
    """One method a kind of binder."""

    def cells(self, binders: tuple[Binder, ...], env: Env) -> tuple[list[E], list[Any], dict[Any, Any]]:
        """The sets that names are bound to, by cell the pattern, and the environment with them."""
        domains, patterns, inside = list[E](), list[Any](), dict(env)
        for binder in binders:
            domain = self.value(binder.domain, env)
            if binder.is_tuple:
                cells = tuple(Cell(name.name, listed=True) for name in binder.names)
                domains.append(domain)
                patterns.append(cells)
                inside |= {name: local(cell) for name, cell in zip(binder.names, cells)}
                continue
            for name in binder.names:
                cell = Cell(name.name, listed=True)
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

    def _by_class(self, op: str, node: Node, env: Env) -> list[Opening] | None:
        """A loop over a set that is split, as one for each of its slots."""
        if len(node.data) != 1 or node.data[0].is_tuple or len(node.data[0].names) != 1:
            return None
        domain, name = self.value(node.data[0].domain, env), node.data[0].names[0]
        classes = None
        if domain.op == "var" and not domain.data.primed:
            classes = self.parent.shapes.classes(domain.data.number, domain.data.path)
        if classes is None:
            return None
        return [self._in_class(op, node, env, domain, n, Cell(name.name, known=known, listed=True), name)
                for n, known in enumerate(classes.known)]  # fmt: skip

    def _in_class(self, op: str, node: Node, env: Env, domain: E, number: int, cell: Cell, name: Bound) -> Opening:
        path = (*domain.data.path, class_key(number))
        part = E("var", (), Var(domain.data.number, path), domain.place)

        def closed(body: E) -> E:
            if body.is_const:
                if body.data is (op == "forall") and op != "map":
                    return TRUE if op == "forall" else const(frozenset()) if op == "filter" else FALSE
                if body.data is True and op == "filter":
                    return part
            made = E(op, (part, body), (cell,), node.place, binds=(cell,))
            return narrowed(made) if op == "exists" and self.action else made

        return Opening({**env, name: local(cell)}, closed)

    def choices(self, node: Node, env: Env) -> list[Opening]:
        """`\\E` over a set that depends on the state: of which loops it is the disjunction."""
        found = self._by_class("exists", node, env)
        if found is not None:
            return found
        domains, patterns, inside = self.cells(node.data, env)
        known = self._elements_of(domains, patterns)
        if known:
            found = [self._element(value, domains[0], node, env) for value in known]

        def closed(body: E) -> E:
            loop = folded(E("exists", (*domains, body), tuple(patterns), node.place, binds=flat(tuple(patterns))))
            return narrowed(loop) if self.action and loop.op == "exists" else loop

        if found is None:
            return [Opening(inside, closed)]
        among = E("call", (local(patterns[0]), const(frozenset(known))), HELD, node.place)
        other = E("not", (among,), None, node.place)
        return [*found, Opening(inside, lambda body: closed(E("and", (other, body), None, node.place)))]

    def _elements_of(self, domains: list[E], patterns: list[Any]) -> tuple[Any, ...]:
        """What a variable held on random walks, if it is one that is gone through: it may hold other elements, too."""
        if len(domains) != 1 or isinstance(patterns[0], tuple) or domains[0].op != "var":
            return ()
        var = domains[0].data
        if var.primed or var.path:
            return ()
        self.parent.looped.add(var.number)
        return self.parent.universes.get(var.number, ())

    def _element(self, value: Any, domain: E, node: Node, env: Env) -> Opening:
        """The round of a loop for one element, where the set holds it."""
        test = E("call", (const(value), domain), HELD, node.place)

        def closed(body: E) -> E:
            return FALSE if body.is_const and body.data is False else E("and", (test, body), None, node.place)

        return Opening({**env, node.data[0].names[0]: const(value)}, closed)

    def _loop(self, op: str, node: Node, env: Env) -> E:
        scope = self if op == "forall" else self.scope(self.next_state, False)
        found = self._by_class(op, node, env) if op in ("forall", "filter", "map") else None
        if found is not None:
            parts = [lambda one=one: one.closed(scope.expression(node.args[0], one.env)) for one in found]
            return _combined(self, op, parts, node.place)
        domains, patterns, inside = self.cells(node.data, env)
        known = self._elements_of(domains, patterns) if op == "forall" and not self.action else ()
        if known:
            return self._for_each(known, domains[0], node, env)
        body = scope.expression(node.args[0], inside)
        return folded(E(op, (*domains, body), tuple(patterns), node.place, binds=flat(tuple(patterns))))

    def _for_each(self, known: tuple[Any, ...], domain: E, node: Node, env: Env) -> E:
        """`\\A x \\in S : P(x)` as a conjunction, so that its parts read little; what S holds besides comes last."""
        place, name = node.place, node.data[0].names[0]
        parts = []
        for value in known:
            test = E("call", (const(value), domain), HELD, place)
            body = self.expression(node.args[0], {**env, name: const(value)})
            parts.append(folded(E("implies", (test, body), None, place)))
        cell = Cell(name.name, listed=True)
        other = E("call", (local(cell), const(frozenset(known))), HELD, place)
        body = E("or", (other, self.expression(node.args[0], {**env, name: local(cell)})), None, place)
        parts.append(E("forall", (domain, body), (cell,), place, binds=(cell,)))
        return E("and", tuple(parts), None, place)

    def _forall(self, node: Node, env: Env) -> E:
        rounds = self._unrolled(node, env)
        if rounds is None:
            return self._loop("forall", node, env)
        parts = [lambda inside=inside: self.expression(node.args[0], inside) for inside in rounds]
        return self.junction("and", parts, node.place)

    def _exists(self, node: Node, env: Env) -> E:
        rounds = self._unrolled(node, env)
        if rounds is None:
            loops = [
                lambda one=one: one.closed(self.expression(node.args[0], one.env)) for one in self.choices(node, env)
            ]
            return self.junction("or", loops, node.place) if len(loops) > 1 else loops[0]()
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


def _combined(scope: Reading, op: str, parts: Iterable[Callable[[], E]], place: Place) -> E:
    if op == "forall":
        return scope.junction("and", parts, place)
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


def flat(data: Any) -> tuple[Cell, ...]:
    """The cells of patterns."""
    return tuple(cell for item in data for cell in (item if isinstance(item, tuple) else (item,)))
