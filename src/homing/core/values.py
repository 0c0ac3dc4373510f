"""Values: what a slot can hold, and the one byte string that stands for each.

A value is None, a bool, an int, a str, bytes, a tuple of values or a frozenset of values. Two values are the
same when their bytes are: unlike Python's `==`, this keeps True apart from 1, also deep inside a tuple.
"""

from __future__ import annotations

import marshal
from functools import lru_cache
from typing import TypeAlias

Value: TypeAlias = "bool | int | str | bytes | tuple[Value, ...] | frozenset[Value] | None"
State: TypeAlias = tuple[Value, ...]
Short: TypeAlias = tuple[Value, ...]

ATOMS = (int, bool, str, type(None), bytes)
KINDS = "None, bool, int, str, bytes, tuple, frozenset"


class NotAValue(TypeError):
    """An object that is no value was found inside one."""

    def __init__(self, found: object) -> None:
        kind = type(found).__name__
        super().__init__(f"{found!r} is a {kind}, which is no value; values are {KINDS}")


def encode(value: Value) -> bytes:
    """The canonical bytes of a value, the same in every process; raises NotAValue."""
    # By exact type: a subclass (a named tuple, an enumeration) would not come back as what it was.
    if type(value) is tuple:
        body = b"".join([_encode_element(item) for item in value])
        return b"(%d:%b" % (len(body), body)
    if type(value) is frozenset:
        body = b"".join(sorted([_encode_element(item) for item in value]))
        return b"{%d:%b" % (len(body), body)
    if type(value) in ATOMS:
        return _encode_atom(value)
    raise NotAValue(value)


LONGEST = 16
"""Elements of a tuple whose bytes are remembered."""
_ELEMENTS: dict[int, tuple[Value, bytes]] = {}
"""By identity, since equality takes True for 1; each entry keeps its value, so that no other gets its number."""


def _encode_element(value: Value) -> bytes:
    """Of an element of a set or tuple: those that grow hold the same objects again and again."""
    if type(value) in ATOMS:
        return _encode_atom(value)
    if type(value) is not tuple or len(value) > LONGEST:
        return encode(value)
    found = _ELEMENTS.get(id(value))
    if found is None or found[0] is not value:
        if len(_ELEMENTS) >= 1 << 16:
            _ELEMENTS.clear()
        found = _ELEMENTS[id(value)] = (value, encode(value))
    return found[1]


@lru_cache(maxsize=1 << 16, typed=True)  # the same few names and numbers come again and again
def _encode_atom(value: bool | int | str | bytes | None) -> bytes:
    if value is None:
        return b"N"
    if isinstance(value, bool):
        return b"T" if value else b"F"
    if isinstance(value, int):
        tag, body = b"i", b"%d" % value
    elif isinstance(value, str):
        tag, body = b"s", value.encode("utf-8", "surrogatepass")
    else:
        tag, body = b"b", value
    return b"%b%d:%b" % (tag, len(body), body)


def decode(data: bytes) -> Value:
    """The value that `encode` turned into these bytes."""
    value, end = _decode(data, 0)
    if end != len(data):
        raise ValueError(f"{len(data) - end} bytes follow the value")
    return value


def _decode(data: bytes, at: int) -> tuple[Value, int]:
    tag = data[at : at + 1]
    if tag in b"NTF" and tag:
        return {b"N": None, b"T": True, b"F": False}[tag], at + 1
    colon = data.index(b":", at)
    start, end = colon + 1, colon + 1 + int(data[at + 1 : colon])
    body = data[start:end]
    if len(body) != end - start:
        raise ValueError("the bytes end inside a value")
    if tag == b"i":
        return int(body), end
    if tag == b"s":
        return body.decode("utf-8", "surrogatepass"), end
    if tag == b"b":
        return body, end
    if tag in b"({":
        items = []
        while start < end:
            item, start = _decode(data, start)
            items.append(item)
        return (tuple(items) if tag == b"(" else frozenset(items)), end
    raise ValueError(f"unknown tag {tag!r} at byte {at}")


def key_of(value: Value) -> bytes:
    """Equal for equal values only, as `encode` is, and many times faster; to look something up with, not to keep.

    What is no value may have a key, too, so it tells nothing of what was not found.
    """
    try:
        return marshal.dumps(value, 2)  # later versions tell interned strings from others
    except ValueError:  # no value, or nested deeply
        return encode(value)


def same(one: Value, other: Value) -> bool:
    """Whether two values are one; `==` alone would take True for 1."""
    return one == other and encode(one) == encode(other)


def show(value: Value) -> str:
    """A value as a person writes it; sets in a stable order."""
    if isinstance(value, str):
        return value if value.isprintable() and value.strip() else repr(value)
    if isinstance(value, tuple):
        return "⟨" + ", ".join(map(show, value)) + "⟩"
    if isinstance(value, frozenset):
        return "{" + ", ".join(map(show, sorted(value, key=encode))) + "}"
    return repr(value)


def substitute(value: Value, image: dict[str, str]) -> Value:
    """The value with every string that `image` knows replaced, at any depth."""
    if isinstance(value, str):
        return image.get(value, value)
    if isinstance(value, tuple):
        return tuple(substitute(item, image) for item in value)
    if isinstance(value, frozenset):
        return frozenset(substitute(item, image) for item in value)
    return value
