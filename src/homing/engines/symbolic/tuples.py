"""Sets of tuples of numbers, from tables and back, many at a time.

A *column* is a variable with the position in the tuple and the weight of the bit that it stands for; columns go from
the top of the diagrams down.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from homing.engines.symbolic.fields import Set, children

Table: TypeAlias = NDArray[np.int64]
Column: TypeAlias = tuple[int, int, int]
CHUNK = 1 << 14
"""Tuples listed at a time, about."""
FEW = 32
"""Tuples that are gone through one by one: arrays take longer to be made."""
DEEP = 500
"""Columns at most for what goes from one to the next by calling itself."""


# From diagrams to tables


def first(value: Set, columns: Sequence[Column], width: int) -> tuple[int, ...]:
    """The first of the tuples, zeros before ones from the top down; there must be one."""
    found = [0] * width
    for variable, position, weight in columns:
        if value.node_var() != variable:
            continue
        one, zero = children(value)
        if zero.satisfiable():
            value = zero
        else:
            value = one
            found[position] |= 1 << weight
    assert value.satisfiable()
    return tuple(found)


def listed(value: Set, columns: Sequence[Column], width: int) -> Iterator[Table]:
    """All tuples in a set over these columns, each once, in tables.

    Every node is looked at once a table, however many paths go through it.
    """
    if value.sat_count(len(columns)) <= FEW:
        yield _each(value, columns, width)
        return
    waiting: list[tuple[int, list[Set], Table, Table]] = [
        (0, [value], np.zeros(1, np.int64), np.zeros((1, width), np.int64))
    ]
    while waiting:
        depth, nodes, at, rows = waiting.pop()
        while depth < len(columns) and len(rows) <= CHUNK:
            nodes, at, rows = _descended(nodes, at, rows, columns[depth])
            depth += 1
        if depth == len(columns):
            yield rows
            continue
        half = len(rows) // 2
        waiting.append((depth, nodes, at[half:], rows[half:]))
        waiting.append((depth, nodes, at[:half], rows[:half]))


def _each(value: Set, columns: Sequence[Column], width: int) -> Table:
    found: list[list[int]] = []
    waiting = [(value, 0, [0] * width)]
    while waiting:
        node, depth, row = waiting.pop()
        while depth < len(columns) and node.satisfiable():
            variable, position, weight = columns[depth]
            one, zero = children(node) if node.node_var() == variable else (node, node)
            depth += 1
            if one.satisfiable():
                higher = row.copy()
                higher[position] |= 1 << weight
                waiting.append((one, depth, higher))
            node = zero
        if node.satisfiable():
            found.append(row)
    return np.array(found, np.int64).reshape(len(found), width)


def _descended(nodes: list[Set], at: Table, rows: Table, column: Column) -> tuple[list[Set], Table, Table]:
    """One column further: the nodes below, by row the number of its node, and the rows."""
    variable, position, weight = column
    used = np.unique(at)
    if all(nodes[number].node_var() != variable for number in used.tolist()):
        # The bit is free in all of them.
        high = rows.copy()
        high[:, position] |= 1 << weight
        return nodes, np.concatenate([at, at]), np.concatenate([rows, high])
    numbers: dict[Set, int] = {}
    below = np.full((len(nodes), 2), -1, np.int64)
    for number in used.tolist():
        node = nodes[number]
        one, zero = children(node) if node.node_var() == variable else (node, node)
        for bit, child in enumerate((zero, one)):
            if child.satisfiable():
                below[number, bit] = numbers.setdefault(child, len(numbers))
    low, high = below[at, 0], below[at, 1]
    zeros, ones = rows[low >= 0], rows[high >= 0]
    ones[:, position] |= 1 << weight
    return list(numbers), np.concatenate([low[low >= 0], high[high >= 0]]), np.concatenate([zeros, ones])


# From tables to diagrams


def united(table: Table, columns: Sequence[Column], literals: Sequence[Set], true: Set, false: Set) -> Set:
    """The set of the tuples in a table: from the last column upwards, rows that agree so far have one node."""
    if not len(table):
        return false
    if len(table) <= FEW and len(columns) <= DEEP:
        rows = table.tolist()
        codes = {tuple(row[position] >> weight & 1 for _, position, weight in columns) for row in rows}
        return _branching(sorted(codes), 0, literals, true, false)
    bits = _bits(table, columns)
    nodes = [false, true]
    left = np.arange(bits.shape[1])
    at = np.ones(len(left), np.int64)
    apart = _agreeing(bits)
    for depth in reversed(range(len(columns))):
        one = bits[depth, left]
        low, high = np.where(one, 0, at), np.where(one, at, 0)
        joined = np.flatnonzero(apart == depth)
        if len(joined):
            # Of two neighbours that agree up to here, the first has 0 and the second 1.
            low[joined + 1] = at[joined]
            stays = np.ones(len(left), np.bool_)
            stays[joined] = False
            left, low, high, apart = left[stays], low[stays], high[stays], apart[stays[:-1]]
        nodes, at = _above(nodes, low, high, literals[depth])
    return nodes[int(at[0])]


def _branching(codes: Sequence[tuple[int, ...]], depth: int, literals: Sequence[Set], true: Set, false: Set) -> Set:
    if not codes:
        return false
    if depth == len(literals):
        return true
    if len(codes) == 1:
        found = true
        for bit, literal in zip(reversed(codes[0][depth:]), reversed(literals[depth:])):
            found = found & (literal if bit else ~literal)
        return found
    middle = sum(not code[depth] for code in codes)
    zero = _branching(codes[:middle], depth + 1, literals, true, false)
    one = _branching(codes[middle:], depth + 1, literals, true, false)
    return literals[depth].ite(one, zero)


def _bits(table: Table, columns: Sequence[Column]) -> NDArray[np.bool_]:
    """By column the bits of all rows, which are sorted, each there once."""
    bits = np.empty((len(columns), len(table)), np.bool_)
    for number, (_, position, weight) in enumerate(columns):
        bits[number] = table[:, position] >> weight & 1
    if not len(columns):
        return bits[:, :1]
    packed = np.ascontiguousarray(np.packbits(bits.T, axis=1))
    _, firsts = np.unique(packed.view(f"V{packed.shape[1]}").ravel(), return_index=True)
    return bits[:, firsts]


def _agreeing(bits: NDArray[np.bool_]) -> Table:
    """By row, with how many columns it and the next one begin alike."""
    if not len(bits):
        return np.empty(0, np.int64)
    found: Table = np.argmax(bits[:, :-1] != bits[:, 1:], axis=0)
    return found


def _above(nodes: list[Set], low: Table, high: Table, literal: Set) -> tuple[list[Set], Table]:
    """The nodes whose children are these, each made once, and by row the number of its node."""
    pairs, at = np.unique(low * len(nodes) + high, return_inverse=True)
    made = nodes[:2]
    numbers = np.empty(len(pairs), np.int64)
    for number, pair in enumerate(pairs.tolist()):
        zero, one = divmod(pair, len(nodes))
        if zero == one == 1:
            numbers[number] = 1
            continue
        numbers[number] = len(made)
        made.append(nodes[zero] if zero == one else literal.ite(nodes[one], nodes[zero]))
    return made, numbers[at]
