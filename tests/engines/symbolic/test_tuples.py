"""Sets of tuples of numbers, from tables and back."""

from __future__ import annotations

from random import Random

import pytest
from tests.scale import scaled

from homing.engines.local.numbering import Interner
from homing.engines.symbolic import tuples
from homing.engines.symbolic.space import Space


def space_of(sizes: list[int], random: Random) -> Space:
    interners = [Interner() for _ in sizes]
    for interner, size in zip(interners, sizes, strict=True):
        for value in range(size):
            interner.intern(value)
    order = list(range(len(sizes)))
    random.shuffle(order)
    space = Space(interners, order, 1 << 16, 1 << 12, 1)
    space.fit()
    return space


@pytest.mark.parametrize(("few", "deep", "chunk"), [(32, 500, 1 << 14), (0, 500, 8), (32, 0, 64), (0, 0, 1)])
def test_there_and_back(few: int, deep: int, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By arrays or one by one, in one table or many, the same set comes out as from single tuples."""
    for name, value in (("FEW", few), ("DEEP", deep), ("CHUNK", chunk)):
        monkeypatch.setattr(tuples, name, value)
    for seed in range(scaled(15)):
        random = Random(seed)
        sizes = [random.choice([1, 2, 3, 7, 40]) for _ in range(random.randint(1, 5))]
        space = space_of(sizes, random)
        count = random.choice([0, 1, 3, 30, 200])
        rows = {tuple(random.randrange(size) for size in sizes) for _ in range(count)}
        expected = space.false
        for row in rows:
            expected = expected | space.tuple(row, space.now)
        found = space.of_rows([*rows, *list(rows)[:5]], space.now)
        assert found == expected
        listed = list(space.rows(found, space.now))
        assert len(listed) == len(rows)
        assert set(listed) == rows
        if rows:
            assert space.one(found, space.now) in rows
