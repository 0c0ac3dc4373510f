"""Links and topics as CSV: `links.csv`, and beside it `links.topics.csv` if there are topics.

links:  source,target[,cost][,latency_ms][,directed][,name]
topics: topic,publisher,subscriber[,deadline_ms], one pair a line
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from homing.core.errors import HomingError, Place
from homing.overlay.draft import Draft
from homing.overlay.network import Network
from homing.overlay.readers.order import natural

LINKS = ("source", "target", "cost", "latency_ms", "directed", "name")
TOPICS = ("topic", "publisher", "subscriber", "deadline_ms")
TOPICS_ENDING = ".topics.csv"
YES, NO = ("yes", "true", "1"), ("no", "false", "0", "")
Row = tuple[Place, dict[str, str]]


def read(path: Path, text: str) -> Network:
    from homing.overlay.readers import read_text

    rows = list(csv_rows(path, text, LINKS, needed=2))
    draft = Draft(path.stem, Place(str(path), 1))
    ends = {row[end] for _, row in rows for end in ("source", "target") if row[end]}
    for name in sorted(ends, key=natural):
        draft.broker(name, draft.place)
    for place, row in rows:
        if row["directed"].lower() not in YES + NO:
            raise HomingError(f"directed must be yes or no, got '{row['directed']}'", place)
        draft.link(
            row["source"],
            row["target"],
            place,
            cost=row["cost"] or None,
            latency_ms=row["latency_ms"] or None,
            directed=row["directed"].lower() in YES,
            name=row["name"] or None,
        )
    beside = path.with_name(path.stem + TOPICS_ENDING)
    if beside.exists():
        _topics(draft, list(csv_rows(beside, read_text(beside), TOPICS, needed=3)))
    return draft.build()


def _topics(draft: Draft, rows: Sequence[Row]) -> None:
    """One line a pair, so lines are checked one by one before a topic is put together."""
    found: dict[str, list[Row]] = {}
    for place, row in rows:
        draft.number(row["publisher"], f"publishers of topic '{row['topic']}'", place)
        draft.number(row["subscriber"], f"subscribers of topic '{row['topic']}'", place)
        found.setdefault(row["topic"], []).append((place, row))
    for name, lines in found.items():
        seen: set[tuple[str, str]] = set()
        for place, row in lines:
            pair = (row["publisher"], row["subscriber"])
            if pair in seen:
                raise HomingError(f"duplicate pair {pair[0]} to {pair[1]} in topic '{name}'", place)
            seen.add(pair)
        deadlines = {row["deadline_ms"] for _, row in lines if row["deadline_ms"]}
        if len(deadlines) > 1:
            raise HomingError(f"topic '{name}' has several deadlines: {', '.join(sorted(deadlines))}", lines[-1][0])
        # A pair a line is more than publishers times subscribers can say: one topic a publisher keeps it exact.
        publishers = dict.fromkeys(row["publisher"] for _, row in lines)
        for publisher in publishers:
            subscribers = [row["subscriber"] for _, row in lines if row["publisher"] == publisher]
            full = name if len(publishers) == 1 else f"{name} from {publisher}"
            draft.topic(full, [publisher], subscribers, lines[0][0], next(iter(deadlines), None))


def csv_rows(path: Path, text: str, columns: Sequence[str], needed: int) -> Iterator[Row]:
    """Each line with its place; the first line names the columns, of which the first `needed` must be there."""
    reader = csv.reader(io.StringIO(text))
    place = Place(str(path), 1)
    try:
        header = [name.strip().lower() for name in next(reader, [])]
    except csv.Error as error:
        raise HomingError(f"not valid CSV: {error}", place) from error
    for name in header:
        if name not in columns:
            raise HomingError(f"unknown column '{name}'", place, columns)
        if header.count(name) > 1:
            raise HomingError(f"the column '{name}' stands twice", place)
    for name in columns[:needed]:
        if name not in header:
            raise HomingError(f"the column '{name}' is missing", place, columns)
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            place = Place(str(path), reader.line_num)
            if len(cells) != len(header):
                raise HomingError(f"{len(cells)} cells under {len(header)} columns", place)
            row = dict.fromkeys(columns, "") | {name: cell.strip() for name, cell in zip(header, cells)}
            yield place, row
    except csv.Error as error:
        raise HomingError(f"not valid CSV: {error}", Place(str(path), reader.line_num)) from error
