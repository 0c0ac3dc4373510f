"""SequencesExt of the community, written anew from what it promises."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from itertools import combinations, permutations, product
from typing import Any

from homing.languages.tla.comparing import equal, set_of
from homing.languages.tla.modules.build import strict
from homing.languages.tla.modules.numbers import modulo
from homing.languages.tla.modules.sequences import joined, sequence, subsequence, truth
from homing.languages.tla.modules.tlc import sort
from homing.languages.tla.scope import Builtin
from homing.languages.tla.values import (
    Fault,
    Value,
    as_set,
    changed,
    elements,
    force,
    function,
    ordered,
    pairs_of,
    show,
)

Operator = Callable[..., Any]


def _position(value: Value, index: Value, what: str, last: int) -> int:
    if type(index) is not int or not 1 <= index <= last:
        raise Fault(f"{what} is given the position {show(index)} of {show(value)}")
    return index


def _insert(value: Value, index: Value, item: Value) -> Value:
    at = _position(value, index, "InsertAt", len(sequence(value, "InsertAt")) + 1)
    return (*value[: at - 1], item, *value[at - 1 :])


def _replace(value: Value, index: Value, item: Value) -> Value:
    return changed(sequence(value, "ReplaceAt"), (index,), lambda old: item)


def _remove_at(value: Value, index: Value) -> Value:
    if index == 0 and type(index) is int:
        return sequence(value, "RemoveAt")
    at = _position(value, index, "RemoveAt", len(sequence(value, "RemoveAt")) + 1)
    return (*value[: at - 1], *value[at:])


def _last(value: Value) -> Value:
    if not sequence(value, "Last"):
        raise Fault("Last is applied to <<>>")
    return value[-1]


def _front(value: Value) -> Value:
    return sequence(value, "Front")[:-1]


def _is_prefix(one: Value, other: Value) -> bool:
    short, long = _text(one, "IsPrefix"), _text(other, "IsPrefix")
    return len(short) <= len(long) and equal(short, long[: len(short)])


def _is_suffix(one: Value, other: Value) -> bool:
    return _is_prefix(sequence(one, "IsSuffix")[::-1], sequence(other, "IsSuffix")[::-1])


def _text(value: Value, what: str) -> Any:
    """A sequence, or a string, which is one of letters here."""
    return value if isinstance(value, str) else sequence(value, what)


def _fold_left(op: Operator, start: Value, value: Value) -> Value:
    return reduce(lambda so_far, item: force(op(so_far, item)), sequence(value, "FoldLeft"), start)


def _fold_right(op: Operator, value: Value, start: Value) -> Value:
    return reduce(lambda so_far, item: force(op(item, so_far)), reversed(sequence(value, "FoldRight")), start)


def _fold_seq(op: Operator, start: Value, value: Value) -> Value:
    return reduce(lambda so_far, item: force(op(item, so_far)), sequence(value, "FoldSeq"), start)


def _numbers(value: Value) -> Value:
    return tuple(range(1, len(sequence(value, "FoldLeftDomain")) + 1))


def _set_to_seqs(group: Value) -> Value:
    return frozenset(permutations(ordered(as_set(group))))


def _found(value: Value, test: Operator) -> list[int]:
    """The positions whose items pass a test."""
    return [n for n, item in enumerate(value, 1) if truth(test(item), "the test")]


def _first(value: Value, test: Operator) -> int:
    return next((n for n, item in enumerate(value, 1) if truth(test(item), "the test")), 0)


def _select_within(value: Value, first: Value, last: Value, test: Operator) -> int:
    return _within(first, _first(_between(value, first, last), test))


def _select_last_within(value: Value, first: Value, last: Value, test: Operator) -> int:
    return _within(first, max(_found(_between(value, first, last), test), default=0))


def _between(value: Value, first: Value, last: Value) -> Value:
    return subsequence(sequence(value, "SelectInSubSeq"), first, last)


def _within(first: int, position: int) -> int:
    """TLC counts from the start of the whole sequence, unlike the definition in the module."""
    return position and position + first - 1


def _remove_first_match(value: Value, test: Operator) -> Value:
    at = _first(sequence(value, "RemoveFirstMatch"), test)
    return value if not at else (*value[: at - 1], *value[at:])


def _is_sorted(value: Value, before: Operator) -> bool:
    pairs = combinations(sequence(value, "IsSorted"), 2)
    return all(truth(before(one, other), "the order of IsSorted") for one, other in pairs)


def _seq_of(group: Value, most: Value) -> Value:
    items = ordered(as_set(group))
    return frozenset(chosen for size in range(most + 1) for chosen in product(items, repeat=size))


def _flatten_seq(value: Value) -> Value:
    return reduce(joined, sequence(value, "FlattenSeq")) if value else ()


def _common_prefixes(group: Value) -> frozenset[Value]:
    found = [value[:n] for value in elements(group) for n in range(len(sequence(value, "CommonPrefixes")) + 1)]
    return set_of(part for part in found if all(_is_prefix(part, value) for value in as_set(group)))


def _longest_common_prefix(group: Value) -> Value:
    found = _common_prefixes(group)
    if not found:
        raise Fault("LongestCommonPrefix is applied to {}")
    return max(found, key=len)


def _interleave(one: Value, other: Value) -> Value:
    if len(sequence(one, "Interleave")) != len(sequence(other, "Interleave")):
        raise Fault(f"Interleave is applied to {show(one)} and {show(other)}, which are of different length")
    mixed = tuple((item,) for pair in zip(one, other) for item in pair)
    return mixed or ((), ())


def _index(part: Value, whole: Value) -> int:
    """Where a sequence is in another for the first time; 0 where it is not."""
    size = len(part)
    starts = range(len(whole) - size + 1)
    return next((n + 1 for n in starts if equal(part, whole[n : n + size])), 0)


def _index_first(part: Value, whole: Value) -> int:
    found = _index(sequence(part, "IndexFirstSubSeq"), sequence(whole, "IndexFirstSubSeq"))
    if not found:
        raise Fault(f"IndexFirstSubSeq does not find {show(part)} in {show(whole)}")
    return found


def _replace_at(index: Value, new: Value, old: Value, whole: Value) -> Value:
    size = len(sequence(whole, "ReplaceSubSeqAt"))
    start = _position(whole, index, "ReplaceSubSeqAt", size + 1)
    return joined(joined(subsequence(whole, 1, start - 1), new), subsequence(whole, start + len(old), size))


def _replace_first(new: Value, old: Value, whole: Value) -> Value:
    if isinstance(whole, str):
        return whole.replace(_string(old), _string(new), 1)
    at = _index(sequence(old, "ReplaceFirstSubSeq"), sequence(whole, "ReplaceFirstSubSeq"))
    return whole if not at else _replace_at(at, new, old, whole)


def _replace_all(new: Value, old: Value, whole: Value) -> Value:
    if isinstance(whole, str):
        return whole.replace(_string(old), _string(new)) if old else "".join(_string(new) + c for c in whole)
    left, out = sequence(whole, "ReplaceAllSubSeqs"), sequence(new, "ReplaceAllSubSeqs")[:0]
    if equal(old, whole):
        return new
    while left:
        if not old:
            out, left = (*out, *new, left[0]), left[1:]
        elif equal(old, left[: len(old)]):
            out, left = (*out, *new), left[len(old) :]
        else:
            out, left = (*out, left[0]), left[1:]
    return out


def _string(value: Value) -> str:
    if not isinstance(value, str):
        raise Fault(f"{show(value)} is no string to replace in one, or to be replaced")
    return value


def _counts(value: Value) -> Value:
    items = sequence(value, "ToBag")
    return function({item: sum(equal(item, other) for other in items) for item in set_of(items)})


def _modulo(one: Value, by: Value) -> int:
    return modulo(one, by) or by


SEQUENCES_EXT: dict[str, Builtin] = dict(
    [
        strict("ToSet", lambda value: set_of(pairs_of(value).values())),
        strict("ToBag", _counts),
        strict("IsSorted", _is_sorted, (0, 2)),
        strict("SeqMod", _modulo),
        strict("CommonPrefixes", _common_prefixes),
        strict("LongestCommonPrefix", _longest_common_prefix),
        strict("SetToSeq", lambda group: tuple(ordered(as_set(group)))),
        strict("SetToSeqs", _set_to_seqs),
        strict("SetToSortSeq", lambda group, before: sort(tuple(ordered(as_set(group))), before), (0, 2)),
        strict("SetToAllKPermutations", lambda g: frozenset(
            p for k in range(len(g) + 1) for p in permutations(ordered(as_set(g)), k))),
        strict("AllSubSeqs", lambda s: frozenset(c for n in range(len(s) + 1) for c in combinations(s, n))),
        strict("Reverse", lambda value: sequence(value, "Reverse")[::-1]),
        strict("Remove", lambda value, item: tuple(i for i in sequence(value, "Remove") if not equal(i, item))),
        strict("RemoveFirst", lambda value, item: _remove_first_match(value, lambda other: equal(other, item))),
        strict("RemoveFirstMatch", _remove_first_match, (0, 1)),
        strict("ReplaceAll", lambda value, old, new: tuple(new if equal(i, old) else i for i in value)),
        strict("InsertAt", _insert),
        strict("ReplaceAt", _replace),
        strict("RemoveAt", _remove_at),
        strict("Cons", lambda item, value: (item, *sequence(value, "Cons"))),
        strict("Snoc", lambda item, value: (*sequence(value, "Snoc"), item)),
        strict("Front", _front),
        strict("Last", _last),
        strict("IsPrefix", _is_prefix),
        strict("IsStrictPrefix", lambda one, other: _is_prefix(one, other) and not equal(one, other)),
        strict("IsSuffix", _is_suffix),
        strict("IsStrictSuffix", lambda one, other: _is_suffix(one, other) and not equal(one, other)),
        strict("Prefixes", lambda value: frozenset(value[:n] for n in range(len(value) + 1))),
        strict("Suffixes", lambda value: frozenset(value[n:] for n in range(len(value) + 1))),
        strict("Contains", lambda value, item: any(equal(i, item) for i in sequence(value, "Contains"))),
        strict("FoldSeq", _fold_seq, (2, 0, 0)),
        strict("FoldLeft", _fold_left, (2, 0, 0)),
        strict("FoldRight", _fold_right, (2, 0, 0)),
        strict("FoldLeftDomain", lambda op, start, value: _fold_left(op, start, _numbers(value)), (2, 0, 0)),
        strict("FoldRightDomain", lambda op, value, start: _fold_right(op, _numbers(value), start), (2, 0, 0)),
        strict("FlattenSeq", _flatten_seq),
        strict("Interleave", _interleave),
        strict("IndexFirstSubSeq", _index_first),
        strict("ReplaceSubSeqAt", _replace_at),
        strict("ReplaceFirstSubSeq", _replace_first),
        strict("ReplaceAllSubSeqs", _replace_all),
        strict("Zip", lambda one, other: tuple(zip(one, other))),
        strict("SelectInSeq", lambda value, test: _first(sequence(value, "SelectInSeq"), test), (0, 1)),
        strict("SelectInSubSeq", _select_within, (0, 0, 0, 1)),
        strict("SelectLastInSeq", lambda value, test: max(
            _found(sequence(value, "SelectLastInSeq"), test), default=0), (0, 1)),
        strict("SelectLastInSubSeq", _select_last_within, (0, 0, 0, 1)),
        strict("SeqOf", _seq_of),
        strict("BoundedSeq", _seq_of),
        strict("TupleOf", lambda group, size: frozenset(product(ordered(as_set(group)), repeat=size))),
        strict("SubSeqs", lambda s: frozenset(s[i:j] for i in range(len(s) + 1) for j in range(i, len(s) + 1))),
    ]
)  # fmt: skip
