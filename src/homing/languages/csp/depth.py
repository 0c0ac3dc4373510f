"""How deep a syntax tree nests, which whoever walks it with recursion has to know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from homing.core.errors import HomingError
from homing.languages.csp.syntax import Node

MOST_LEVELS = 250
"""Far more than anybody writes by hand; a walk may take three calls a level before Python stops it."""


def refuse_depth(roots: Iterable[Node]) -> None:
    """Raises where something nests too deeply."""
    for root in roots:
        for node, level in below(root):
            if level > MOST_LEVELS:
                message = f"this stands more than {MOST_LEVELS} levels deep; give parts of it names of their own"
                raise HomingError(message, node.place)


def below(root: Node) -> Iterator[tuple[Node, int]]:
    """The node with all that it consists of, and on which level each stands."""
    waiting = [(root, 1)]
    while waiting:
        node, level = waiting.pop()
        yield node, level
        for part in vars(node).values():
            waiting.extend((child, level + 1) for child in _nodes(part))


def _nodes(part: object) -> Iterator[Node]:
    if isinstance(part, Node):
        yield part
    elif isinstance(part, tuple):
        for one in part:
            yield from _nodes(one)
