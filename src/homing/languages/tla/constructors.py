"""Specialises what makes values of values: sets, tuples, records, functions, IF and CASE, conjunctions."""

from __future__ import annotations

from functools import partial
from typing import Any

from homing.core.errors import HomingError, Place
from homing.languages.tla.ir import Cell, E, Var, const, local
from homing.languages.tla.modules.logic import FUNCTIONS, PRODUCT
from homing.languages.tla.reading import CHEAP, Env, Reading
from homing.languages.tla.rewriting import folded
from homing.languages.tla.scope import Builtin
from homing.languages.tla.sets import Records
from homing.languages.tla.substitution import replaced
from homing.languages.tla.syntax import Node
from homing.languages.tla.values import domain, ordered


class Constructors(Reading):
    """One method a kind of node."""

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
        return self.call(FUNCTIONS, [self.value(arg, env) for arg in node.args], node.place)

    def _product(self, node: Node, env: Env) -> E:
        return self.call(PRODUCT, [self.value(arg, env) for arg in node.args], node.place)

    def _records(self, node: Node, env: Env) -> E:
        fields = node.data
        made = Builtin("[a: S]", len(fields), lambda *images: Records(fields, images), lazy=True)
        return self.call(made, [self.value(arg, env) for arg in node.args], node.place)

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
                    found = self._known_part(function.data, key)
                    if found is not None:
                        return found
                case "table" | "record":
                    if key.data in function.data:
                        part: E = function.args[function.data.index(key.data)]
                        return part
                case "except":
                    return self._apply_except(function, key, place)
        return folded(E("apply", (function, key), None, place))

    def _known_part(self, cell: Cell, key: E) -> E | None:
        """What a cell holds at a key, if that is known, or takes little to compute without the rest."""
        if cell.known is not None and key.data in cell.known.marks:
            return const(cell.known.marks[key.data], key.place)
        whole = cell.definition
        if whole is None or whole.op not in ("table", "record") or key.data not in whole.data:
            return None
        part: E = whole.args[whole.data.index(key.data)]
        return part if part.size <= 3 * CHEAP else None

    def _apply_except(self, function: E, key: E, place: Place) -> E:
        base, *path, new = function.args
        if not path[0].is_const:
            return E("apply", (function, key), None, place)
        if path[0].data != key.data or type(path[0].data) is not type(key.data):
            return self.apply(base, key, place)
        if key.data not in (self.keys_of(base) or ()):
            return E("apply", (function, key), None, place)
        old, cell = self.apply(base, key, place), function.data
        if len(path) > 1:
            return E("except", (old, *path[1:], new), cell, place, binds=() if cell is None else (cell,))
        if cell is None:
            return new
        inner = Cell(cell.name, old)
        return E("let", (old, replaced(new, cell, local(inner))), inner, place, binds=(inner,))

    def keys_of(self, e: E) -> tuple[Any, ...] | None:
        """The keys of a function whose values are known one by one, in order; None where that is not so."""
        match e.op:
            case "var":
                if not self.parent.shapes.has(e.data.number, e.data.path):
                    return None
                tree = self.parent.shapes.node(e.data.number, e.data.path)
                return tuple(tree) if isinstance(tree, dict) else None
            case "const" if type(e.data) is tuple:
                return tuple(ordered(domain(e.data)))
            case "table" | "record":
                return tuple(ordered(frozenset(e.data))) if len(set(e.data)) == len(e.data) else None
            case "except":
                return self.keys_of(e.args[0]) if e.args[1].is_const else None
        return None

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

    def _and(self, node: Node, env: Env) -> E:
        return self._junction("and", node, env)

    def _or(self, node: Node, env: Env) -> E:
        return self._junction("or", node, env)

    def _junction(self, op: str, node: Node, env: Env) -> E:
        return self.junction(op, [partial(self.expression, arg, env) for arg in node.args], node.place)
