"""Modules of the community that many specifications use, written anew from what they promise."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from itertools import combinations, permutations, product
from math import comb, factorial
from typing import Any

from homing.languages.tla.modules.build import strict
from homing.languages.tla.modules.numbers import add, multiply
from homing.languages.tla.modules.sequences import sequence, truth
from homing.languages.tla.modules.tlc import sort
from homing.languages.tla.scope import Builtin
from homing.languages.tla.sets import Powerset
from homing.languages.tla.values import (
    Fault,
    Value,
    apply,
    as_set,
    elements,
    force,
    function,
    ordered,
    pairs_of,
    rank,
    show,
)

Operator = Callable[..., Any]


# Sequences


def _position(value: Value, index: Value, what: str, last: int) -> int:
    if type(index) is not int or not 1 <= index <= last:
        raise Fault(f"{what} is given the position {show(index)} of {show(value)}")
    return index


def _insert(value: Value, index: Value, item: Value) -> Value:
    at = _position(value, index, "InsertAt", len(sequence(value, "InsertAt")) + 1)
    return (*value[: at - 1], item, *value[at - 1 :])


def _replace(value: Value, index: Value, item: Value) -> Value:
    at = _position(value, index, "ReplaceAt", len(sequence(value, "ReplaceAt")))
    return (*value[: at - 1], item, *value[at:])


def _remove_at(value: Value, index: Value) -> Value:
    at = _position(value, index, "RemoveAt", len(sequence(value, "RemoveAt")))
    return (*value[: at - 1], *value[at:])


def _last(value: Value) -> Value:
    if not sequence(value, "Last"):
        raise Fault("Last is applied to <<>>")
    return value[-1]


def _front(value: Value) -> Value:
    return sequence(value, "Front")[:-1]


def _is_prefix(one: Value, other: Value) -> bool:
    return sequence(other, "IsPrefix")[: len(one)] == sequence(one, "IsPrefix")


def _is_suffix(one: Value, other: Value) -> bool:
    return len(one) <= len(other) and sequence(other, "IsSuffix")[len(other) - len(one) :] == one


def _fold_left(op: Operator, start: Value, value: Value) -> Value:
    return reduce(lambda so_far, item: force(op(so_far, item)), sequence(value, "FoldLeft"), start)


def _fold_right(op: Operator, value: Value, start: Value) -> Value:
    return reduce(lambda so_far, item: force(op(item, so_far)), reversed(sequence(value, "FoldRight")), start)


def _fold_seq(op: Operator, start: Value, value: Value) -> Value:
    return reduce(lambda so_far, item: force(op(item, so_far)), sequence(value, "FoldSeq"), start)


def _set_to_seqs(group: Value) -> Value:
    return frozenset(permutations(ordered(as_set(group))))


def _select_in(value: Value, test: Operator) -> int:
    return next((n for n, item in enumerate(sequence(value, "SelectInSeq"), 1) if truth(test(item), "the test")), 0)


def _select_last(value: Value, test: Operator) -> int:
    found = [n for n, item in enumerate(sequence(value, "SelectLastInSeq"), 1) if truth(test(item), "the test")]
    return found[-1] if found else 0


def _seq_of(group: Value, most: Value) -> Value:
    items = ordered(as_set(group))
    return frozenset(chosen for size in range(most + 1) for chosen in product(items, repeat=size))


def _flatten_seq(value: Value) -> Value:
    return tuple(item for part in sequence(value, "FlattenSeq") for item in sequence(part, "FlattenSeq"))


def _remove_first(value: Value, item: Value) -> Value:
    at = value.index(item) if item in sequence(value, "RemoveFirst") else len(value)
    return (*value[:at], *value[at + 1 :])


def _common_prefixes(group: Value) -> frozenset[Value]:
    found = [frozenset(value[:n] for n in range(len(value) + 1)) for value in as_set(group)]
    return frozenset.intersection(*found) if found else frozenset()


SEQUENCES_EXT: dict[str, Builtin] = dict(
    [
        strict("ToSet", lambda value: frozenset(sequence(value, "ToSet"))),
        strict("CommonPrefixes", _common_prefixes),
        strict("LongestCommonPrefix", lambda group: max(_common_prefixes(group), key=len)),
        strict("SetToSeq", lambda group: tuple(ordered(as_set(group)))),
        strict("SetToSeqs", _set_to_seqs),
        strict("SetToSortSeq", lambda group, before: sort(tuple(ordered(as_set(group))), before), (0, 2)),
        strict("SetToAllKPermutations", lambda g: frozenset(
            p for k in range(len(g) + 1) for p in permutations(ordered(as_set(g)), k))),
        strict("AllSubSeqs", lambda s: frozenset(c for n in range(len(s) + 1) for c in combinations(s, n))),
        strict("Reverse", lambda value: sequence(value, "Reverse")[::-1]),
        strict("Remove", lambda value, item: tuple(i for i in sequence(value, "Remove") if i != item)),
        strict("RemoveFirst", _remove_first),
        strict("ReplaceAll", lambda value, old, new: tuple(new if i == old else i for i in value)),
        strict("InsertAt", _insert),
        strict("ReplaceAt", _replace),
        strict("RemoveAt", _remove_at),
        strict("Cons", lambda item, value: (item, *sequence(value, "Cons"))),
        strict("Snoc", lambda item, value: (*sequence(value, "Snoc"), item)),
        strict("Front", _front),
        strict("Last", _last),
        strict("IsPrefix", _is_prefix),
        strict("IsStrictPrefix", lambda one, other: one != other and _is_prefix(one, other)),
        strict("IsSuffix", _is_suffix),
        strict("IsStrictSuffix", lambda one, other: one != other and _is_suffix(one, other)),
        strict("Prefixes", lambda value: frozenset(value[:n] for n in range(len(value) + 1))),
        strict("Suffixes", lambda value: frozenset(value[n:] for n in range(len(value) + 1))),
        strict("Contains", lambda value, item: item in sequence(value, "Contains")),
        strict("FoldSeq", _fold_seq, (2, 0, 0)),
        strict("FoldLeft", _fold_left, (2, 0, 0)),
        strict("FoldRight", _fold_right, (2, 0, 0)),
        strict("FlattenSeq", _flatten_seq),
        strict("Zip", lambda one, other: tuple(zip(one, other))),
        strict("SelectInSeq", _select_in, (0, 1)),
        strict("SelectLastInSeq", _select_last, (0, 1)),
        strict("SeqOf", _seq_of),
        strict("BoundedSeq", _seq_of),
        strict("TupleOf", lambda group, size: frozenset(product(ordered(as_set(group)), repeat=size))),
        strict("SubSeqs", lambda s: frozenset(s[i:j] for i in range(len(s) + 1) for j in range(i, len(s) + 1))),
    ]
)  # fmt: skip


# Sets


def _fold_set(op: Operator, start: Value, group: Value) -> Value:
    return reduce(lambda so_far, item: force(op(item, so_far)), elements(group), start)


def _map_fold(op: Operator, start: Value, make: Operator, choose: Operator, group: Value) -> Value:
    left, total = as_set(group), start
    while left:
        item = force(choose(left))
        total = force(op(force(make(item)), total))
        left -= {item}
    return total


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


def _choices(group: Value) -> Value:
    parts = ordered(as_set(group))
    return frozenset(function(dict(zip(parts, chosen))) for chosen in product(*(ordered(part) for part in parts)))


FINITE_SETS_EXT: dict[str, Builtin] = dict(
    [
        strict("FoldSet", _fold_set, (2, 0, 0)),
        strict("ReduceSet", lambda op, group, start: _fold_set(op, start, group), (2, 0, 0)),
        strict("SumSet", lambda group: _sum(elements(group))),
        strict("ProductSet", lambda group: _product(elements(group))),
        strict("MapThenSumSet", lambda make, group: _sum(force(make(i)) for i in elements(group)), (1, 0)),
        strict("FlattenSet", lambda group: frozenset().union(*as_set(group))),
        strict("SymDiff", lambda one, other: as_set(one) ^ as_set(other)),
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
    return reduce(lambda so_far, item: force(op(item, so_far)), items, start)


BAGS_EXT: dict[str, Builtin] = dict(
    [
        strict("BagAdd", lambda bag, item: _counted(bag, item, lambda count: count + 1)),
        strict("BagRemove", lambda bag, item: _counted(bag, item, lambda count: count - 1)),
        strict("BagRemoveAll", lambda bag, item: _counted(bag, item, lambda count: 0)),
        strict("FoldBag", _fold_bag, (2, 0, 0)),
        strict("SumBag", lambda bag: _sum(multiply(item, count) for item, count in pairs_of(bag).items())),
        strict("ProductBag", lambda bag: _fold_bag(multiply, 1, bag)),
    ]
)


# Functions


def _restrict(value: Value, group: Value) -> Value:
    return function({key: apply(value, key) for key in elements(group)})


def _is_injective(value: Value) -> bool:
    values = list(pairs_of(value).values())
    return len(set(values)) == len(values)


def _maps(source: Value, image: Value) -> list[dict[Value, Value]]:
    keys = ordered(as_set(source))
    return [dict(zip(keys, chosen)) for chosen in product(ordered(as_set(image)), repeat=len(keys))]


def _injections(source: Value, image: Value) -> Value:
    return frozenset(function(m) for m in _maps(source, image) if len(set(m.values())) == len(m))


def _surjections(source: Value, image: Value) -> Value:
    return frozenset(function(m) for m in _maps(source, image) if frozenset(m.values()) == as_set(image))


def _fold_function(op: Operator, start: Value, value: Value, group: Value) -> Value:
    pairs = pairs_of(value)
    return _fold_set(op, start, ()) if not pairs else reduce(
        lambda so_far, key: force(op(pairs[key], so_far)), ordered(as_set(group)), start
    )  # fmt: skip


def _inverse(value: Value, source: Value, image: Value) -> Value:
    pairs = pairs_of(value)
    back = {item: key for key, item in reversed(pairs.items()) if key in as_set(source)}
    return function({item: back[item] for item in ordered(as_set(image)) if item in back})


FUNCTIONS: dict[str, Builtin] = dict(
    [
        strict("Restrict", _restrict),
        strict("RestrictDomain", lambda value, test: function(
            {k: v for k, v in pairs_of(value).items() if truth(test(k), "the test")}), (0, 1)),
        strict("RestrictValues", lambda value, test: function(
            {k: v for k, v in pairs_of(value).items() if truth(test(v), "the test")}), (0, 1)),
        strict("Range", lambda value: frozenset(pairs_of(value).values())),
        strict("Inverse", _inverse),
        strict("AntiFunction", lambda value: function({v: k for k, v in pairs_of(value).items()})),
        strict("IsInjective", _is_injective),
        strict("Injection", _injections),
        strict("Surjection", _surjections),
        strict("Bijection", lambda one, other: _injections(one, other) & _surjections(one, other)),
        strict("ExistsInjection", lambda one, other: len(as_set(one)) <= len(as_set(other))),
        strict("ExistsSurjection", lambda one, other: len(as_set(one)) >= len(as_set(other))),
        strict("ExistsBijection", lambda one, other: len(as_set(one)) == len(as_set(other))),
        strict("FoldFunction", lambda op, start, value: reduce(
            lambda so_far, key: force(op(pairs_of(value)[key], so_far)),
            ordered(frozenset(pairs_of(value))), start), (2, 0, 0)),
        strict("FoldFunctionOnSet", _fold_function, (2, 0, 0, 0)),
        strict("SumFunction", lambda value: _sum(pairs_of(value).values())),
    ]
)  # fmt: skip

FOLDS: dict[str, Builtin] = dict([strict("MapThenFoldSet", _map_fold, (2, 0, 1, 1, 0))])

BITWISE: dict[str, Builtin] = dict(
    [
        strict("&", lambda one, other: one & other),
        strict("|", lambda one, other: one | other),
        strict("^^", lambda one, other: one ^ other),
        strict("shiftR", lambda one, by: one >> by),
        strict("shiftL", lambda one, by: multiply(one, 1 << by)),
    ]
)

# Of functions in C, Python finds the parameters by parsing their documentation.
COMBINATORICS = {"choose": Builtin("choose", 2, comb), "factorial": Builtin("factorial", 1, factorial)}


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
