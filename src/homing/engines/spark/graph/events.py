"""Events as tables: numbers differ by process, values do not."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from homing.core.system import Event
from homing.core.values import decode, encode

BYTES = pa.binary()  # not text: that could not hold every string of Python
SCHEMA = pa.schema(
    [
        ("name", BYTES),
        ("arguments", BYTES),
        ("sender", BYTES),
        ("receiver", BYTES),
        ("channel", BYTES),
        ("text", BYTES),
    ]
)


def table_of(events: Sequence[Event]) -> pa.Table:
    """The events, row by row."""
    rows = [
        {
            "name": encode(event.name),
            "arguments": encode(event.arguments),
            "sender": encode(event.sender),
            "receiver": encode(event.receiver),
            "channel": encode(event.channel),
            "text": encode(event.text),
        }
        for event in events
    ]
    return pa.Table.from_pylist(rows, SCHEMA)


def events_of(table: pa.Table) -> tuple[Event, ...]:
    """The events of such a table."""
    return tuple(
        Event(**{name: decode(data) for name, data in row.items()})  # type: ignore[arg-type]  # as they were encoded
        for row in table.to_pylist()
    )
