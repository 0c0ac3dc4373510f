"""States drawn at random from a set, all alike likely."""

from __future__ import annotations

from random import Random

import numpy as np

from homing.engines.symbolic.fields import Field, Set, children
from homing.engines.symbolic.ordering import Rows
from homing.engines.symbolic.space import Space

LEAST = 5e-324
"""The smallest share there is: what is possible is not taken for impossible."""


def sample(space: Space, states: Set, fields: list[Field], count: int) -> Rows:
    """So many tuples of a set over these fields, the same one perhaps twice; always the same."""
    columns = space.columns(fields)
    shares = _shares(states)
    random = Random(0)
    rows = np.zeros((count, len(fields)), dtype=np.int64)
    for row in rows:
        node = states
        for bit, position, weight in columns:
            if node.node_var() == bit:
                one, zero = children(node)
                chance = shares[one] / (shares[one] + shares[zero])
                if random.random() < chance:
                    node = one
                    row[position] |= 1 << weight
                else:
                    node = zero
            elif random.random() < 0.5:
                row[position] |= 1 << weight
    return rows


def _shares(states: Set) -> dict[Set, float]:
    """By node below a set, the share of all assignments that are in it."""
    found: dict[Set, float] = {}
    waiting = [states]
    while waiting:
        node = waiting[-1]
        if node in found:
            waiting.pop()
            continue
        if node.node_var() is None:
            found[node] = 1.0 if node.satisfiable() else 0.0
            continue
        one, zero = children(node)
        missing = [child for child in (one, zero) if child not in found]
        if missing:
            waiting += missing
            continue
        found[node] = max(LEAST, (found[one] + found[zero]) / 2)
    return found
