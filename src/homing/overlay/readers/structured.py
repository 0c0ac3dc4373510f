"""Our own format, in TOML, YAML or JSON: brokers, links, topics, risk groups (docs/overlay.md)."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from homing.core.errors import HomingError, Place
from homing.overlay.draft import Draft
from homing.overlay.network import Network
from homing.overlay.readers.order import natural

Steps = tuple[str | int, ...]
Lines = dict[Steps, int]

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
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+), column (\d+)", str(error))
        # Without a place it is the end of the document.
        line, column = (int(place[1]), int(place[2])) if place else (text.count("\n") + 1, 0)
        said = re.sub(r" \(at .*\)$", "", str(error))
        raise HomingError(f"not valid TOML: {said}", Place(str(path), line, column)) from error
    return _network(path, data, toml_lines(text))


def read_json(path: Path, text: str) -> Network:
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise HomingError(f"not valid JSON: {error.msg}", Place(str(path), error.lineno, error.colno)) from error
    # JSON is YAML except for tabs, which cannot stand inside a JSON string.
    return _network(path, data, yaml_lines(text.replace("\t", " ")))


def read_yaml(path: Path, text: str) -> Network:
    import yaml

    try:
        data = yaml.safe_load(text)
        lines = yaml_lines(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = Place(str(path), mark.line + 1, mark.column + 1) if mark else Place(str(path))
        raise HomingError(f"not valid YAML: {error.problem}", place) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise HomingError(f"not valid YAML: {str(error).splitlines()[0]}", Place(str(path))) from error
    return _network(path, data, lines)


def yaml_lines(text: str) -> Lines:
    """The line of every value, by the keys and positions that lead to it."""
    import yaml

    lines: Lines = {}

    def visit(node: Any, steps: Steps) -> None:
        lines.setdefault(steps, node.start_mark.line + 1)
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                lines[(*steps, str(key.value))] = key.start_mark.line + 1
                visit(value, (*steps, str(key.value)))
        elif isinstance(node, yaml.SequenceNode):
            for number, value in enumerate(node.value):
                visit(value, (*steps, number))

    root = yaml.compose(text, Loader=yaml.SafeLoader)
    if root is not None:
        visit(root, ())
    return lines


def toml_lines(text: str) -> Lines:
    """The same for TOML, whose standard reader keeps no lines: headers, keys, and one table a line."""
    lines: Lines = {}
    prefix: Steps = ()
    counts: dict[str, int] = {}
    inline = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if header := re.match(r"\s*\[\[\s*([\w-]+)\s*\]\]", line):
            prefix = (header[1], counts.get(header[1], 0))
            counts[header[1]] = counts.get(header[1], 0) + 1
            lines[prefix] = number
            inline = ""
        elif key := re.match(r"\s*\"?([\w-]+)\"?\s*=\s*(.*)", line):
            lines[(*prefix, key[1])] = number
            inline = key[1] if key[2].strip().startswith("[") and not prefix else ""
        if inline:
            for _ in re.finditer(r"\{|(?<=[\[,])\s*\"|^\s*\"", line):
                lines[(inline, counts.get(inline, 0))] = number
                counts[inline] = counts.get(inline, 0) + 1
    return lines


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
    draft = Draft(str(data.get("name", path.stem)), Place(str(path), 1))
    links = _tables(data, "links", place)
    _brokers(draft, data, links, place)
    for number, link in enumerate(links):
        _link(draft, link, lambda *key, n=number: place("links", n, *key))
    for number, topic in enumerate(_tables(data, "topics", place)):
        here = place("topics", number)
        draft.topic(
            topic.get("name"),
            _names(topic, "publishers", place("topics", number, "publishers")),
            _names(topic, "subscribers", place("topics", number, "subscribers")),
            here,
            topic.get("deadline_ms"),
        )
    for number, group in enumerate(_tables(data, "risk_groups", place)):
        here = place("risk_groups", number)
        draft.group(group.get("name"), _names(group, "links", here), _names(group, "brokers", here), here)
    return draft.build()


def _brokers(
    draft: Draft, data: Mapping[str, Any], links: Sequence[Mapping[str, Any]], place: Callable[..., Place]
) -> None:
    if "brokers" not in data:
        # Nobody counts brokers that the links already name; sorted, they keep their numbers when lines move.
        ends = {str(end) for link in links for end in _ends(link) if isinstance(end, str | int)}
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
            draft.broker(broker.get("name"), here, broker.get("x"), broker.get("y"))
        else:
            draft.broker(broker, here)


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
            raise HomingError(f"each of {key} must be a table, got {table!r}", place(key, number))
        _only(table, key, lambda *rest, n=number: place(key, n, *rest))
    return found


def _names(table: Mapping[str, Any], key: str, place: Place) -> list[object]:
    found = table.get(key, [])
    if not isinstance(found, list):
        raise HomingError(f"{key} must be a list of names, got {found!r}", place)
    return found


def _only(table: Mapping[str, Any], kind: str, place: Callable[..., Place]) -> None:
    for key in table:
        if key not in KEYS[kind]:
            where = f" in {kind}" if kind else ""
            raise HomingError(f"unknown key '{key}'{where}", place(str(key)), KEYS[kind])
