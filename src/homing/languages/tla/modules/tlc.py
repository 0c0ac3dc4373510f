"""TLC's own module; what depends on a run of TLC is refused."""

from __future__ import annotations

from collections.abc import Callable
from functools import cmp_to_key
from itertools import permutations
from typing import Any

from homing.languages.tla.comparing import equal, union
from homing.languages.tla.modules import chance
from homing.languages.tla.modules.build import lazy, refused, strict
from homing.languages.tla.modules.sequences import sequence, truth
from homing.languages.tla.scope import Builtin
from homing.languages.tla.sets import Everything
from homing.languages.tla.values import Fault, Value, as_set, function, ordered, pairs_of, record, show

ANY = Everything("Any")


def _assert(condition: Value, message: Value) -> bool:
    if condition is not True:
        said = message if isinstance(message, str) else show(message)
        raise Fault(f"Assert failed: {said}")
    return True


def _override(one: Value, other: Value) -> Value:
    first, second = pairs_of(one), pairs_of(other)
    union(frozenset(first), frozenset(second))  # fails where keys cannot be compared
    return function({**second, **first})


def _permutations(group: Value) -> Value:
    items = ordered(as_set(group))
    return frozenset(function(dict(zip(items, mixed))) for mixed in permutations(items))


def sort(value: Value, before: Callable[[Value, Value], Any]) -> Value:
    def compare(one: Value, other: Value) -> int:
        if truth(before(one, other), "the order of SortSeq"):
            return -1
        return 1 if truth(before(other, one), "the order of SortSeq") else 0

    return tuple(sorted(sequence(value, "SortSeq"), key=cmp_to_key(compare)))


_RUN = "its value depends on how TLC runs"
_CONFIG = record(("mode", "worker"), ("bfs", 1))
"""What `TLCGet("config")` tells of a search: ours is breadth-first, and counts as TLC does with one worker."""


def _get(name: Value) -> Value:
    if name == "config":
        return _CONFIG
    if name == "-Dtlc2.tool.impl.Tool.cdot":
        return "true"
    raise Fault(f"'TLCGet' is not supported: {_RUN}")


def _set(name: Value, value: Value) -> bool:
    """What a register holds only `TLCGet` could tell, which is refused; so setting one changes nothing."""
    if (type(name) is int and name >= 0) or (name == "exit" and value is False):
        return True
    raise Fault("'TLCSet' is not supported: it tells TLC how to run")


OVERRIDE = Builtin("@@", 2, _override)
TLC_GET = Builtin("TLCGet", 1, _get)

TLC: dict[str, Builtin] = {
    **dict(
        [
            lazy("Print", lambda out, value: value),
            strict("PrintT", lambda out: True),
            strict("Assert", _assert),
            strict(":>", lambda key, value: function({key: value})),
            ("@@", OVERRIDE),
            strict("Permutations", _permutations),
            strict("SortSeq", sort, (0, 2)),
            lazy("Any", lambda: ANY),
            strict("ToString", show),
            strict("TLCEval", lambda value: value),
            ("TLCGet", TLC_GET),
            strict("TLCSet", _set),
        ]
    ),
    **refused(_RUN, JavaTime=0),
    **chance.TLC,
}

TLC_EXT: dict[str, Builtin] = {
    **dict(
        [
            strict("TLCCache", lambda value, _: value),
            strict("TLCModelValue", lambda name: str(name).encode()),
            strict("TLCNoOp", lambda value: value),
            strict("AssertEq", equal),
        ]
    ),
    **refused(
        _RUN, AssertError=2, Trace=0, CounterExample=0, ToTrace=1, PickSuccessor=1, TLCDefer=1,
        TLCGetOrDefault=2, TLCGetAndSet=4, TLCFP=1, TLCEvalDefinition=1,
    ),
}  # fmt: skip

_PROVERS = ("SMT", "CVC3", "Yices", "veriT", "Z3", "Spass", "LS4", "PTL", "Zenon", "SlowZenon", "SlowerZenon",
            "VerySlowZenon", "SlowestZenon", "Isa", "Auto", "Force", "Blast", "SimplifyAndSolve", "Simplification",
            "AutoBlast", "AllProvers", "AllSMT", "AllIsa", "PropositionalTemporalLogic", "Simplify", "Arithmetic",
            "SimpleArithmetic", "SetExtensionality", "NoSetContainsEverything", "IsaWithSetExtensionality")  # fmt: skip

TLAPS: dict[str, Builtin] = refused("it is a name for provers", **dict.fromkeys(_PROVERS, 0))
TOOLBOX: dict[str, Builtin] = refused("it is the Toolbox's", _TETrace=0, _TEPosition=0)
