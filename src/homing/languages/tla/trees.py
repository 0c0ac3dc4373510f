"""What tree-sitter hands out, read: parts, fields, names."""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from homing.languages.tla.symbols import SYMBOLS

Tree = tree_sitter.Node
COMMENTS = frozenset({"comment", "block_comment"})


def parts_of(tree: Tree) -> list[Tree]:
    """The trees directly below that mean something."""
    return [child for child in tree.named_children if child.type not in COMMENTS]


def field(tree: Tree, name: str) -> Tree:
    """The part that the grammar has a name for."""
    child = tree.child_by_field_name(name)
    assert child is not None, (tree.type, name)
    return child


def fields(tree: Tree, name: str) -> list[Tree]:
    """All parts of that name."""
    return [child for child in tree.children_by_field_name(name) if child.type not in COMMENTS]


def field_named(tree: Tree, name: str) -> Tree:
    """The first of them that is no punctuation."""
    return next(child for child in fields(tree, name) if child.is_named)


def text_of(tree: Tree) -> str:
    """The text that it was made of."""
    assert tree.text is not None
    return tree.text.decode("utf-8", "replace")


def name_of(tree: Tree) -> str:
    """The name of an operator: of an identifier its text, of a symbol the one way that we write it."""
    if tree.type.endswith("_op_symbol"):
        tree = parts_of(tree)[0]
    return SYMBOLS.get(tree.type) or text_of(tree)


def walk(tree: Tree) -> Iterator[Tree]:
    """All trees outside comments, in the order of the text."""
    waiting = [tree]
    while waiting:
        tree = waiting.pop()
        if tree.type not in COMMENTS:
            yield tree
            waiting += tree.children[::-1]


def excerpt(tree: Tree, most: int = 40) -> str:
    """The text, for an error."""
    return cut(text_of(tree), most)


def cut(text: str, most: int = 80) -> str:
    """The beginning of a text, in one line."""
    text = " ".join(text.split())
    return text if len(text) <= most else text[:most] + "…"
