"""Our own format, in TOML, YAML or JSON: brokers, links, topics, risk groups (docs/overlay.md)."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from reprlib import repr as short
from typing import Any

from homing.core.errors import HomingError, Place
from homing.core.numerals import too_long
from homing.overlay.draft import Draft, as_name, as_number
from homing.overlay.network import Network
from homing.overlay.readers.lines import Lines, Refused, json_lines, toml_lines, yaml_lines
from homing.overlay.readers.order import natural

FARTHEST = 1e9  # of a position; also keeps out what is not finite
KEYS = {
    "": ("name", "brokers", "links", "topics", "risk_groups"),
    "brokers": ("name", "x", "y"),
    "links": ("between", "from", "to", "name", "cost", "latency_ms"),
    "topics": ("name", "publishers", "subscribers", "deadline_ms"),
    "risk_groups": ("name", "links", "brokers"),
}


def read_toml(path: Path, text: str) -> Network:
    try:
        data = tomllib.loads(text)
        lines = toml_lines(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+), column (\d+)", str(error))
        # Without a place it is the end of the document.
        line, column = (int(place[1]), int(place[2])) if place else (text.count("\n") + 1, 0)
        said = re.sub(r" \(at .*\)$", "", str(error))
        raise HomingError(f"not valid TOML: {said}", Place(str(path), line, column)) from error
    except (ValueError, RecursionError) as error:
        raise _beyond(path, "TOML", error, text) from error
    return _network(path, data, lines)


def read_json(path: Path, text: str) -> Network:
    try:
        data = json.loads(text)
        lines = json_lines(text)
    except json.JSONDecodeError as error:
        raise HomingError(f"not valid JSON: {error.msg}", Place(str(path), error.lineno, error.colno)) from error
    except (ValueError, RecursionError) as error:
        raise _beyond(path, "JSON", error, text) from error
    return _network(path, data, lines)


def read_yaml(path: Path, text: str) -> Network:
    import yaml

    try:
        lines = yaml_lines(text)  # refuses first what would take for ever
        data = yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = Place(str(path), mark.line + 1, mark.column + 1) if mark else Place(str(path))
        raise HomingError(f"not valid YAML: {error.problem}", place) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise _beyond(path, "YAML", error, text) from error
    return _network(path, data, lines)


def _beyond(path: Path, kind: str, error: Exception, text: str) -> HomingError:
    """Grammatical perhaps, but not for our readers: nested without end, or numbers of thousands of digits."""
    if isinstance(error, Refused):
        return HomingError(str(error), Place(str(path), error.line))
    if "integer string conversion" in str(error):
        return too_long(text, str(path))
    said = "nested too deeply" if isinstance(error, RecursionError) else str(error).splitlines()[0]
    return HomingError(f"not valid {kind}: {said}", Place(str(path)))


def _network(path: Path, data: Any, lines: Lines) -> Network:
    def place(*steps: str | int) -> Place:
        while steps and steps not in lines:
            steps = steps[:-1]
        return Place(str(path), lines.get(steps, 0))

    if data is None:
        data = {}
    if not isinstance(data, Mapping):
        raise HomingError("a network is a table with brokers, links and topics", place())
    _only(data, "", place)
    name = as_name(data.get("name", path.stem), "network", place("name"))
    draft = Draft(name, Place(str(path), 1))
    links = _tables(data, "links", place)
    _brokers(draft, data, links, place)
    for number, link in enumerate(links):
        _link(draft, link, lambda *key, n=number: place("links", n, *key))
    for number, topic in enumerate(_tables(data, "topics", place)):
        _topic(draft, topic, lambda *key, n=number: place("topics", n, *key))
    for number, group in enumerate(_tables(data, "risk_groups", place)):
        here = place("risk_groups", number)
        draft.group(group.get("name"), _names(group, "links", here), _names(group, "brokers", here), here)
    return draft.build()


def _topic(draft: Draft, topic: Mapping[str, Any], place: Callable[..., Place]) -> None:
    for key in ("publishers", "subscribers"):
        for number, name in enumerate(_names(topic, key, place(key))):
            draft.number(name, f"{key} of topic '{topic.get('name')}'", place(key, number))
    deadline = topic.get("deadline_ms")
    if deadline is not None:
        as_number(deadline, "deadline_ms", place("deadline_ms"))
    ends = (topic.get("publishers", []), topic.get("subscribers", []))
    draft.topic(topic.get("name"), *ends, place(), deadline)


def _brokers(
    draft: Draft, data: Mapping[str, Any], links: Sequence[Mapping[str, Any]], place: Callable[..., Place]
) -> None:
    if "brokers" not in data:
        # Nobody counts brokers that the links already name; sorted, they keep their numbers when lines move.
        ends = {
            as_name(end, "broker", place("links", number))
            for number, link in enumerate(links)
            for end in _ends(link)
            if isinstance(end, str | int)
        }
        for name in sorted(ends, key=natural):
            draft.broker(name, place())
        return
    brokers = data["brokers"]
    if not isinstance(brokers, Sequence) or isinstance(brokers, str):
        raise HomingError("brokers must be a list", place("brokers"))
    for number, broker in enumerate(brokers):
        here = place("brokers", number)
        if isinstance(broker, Mapping):
            _only(broker, "brokers", lambda *key, h=here: h)
            x, y = (_position(broker, key, place("brokers", number, key)) for key in ("x", "y"))
            draft.broker(broker.get("name"), here, x, y)
        else:
            draft.broker(broker, here)


def _position(broker: Mapping[str, Any], key: str, place: Place) -> float | None:
    value = broker.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= FARTHEST:
        got = "one too large" if isinstance(value, int) else short(value)
        raise HomingError(f"{key} must be a number, got {got}", place)
    return float(value)


def _ends(link: Mapping[str, Any]) -> tuple[Any, ...]:
    between = link.get("between")
    return tuple(between) if isinstance(between, list) else (link.get("from"), link.get("to"))


def _link(draft: Draft, link: Mapping[str, Any], place: Callable[..., Place]) -> None:
    ends = _ends(link)
    if len(ends) != 2 or None in ends or ("between" in link) == ("from" in link or "to" in link):
        raise HomingError("a link needs between = [a, b], or from and to when it is directed", place())
    options = {"cost": link.get("cost"), "latency_ms": link.get("latency_ms"), "name": link.get("name")}
    wrong = next((key for key in ("cost", "latency_ms") if key in link and not _is_number(link[key])), None)
    draft.link(*ends, place(wrong) if wrong else place(), directed="from" in link, **options)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


def _tables(data: Mapping[str, Any], key: str, place: Callable[..., Place]) -> list[Mapping[str, Any]]:
    found = data.get(key) or []
    if not isinstance(found, list):
        raise HomingError(f"{key} must be a list", place(key))
    for number, table in enumerate(found):
        if not isinstance(table, Mapping):
            raise HomingError(f"each of {key} must be a table, got {short(table)}", place(key, number))
        _only(table, key, lambda *rest, n=number: place(key, n, *rest))
    return found


def _names(table: Mapping[str, Any], key: str, place: Place) -> list[object]:
    found = table.get(key, [])
    if not isinstance(found, list):
        raise HomingError(f"{key} must be a list of names, got {short(found)}", place)
    return found


def _only(table: Mapping[str, Any], kind: str, place: Callable[..., Place]) -> None:
    for key in table:
        if key not in KEYS[kind]:
            where = f" in {kind}" if kind else ""
            raise HomingError(f"unknown key '{key}'{where}", place(str(key)), KEYS[kind])
