"""GraphML, as the Internet Topology Zoo publishes its maps.

Entities are refused, as they are only used for attacks here. Attributes: `label` names a broker, `cost` or
`weight` and `latency_ms` stand on edges, `Longitude` and `Latitude` (or `x` and `y`) on nodes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from homing.core.errors import HomingError, Place
from homing.overlay.network import Network
from homing.overlay.readers.maps import MapEdge, MapNode, RawMap


@dataclass
class _Parser:
    path: Path
    keys: dict[str, str] = field(default_factory=dict)
    nodes: list[MapNode] = field(default_factory=list)
    edges: list[MapEdge] = field(default_factory=list)
    directed: bool = False
    name: str = ""
    graphs: int = 0
    _open: MapNode | MapEdge | None = None
    _key: str = ""
    _text: str = ""

    def place(self, expat_parser: expat.XMLParserType) -> Place:
        return Place(str(self.path), expat_parser.CurrentLineNumber)

    def start(self, parser: expat.XMLParserType, tag: str, attributes: dict[str, str]) -> None:
        place = self.place(parser)
        tag = tag.rpartition(":")[2]
        if tag == "key":
            self.keys[attributes.get("id", "")] = attributes.get("attr.name", attributes.get("id", ""))
        elif tag == "graph":
            self.graphs += 1
            if self.graphs > 1:
                raise HomingError("more than one graph in the file", place)
            self.directed = attributes.get("edgedefault") == "directed"
        elif tag == "node":
            self._open = MapNode(_need(attributes, "id", "node", place), place)
            self.nodes.append(self._open)
        elif tag == "edge":
            ends = (_need(attributes, "source", "edge", place), _need(attributes, "target", "edge", place))
            directed = attributes.get("directed", str(self.directed)).lower() == "true"
            self._open = MapEdge(*ends, directed, place)
            self.edges.append(self._open)
        elif tag == "data":
            self._key, self._text = attributes.get("key", ""), ""

    def end(self, tag: str) -> None:
        tag = tag.rpartition(":")[2]
        if tag == "data":
            name = self.keys.get(self._key, self._key).lower()
            if self._open is not None:
                self._open.attributes[name] = self._text.strip()
            elif name in ("network", "label", "name"):
                self.name = self.name or self._text.strip()
        elif tag in ("node", "edge"):
            self._open = None


def read(path: Path, text: str) -> Network:
    state = _Parser(path)
    parser = expat.ParserCreate()

    def refuse(*_: object) -> None:
        raise HomingError("declarations of entities are refused", state.place(parser))

    def collect(characters: str) -> None:
        state._text += characters

    parser.StartElementHandler = lambda tag, attributes: state.start(parser, tag, attributes)
    parser.EndElementHandler = state.end
    parser.CharacterDataHandler = collect
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        said = expat.errors.messages[error.code]
        raise HomingError(f"not valid XML: {said}", Place(str(path), error.lineno, error.offset + 1)) from error
    if not state.graphs:
        raise HomingError("no graph in the file", Place(str(path), 1))
    return RawMap(state.name or path.stem, Place(str(path), 1), state.nodes, state.edges).build()


def _need(attributes: dict[str, str], key: str, what: str, place: Place) -> str:
    if key not in attributes:
        raise HomingError(f"an element '{what}' without '{key}'", place)
    return attributes[key]
