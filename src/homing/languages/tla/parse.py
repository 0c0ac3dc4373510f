"""Text in, syntax out: by tree-sitter's grammar for TLA+, which knows about aligned lists."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

import tree_sitter
import tree_sitter_tlaplus

from homing.core.errors import HomingError, Place
from homing.languages.tla.symbols import REFUSED_NODES, SYMBOLS
from homing.languages.tla.syntax import (
    Assumption,
    Bounds,
    Constants,
    Instance,
    Module,
    Node,
    Operator,
    Parameter,
    Recursive,
    Unit,
    Variables,
)

Tree = tree_sitter.Node
COMMENTS = frozenset({"comment", "block_comment"})
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "f": "\f"}
DEEPEST = 600
"""Expressions nested deeper than this would exhaust Python's stack further on."""


@lru_cache(maxsize=1)
def _parser() -> tree_sitter.Parser:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the grammar's package still hands out a number
        return tree_sitter.Parser(tree_sitter.Language(tree_sitter_tlaplus.language()))


def parse(text: bytes, file: str) -> list[Module]:
    """The modules of a file, in their order; raises HomingError at the first thing that is no TLA+."""
    tree = _parser().parse(text)
    return _Parser(file).modules(tree.root_node)


def parse_expression(text: str, file: str = "expression") -> Node:
    """One expression, as if it stood in a module of its own."""
    found = parse(f"---- MODULE Expression ----\nvalue ==\n {text}\n====\n".encode(), file)
    unit = found[0].units[0]
    assert isinstance(unit, Operator)
    return unit.body


def read(path: Path) -> list[Module]:
    """The modules of a file on disk."""
    try:
        return parse(path.read_bytes(), str(path))
    except OSError as error:
        raise HomingError(f"cannot be read: {error.strerror or error}", Place(str(path))) from None


