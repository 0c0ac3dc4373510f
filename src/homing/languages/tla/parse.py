"""Text in, syntax out: by tree-sitter's grammar for TLA+, which knows about aligned lists."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import tree_sitter
import tree_sitter_tlaplus

from homing.core.errors import HomingError, Place
from homing.core.stop import pending, raise_pending, sheltered
from homing.languages.tla.expressions import Expressions
from homing.languages.tla.syntax import (
    Assumption,
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
from homing.languages.tla.trees import Tree, excerpt, field, fields, name_of, parts_of, text_of, walk

MISSING = {"identifier_ref": "an expression", "identifier": "a name", "header_line": "'----'", "double_line": "'===='"}
"""What tree-sitter's names of parts mean to people."""
PIECE = 8192
"""Bytes that are parsed without a look at the time."""
_END = re.compile(rb"^\s*={4,}", re.MULTILINE)
_SET_AS_FIELD = re.compile(rb"(?<=[\[,\s])(?:Nat|Int|Real)(?=\s*\|->)|(?<=[^.]\.)(?:Nat|Int|Real)\b")
"""Sets of numbers where a field of a record is named: names like any other to TLA+, keywords to the grammar."""


@lru_cache(maxsize=1)
def _parser() -> tree_sitter.Parser:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the grammar's package still hands out a number
        return tree_sitter.Parser(tree_sitter.Language(tree_sitter_tlaplus.language()))


def parse(text: bytes, file: str) -> list[Module]:
    """The modules of a file, in their order; raises HomingError at the first thing that is no TLA+."""
    tree = _parsed(text)
    if tree.root_node.has_error and not _END.search(text):
        line = len(text.rstrip().splitlines()) or 1
        raise HomingError("no TLA+: the module does not end: a line ==== is missing after this one", Place(file, line))
    return _Modules(file).modules(tree.root_node)


def _parsed(text: bytes) -> tree_sitter.Tree:
    """The tree of a text.

    A long text is handed over in pieces, so that a limit is noticed in between: on long rows of operators the parser
    takes quadratic time. It never lets go of a piece, and may ask for hundreds of thousands, so that a piece is a view
    of the text and no copy.
    """
    readable = _SET_AS_FIELD.sub(lambda found: b"f" * len(found[0]), text)
    if len(text) <= PIECE and readable == text:
        return _parser().parse(text)
    view, tree, end = memoryview(readable), None, len(readable)

    @sheltered
    def piece(offset: int, _: object) -> memoryview | bytes:
        nonlocal end
        if tree is not None:  # A node asks for its text. py-tree-sitter 0.26 crashes here on a view (its issue 435).
            return text[offset : offset + PIECE]
        if pending():
            # The text ends after this piece. An empty piece would crash the parser inside a character of several bytes.
            end = min(end, offset + PIECE)
        return view[offset : min(end, offset + PIECE)]

    tree = _parser().parse(piece)
    raise_pending()
    return tree


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


class _Modules(Expressions):
    """Modules, and the units that they are made of."""

    def modules(self, root: Tree) -> list[Module]:
        self._complain(root)
        found = [self._module(child) for child in parts_of(root) if child.type == "module"]
        if not found:
            raise HomingError("holds no module", Place(self.file))
        return found

    def _complain(self, root: Tree) -> None:
        """Refuses what is no TLA+; what follows the first module and is no module is a comment, as for TLC."""
        parts = [part for part in parts_of(root) if part.type != "extramodular_text"]
        begun = bool(parts) and parts[0].type == "module"
        for part in [part for part in parts if part.type == "module"] if begun else [root]:
            self._complain_in(part)

    def _complain_in(self, part: Tree) -> None:
        for tree in walk(part) if part.has_error else ():
            if tree.is_missing:
                what = MISSING.get(tree.type, f"'{tree.type}'")
                raise HomingError(f"no TLA+: {what} is missing here", self.place(tree))
            if tree.type == "ERROR":
                raise HomingError(f"no TLA+: cannot make sense of '{excerpt(tree)}'", self.place(tree))

    def _module(self, tree: Tree) -> Module:
        name = text_of(field(tree, "name"))
        extends: list[tuple[str, Place]] = []
        units: list[Unit] = []
        inner: dict[str, Module] = {}
        for child in parts_of(tree):
            if child.type == "extends":
                extends += [(text_of(part), self.place(part)) for part in parts_of(child)]
            elif child.type == "module":
                module = self._module(child)
                inner[module.name] = module
            else:
                units += self.units(child, local=False)
        return Module(name, tuple(extends), tuple(units), inner, self.place(tree))

    def units(self, tree: Tree, local: bool) -> Iterator[Unit]:
        match tree.type:
            case "constant_declaration":
                yield Constants(self._declared(tree))
            case "variable_declaration":
                yield Variables(self._declared(tree))
            case "recursive_declaration":
                yield Recursive(self._declared(tree))
            case "local_definition":
                yield from self.units(parts_of(tree)[0], local=True)
            case "operator_definition":
                yield self._operator(tree, local)
            case "function_definition":
                yield self._function(tree, local)
            case "instance":
                yield self._instance(tree, None, (), local)
            case "module_definition":
                name = text_of(field(tree, "name"))
                parameters = tuple(self._parameter(p) for p in fields(tree, "parameter") if p.is_named)
                yield self._instance(field(tree, "definition"), name, parameters, local)
            case "theorem":
                yield from self._theorem(tree)
            case "assumption":
                yield from self._assumption(tree)

    def _theorem(self, tree: Tree) -> Iterator[Unit]:
        """A theorem with a name can be referred to; proofs are not read."""
        named, statement = tree.child_by_field_name("name"), field(tree, "statement")
        if named is not None and statement.type != "assume_prove":
            yield Operator(text_of(named), (), self.expression(statement), self.place(tree))

    def _assumption(self, tree: Tree) -> Iterator[Unit]:
        named, body = tree.child_by_field_name("name"), self.expression(parts_of(tree)[-1])
        name = text_of(named) if named else None
        if name is not None:
            yield Operator(name, (), body, self.place(tree))
        yield Assumption(name, body, self.place(tree))

    def _declared(self, tree: Tree) -> tuple[Parameter, ...]:
        return tuple(self._parameter(part) for part in parts_of(tree))

    def _parameter(self, tree: Tree) -> Parameter:
        if tree.type != "operator_declaration":
            return Parameter(name_of(tree), 0, self.place(tree))
        arity = sum(part.type == "placeholder" for part in parts_of(tree))
        return Parameter(name_of(field(tree, "name")), arity, self.place(tree))

    def _operator(self, tree: Tree, local: bool) -> Operator:
        parameters = tuple(self._parameter(p) for p in fields(tree, "parameter") if p.is_named)
        body = self.expression(field(tree, "definition"))
        return Operator(name_of(field(tree, "name")), parameters, body, self.place(tree), local)

    def _function(self, tree: Tree, local: bool) -> Operator:
        bounds = tuple(self._bounds(part) for part in parts_of(tree) if part.type == "quantifier_bound")
        body = self.expression(field(tree, "definition"))
        value = Node("fn", (body,), bounds, self.place(tree))
        return Operator(text_of(field(tree, "name")), (), value, self.place(tree), local, function=True)

    def _instance(self, tree: Tree, name: str | None, parameters: tuple[Parameter, ...], local: bool) -> Instance:
        parts = parts_of(tree)
        substitutions = []
        for part in parts[1:]:
            target, _, value = parts_of(part)
            substitutions.append((name_of(target), self.expression(value)))
        return Instance(name, parameters, text_of(parts[0]), tuple(substitutions), self.place(tree), local)
