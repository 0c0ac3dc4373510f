"""Expressions: their value in a state, and what of a state they read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from homing.core.errors import ModelError
from homing.core.functions import first, size
from homing.core.system import Read
from homing.languages.csp.layout import ChannelLayout, VariableLayout
from homing.languages.csp.syntax import (
    Binary,
    Call,
    Expression,
    Item,
    Items,
    Macro,
    Name,
    Number,
    Over,
    Range,
    Truth,
    Unary,
)
from homing.languages.csp.values import Env, Lazy, NeedsState, NotKnown, Scalar, Unknown, shown

SIZE, HEAD = size(), first()
CHANNEL_FUNCTIONS = ("cfull", "cempty", "ccount", "csize", "cpeek")
MOST_INSTANCES = 100_000
"""More values of an index than this are taken for a mistake."""


@dataclass(frozen=True)
class Names:
    """What the names of a source stand for."""

    macros: dict[str, Macro]
    variables: dict[str, VariableLayout]
    channels: dict[str, ChannelLayout]


@dataclass
class Store:
    """What is known of a state, and what was written to it since."""

    variables: dict[int, Any] = field(default_factory=dict)
    sizes: dict[int, int] = field(default_factory=dict)
    heads: dict[int, tuple[tuple[Scalar, ...], ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, reads: tuple[Read, ...], values: tuple[Any, ...]) -> Store:
        """What was read."""
        store = cls()
        for read, value in zip(reads, values, strict=True):
            kind = store.variables if read.through is None else store.sizes if read.through == SIZE else store.heads
            kind[read.slot] = value
        return store

    def branch(self) -> Store:
        """The same, to be written to."""
        return Store(dict(self.variables), self.sizes, self.heads)


def evaluate(names: Names, expression: Expression, env: Env, store: Store | None = None) -> Scalar:
    """The value; raises NeedsState where a variable is read but there is no store, ModelError on bad values."""
    match expression:
        case Number(value=value) | Truth(value=value):
            return value
        case Name():
            return _name(names, expression, env, store)
        case Item():
            layout = names.variables[expression.name]
            return _variable(store, layout.first + offset(names, layout, expression, env, store))
        case Unary(operator=operator, operand=operand):
            value = evaluate(names, operand, env, store)
            return not truth(value, operand) if operator == "!" else _bounded(-integer(value, operand), expression)
        case Binary():
            return _binary(names, expression, env, store)
        case Call():
            return _call(names, expression, env, store)
        case Over():
            return _over(names, expression, env, store)
        case Items():
            raise ModelError("an array literal stands where a single value is wanted", expression.place)


def condition(names: Names, expression: Expression, env: Env, store: Store | None = None) -> bool:
    """The value of what has to be true or false."""
    return truth(evaluate(names, expression, env, store), expression)


def decided(names: Names, expression: Expression, env: Env) -> bool | None:
    """The value of a condition where it needs no state; None where it does, or where evaluating it is an error."""
    try:
        return condition(names, expression, env)
    except (NeedsState, NotKnown, ModelError):
        return None


def foreseen(names: Names, expression: Expression, env: Env) -> bool | None:
    """The value that a condition has in every state where it has one; None where it depends."""
    match expression:
        case Binary(operator="&&" | "||" as operator, left=left, right=right):
            sides = foreseen(names, left, env), foreseen(names, right, env)
            deciding = operator == "||"
            if deciding in sides:
                return deciding
            return None if None in sides else not deciding
        case Unary(operator="!", operand=operand):
            value = foreseen(names, operand, env)
            return None if value is None else not value
        case Name(name=name) if name not in env and name in names.macros:
            return foreseen(names, names.macros[name].body, {})  # type: ignore[arg-type]
    return decided(names, expression, env)


def truth(value: Any, where: Expression) -> bool:
    """The value, which has to be a truth value."""
    if not isinstance(value, bool):
        raise ModelError(f"true or false is wanted here, not {shown(value)}", where.place)
    return value


def integer(value: Any, where: Expression) -> int:
    """The value, which has to be a number."""
    if isinstance(value, bool):
        raise ModelError(f"a number is wanted here, not {shown(value)}", where.place)
    return int(value)


def offset(
    names: Names, layout: VariableLayout | ChannelLayout, item: Any, env: Env, store: Store | None = None
) -> int:
    """The number of the element that an item, or one end of a channel, names."""
    indices = (integer(evaluate(names, index, env, store), index) for index in item.indices)
    return layout.offset(tuple(indices), item.place)


def _name(names: Names, expression: Name, env: Env, store: Store | None) -> Scalar:
    if expression.name in env:
        value = env[expression.name]
        if isinstance(value, Lazy):
            return forced(names, value, store)
        if isinstance(value, Unknown):
            raise NotKnown
        return value  # type: ignore[no-any-return]
    if expression.name in names.macros:
        return evaluate(names, names.macros[expression.name].body, {}, store)  # type: ignore[arg-type]
    return _variable(store, names.variables[expression.name].first)


def forced(names: Names, lazy: Lazy, store: Store | None) -> Scalar:
    """The value of an argument that was put off."""
    value = evaluate(names, lazy.expression, lazy.env, store)
    if lazy.within is not None:
        lazy.within.check(value, lazy.expression.place)
    return value


def _variable(store: Store | None, slot: int) -> Scalar:
    if store is None:
        raise NeedsState
    return store.variables[slot]  # type: ignore[no-any-return]


def _binary(names: Names, expression: Binary, env: Env, store: Store | None) -> Scalar:
    left = evaluate(names, expression.left, env, store)
    if expression.operator in ("&&", "||"):
        if truth(left, expression.left) is (expression.operator == "||"):
            return left
        return truth(evaluate(names, expression.right, env, store), expression.right)
    if expression.operator == "->" and not truth(left, expression.left):
        return True
    right = evaluate(names, expression.right, env, store)
    if expression.operator in ("->", "<->"):
        return truth(left, expression.left) is truth(right, expression.right)
    if expression.operator in ("==", "!="):
        return (type(left) is type(right) and left == right) is (expression.operator == "==")
    if expression.operator == "xor":
        return truth(left, expression.left) is not truth(right, expression.right)
    value = ARITHMETIC[expression.operator](
        integer(left, expression.left), _divisor(integer(right, expression.right), expression)
    )
    return value if isinstance(value, bool) else _bounded(value, expression)


def _divisor(value: int, expression: Binary) -> int:
    if value == 0 and expression.operator in "/%":
        raise ModelError("a division by zero", expression.place)
    return value


def _divide(left: int, right: int) -> int:
    """Towards zero, as C# has it."""
    return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)


