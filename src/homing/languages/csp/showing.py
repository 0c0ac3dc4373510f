"""Values of a state as people read them: where a process is, and what is in a channel."""

from __future__ import annotations

from typing import Any

from homing.core.values import Value
from homing.languages.csp.points import Points
from homing.languages.csp.terms import OPERANDS, operands_of
from homing.languages.csp.values import Term, shown

AFTER = {";": "; …", "\\": " \\ …", "atomic": ", atomic"}
"""What follows the operand of operators that have only one."""


def show(points: Points, value: Value) -> str:
    """A number, a channel's messages as `[1.2, 3.4]`, or where a process is."""
    if not isinstance(value, tuple):
        return shown(value)
    if value and isinstance(value[0], str):
        return _process(points, value)
    return f"[{', '.join(map(_message, value))}]"


def _message(message: Any) -> str:
    return ".".join(map(shown, message))


def _process(points: Points, term: Term) -> str:
    """`Phil at 2:28, i = 0`; what runs inside of an operator in parentheses."""
    if term[0] in OPERANDS:
        inner = f" {term[0]} ".join(_process(points, operand) for operand in operands_of(term))
        return f"({inner}{AFTER.get(term[0], '')})"
    if term[0] not in points.node:
        return str(term[0])
    node, env = points.opened(term)
    bound = "".join(f", {name} = {shown(value)}" for name, value in env.items())
    return f"{points.owner(node)} at {node.place.line}:{node.place.column}{bound}"
