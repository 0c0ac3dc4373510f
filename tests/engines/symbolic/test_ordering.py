"""Orders of slots from samples of states, and what is done between two operations on diagrams."""

from __future__ import annotations

import random

import numpy as np
from tests.scale import scaled

from homing.engines.local.numbering import Interner
from homing.engines.symbolic.ordering import Sample, better
from homing.engines.symbolic.recurring import components
from homing.engines.symbolic.sampling import sample
from homing.engines.symbolic.space import Space


def space_of(count: int, order: list[int]) -> Space:
    """Slots of three bits each."""
    interners = [Interner() for _ in range(count)]
    for interner in interners:
        for number in range(8):
            interner.intern(number)
    space = Space(interners, order, 1 << 16, 1 << 12, 1)
    space.fit()
    return space


def rows_of(draw: random.Random, count: int) -> list[tuple[int, ...]]:
    return list({tuple(draw.randrange(8) for _ in range(count)) for _ in range(draw.randint(1, 40))})


def test_what_is_drawn_is_in_the_set_and_all_of_it_is_drawn() -> None:
    for seed in range(scaled(20)):
        draw = random.Random(seed)
        rows = rows_of(draw, 3)
        space = space_of(3, draw.sample(range(3), 3))
        drawn = sample(space, space.of_rows(rows, space.now), space.now, 40 * len(rows))
        counts = {tuple(row.tolist()): 0 for row in drawn}
        for row in drawn:
            counts[tuple(row.tolist())] += 1
        assert counts.keys() == set(rows), seed
        assert min(counts.values()) > 10, seed  # 40 each are to be expected


def test_what_no_slot_is_said_to_be_is_drawn_too() -> None:
    space = space_of(2, [0, 1])
    drawn = sample(space, space.cube(space.now[0], 5), space.now, 500)
    assert set(drawn[:, 0].tolist()) == {5}
    assert set(drawn[:, 1].tolist()) == set(range(8))


def test_slots_that_depend_on_each_other_come_together() -> None:
    """Six slots, of which each three steps apart are the same: apart, all must be remembered."""
    draw = random.Random(0)
    half = np.array([[draw.randrange(8) for _ in range(3)] for _ in range(400)])
    rows = np.concatenate([half, half], axis=1)
    order = better(rows, list(range(6)))
    assert sorted(order) == list(range(6))
    assert all(abs(order.index(slot) - order.index(slot + 3)) == 1 for slot in range(3))
    every = Sample(rows, list(range(6)))
    assert every.nodes(order) * 2 < every.nodes(range(6))
    space = space_of(6, list(range(6)))
    states = space.of_rows(set(map(tuple, rows.tolist())), space.now)
    size = states.node_count()
    before = set(space.rows(states, space.now))
    space.rearrange(order)
    assert states.node_count() * 2 < size
    assert set(space.rows(states, space.now)) == before


def test_an_order_that_is_good_stays() -> None:
    rows = np.array([[a, a, b, b] for a in range(8) for b in range(8)])
    assert better(rows, [0, 1, 2, 3]) == [0, 1, 2, 3]
    assert better(rows[:1], [2, 0, 3, 1]) == [2, 0, 3, 1]


def test_components_are_those_that_lead_to_each_other() -> None:
    for seed in range(scaled(60)):
        draw = random.Random(seed)
        size = draw.randint(1, 7)
        edges = {(draw.randrange(size), draw.randrange(size)) for _ in range(draw.randint(1, 12))}
        nodes = {node for edge in edges for node in edge}
        reached = {(node, node) for node in nodes} | edges
        for middle in nodes:
            reached |= {(a, b) for a in nodes for b in nodes if (a, middle) in reached and (middle, b) in reached}
        part = components(edges)
        assert part.keys() == nodes
        for a in nodes:
            for b in nodes:
                assert (part[a] == part[b]) == ((a, b) in reached and (b, a) in reached), seed
