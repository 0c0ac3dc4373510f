"""What every module has, and FiniteSets."""

from __future__ import annotations

from homing.languages.tla.comparing import equal, member
from homing.languages.tla.modules.build import lazy, special, strict
from homing.languages.tla.scope import Builtin
from homing.languages.tla.sets import Everything, Filtered, Functions, Powerset, Product, Union, is_endless
from homing.languages.tla.values import Fault, SetLike, Value, as_set, domain, kind, show, unordered

STRING = Everything("STRING")
BOOLEANS: Value = frozenset({False, True})


def _differ(one: Value, other: Value) -> bool:
    return not equal(one, other)


def _no_member(value: Value, group: Value) -> bool:
    return not member(value, group)


def _cup(one: Value, other: Value) -> Value:
    if type(one) is frozenset and type(other) is frozenset:
        return one | other
    if is_endless(one) or is_endless(other):
        return Union(one, other)
    return as_set(one) | as_set(other)


def _cap(one: Value, other: Value) -> Value:
    if type(one) is frozenset and type(other) is frozenset:
        return one & other
    if is_endless(one):
        one, other = other, one
    return frozenset(value for value in unordered(one) if member(value, other))


def _minus(one: Value, other: Value) -> Value:
    if type(one) is frozenset and type(other) is frozenset:
        return one - other
    if is_endless(one):
        return Filtered(one, lambda value: not member(value, other))
    return frozenset(value for value in unordered(one) if not member(value, other))


def _subset(one: Value, other: Value) -> bool:
    if type(one) is frozenset and type(other) is frozenset:
        return one <= other
    return all(member(value, other) for value in unordered(one))


def _union(group: Value) -> Value:
    if isinstance(group, Powerset):
        return as_set(group.base)
    return frozenset().union(*(as_set(part) for part in unordered(group)))


def cardinality(group: Value) -> int:
    """How many elements a set has."""
    if isinstance(group, SetLike) and is_endless(group):
        raise Fault(f"the set {group} has no end, so it has no cardinality")
    return len(as_set(group))


def _is_finite(group: Value) -> bool:
    if not isinstance(group, frozenset | SetLike):
        raise Fault(f"{show(group)}, {kind(group)}, is no set")
    return not is_endless(group)


FINITE_SETS: dict[str, Builtin] = dict([lazy("IsFiniteSet", _is_finite), lazy("Cardinality", cardinality)])

EQUAL = Builtin("=", 2, equal, lazy=True)
SUBSET = Builtin("SUBSET", 1, Powerset, lazy=True)
MEMBER = Builtin("\\in", 2, member, lazy=True)
NO_MEMBER = Builtin("\\notin", 2, _no_member, lazy=True)
CUP = Builtin("\\cup", 2, _cup, lazy=True)
MINUS = Builtin("\\", 2, _minus, lazy=True)
DIFFER = Builtin("#", 2, _differ, lazy=True)

BASE: dict[str, Builtin] = dict(
    [
        ("=", EQUAL),
        ("\\in", MEMBER),
        ("#", DIFFER),
        ("\\notin", NO_MEMBER),
        ("\\cup", CUP),
        lazy("\\cap", _cap),
        ("\\", MINUS),
        lazy("\\subseteq", _subset),
        ("SUBSET", SUBSET),
        lazy("UNION", _union),
        lazy("DOMAIN", domain),
        lazy("STRING", lambda: STRING),
        strict("BOOLEAN", lambda: BOOLEANS),
        *(special(name, 2) for name in ("/\\", "\\/", "=>", "<=>", "~>", "-+->", "\\cdot")),
        *(special(name, 1) for name in ("~", "ENABLED", "UNCHANGED", "'", "[]", "<>")),
    ]
)

FUNCTIONS = Builtin("[ -> ]", 2, Functions, lazy=True)
PRODUCT = Builtin("\\X", 2, Product, lazy=True)