def _remainder(left: int, right: int) -> int:
    """PAT's: the remainder of C#, and the divisor is added when that is negative, so that `-1 % 3` is 2."""
    rest = left - right * _divide(left, right)
    return rest + right if rest < 0 else rest


ARITHMETIC: Mapping[str, Callable[[int, int], int | bool]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _divide,
    "%": _remainder,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def _bounded(value: int, where: Expression) -> int:
    if not -(2**31) <= value < 2**31:
        raise ModelError(f"{value} needs more than 32 bits", where.place)
    return value


def _call(names: Names, call: Call, env: Env, store: Store | None) -> Scalar:
    if call.function in CHANNEL_FUNCTIONS:
        return _channel_function(names, call, env, store)
    macro = names.macros[call.function]
    values = (evaluate(names, argument, env, store) for argument in call.arguments)
    return evaluate(names, macro.body, dict(zip(macro.parameters, values, strict=True)), store)  # type: ignore[arg-type]


def _channel_function(names: Names, call: Call, env: Env, store: Store | None) -> Scalar:
    channel, slot = _channel(names, call, env, store)
    if call.function == "csize":
        return channel.capacity
    if store is None:
        raise NeedsState
    if call.function == "cpeek":
        return _peeked(channel, store.heads[slot], call)
    count = store.sizes[slot]
    return {"ccount": count, "cempty": count == 0, "cfull": count == channel.capacity}[call.function]


def _peeked(channel: ChannelLayout, head: tuple[tuple[Scalar, ...], ...], call: Call) -> Scalar:
    if not head:
        raise ModelError(f"channel '{channel.name}' is empty, so there is nothing to peek at", call.place)
    if len(head[0]) != 1:
        raise ModelError(f"a message of '{channel.name}' has {len(head[0])} fields, where one is wanted", call.place)
    return head[0][0]


def _channel(names: Names, call: Call, env: Env, store: Store | None) -> tuple[ChannelLayout, int]:
    argument = call.arguments[0]
    assert isinstance(argument, Name | Item)
    channel = names.channels[argument.name]
    if not channel.capacity:
        raise ModelError(f"channel '{channel.name}' has no buffer to ask about", call.place)
    number = offset(names, channel, argument, env, store) if isinstance(argument, Item) else 0
    return channel, channel.first + number


def _over(names: Names, over: Over, env: Env, store: Store | None) -> bool:
    bodies = (condition(names, over.body, bound, store) for bound in instances(names, over.ranges, env))
    return all(bodies) if over.operator == "&&" else any(bodies)


def instances(names: Names, ranges: tuple[Range, ...], env: Env) -> Iterator[Env]:
    """The bindings that ranges stand for, in order; raises NeedsState when one depends on a variable.

    A range may use the indices before it.
    """
    if not ranges:
        yield env
        return
    first, *rest = ranges
    for value in values_of(names, first, env):
        yield from instances(names, tuple(rest), {**env, first.name: value})


def values_of(names: Names, each: Range, env: Env) -> list[int]:
    """The values of a range; PAT takes them in ascending order."""
    values: list[int] = []
    for entry in each.values:
        low, high = entry if isinstance(entry, tuple) else (entry, entry)
        bounds = [integer(evaluate(names, bound, env), bound) for bound in (low, high)]
        if bounds[1] - bounds[0] > MOST_INSTANCES:
            raise ModelError(f"'{each.name}' takes more than {MOST_INSTANCES} values", each.place)
        if bounds[0] > bounds[1]:
            raise ModelError(f"the range of '{each.name}', {bounds[0]}..{bounds[1]}, is empty", each.place)
        values += range(bounds[0], bounds[1] + 1)
    return sorted(values)


def reads(names: Names, expression: Expression, env: Env) -> set[Read]:
    """What of a state the value may depend on; where an index is not known yet, the whole array."""
    match expression:
        case Name(name=name) if name in env:
            value = env[name]
            return reads(names, value.expression, value.env) if isinstance(value, Lazy) else set()
        case Name(name=name) if name in names.macros:
            return reads(names, names.macros[name].body, {})  # type: ignore[arg-type]
        case Name(name=name):
            layout = names.variables[name]  # all of an array, where one is assigned to another
            return {Read(slot) for slot in range(layout.first, layout.first + layout.count)}
        case Item():
            layout = names.variables[expression.name]
            elements = {Read(slot) for slot in slots(names, layout, expression, env)}
            return elements.union(*(reads(names, index, env) for index in expression.indices))
        case Unary(operand=operand):
            return reads(names, operand, env)
        case Binary(left=left, right=right):
            if _ends(names, expression, env):
                return set()
            return reads(names, left, env) | reads(names, right, env)
        case Call():
            return _call_reads(names, expression, env)
        case Over(ranges=ranges, body=body):
            return set().union(*(reads(names, body, bound) for bound in instances(names, ranges, env)))
    return set()


def _ends(names: Names, expression: Binary, env: Env) -> bool:
    """Whether the right side is never looked at, since the left one decides in every state."""
    decisive = {"&&": False, "||": True, "->": False}.get(expression.operator)
    return decisive is not None and decided(names, expression.left, env) is decisive


def _call_reads(names: Names, call: Call, env: Env) -> set[Read]:
    if call.function not in CHANNEL_FUNCTIONS:
        macro = names.macros[call.function]
        found = [reads(names, argument, env) for argument in call.arguments]
        # What a parameter is bound to may be an index; so it is not known here.
        return set().union(*found) | reads(names, macro.body, dict.fromkeys(macro.parameters, Unknown()))  # type: ignore[arg-type]
    argument = call.arguments[0]
    assert isinstance(argument, Name | Item)
    channel = names.channels[argument.name]
    through = HEAD if call.function == "cpeek" else SIZE
    if call.function == "csize" or not channel.capacity:
        return set()
    if isinstance(argument, Name):
        return {Read(channel.first, through)}
    indices: set[Read] = set().union(*(reads(names, index, env) for index in argument.indices))
    return indices | {Read(slot, through) for slot in slots(names, channel, argument, env)}


def slots(names: Names, layout: VariableLayout | ChannelLayout, item: Any, env: Env) -> range:
    """The slots that an element may be in: one when its indices are known; none when they are out of range."""
    try:
        slot = layout.first + offset(names, layout, item, env)
    except (NeedsState, NotKnown):
        return range(layout.first, layout.first + layout.count)
    except ModelError:  # evaluating it says so, if that ever happens
        return range(0)
    return range(slot, slot + 1)