class _Parser:
    """Turns trees into syntax; one method a kind of tree that is not just its parts."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.depth = 0

    def place(self, tree: Tree) -> Place:
        row, column = tree.start_point
        return Place(self.file, row + 1, column + 1)

    # Modules

    def modules(self, root: Tree) -> list[Module]:
        self._complain(root)
        found = [self._module(child) for child in _parts(root) if child.type == "module"]
        if not found:
            raise HomingError("holds no module", Place(self.file))
        return found

    def _complain(self, root: Tree) -> None:
        if not root.has_error:
            return
        for tree in _walk(root):
            if tree.is_missing:
                raise HomingError(f"no TLA+: '{tree.type}' is missing here", self.place(tree))
            if tree.type == "ERROR":
                raise HomingError(f"no TLA+: cannot make sense of '{_excerpt(tree)}'", self.place(tree))

    def _module(self, tree: Tree) -> Module:
        name = _text(_field(tree, "name"))
        extends: list[tuple[str, Place]] = []
        units: list[Unit] = []
        inner: dict[str, Module] = {}
        for child in _parts(tree):
            if child.type == "extends":
                extends += [(_text(part), self.place(part)) for part in _parts(child)]
            elif child.type == "module":
                module = self._module(child)
                inner[module.name] = module
            else:
                units += self._unit(child, local=False)
        return Module(name, tuple(extends), tuple(units), inner, self.place(tree))

    def _unit(self, tree: Tree, local: bool) -> Iterator[Unit]:
        match tree.type:
            case "constant_declaration":
                yield Constants(self._declared(tree))
            case "variable_declaration":
                yield Variables(self._declared(tree))
            case "recursive_declaration":
                yield Recursive(self._declared(tree))
            case "local_definition":
                yield from self._unit(_parts(tree)[0], local=True)
            case "operator_definition":
                yield self._operator(tree, local)
            case "function_definition":
                yield self._function(tree, local)
            case "instance":
                yield self._instance(tree, None, (), local)
            case "module_definition":
                name = _text(_field(tree, "name"))
                parameters = tuple(self._parameter(p) for p in _fields(tree, "parameter") if p.is_named)
                yield self._instance(_field(tree, "definition"), name, parameters, local)
            case "theorem":
                yield from self._theorem(tree)
            case "assumption":
                named = tree.child_by_field_name("name")
                yield Assumption(_text(named) if named else None, self.expression(_parts(tree)[-1]), self.place(tree))

    def _theorem(self, tree: Tree) -> Iterator[Unit]:
        """A theorem with a name can be referred to; proofs are not read."""
        named, statement = tree.child_by_field_name("name"), _field(tree, "statement")
        if named is not None and statement.type != "assume_prove":
            yield Operator(_text(named), (), self.expression(statement), self.place(tree))

    def _declared(self, tree: Tree) -> tuple[Parameter, ...]:
        return tuple(self._parameter(part) for part in _parts(tree))

    def _parameter(self, tree: Tree) -> Parameter:
        if tree.type != "operator_declaration":
            return Parameter(_name(tree), 0, self.place(tree))
        arity = sum(part.type == "placeholder" for part in _parts(tree))
        return Parameter(_name(_field(tree, "name")), arity, self.place(tree))

    def _operator(self, tree: Tree, local: bool) -> Operator:
        parameters = tuple(self._parameter(p) for p in _fields(tree, "parameter") if p.is_named)
        body = self.expression(_field(tree, "definition"))
        return Operator(_name(_field(tree, "name")), parameters, body, self.place(tree), local)

    def _function(self, tree: Tree, local: bool) -> Operator:
        bounds = tuple(self._bounds(part) for part in _parts(tree) if part.type == "quantifier_bound")
        body = self.expression(_field(tree, "definition"))
        value = Node("fn", (body,), bounds, self.place(tree))
        return Operator(_text(_field(tree, "name")), (), value, self.place(tree), local, function=True)

    def _instance(self, tree: Tree, name: str | None, parameters: tuple[Parameter, ...], local: bool) -> Instance:
        parts = _parts(tree)
        substitutions = []
        for part in parts[1:]:
            target, _, value = _parts(part)
            substitutions.append((_name(target), self.expression(value)))
        return Instance(name, parameters, _text(parts[0]), tuple(substitutions), self.place(tree), local)

    # Expressions

    def expression(self, tree: Tree) -> Node:
        """The expression of a tree."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise HomingError("an expression is nested too deeply", self.place(tree))
        try:
            return self._expression(tree)
        finally:
            self.depth -= 1

    def _expression(self, tree: Tree) -> Node:
        if tree.type in REFUSED_NODES:
            raise HomingError(f"{REFUSED_NODES[tree.type]} is not supported", self.place(tree))
        make: Callable[[Tree], Node] | None = getattr(self, f"_{tree.type}", None)
        if make is not None:
            return make(tree)
        if tree.type in SYMBOLS:
            return self._op(tree, SYMBOLS[tree.type])
        raise HomingError(f"'{_excerpt(tree)}' is not supported here ({tree.type})", self.place(tree))

    def _op(self, tree: Tree, name: str, *args: Tree) -> Node:
        return Node("op", tuple(map(self.expression, args)), name, self.place(tree))

    def _some(self, kind: str, tree: Tree, args: list[Tree], data: object = None) -> Node:
        return Node(kind, tuple(map(self.expression, args)), data, self.place(tree))

    def _nat_number(self, tree: Tree) -> Node:
        return Node("const", (), int(_text(tree)), self.place(tree))

    def _binary_number(self, tree: Tree) -> Node:
        return Node("const", (), int(_text(tree)[2:], 2), self.place(tree))

    def _octal_number(self, tree: Tree) -> Node:
        return Node("const", (), int(_text(tree)[2:], 8), self.place(tree))

    def _hex_number(self, tree: Tree) -> Node:
        return Node("const", (), int(_text(tree)[2:], 16), self.place(tree))

    def _string(self, tree: Tree) -> Node:
        body = _text(tree)[1:-1]
        out, position = [], 0
        while position < len(body):
            letter = body[position]
            if letter == "\\" and position + 1 < len(body):
                position += 1
                letter = ESCAPES.get(body[position], body[position])
            out.append(letter)
            position += 1
        return Node("const", (), "".join(out), self.place(tree))

    def _boolean(self, tree: Tree) -> Node:
        return Node("const", (), _text(tree) == "TRUE", self.place(tree))

    def _parentheses(self, tree: Tree) -> Node:
        return self.expression(_parts(tree)[0])

    def _label(self, tree: Tree) -> Node:
        return self.expression(_field(tree, "expression"))

    def _identifier_ref(self, tree: Tree) -> Node:
        return self._op(tree, _text(tree))

    def _bound_op(self, tree: Tree) -> Node:
        return self._op(tree, _text(_field(tree, "name")), *(p for p in _fields(tree, "parameter") if p.is_named))

    def _bound_nonfix_op(self, tree: Tree) -> Node:
        symbol, *args = _parts(tree)
        return self._op(tree, _name(symbol), *args)

    def _prefixed_op(self, tree: Tree) -> Node:
        prefix = []
        for part in _parts(_field(tree, "prefix")):
            if part.type != "subexpr_component":
                raise HomingError("a subexpression named by its position is not supported", self.place(part))
            prefix.append(self.expression(_parts(part)[0]))
        return Node("qualified", (*prefix, self.expression(_field(tree, "op"))), None, self.place(tree))

    def _subexpression(self, tree: Tree) -> Node:
        """`Op!:` and `Op!2`: the body of a definition, or a part of it."""
        *prefix, last = [
            part for child in _parts(tree) for part in (_parts(child) if child.type == "subexpr_prefix" else [child])
        ]
        steps = [self._navigation(part) for part in (*prefix, last) if part.type != "subexpr_component"]
        names = [self.expression(_parts(part)[0]) for part in prefix if part.type == "subexpr_component"]
        return Node("subexpression", tuple(names), tuple(steps), self.place(tree))

    def _navigation(self, tree: Tree) -> int:
        """Which part: 0 for the whole."""
        inner = _parts(tree)[0] if _parts(tree) else tree
        known = {"colon": 0, "langle_bracket": 1, "rangle_bracket": 2}
        if inner.type in known:
            return known[inner.type]
        if inner.type == "child_id":
            return int(_text(inner))
        raise HomingError("this way to name a subexpression is not supported", self.place(tree))

    def _bound_prefix_op(self, tree: Tree) -> Node:
        name = _name(_field(tree, "symbol"))
        return self._op(tree, "-." if name == "-" else name, _field(tree, "rhs"))

    def _bound_infix_op(self, tree: Tree) -> Node:
        name = _name(_field(tree, "symbol"))
        if name == "\\X":
            return self._product(tree)
        return self._op(tree, name, _field(tree, "lhs"), _field(tree, "rhs"))

    def _product(self, tree: Tree) -> Node:
        """`A \\X B \\X C` is one product of three, `(A \\X B) \\X C` is not."""
        factors: list[Tree] = []
        while tree.type == "bound_infix_op" and _name(_field(tree, "symbol")) == "\\X":
            factors.append(_field(tree, "rhs"))
            tree = _field(tree, "lhs")
        return self._some("product", tree, [tree, *reversed(factors)])

    def _bound_postfix_op(self, tree: Tree) -> Node:
        return self._op(tree, _name(_field(tree, "symbol")), _field(tree, "lhs"))

    def _prefix_op_symbol(self, tree: Tree) -> Node:
        name = _name(tree)
        return self._op(tree, "-." if name == "-" else name)

    def _infix_op_symbol(self, tree: Tree) -> Node:
        return self._op(tree, _name(tree))

    _postfix_op_symbol = _infix_op_symbol

    def _lambda(self, tree: Tree) -> Node:
        *names, body = _parts(tree)
        parameters = tuple(Parameter(_text(name), 0, self.place(name)) for name in names)
        return Node("lambda", (self.expression(body),), parameters, self.place(tree))

    def _bounds(self, tree: Tree) -> Bounds:
        intro = [part for part in _fields(tree, "intro") if part.is_named]
        domain = self.expression(_field(tree, "set"))
        if intro[0].type == "tuple_of_identifiers":
            names = tuple(_text(part) for part in _parts(intro[0]) if part.type == "identifier")
            return Bounds(names, True, domain)
        return Bounds(tuple(map(_text, intro)), False, domain)

    def _bounded_quantification(self, tree: Tree) -> Node:
        bounds = tuple(self._bounds(part) for part in _fields(tree, "bound") if part.is_named)
        kind = _field(tree, "quantifier").type
        return Node(kind, (self.expression(_field(tree, "expression")),), bounds, self.place(tree))

    def _unbounded_quantification(self, tree: Tree) -> Node:
        kind = _field(tree, "quantifier").type
        sign = {"forall": "\\A", "exists": "\\E", "temporal_forall": "\\AA", "temporal_exists": "\\EE"}[kind]
        return Node("unbounded", (), f"{sign} without a set", self.place(tree))

    def _choose(self, tree: Tree) -> Node:
        domain = tree.child_by_field_name("set")
        body = _field(tree, "expression")
        intro = _field(tree, "intro")
        is_tuple = intro.type == "tuple_of_identifiers"
        names = tuple(_text(p) for p in _parts(intro) if p.type == "identifier") if is_tuple else (_text(intro),)
        if domain is None:
            return Node("choose_any", (self.expression(body),), names, self.place(tree))
        bounds = (Bounds(names, is_tuple, self.expression(domain)),)
        return Node("choose", (self.expression(body),), bounds, self.place(tree))

    def _finite_set_literal(self, tree: Tree) -> Node:
        return self._some("set", tree, _parts(tree))

    def _set_filter(self, tree: Tree) -> Node:
        bounds = (self._bounds(_field(tree, "generator")),)
        return Node("filter", (self.expression(_field(tree, "filter")),), bounds, self.place(tree))

    def _set_map(self, tree: Tree) -> Node:
        bounds = tuple(self._bounds(part) for part in _fields(tree, "generator") if part.is_named)
        return Node("map", (self.expression(_field(tree, "map")),), bounds, self.place(tree))

    def _function_evaluation(self, tree: Tree) -> Node:
        function, *arguments = _parts(tree)
        return Node("apply", (self.expression(function), self._argument(tree, arguments)), None, self.place(tree))

    def _argument(self, tree: Tree, arguments: list[Tree]) -> Node:
        return self.expression(arguments[0]) if len(arguments) == 1 else self._some("tuple", tree, arguments)

    def _function_literal(self, tree: Tree) -> Node:
        parts = _parts(tree)
        bounds = tuple(self._bounds(part) for part in parts if part.type == "quantifier_bound")
        return Node("fn", (self.expression(parts[-1]),), bounds, self.place(tree))

    def _set_of_functions(self, tree: Tree) -> Node:
        domain, _, image = _parts(tree)
        return self._some("functions", tree, [domain, image])

    def _record_literal(self, tree: Tree) -> Node:
        parts = [part for part in _parts(tree) if part.type != "all_map_to"]
        return self._some("record", tree, parts[1::2], tuple(map(_text, parts[::2])))

    def _set_of_records(self, tree: Tree) -> Node:
        parts = _parts(tree)
        return self._some("records", tree, parts[1::2], tuple(map(_text, parts[::2])))

    def _record_value(self, tree: Tree) -> Node:
        record, field = _parts(tree)
        name = Node("const", (), _text(field), self.place(field))
        return Node("apply", (self.expression(record), name), None, self.place(tree))

    def _except(self, tree: Tree) -> Node:
        """Its arguments are the function, then for each update the keys of its path and the new value."""
        args = [self.expression(_field(tree, "expr_to_update"))]
        lengths = []
        for update in (part for part in _parts(tree) if part.type == "except_update"):
            path = [self._key(part) for part in _parts(_field_named(update, "update_specifier"))]
            lengths.append(len(path))
            args += [*path, self.expression(_field(update, "new_val"))]
        return Node("except", tuple(args), tuple(lengths), self.place(tree))

    def _key(self, tree: Tree) -> Node:
        parts = _parts(tree)
        if tree.type == "except_update_record_field":
            return Node("const", (), _text(parts[0]), self.place(tree))
        return self._argument(tree, parts)

    def _prev_func_val(self, tree: Tree) -> Node:
        return Node("at", (), None, self.place(tree))

    def _tuple_literal(self, tree: Tree) -> Node:
        return self._some("tuple", tree, _parts(tree)[1:-1])

    def _step_expr_or_stutter(self, tree: Tree) -> Node:
        return self._some("box", tree, _parts(tree))

    def _step_expr_no_stutter(self, tree: Tree) -> Node:
        return self._some("angle", tree, [p for p in _parts(tree) if not p.type.startswith(("langle", "rangle"))])

    def _fairness(self, tree: Tree) -> Node:
        kind = "WF" if _text(tree).startswith("WF_") else "SF"
        return self._some(kind, tree, _parts(tree))

    def _if_then_else(self, tree: Tree) -> Node:
        return self._some("if", tree, [_field(tree, "if"), _field(tree, "then"), _field(tree, "else")])

    def _case(self, tree: Tree) -> Node:
        """Its arguments are conditions and values in turn; with OTHER there is one value more."""
        args: list[Tree] = []
        for arm in _parts(tree):
            if arm.type in ("case_arm", "other_arm"):
                args += [part for part in _parts(arm) if part.type != "case_arrow"]
        return self._some("case", tree, args)

    def _let_in(self, tree: Tree) -> Node:
        units = [unit for part in _fields(tree, "definitions") for unit in self._unit(part, local=True)]
        return Node("let", (self.expression(_field(tree, "expression")),), tuple(units), self.place(tree))

    def _conj_list(self, tree: Tree) -> Node:
        return self._some("and", tree, [_parts(item)[-1] for item in _parts(tree)])

    def _disj_list(self, tree: Tree) -> Node:
        return self._some("or", tree, [_parts(item)[-1] for item in _parts(tree)])


