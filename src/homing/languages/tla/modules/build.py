"""Makes symbols of Python functions."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any

from homing.languages.tla.scope import Builtin
from homing.languages.tla.values import Fault


def strict(name: str, function: Callable[..., Any], operators: tuple[int, ...] = ()) -> tuple[str, Builtin]:
    """An operator of plain values; `operators` has the arities of those arguments that are operators."""
    return name, Builtin(name, _arity(function), function, operators=operators)


def lazy(name: str, function: Callable[..., Any], operators: tuple[int, ...] = ()) -> tuple[str, Builtin]:
    """An operator that takes sets that are not listed, and may return some."""
    return name, Builtin(name, _arity(function), function, lazy=True, operators=operators)


def refused(why: str, **arities: int) -> dict[str, Builtin]:
    """Operators that may be mentioned but not evaluated: a specification often has some that its check never needs."""
    return {name: Builtin(name, arity, _refusing(name, why)) for name, arity in arities.items()}


def _refusing(name: str, why: str) -> Callable[..., Any]:
    def refuse(*_: Any) -> Any:
        raise Fault(f"'{name}' is not supported: {why}")

    return refuse


def special(name: str, arity: int) -> tuple[str, Builtin]:
    """An operator that is no function of values."""
    return name, Builtin(name, arity)


def _arity(function: Callable[..., Any]) -> int:
    if isinstance(function, FunctionType):  # there are hundreds, and signatures take long to make
        return function.__code__.co_argcount
    return len(inspect.signature(function).parameters)
