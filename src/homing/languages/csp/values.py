"""What a bound name stands for while a process is unfolded: a value, or what will be one later."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from homing.languages.csp.layout import VariableLayout
    from homing.languages.csp.syntax import Expression

Scalar: TypeAlias = int | bool
Env: TypeAlias = Mapping[str, Any]
"""Bound names: parameters, names bound by inputs, indices."""
Term: TypeAlias = tuple[Any, ...]
"""A process as a value (see `terms`)."""


class Unknown:
    """Stands for every value, where a process is looked at before it runs."""

    def __repr__(self) -> str:
        return "?"


UNKNOWN = Unknown()


@dataclass(frozen=True, eq=False)
class Lazy:
    """An argument that reads variables: evaluated when the process takes its first step, as PAT does."""

    expression: Expression
    env: Env
    within: VariableLayout | None = None
    """The range of the parameter."""


class NeedsState(Exception):
    """The value depends on a variable, and there is no state to read it from."""


class NotKnown(Exception):
    """The value depends on one that is not known before the process runs."""


def shown(value: Any) -> str:
    """A value as CSP# writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
