"""Draws fairness, and turns what `homing.properties` finds into words that the naive reading understands."""

from __future__ import annotations

import random

from tests.properties.structures import ANY_ATOM, Edge, Structure, Word, draw_ltl, graph_of

from homing.core.formula import Action, Formula, Happens
from homing.core.temporal import Compassion, Fairness, Justice, Strong, Stuttering, Weak
from homing.properties.arena import Arena, Columns
from homing.properties.lasso import Path

STUTTERING: tuple[Stuttering, ...] = ("never", "at the end", "always")
CHANGING = (None, frozenset[int | str]({0, 1}), frozenset[int | str]({1}))


def draw_fairness(draw: random.Random, most: int = 3) -> tuple[Fairness, ...]:
    """Up to this many conditions of any kind but the strong global one."""
    return tuple(_condition(draw) for _ in range(int(draw.random() * (most + 1))))


def _condition(draw: random.Random) -> Fairness:
    kind = int(draw.random() * 4)
    if kind >= 2:
        return Justice(_plain(draw)) if kind == 2 else Compassion(_plain(draw), _plain(draw))
    group = int(draw.random() * 2)
    action = Action(frozenset({group}), CHANGING[int(draw.random() * 3)])
    if draw.random() < 0.2:
        action = Action(frozenset({0, 1}), action.changing, event=Happens("e", (group,)))
    return Weak(action) if kind == 0 else Strong(action)


def _plain(draw: random.Random) -> Formula:
    return draw_ltl(draw, int(draw.random() * 2), ("not",), ("and", "or"), ANY_ATOM)


def arena_of(structure: Structure, stuttering: Stuttering) -> Arena:
    return Columns(graph_of(structure), structure.shape).arena(stuttering)


def word_of(structure: Structure, arena: Arena, path: Path) -> Word:
    """A lasso as a word; it must be one of the structure, and close."""
    states = path.states(arena)
    assert path.loop is not None
    assert states[path.loop] == states[-1]
    edges: list[Edge | None] = []
    for number, edge in enumerate(path.edges):
        if arena.group[edge] >= structure.groups:
            assert states[number] == states[number + 1]
            edges.append(None)
        else:
            step = (states[number], int(arena.group[edge]), states[number + 1])
            assert step in structure.edges
            edges.append(step)
    assert states[0] in structure.initial
    return Word(structure, tuple(states[:-1]), tuple(edges), path.loop)
