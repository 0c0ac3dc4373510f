"""Topologies of the PyPI package topohub: Topology Zoo, SNDlib, CAIDA, backbones, Gabriel graphs."""

from __future__ import annotations

from collections import Counter
from importlib import resources
from typing import Any

from homing.core.errors import HomingError, Place
from homing.overlay.draft import Draft
from homing.overlay.network import Network

# Light in glass covers about 200 km in a millisecond.
KM_PER_MS = 200.0


def names(prefix: str) -> list[str]:
    """All topologies whose name starts so."""
    import topohub

    root = resources.files(topohub) / "data"
    found: list[str] = []

    def visit(folder: Any, path: str) -> None:
        for entry in folder.iterdir():
            if entry.is_dir():
                visit(entry, f"{path}{entry.name}/")
            elif entry.name.endswith(".json"):
                found.append(path + entry.name.removesuffix(".json"))

    visit(root, "")
    return sorted(name for name in found if name.startswith(prefix))


def read(name: str) -> Network:
    import topohub

    place = Place(f"topohub:{name}")
    try:
        data = topohub.get(name)
    except (KeyError, OSError, ValueError) as error:
        near = [known for known in names(name.split("/", maxsplit=1)[0] + "/") if name.lower() in known.lower()]
        known = near or sorted({known.split("/")[0] + "/" for known in names("")})
        raise HomingError(f"topohub has no topology '{name}'", place, known) from error
    draft = Draft(name, place, tolerant=True)
    titles = Counter(str(node.get("name") or "") for node in data["nodes"])
    ids: dict[str, str] = {}
    for node in data["nodes"]:
        title = str(node.get("name") or "")
        ids[str(node["id"])] = title if title and titles[title] == 1 else f"{title} {node['id']}".strip()
        x, y = (node.get("pos") or (None, None))[:2]
        draft.broker(ids[str(node["id"])], place, x, y)
    for edge in data["edges"]:
        kilometres = float(edge.get("dist") or 0.0)
        ends = (ids[str(edge["source"])], ids[str(edge["target"])])
        draft.link(*ends, place, latency_ms=round(kilometres / KM_PER_MS, 6))
    return draft.build()
