"""Expressions of TLA+: from tree-sitter's trees to the nodes of `syntax`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from homing.core.errors import HomingError, Place
from homing.core.numerals import whole
from homing.languages.tla import precedence
from homing.languages.tla.symbols import REFUSED_NODES, SYMBOLS
from homing.languages.tla.syntax import Bounds, Node, Parameter, Unit
from homing.languages.tla.trees import Tree, excerpt, field, field_named, fields, name_of, parts_of, text_of

ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "f": "\f"}
DEEPEST = 600
"""Expressions nested deeper than this would exhaust Python's stack further on."""


class Expressions:
    """Turns trees into syntax; one method a kind of tree that is not just its parts."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.depth = 0

    def place(self, tree: Tree) -> Place:
        row, column = tree.start_point
        return Place(self.file, row + 1, column + 1, text_of(tree))

    def units(self, tree: Tree, local: bool) -> Iterator[Unit]:
        """Definitions, which LET has too."""
        raise NotImplementedError

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
        raise HomingError(f"'{excerpt(tree)}' is not supported here ({tree.type})", self.place(tree))

    def _op(self, tree: Tree, name: str, *args: Tree) -> Node:
        return Node("op", tuple(map(self.expression, args)), name, self.place(tree))

    def _some(self, kind: str, tree: Tree, args: list[Tree], data: object = None) -> Node:
        return Node(kind, tuple(map(self.expression, args)), data, self.place(tree))

    def _nat_number(self, tree: Tree) -> Node:
        return Node("const", (), whole(text_of(tree), self.place(tree)), self.place(tree))

    def _binary_number(self, tree: Tree) -> Node:
        return Node("const", (), whole(text_of(tree)[2:], self.place(tree), 2), self.place(tree))

    def _octal_number(self, tree: Tree) -> Node:
        return Node("const", (), whole(text_of(tree)[2:], self.place(tree), 8), self.place(tree))

    def _hex_number(self, tree: Tree) -> Node:
        return Node("const", (), whole(text_of(tree)[2:], self.place(tree), 16), self.place(tree))

    def _string(self, tree: Tree) -> Node:
        body = text_of(tree)[1:-1]
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
        return Node("const", (), text_of(tree) == "TRUE", self.place(tree))

    def _parentheses(self, tree: Tree) -> Node:
        return self.expression(parts_of(tree)[0])

    def _label(self, tree: Tree) -> Node:
        name, *parameters = [part for part in parts_of(tree) if part.type in ("identifier", "identifier_ref")]
        body = field(tree, "expression")
        names = tuple(text_of(part) for part in parameters if part.start_byte < body.start_byte)
        return Node("label", (self.expression(body),), (text_of(name), names), self.place(tree))

    def _identifier_ref(self, tree: Tree) -> Node:
        return self._op(tree, text_of(tree))

    def _bound_op(self, tree: Tree) -> Node:
        return self._op(tree, text_of(field(tree, "name")), *(p for p in fields(tree, "parameter") if p.is_named))

    def _bound_nonfix_op(self, tree: Tree) -> Node:
        symbol, *args = parts_of(tree)
        return self._op(tree, name_of(symbol), *args)

    def _prefixed_op(self, tree: Tree) -> Node:
        parts = [self._step(part) for part in parts_of(field(tree, "prefix"))]
        return Node("qualified", (*parts, self.expression(field(tree, "op"))), None, self.place(tree))

    def _subexpression(self, tree: Tree) -> Node:
        """`Op!:`, `Op!2` and `Op!(x)`: the body of a definition, or a part of it."""
        *prefixes, last = parts_of(tree)
        parts = [part for prefix in prefixes for part in parts_of(prefix)]
        return Node("qualified", tuple(map(self._step, (*parts, last))), None, self.place(tree))

    def _step(self, tree: Tree) -> Node:
        """A step between `!`: a name, the number of an operand, `:` for the whole, or arguments for bound names."""
        inner = parts_of(tree)[0] if parts_of(tree) else tree
        if tree.type == "subexpr_component":
            return self.expression(inner)
        numbers = {"langle_bracket": 1, "rangle_bracket": 2}
        if inner.type == "operator_args":
            return self._some("arguments", tree, parts_of(inner))
        if inner.type in numbers or inner.type == "child_id":
            return Node(
                "position", (), numbers.get(inner.type) or whole(text_of(inner), self.place(tree)), self.place(tree)
            )
        if inner.type == "colon":
            return Node("whole", (), None, self.place(tree))
        raise HomingError(f"'!{text_of(inner)}' is not supported as a name of a subexpression", self.place(tree))

    def _bound_prefix_op(self, tree: Tree) -> Node:
        name = name_of(field(tree, "symbol"))
        self._meeting(name, precedence.PREFIX.get(name), field(tree, "rhs"), False)
        return self._op(tree, "-." if name == "-" else name, field(tree, "rhs"))

    def _bound_infix_op(self, tree: Tree) -> Node:
        name = name_of(field(tree, "symbol"))
        for side in ("lhs", "rhs"):
            self._meeting(name, precedence.INFIX.get(name), field(tree, side), side == "lhs")
        if name == "\\X":
            return self._product(tree)
        return self._op(tree, name, field(tree, "lhs"), field(tree, "rhs"))

    def _meeting(self, name: str, span: precedence.Range | None, operand: Tree, is_first: bool) -> None:
        """Raises HomingError where an operator meets that of its operand, and neither goes first."""
        if operand.type == "bound_infix_op":
            inner = name_of(field(operand, "symbol"))
            at = self.place(field(operand, "symbol"))
            precedence.check(name, span, inner, precedence.INFIX.get(inner), is_first, at)
        elif operand.type == "bound_prefix_op" and is_first:
            inner = name_of(field(operand, "symbol"))
            precedence.check(name, span, inner, precedence.PREFIX.get(inner), False, self.place(operand))

    def _product(self, tree: Tree) -> Node:
        """`A \\X B \\X C` is one product of three, `(A \\X B) \\X C` is not."""
        factors: list[Tree] = []
        while tree.type == "bound_infix_op" and name_of(field(tree, "symbol")) == "\\X":
            factors.append(field(tree, "rhs"))
            tree = field(tree, "lhs")
        return self._some("product", tree, [tree, *reversed(factors)])

    def _bound_postfix_op(self, tree: Tree) -> Node:
        return self._op(tree, name_of(field(tree, "symbol")), field(tree, "lhs"))

    def _prefix_op_symbol(self, tree: Tree) -> Node:
        name = name_of(tree)
        return self._op(tree, "-." if name == "-" else name)

    def _infix_op_symbol(self, tree: Tree) -> Node:
        return self._op(tree, name_of(tree))

    _postfix_op_symbol = _infix_op_symbol

    def _lambda(self, tree: Tree) -> Node:
        *names, body = parts_of(tree)
        parameters = tuple(Parameter(text_of(name), 0, self.place(name)) for name in names)
        return Node("lambda", (self.expression(body),), parameters, self.place(tree))

    def _bounds(self, tree: Tree) -> Bounds:
        intro = [part for part in fields(tree, "intro") if part.is_named]
        domain = self.expression(field(tree, "set"))
        if intro[0].type == "tuple_of_identifiers":
            names = tuple(text_of(part) for part in parts_of(intro[0]) if part.type == "identifier")
            return Bounds(names, True, domain)
        return Bounds(tuple(map(text_of, intro)), False, domain)

    def _bounded_quantification(self, tree: Tree) -> Node:
        bounds = tuple(self._bounds(part) for part in fields(tree, "bound") if part.is_named)
        kind = field(tree, "quantifier").type
        return Node(kind, (self.expression(field(tree, "expression")),), bounds, self.place(tree))

    def _unbounded_quantification(self, tree: Tree) -> Node:
        kind = field(tree, "quantifier").type
        sign = {"forall": "\\A", "exists": "\\E", "temporal_forall": "\\AA", "temporal_exists": "\\EE"}[kind]
        return Node("unbounded", (), f"{sign} without a set", self.place(tree))

    def _choose(self, tree: Tree) -> Node:
        domain = tree.child_by_field_name("set")
        body = field(tree, "expression")
        intro = field(tree, "intro")
        is_tuple = intro.type == "tuple_of_identifiers"
        names = tuple(text_of(p) for p in parts_of(intro) if p.type == "identifier") if is_tuple else (text_of(intro),)
        if domain is None:
            return Node("choose_any", (self.expression(body),), names, self.place(tree))
        bounds = (Bounds(names, is_tuple, self.expression(domain)),)
        return Node("choose", (self.expression(body),), bounds, self.place(tree))

    def _finite_set_literal(self, tree: Tree) -> Node:
        return self._some("set", tree, parts_of(tree))

    def _set_filter(self, tree: Tree) -> Node:
        bounds = (self._bounds(field(tree, "generator")),)
        return Node("filter", (self.expression(field(tree, "filter")),), bounds, self.place(tree))

    def _set_map(self, tree: Tree) -> Node:
        bounds = tuple(self._bounds(part) for part in fields(tree, "generator") if part.is_named)
        return Node("map", (self.expression(field(tree, "map")),), bounds, self.place(tree))

    def _function_evaluation(self, tree: Tree) -> Node:
        function, *arguments = parts_of(tree)
        return Node("apply", (self.expression(function), self._argument(tree, arguments)), None, self.place(tree))

    def _argument(self, tree: Tree, arguments: list[Tree]) -> Node:
        return self.expression(arguments[0]) if len(arguments) == 1 else self._some("tuple", tree, arguments)

    def _function_literal(self, tree: Tree) -> Node:
        parts = parts_of(tree)
        bounds = tuple(self._bounds(part) for part in parts if part.type == "quantifier_bound")
        return Node("fn", (self.expression(parts[-1]),), bounds, self.place(tree))

    def _set_of_functions(self, tree: Tree) -> Node:
        domain, _, image = parts_of(tree)
        return self._some("functions", tree, [domain, image])

    def _record_literal(self, tree: Tree) -> Node:
        parts = [part for part in parts_of(tree) if part.type != "all_map_to"]
        return self._some("record", tree, parts[1::2], tuple(map(text_of, parts[::2])))

    def _set_of_records(self, tree: Tree) -> Node:
        parts = parts_of(tree)
        return self._some("records", tree, parts[1::2], tuple(map(text_of, parts[::2])))

    def _record_value(self, tree: Tree) -> Node:
        record, field = parts_of(tree)
        name = Node("const", (), text_of(field), self.place(field))
        return Node("apply", (self.expression(record), name), None, self.place(tree))

    def _except(self, tree: Tree) -> Node:
        """Its arguments are the function, then for each update the keys of its path and the new value."""
        args = [self.expression(field(tree, "expr_to_update"))]
        lengths = []
        for update in (part for part in parts_of(tree) if part.type == "except_update"):
            path = [self._key(part) for part in parts_of(field_named(update, "update_specifier"))]
            lengths.append(len(path))
            args += [*path, self.expression(field(update, "new_val"))]
        return Node("except", tuple(args), tuple(lengths), self.place(tree))

    def _key(self, tree: Tree) -> Node:
        parts = parts_of(tree)
        if tree.type == "except_update_record_field":
            return Node("const", (), text_of(parts[0]), self.place(tree))
        return self._argument(tree, parts)

    def _prev_func_val(self, tree: Tree) -> Node:
        return Node("at", (), None, self.place(tree))

    def _tuple_literal(self, tree: Tree) -> Node:
        return self._some("tuple", tree, parts_of(tree)[1:-1])

    def _step_expr_or_stutter(self, tree: Tree) -> Node:
        return self._some("box", tree, parts_of(tree))

    def _step_expr_no_stutter(self, tree: Tree) -> Node:
        return self._some("angle", tree, [p for p in parts_of(tree) if not p.type.startswith(("langle", "rangle"))])

    def _fairness(self, tree: Tree) -> Node:
        kind = "WF" if text_of(tree).startswith("WF_") else "SF"
        return self._some(kind, tree, parts_of(tree))

    def _if_then_else(self, tree: Tree) -> Node:
        return self._some("if", tree, [field(tree, "if"), field(tree, "then"), field(tree, "else")])

    def _case(self, tree: Tree) -> Node:
        """Its arguments are conditions and values in turn; with OTHER there is one value more."""
        args: list[Tree] = []
        for arm in parts_of(tree):
            if arm.type in ("case_arm", "other_arm"):
                args += [part for part in parts_of(arm) if part.type != "case_arrow"]
        return self._some("case", tree, args)

    def _let_in(self, tree: Tree) -> Node:
        units = [unit for part in fields(tree, "definitions") for unit in self.units(part, local=True)]
        return Node("let", (self.expression(field(tree, "expression")),), tuple(units), self.place(tree))

    def _conj_list(self, tree: Tree) -> Node:
        return self._some("and", tree, [parts_of(item)[-1] for item in parts_of(tree)])

    def _disj_list(self, tree: Tree) -> Node:
        return self._some("or", tree, [parts_of(item)[-1] for item in parts_of(tree)])
