"""What every module has, and FiniteSets."""

from __future__ import annotations

from homing.languages.tla.comparing import difference, equal, intersection, member, union, union_of, within
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


def _held(value: Value, group: Value) -> bool:
    """Whether a set has an atom as an element; of what kind its other elements are is no error."""
    if type(group) is not frozenset:
        return member(value, group)
    return any(type(element) is type(value) and element == value for element in group)


def _cup(one: Value, other: Value) -> Value:
    if type(one) is frozenset and type(other) is frozenset:
        return union(one, other)
    if is_endless(one) or is_endless(other):
        return Union(other, one) if is_endless(one) else Union(one, other)  # what is listed is asked first, as by TLC
    return union(as_set(one), as_set(other))


def _cap(one: Value, other: Value) -> Value:
    if type(one) is frozenset and type(other) is frozenset:
        return intersection(one, other)
    if is_endless(one):
        one, other = other, one
    return frozenset(value for value in unordered(one) if member(value, other))


def _minus(one: Value, other: Value) -> Value:
    if type(one) is frozenset and type(other) is frozenset:
        return difference(one, other)
    if is_endless(one):
        return Filtered(one, lambda value: not member(value, other))
    return frozenset(value for value in unordered(one) if not member(value, other))


def _subset(one: Value, other: Value) -> bool:
    if type(one) is frozenset and type(other) is frozenset:
        return within(one, other)
    return all(member(value, other) for value in unordered(one))


def _union(group: Value) -> Value:
    if isinstance(group, Powerset):
        return as_set(group.base)
    return union_of([as_set(part) for part in unordered(group)])


def _only(group: Value) -> Value:
    """`UNION {group}`, which need not be listed."""
    if not isinstance(group, frozenset | SetLike):
        raise Fault(f"{show(group)}, {kind(group)}, is no set")
    return group


def cardinality(group: Value) -> int:
    """How many elements a set has."""
    if isinstance(group, SetLike) and is_endless(group):
        raise Fault(f"the set {group} has no end, so it has no cardinality")
    return len(as_set(group))


def _is_finite(group: Value) -> bool:
    if not isinstance(group, frozenset | SetLike):
        raise Fault(f"{show(group)}, {kind(group)}, is no set")
    if isinstance(group, Filtered) and is_endless(group):
        raise Fault(f"{group} cannot be listed, so it is not known whether it is finite")
    return not is_endless(group)


FINITE_SETS: dict[str, Builtin] = dict([lazy("IsFiniteSet", _is_finite), lazy("Cardinality", cardinality)])

EQUAL = Builtin("=", 2, equal, lazy=True)
SUBSET = Builtin("SUBSET", 1, Powerset, lazy=True)
MEMBER = Builtin("\\in", 2, member, lazy=True)
HELD = Builtin("\\in", 2, _held, lazy=True)
"""`\\in` for loops that are split by elements: the text does not ask it, so it must not fail."""
NO_MEMBER = Builtin("\\notin", 2, _no_member, lazy=True)
ONLY = Builtin("UNION of one", 1, _only, lazy=True)
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
