"""What code calls."""

from __future__ import annotations

from itertools import product
from typing import Any

from homing.languages.tla.comparing import equal, member, set_of
from homing.languages.tla.frames import PLAIN, UNSET
from homing.languages.tla.markers import is_marker
from homing.languages.tla.values import LISTED, Value, apply, changed, elements, force, function, is_function, unordered


class Declined(Exception):
    """The code does not know."""


def _put(value: Value, path: tuple[Value, ...], new: Value) -> Value:
    return changed(value, path, lambda old: new)


def _found(value: Value, path: tuple[Value, ...]) -> Value:
    """What is at a path; UNSET where EXCEPT changes nothing."""
    for key in path:
        if type(value) is not tuple:
            raise Declined
        keys = value[1] if is_function(value) else range(1, len(value) + 1)
        if key not in keys:
            return UNSET
        value = apply(value, key)
    return value


HELPERS: dict[str, Any] = {
    "Declined": Declined,
    "PLAIN": PLAIN,
    "UNSET": UNSET,
    "VALUES": LISTED,
    "apply": apply,
    "elements": elements,
    "equal": equal,
    "force": force,
    "found": _found,
    "function": function,
    "is_marker": is_marker,
    "member": member,
    "product": product,
    "put": _put,
    "set_of": set_of,
    "unordered": unordered,
}
