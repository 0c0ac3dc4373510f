"""What GraphML and GML have in common: nodes and edges with attributes, made into a network."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from homing.core.errors import HomingError, Place
from homing.overlay.draft import Draft
from homing.overlay.network import Network


@dataclass
class MapNode:
    """A node as read."""

    key: str
    place: Place
    attributes: dict[str, str] = field(default_factory=dict)


@dataclass
class MapEdge:
    """An edge as read."""

    source: str
    target: str
    directed: bool
    place: Place
    attributes: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class RawMap:
    """A map before its names are made unique and its parallel links merged."""

    name: str
    place: Place
    nodes: Sequence[MapNode]
    edges: Sequence[MapEdge]

    def build(self) -> Network:
        draft = Draft(self.name, self.place, tolerant=True)
        names: dict[str, str] = {}
        labels = Counter(node.attributes.get("label", "") for node in self.nodes)
        for node in self.nodes:
            if node.key in names:
                raise HomingError(f"duplicate node '{node.key}'", node.place)
            label = node.attributes.get("label", "")
            # Maps call several places "None" or "?": a label that is no name is made one by the node's key.
            names[node.key] = label if label and labels[label] == 1 else f"{label} {node.key}".strip()
            x = _coordinate(node, "longitude", "x")
            y = _coordinate(node, "latitude", "y")
            known = x is not None and y is not None
            draft.broker(names[node.key], node.place, x if known else None, y if known else None)
        for edge in self.edges:
            for end in (edge.source, edge.target):
                if end not in names:
                    raise HomingError(f"unknown broker '{end}' in a link", edge.place, names)
            draft.link(
                names[edge.source],
                names[edge.target],
                edge.place,
                cost=edge.attributes.get("cost", edge.attributes.get("weight")),
                latency_ms=edge.attributes.get("latency_ms"),
                directed=edge.directed,
            )
        return draft.build()


def _coordinate(node: MapNode, *keys: str) -> float | None:
    for key in keys:
        try:
            value = float(node.attributes[key])
        except (KeyError, ValueError):
            continue
        if math.isfinite(value):
            return value
    return None
