"""Relation of the community: functions from pairs to booleans, or operators of two arguments (…Under)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

from homing.languages.tla.modules.build import strict
from homing.languages.tla.modules.sequences import truth
from homing.languages.tla.scope import Builtin
from homing.languages.tla.values import Value, apply, as_set, function, ordered

Holds = Callable[[Value, Value], bool]
Judged = Callable[[Holds, list[Value]], bool]


def _reflexive(holds: Holds, items: list[Value]) -> bool:
    return all(holds(x, x) for x in items)


def _irreflexive(holds: Holds, items: list[Value]) -> bool:
    return not any(holds(x, x) for x in items)


def _symmetric(holds: Holds, items: list[Value]) -> bool:
    return all(holds(x, y) is holds(y, x) for x, y in product(items, repeat=2))


def _antisymmetric(holds: Holds, items: list[Value]) -> bool:
    return all(x == y for x, y in product(items, repeat=2) if holds(x, y) and holds(y, x))


def _asymmetric(holds: Holds, items: list[Value]) -> bool:
    return not any(holds(x, y) and holds(y, x) for x, y in product(items, repeat=2))


def _transitive(holds: Holds, items: list[Value]) -> bool:
    return all(holds(x, z) for x, y, z in product(items, repeat=3) if holds(x, y) and holds(y, z))


def _total(holds: Holds, items: list[Value]) -> bool:
    return all(holds(x, y) or holds(y, x) for x, y in product(items, repeat=2))


def _trichotomous(holds: Holds, items: list[Value]) -> bool:
    return all(holds(x, y) or holds(y, x) for x, y in product(items, repeat=2) if x != y)


def _each(*parts: Judged) -> Judged:
    return lambda holds, items: all(part(holds, items) for part in parts)


_strictly = _each(_irreflexive, _antisymmetric, _transitive)
_partially = _each(_reflexive, _antisymmetric, _transitive)

KINDS: dict[str, Judged] = {
    "IsReflexive": _reflexive,
    "IsIrreflexive": _irreflexive,
    "IsSymmetric": _symmetric,
    "IsAntiSymmetric": _antisymmetric,
    "IsAsymmetric": _asymmetric,
    "IsTransitive": _transitive,
    "IsStrictlyPartiallyOrdered": _strictly,
    "IsPartiallyOrdered": _partially,
    "IsStrictlyTotallyOrdered": _each(_strictly, _trichotomous),
    "IsTotallyOrdered": _each(_partially, _total),
}


def _at(relation: Value) -> Holds:
    return lambda x, y: truth(apply(relation, (x, y)), "a relation")


def _by(operator: Callable[..., Any]) -> Holds:
    return lambda x, y: truth(operator(x, y), "a relation")


def _closure(relation: Value, group: Value, reflexive: bool) -> Value:
    items, holds = ordered(as_set(group)), _at(relation)
    pairs = {(x, y): holds(x, y) for x, y in product(items, repeat=2)}
    for middle, x, y in product(items, repeat=3):
        pairs[x, y] |= pairs[x, middle] and pairs[middle, y]
    if reflexive:
        pairs |= {(x, x): True for x in items}
    return function(pairs)


def _judged(judged: Judged) -> Callable[[Value, Value], bool]:
    return lambda relation, group: judged(_at(relation), ordered(as_set(group)))


def _judged_under(judged: Judged) -> Callable[[Any, Value], bool]:
    return lambda operator, group: judged(_by(operator), ordered(as_set(group)))


def _is_connected(relation: Value, group: Value) -> bool:
    closed = _at(_closure(relation, group, reflexive=True))
    return all(closed(x, y) for x, y in product(as_set(group), repeat=2))


RELATION: dict[str, Builtin] = {
    **dict(strict(name, _judged(judged)) for name, judged in KINDS.items()),
    **dict(strict(f"{name}Under", _judged_under(judged), (2, 0)) for name, judged in KINDS.items()),
    **dict(
        [
            strict("TransitiveClosure", lambda relation, group: _closure(relation, group, reflexive=False)),
            strict("ReflexiveTransitiveClosure", lambda relation, group: _closure(relation, group, reflexive=True)),
            strict("IsConnected", _is_connected),
        ]
    ),
}
