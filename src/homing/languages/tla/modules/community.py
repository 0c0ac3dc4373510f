"""Modules of the community that many specifications use, written anew from what they promise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from itertools import combinations, product
from math import comb, factorial
from typing import Any

from homing.languages.tla.comparing import difference, equal, set_of, union_of, within
from homing.languages.tla.modules.build import strict
from homing.languages.tla.modules.numbers import NAT, add, multiply
from homing.languages.tla.modules.sequences import sequence, truth
from homing.languages.tla.scope import Builtin
from homing.languages.tla.sets import Powerset
from homing.languages.tla.values import (
    Fault,
    FunctionLike,
    Value,
    apply,
    as_set,
    domain,
    elements,
    force,
    function,
    ordered,
    pairs_of,
    rank,
    show,
)

Operator = Callable[..., Any]


# Sets


def _fold_set(op: Operator, start: Value, group: Value) -> Value:
    return reduce(lambda so_far, item: force(op(item, so_far)), elements(group), start)


def _map_fold(op: Operator, start: Value, make: Operator, choose: Operator, group: Value) -> Value:
    """What is chosen first is given to the operator last."""
    left, chosen = as_set(group), []
    while left:
        chosen.append(force(choose(left)))
        left -= {chosen[-1]}
    return reduce(lambda so_far, item: force(op(force(make(item)), so_far)), reversed(chosen), start)


def _sum(items: Any) -> int:
    return reduce(add, items, 0)


def _product(items: Any) -> int:
    return reduce(multiply, items, 1)


def _largest(group: Value) -> Value:
    if not as_set(group):
        raise Fault("Max is applied to {}")
    return max(as_set(group), key=rank)


def _least(group: Value) -> Value:
    if not as_set(group):
        raise Fault("Min is applied to {}")
    return min(as_set(group), key=rank)


def _k_subsets(size: Value, group: Value) -> Value:
    return frozenset(map(frozenset, combinations(ordered(as_set(group)), size))) if size >= 0 else frozenset()


def _unique(group: Value, test: Operator) -> Value:
    found = [item for item in elements(group) if truth(test(item), "the test")]
    if len(found) != 1:
        raise Fault(f"ChooseUnique finds {len(found)} elements in {show(group)}")
    return found[0]


def _unshared(one: Value, other: Value) -> Value:
    return difference(as_set(one), as_set(other)) | difference(as_set(other), as_set(one))


def _choices(group: Value) -> Value:
    parts = ordered(as_set(group))
    return frozenset(set_of(chosen) for chosen in product(*(ordered(part) for part in parts)))


FINITE_SETS_EXT: dict[str, Builtin] = dict(
    [
        strict("FoldSet", _fold_set, (2, 0, 0)),
        strict("ReduceSet", lambda op, group, start: _fold_set(op, start, group), (2, 0, 0)),
        strict("SumSet", lambda group: _sum(elements(group))),
        strict("ProductSet", lambda group: _product(elements(group))),
        strict("MapThenSumSet", lambda make, group: _sum(force(make(i)) for i in elements(group)), (1, 0)),
        strict("FlattenSet", lambda group: union_of(list(map(as_set, as_set(group))))),
        strict("SymDiff", _unshared),
        strict("Quantify", lambda group, test: sum(truth(test(i), "the test") for i in elements(group)), (0, 1)),
        strict("kSubset", _k_subsets),
        strict("Max", _largest),
        strict("Min", _least),
        strict("Choices", _choices),
        strict("ChooseUnique", _unique, (0, 1)),
    ]
)


# Bags


def _counted(bag: Value, item: Value, change: Callable[[int], int]) -> Value:
    pairs = pairs_of(bag)
    count = change(pairs.pop(item, 0))
    return function({**pairs, item: count} if count > 0 else pairs)


def _fold_bag(op: Operator, start: Value, bag: Value) -> Value:
    items = [item for item, count in pairs_of(bag).items() for _ in range(count)]
    return reduce(lambda so_far, item: force(op(so_far, item)), items, start)


def _map_fold_bag(op: Operator, start: Value, make: Operator, choose: Operator, bag: Value) -> Value:
    """As the module defines it: `start` goes into every element, and nothing is asked of `choose`."""
    pairs = pairs_of(bag)

    def handled(item: Value) -> Value:
        made = force(make(item))
        return reduce(lambda so_far, _: force(op(so_far, made)), range(pairs[item]), start)

    return _map_fold(op, start, handled, lambda left: ordered(left)[0], frozenset(pairs))


BAGS_EXT: dict[str, Builtin] = dict(
    [
        strict("BagAdd", lambda bag, item: _counted(bag, item, lambda count: count + 1)),
        strict("BagRemove", lambda bag, item: _counted(bag, item, lambda count: count - 1)),
        strict("BagRemoveAll", lambda bag, item: _counted(bag, item, lambda count: 0)),
        strict("FoldBag", _fold_bag, (2, 0, 0)),
        strict("MapThenFoldBag", _map_fold_bag, (2, 0, 1, 1, 0)),
        strict("SumBag", lambda bag: _sum(multiply(item, count) for item, count in pairs_of(bag).items())),
        strict("ProductBag", lambda bag: _fold_bag(multiply, 1, bag)),
    ]
)


# Functions


def _restrict(value: Value, group: Value) -> Value:
    return function({key: apply(value, key) for key in elements(group)})


def _is_injective(value: Value) -> bool:
    values = list(pairs_of(value).values())
    return len(set_of(values)) == len(values)


def _maps(source: Value, image: Value) -> list[dict[Value, Value]]:
    keys = ordered(as_set(source))
    return [dict(zip(keys, chosen)) for chosen in product(ordered(as_set(image)), repeat=len(keys))]


def _injections(source: Value, image: Value) -> Value:
    return frozenset(function(m) for m in _maps(source, image) if len(set(m.values())) == len(m))


def _surjections(source: Value, image: Value) -> Value:
    return frozenset(function(m) for m in _maps(source, image) if frozenset(m.values()) == as_set(image))


def _folded(op: Operator, start: Value, pairs: Mapping[Value, Value]) -> Value:
    return reduce(lambda so_far, key: force(op(pairs[key], so_far)), ordered(frozenset(pairs)), start)


def _fold_function(op: Operator, start: Value, value: Value, group: Value) -> Value:
    pairs = pairs_of(value)
    return _fold_set(op, start, ()) if not pairs else reduce(
        lambda so_far, key: force(op(pairs[key], so_far)), ordered(as_set(group)), start
    )  # fmt: skip


def _inverse(value: Value, source: Value, image: Value) -> Value:
    pairs = pairs_of(value)
    back = {item: key for key, item in reversed(pairs.items()) if key in as_set(source)}
    return function({item: back[item] for item in ordered(as_set(image)) if item in back})


def _anti_function(value: Value) -> Value:
    if not _is_injective(value):
        raise Fault(f"AntiFunction is applied to {show(value)}, which has a value twice")
    return function({item: key for key, item in pairs_of(value).items()})


def _is_restriction(narrow: Value, wide: Value) -> bool:
    keys = as_set(domain(narrow))
    return within(keys, as_set(domain(wide))) and all(equal(apply(narrow, key), apply(wide, key)) for key in keys)


FUNCTIONS: dict[str, Builtin] = dict(
    [
        strict("Restrict", _restrict),
        strict("RestrictDomain", lambda value, test: function(
            {k: v for k, v in pairs_of(value).items() if truth(test(k), "the test")}), (0, 1)),
        strict("RestrictValues", lambda value, test: function(
            {k: v for k, v in pairs_of(value).items() if truth(test(v), "the test")}), (0, 1)),
        strict("Range", lambda value: frozenset(pairs_of(value).values())),
        strict("Inverse", _inverse),
        strict("AntiFunction", _anti_function),
        strict("IsRestriction", _is_restriction),
        strict("Pointwise", lambda one, other, op: function(
            {k: force(op(v, apply(other, k))) for k, v in pairs_of(one).items()}), (0, 0, 2)),
        strict("IsInjective", _is_injective),
        strict("Injection", _injections),
        strict("Surjection", _surjections),
        strict("Bijection", lambda one, other: _injections(one, other) & _surjections(one, other)),
        strict("ExistsInjection", lambda one, other: len(as_set(one)) <= len(as_set(other))),
        strict("ExistsSurjection", lambda one, other: len(as_set(one)) >= len(as_set(other))),
        strict("ExistsBijection", lambda one, other: len(as_set(one)) == len(as_set(other))),
        strict("FoldFunction", lambda op, start, value: _folded(op, start, pairs_of(value)), (2, 0, 0)),
        strict("FoldFunctionOnSet", _fold_function, (2, 0, 0, 0)),
        strict("SumFunction", lambda value: _sum(pairs_of(value).values())),
        strict("SumFunctionOnSet", lambda value, group: _sum(apply(value, key) for key in elements(group))),
    ]
)  # fmt: skip

FOLDS: dict[str, Builtin] = dict([strict("MapThenFoldSet", _map_fold, (2, 0, 1, 1, 0))])

BITWISE: dict[str, Builtin] = dict(
    [
        strict("&", lambda one, other: one & other),
        strict("|", lambda one, other: one | other),
        strict("^^", lambda one, other: one ^ other),
        strict("Not", lambda one: one ^ ((1 << one.bit_length()) - 1)),
        strict("shiftR", lambda one, by: one >> by),
        strict("shiftL", lambda one, by: multiply(one, 1 << by)),
    ]
)


class _Factorial(FunctionLike):
    """A function of all natural numbers."""

    domain = NAT

    def __str__(self) -> str:
        return "factorial"

    def at(self, key: Value) -> Value:
        if type(key) is not int or not 0 <= key <= 12:
            raise Fault(f"factorial[{show(key)}] has no value in 32 bits")
        return factorial(key)


# Of functions in C, Python finds the parameters by parsing their documentation.
COMBINATORICS = {"choose": Builtin("choose", 2, comb), "factorial": Builtin("factorial", 0, _Factorial, lazy=True)}


# Quorums, clocks


def _quorum_systems(group: Value) -> Value:
    parts = Powerset(as_set(group)).listed()
    return frozenset(
        system
        for system in Powerset(parts).items()
        if system
        and all(one & other for one in system for other in system)
        and all(larger in system for quorum in system for larger in parts if quorum <= larger)
    )


def _is_causal(log: Value, clock: Operator) -> bool:
    """Whether no event comes before one that its clock knows of; nodes that a clock has not heard of are at 0."""
    clocks = [pairs_of(clock(event)) for event in sequence(log, "IsCausalOrder")]
    return all(_may_precede(one, other) for n, other in enumerate(clocks) for one in clocks[:n])


def _may_precede(one: dict[Value, Value], other: dict[Value, Value]) -> bool:
    differences = [add(one.get(node, 0), -other.get(node, 0)) for node in one.keys() | other.keys()]
    return any(difference < 0 for difference in differences)


def _ambiguous(*_: Any) -> Any:
    raise Fault("'CausalOrder' is not supported: which of several orders it is depends on TLC")


QUORUM: dict[str, Builtin] = dict([strict("QuorumSystem", _quorum_systems)])

VECTOR_CLOCKS: dict[str, Builtin] = {
    **dict([strict("IsCausalOrder", _is_causal, (0, 1))]),
    "CausalOrder": Builtin("CausalOrder", 4, _ambiguous, operators=(0, 1, 1, 1)),
}
