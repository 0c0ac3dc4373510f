"""The page on Parquet: schemas as they are written, with what their columns mean."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from homing.overlay import results

HEAD = """# Parquet

<!-- Written by `./homing docs` from the schemas. -->

Names are dictionary-encoded strings: any reader of Parquet shows them as text.

```python
import pyarrow.parquet as pq

pq.read_table("results/verdicts", filters=[("verdict", "=", "VIOLATED")]).to_pandas()
```

## Overlay networks

`homing overlay verify`, `plan` and `sweep` with `-o DIR`; [Overlay networks](../overlay.md#results) says what is left
out. Colours count from 1, which is the normal state.
"""
ABOUT = {
    "scenarios": "What each colour stands for.",
    "routes": "Next hops: of colour 1 all, of others only those that differ from it.",
    "deliveries": "What becomes of each pair, in the same way.",
    "verdicts": "A row a colour.",
    "super_routes": "The super routing tables: every entry with the colours that it serves.",
    "transitions": "Changes of colour in which messages may loop while brokers disagree.",
}
COLUMNS = {
    "colour": "number of the scenario",
    "failed": "how many elements failed",
    "failure": "in words",
    "links": "names of the links that failed",
    "brokers": "names of the brokers that failed",
    "broker": "whose table it is",
    "destination": "where a message has to go",
    "next_hop": "where it is sent; null: no path",
    "publisher": "broker of the publisher",
    "subscriber": "broker of the subscriber",
    "outcome": "delivered, partitioned, looped, wrong table, deadline missed, absent",
    "hops": "on the way; null where it does not arrive",
    "cost": "of the way",
    "latency_ms": "of the way",
    "verdict": "HOLDS or VIOLATED",
    "delivered": "pairs",
    "partitioned": "pairs without a path",
    "looped": "pairs whose messages loop",
    "wrong": "pairs with a wrong table",
    "late": "pairs that miss a deadline",
    "absent": "pairs whose own broker failed",
    "changed": "entries that differ from colour 1",
    "address": "of the entry, from 1",
    "count": "how many colours it serves",
    "first_colour": "the first of them",
    "colours": "all of them, ascending; null where they are too many to list",
    "old_colour": "before the change",
    "new_colour": "after it",
    "pairs": "that may loop in between",
}
TAIL = """## Simulations

`homing overlay simulate NETWORK -o DIR` writes `packets.parquet`, and the same as CSV:

| column | type | |
| --- | --- | --- |
| `protocol` | string | pcrt, ospf or rrl |
| `source`, `destination` | string | brokers |
| `sent` | double | seconds |
| `ended` | double | when it arrived or was lost; null while it is in flight |
| `latency` | double | seconds; null where it did not arrive |
| `outcome` | string | delivered, in flight, queue full, link down, no route, ttl |
| `path` | string | brokers that it came by, joined by dashes |

With `--seeds`, `seeds.parquet` has a row for each seed and protocol: `seed`, `protocol`, and a column a measure.

## State spaces on Spark

`homing check --engine spark` keeps states in its [run folder](../spark.md#files):

| table | column | type | |
| --- | --- | --- | --- |
| `states` | `word0`, `word1`, … | uint32 | the packed state; what its numbers stand for is in the schema's metadata |
| | `depth` | uint32 | steps from an initial state; of a state that is there twice, the least counts |
| | `parent` | uint64 | the state it was reached from |
| | `counted` | uint32 | the depth at which its steps were counted |
"""


def page() -> str:
    """All tables."""
    return "\n".join([HEAD, *(line for name, schema in results.TABLES.items() for line in _table(name, schema)), TAIL])


def _table(name: str, schema: Any) -> Iterator[str]:
    yield f"### `{name}`\n"
    yield f"{ABOUT[name]}\n"
    yield "| column | type | |\n| --- | --- | --- |"
    yield from (f"| `{field.name}` | {_type(field.type)} | {COLUMNS[field.name]} |" for field in schema)
    yield ""


def _type(kind: Any) -> str:
    if hasattr(kind, "value_field"):
        return f"list of {_type(kind.value_type)}"
    return str(getattr(kind, "value_type", kind))