def _parts(tree: Tree) -> list[Tree]:
    return [child for child in tree.named_children if child.type not in COMMENTS]


def _field(tree: Tree, name: str) -> Tree:
    child = tree.child_by_field_name(name)
    assert child is not None, (tree.type, name)
    return child


def _fields(tree: Tree, name: str) -> list[Tree]:
    return [child for child in tree.children_by_field_name(name) if child.type not in COMMENTS]


def _field_named(tree: Tree, name: str) -> Tree:
    return next(child for child in _fields(tree, name) if child.is_named)


def _text(tree: Tree) -> str:
    assert tree.text is not None
    return tree.text.decode("utf-8", "replace")


def _name(tree: Tree) -> str:
    """The name of an operator: of an identifier its text, of a symbol the one way that we write it."""
    if tree.type.endswith("_op_symbol"):
        tree = _parts(tree)[0]
    return SYMBOLS.get(tree.type) or _text(tree)


def _walk(tree: Tree) -> Iterator[Tree]:
    """All trees outside comments, in the order of the text."""
    waiting = [tree]
    while waiting:
        tree = waiting.pop()
        if tree.type not in COMMENTS:
            yield tree
            waiting += tree.children[::-1]


def _excerpt(tree: Tree, most: int = 40) -> str:
    text = " ".join(_text(tree).split())
    return text if len(text) <= most else text[:most] + "…"
