"""What Homing makes of a source against what the oracle does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tests.languages.csp.oracle import Graph, Label, graph, typed

from homing.core.interpreter import label, successors
from homing.core.system import Event
from homing.core.values import State
from homing.languages.csp.program import Program
from homing.languages.csp.syntax import Process
from homing.languages.csp.system import System


def built(program: Program, process: Process, most: int, *, split: bool) -> Graph | None:
    """The state graph that Homing's interpreter walks."""
    system = System(program, process, split=split)
    (initial,) = system.initial()
    hidden = program.hidden

    def after(state: State) -> Iterator[tuple[Label, State]]:
        for move, following in successors(system, state):
            yield labelled(move.event), following

    def visible(state: State) -> tuple[Any, ...]:
        slots = tuple(value for slot, value in enumerate(state[: system.offset]) if slot not in hidden)
        return typed(slots), bool(label(system, 0, state))

    def identity(state: State) -> tuple[Any, ...]:
        return visible(state), typed(state[system.offset :])

    return graph(initial, after, visible, identity, most)


def labelled(event: Event) -> Label:
    return event.name, event.arguments  # type: ignore[return-value]


def bisimilar(one: Graph, other: Graph) -> bool:
    """Whether nothing that happens tells the two apart: blocks of equal states, split until they do the same."""
    states = [(g, number) for g in (one, other) for number in range(len(g.seen))]
    base = {id(one): 0, id(other): len(one.seen)}
    blocks = _numbered(g.seen[number] for g, number in states)
    while True:
        finer = _numbered(
            (blocks[at], frozenset((step, blocks[base[id(g)] + after]) for step, after in g.edges[number]))
            for at, (g, number) in enumerate(states)
        )
        if len(set(finer)) == len(set(blocks)):
            return blocks[0] == blocks[len(one.seen)]
        blocks = finer


def _numbered(keys: Iterable[Any]) -> list[int]:
    numbers: dict[Any, int] = {}
    return [numbers.setdefault(key, len(numbers)) for key in keys]
