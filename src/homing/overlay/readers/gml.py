"""GML, the other format of the Internet Topology Zoo: nested `key [ ... ]` lists of keys and values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path

from homing.core.errors import HomingError, Place
from homing.overlay.network import Network
from homing.overlay.readers.maps import MapEdge, MapNode, RawMap

TOKEN = re.compile(r'"(?P<text>[^"]*)"|(?P<open>\[)|(?P<close>\])|(?P<word>[^\s\[\]"]+)|(?P<bad>")')
DEEPEST = 64


@dataclass(frozen=True)
class Item:
    """A key with a text or a list of items."""

    key: str
    value: str | list[Item]
    line: int


def read(path: Path, text: str) -> Network:
    items = _items(_tokens(path, text), path, depth=0)
    graphs = [item for item in items if item.key.lower() == "graph" and isinstance(item.value, list)]
    if len(graphs) != 1:
        raise HomingError(f"{len(graphs)} graphs in the file, expected one", Place(str(path), 1))
    content = graphs[0].value
    assert isinstance(content, list)
    top = _texts(content)
    directed = top.get("directed") == "1"
    nodes, edges = [], []
    for item in content:
        if not isinstance(item.value, list):
            continue
        place = Place(str(path), item.line)
        found = _texts(item.value)
        if item.key == "node":
            nodes.append(MapNode(_need(found, "id", item, place), place, found))
        elif item.key == "edge":
            ends = (_need(found, "source", item, place), _need(found, "target", item, place))
            edges.append(MapEdge(*ends, directed, place, found))
    name = top.get("network") or top.get("label") or path.stem
    return RawMap(name, Place(str(path), 1), nodes, edges).build()


def _texts(items: list[Item]) -> dict[str, str]:
    return {item.key.lower(): item.value for item in items if isinstance(item.value, str)}


def _need(found: dict[str, str], key: str, item: Item, place: Place) -> str:
    if key not in found:
        raise HomingError(f"a '{item.key}' without '{key}'", place)
    return found[key]


def _tokens(path: Path, text: str) -> Iterator[tuple[str, str, int]]:
    line, seen = 1, 0
    # A line that starts with # is a comment; blanked, so that lines keep their numbers.
    text = re.sub(r"(?m)^[ \t]*#.*$", "", text)
    for match in TOKEN.finditer(text):
        line += text.count("\n", seen, match.start())
        seen = match.start()
        kind = match.lastgroup or ""
        if kind == "bad":
            raise HomingError("a text that is never closed", Place(str(path), line))
        yield kind, unescape(match[kind]) if kind == "text" else match[kind], line
    line += text.count("\n", seen)
    yield "end", "", line


def _items(tokens: Iterator[tuple[str, str, int]], path: Path, depth: int) -> list[Item]:
    items: list[Item] = []
    for kind, key, line in tokens:
        if kind == "end" and depth == 0:
            return items
        if kind == "close" and depth > 0:
            return items
        if kind != "word":
            said = "the file ends inside a list" if kind == "end" else f"expected a key, got '{key}'"
            raise HomingError(f"not valid GML: {said}", Place(str(path), line))
        kind, value, at = next(tokens)
        if kind == "open":
            if depth >= DEEPEST:
                raise HomingError("not valid GML: lists are nested too deeply", Place(str(path), at))
            items.append(Item(key, _items(tokens, path, depth + 1), line))
        elif kind in ("word", "text"):
            items.append(Item(key, value, line))
        else:
            raise HomingError(f"not valid GML: the key '{key}' has no value", Place(str(path), at))
    return items
