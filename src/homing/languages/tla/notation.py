"""How people, and programs, see the states of a specification."""

from __future__ import annotations

from typing import Any

from homing.core.system import Notation
from homing.core.values import State
from homing.languages.tla.aliases import Alias
from homing.languages.tla.charts import Messages
from homing.languages.tla.slots import Shapes
from homing.languages.tla.values import Value, is_function, ordered, show

TAGS = ("set", "bytes")
EXACT = 2**53
"""Integers below this are numbers in any reader of JSON."""


def notation(shapes: Shapes, alias: Alias | None, messages: Messages | None) -> Notation:
    """Of the states that engines work on; an alias takes the place of the variables."""
    names, values = (shapes.names, shapes.variables) if alias is None else (alias.names, alias)

    def itf(state: State) -> dict[str, Any]:
        return dict(zip(names, map(plain, values(state))))

    slots, state = (alias.names, alias) if alias is not None else shapes.readable() or (None, None)
    lines = None if messages is None else messages.bound(shapes.variables)
    return Notation(show, slots, state, itf, lines, plain)


def plain(value: Value) -> Any:
    """A value in the Informal Trace Format; a sequence is a list, a model value the string of its name."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, int) and not isinstance(value, bool):
        return value if -EXACT < value < EXACT else {"#bigint": str(value)}
    if isinstance(value, frozenset):
        return {"#set": [plain(item) for item in ordered(value)]}
    if is_function(value):
        return _function(value[1], value[2])
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return value


def _function(keys: tuple[Value, ...], values: tuple[Value, ...]) -> Any:
    """A record, where the keys are strings that have no other meaning in the format, nor in `--json`."""
    if all(isinstance(key, str) and not key.startswith("#") and key not in TAGS for key in keys):
        return {key: plain(value) for key, value in zip(keys, values)}
    return {"#map": [[plain(key), plain(value)] for key, value in zip(keys, values)]}
