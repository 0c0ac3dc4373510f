"""Steps that may lie on a cycle, as far as single slots tell.

Around a cycle every slot gets back the value it had. So a step that changes a slot to a value from which no steps lead
back to the old one is on no cycle: what only goes on (a log that grows, a message that was read) falls away at once,
where the search for fair cycles would take it away state by state from the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

from homing.engines.symbolic.arena import Class
from homing.engines.symbolic.arrows import Arrow, Single, Still
from homing.engines.symbolic.space import AND, Set, Space

Changes: TypeAlias = set[tuple[int, int]]
"""Of a slot: from which number to which."""
MOST_CHANGES = 20_000
"""Of a slot; above it, any step may lie on a cycle."""


def recurring(space: Space, kinds: Sequence[Class], states: Set) -> list[Class]:
    """The classes without steps that are on no cycle among these states."""
    arrows = [arrow for kind in kinds for arrow in kind.arrows]
    if not all(isinstance(arrow, Single | Still) for arrow in arrows):
        return list(kinds)  # where all groups move at once, relations of single slots are not at hand
    changes: dict[int, Changes] = {}
    free: set[int] = set()
    for arrow in arrows:
        if isinstance(arrow, Single):
            _add_changes(space, arrow, states, changes, free)
    back = {slot: _back(space, slot, pairs) for slot, pairs in changes.items() if slot not in free}
    return [replace(kind, arrows=tuple(_only(kind.arrows, back))) for kind in kinds]


def _add_changes(space: Space, arrow: Single, states: Set, changes: dict[int, Changes], free: set[int]) -> None:
    """Takes in what an arrow does to each of the slots that it writes."""
    others = space.bits(field for slot, field in enumerate(space.now) if slot not in arrow.slots)
    steps = arrow.relation.apply_exists(AND, states, others)
    for slot in sorted(arrow.slots - free):
        rest = arrow.slots - {slot}
        pairs = steps.exists(space.bits([*(space.now[s] for s in rest), *(space.then[s] for s in rest)]))
        fields = (space.now[slot], space.then[slot])
        if space.count(pairs, fields) > MOST_CHANGES:
            free.add(slot)
        else:
            changes.setdefault(slot, set()).update(space.rows(pairs, fields))  # type: ignore[arg-type]
        space.tick()


def _back(space: Space, slot: int, changes: Changes) -> Set:
    """The changes of a slot that can be undone."""
    part = components(changes)
    undone = [change for change in changes if part[change[0]] == part[change[1]]]
    return space.of_rows(undone, (space.now[slot], space.then[slot]))


def _only(arrows: Iterable[Arrow], back: dict[int, Set]) -> Iterable[Arrow]:
    for arrow in arrows:
        left = arrow
        for slot in arrow.slots & back.keys():
            left = left.only(back[slot])
        if not isinstance(left, Single) or left.relation.satisfiable():
            yield left


def components(edges: Changes) -> dict[int, int]:
    """By node the number of its strongly connected component (Kosaraju)."""
    after: dict[int, list[int]] = {}
    before: dict[int, list[int]] = {}
    for one, other in edges:
        after.setdefault(one, []).append(other)
        before.setdefault(other, []).append(one)
    done: dict[int, None] = {}
    for node in after:
        _finish(node, after, done)
    part: dict[int, int] = {}
    for number, node in enumerate(reversed([*(n for n in before if n not in after), *done])):
        waiting = [node]
        while waiting:
            here = waiting.pop()
            if here not in part:
                part[here] = number
                waiting += before.get(here, ())
    return part


def _finish(root: int, after: dict[int, list[int]], done: dict[int, None]) -> None:
    """Depth first from a node; nodes are done once all that they lead to are."""
    begun = set[int]()
    waiting = [(root, False)]
    while waiting:
        node, left = waiting.pop()
        if left:
            done[node] = None
        elif node not in done and node not in begun:
            begun.add(node)
            waiting.append((node, True))
            waiting += [(other, False) for other in after.get(node, ())]
