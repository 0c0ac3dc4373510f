"""Json of the community: values as JSON text, and back, as TLC writes and reads it."""

from __future__ import annotations

import json
from typing import Any

from homing.languages.tla.values import LARGEST, LEAST, Fault, Value, is_function, kind, ordered, pairs_of, record, show


def plain(value: Value) -> Any:
    """A value as what Python's json writes: sets and sequences are arrays, other functions objects."""
    if type(value) is bytes:
        return value.decode()
    if type(value) is frozenset:
        return [plain(item) for item in ordered(value)]
    if is_function(value):
        return {_key(key): plain(item) for key, item in zip(value[1], value[2])}
    return [plain(item) for item in value] if type(value) is tuple else value


def _key(key: Value) -> str:
    return key if isinstance(key, str) else show(key)


def text(value: Any) -> str:
    """JSON without spaces."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def to_array(value: Value) -> str:
    """`ToJsonArray`: of a sequence or a set; any function but a record is an object then."""
    keys = value[1] if is_function(value) else ()
    if type(value) not in (tuple, frozenset) or (keys and all(isinstance(key, str) for key in keys)):
        raise Fault(f"ToJsonArray is applied to {show(value)}, {kind(value)}, which is neither a sequence nor a set")
    return text(plain(value))


def to_object(value: Value) -> str:
    """`ToJsonObject`; the positions of a sequence count from 0 then."""
    if type(value) is tuple and not is_function(value):
        return text({str(position): plain(item) for position, item in enumerate(value)})
    pairs_of(value)
    return text(plain(value))


def parsed(written: str, where: str) -> Value:
    """The value that JSON text stands for: objects are records, arrays are sequences."""
    try:
        return _value(json.loads(written), where)
    except (ValueError, RecursionError) as error:
        raise Fault(f"{where} is no JSON: {error}") from None


def _value(found: Any, where: str) -> Value:
    if isinstance(found, list):
        return tuple(_value(item, where) for item in found)
    if isinstance(found, dict):
        return record(found, [_value(item, where) for item in found.values()])
    if isinstance(found, float):
        found = int(found)
    if type(found) is int and not LEAST <= found <= LARGEST:
        raise Fault(f"{where} has the number {found}, which needs more than 32 bits")
    if found is None:
        raise Fault(f"{where} has null, which is no value of TLA+")
    return found
