"""Macros that are blocks of statements: where one is used as a statement, its block is written out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from homing.core.errors import HomingError
from homing.languages.csp import syntax as s
from homing.languages.csp.depth import below


def written_out(
    block: tuple[s.Statement, ...], arguments: Mapping[str, s.Expression], use: s.Node
) -> tuple[s.Statement, ...]:
    """The block with arguments for its parameters; its local variables are known inside it only."""
    statements: tuple[s.Statement, ...] = _replaced(block, arguments)
    if any(isinstance(statement, s.Local) for statement in statements):
        return (s.IfStatement(use.place, s.Truth(use.place, True), statements, ()),)
    return statements


def size(block: tuple[s.Statement, ...]) -> int:
    """How many nodes there are in a block."""
    return sum(1 for statement in block for _ in below(statement))


def _replaced(part: Any, arguments: Mapping[str, s.Expression]) -> Any:
    # Loops, since a comprehension would be a call of its own on each level.
    if isinstance(part, tuple):
        items = []
        for one in part:
            items.append(_replaced(one, arguments))
        return tuple(items)
    if not isinstance(part, s.Node):
        return part
    if isinstance(part, s.Name) and part.name in arguments:
        return arguments[part.name]
    if isinstance(part, s.Over):  # its indices are names of its own
        own = {each.name for each in part.ranges}
        arguments = {name: value for name, value in arguments.items() if name not in own}
    changed: dict[str, Any] = {}
    for each in fields(part):
        changed[each.name] = _replaced(getattr(part, each.name), arguments)
    if isinstance(part, s.Assign) and not isinstance(changed["target"], s.Name | s.Item):
        raise HomingError("the macro assigns to this, so it has to be a variable", changed["target"].place)
    if isinstance(part, s.Item) and part.name in arguments:
        changed["name"] = _array(part.name, arguments[part.name])
    return replace(part, **changed)


def _array(parameter: str, argument: s.Expression) -> str:
    if not isinstance(argument, s.Name):
        raise HomingError(f"the macro uses '{parameter}' as an array, so this has to be one", argument.place)
    return argument.name
