"""The network as an SVG: positions from the map if there is one, else found by springs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from homing.overlay.network import Network
from homing.report.wording import escape

WIDTH, HEIGHT, MARGIN = 860.0, 520.0, 46.0
ROUNDS = 300
MOST_LABELS = 60
Points = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Marks:
    """What to show on the network: what failed, what is weak, ways that lead astray, pairs that have no way."""

    failed: Collection[int] = ()
    weak: Collection[int] = ()
    bad: Sequence[Sequence[int]] = ()
    lost: Sequence[Sequence[int]] = ()


def place(network: Network) -> Points:
    """A position for every broker, scaled to the picture."""
    if network.without_position():
        points = spring(network)
    else:
        points = np.array([(broker.x, -(broker.y or 0.0)) for broker in network.brokers], float)
        points = apart(points)
    low, high = points.min(axis=0), points.max(axis=0)
    size = np.where(high > low, high - low, 1.0)
    room = np.array([WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN])
    scale = (room / size).min()  # one scale for both, so that maps keep their shape
    offset = (np.array([WIDTH, HEIGHT]) - (high - low) * scale) / 2
    return np.asarray((points - low) * scale + offset)


def apart(points: Points) -> Points:
    """Brokers at one place are moved onto a small ring around it, so that each can be seen."""
    span = float(np.ptp(points, axis=0).max()) or 1.0
    _, place_of, count = np.unique(points.round(3), axis=0, return_inverse=True, return_counts=True)
    moved = points.copy()
    for shared in np.flatnonzero(count > 1):
        members = np.flatnonzero(place_of.ravel() == shared)
        angle = np.arange(len(members)) * 2 * np.pi / len(members)
        moved[members] += np.stack([np.cos(angle), np.sin(angle)], axis=1) * span * 0.02
    return moved


def spring(network: Network) -> Points:
    """Brokers push each other away, links pull; the same picture every time."""
    n = len(network.brokers)
    angle = np.arange(n) * 2 * np.pi / n
    points = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    if n == 1:
        return points
    ends = np.array([(link.source, link.target) for link in network.links], int).reshape(-1, 2)
    ideal = np.sqrt(4.0 / n)
    for step in range(ROUNDS):
        apart_by = points[:, None, :] - points[None, :, :]
        length = np.maximum(np.hypot(apart_by[..., 0], apart_by[..., 1]), 0.01)
        force = (apart_by * (ideal**2 / length**2)[..., None]).sum(axis=1)
        pull = points[ends[:, 0]] - points[ends[:, 1]]
        pull = pull * (np.hypot(pull[:, 0], pull[:, 1]) / ideal)[:, None]
        np.add.at(force, ends[:, 0], -pull)
        np.add.at(force, ends[:, 1], pull)
        force -= points * ideal  # islands stay near
        reach = np.maximum(np.hypot(force[:, 0], force[:, 1]), 1e-9)
        heat = 0.2 * (1 - step / ROUNDS)
        points = points + force / reach[:, None] * np.minimum(reach, heat)[:, None]
    return points


def draw(network: Network, points: Points, marks: Marks | None = None) -> str:
    """The picture; names of brokers appear on pointing at them, and in full when there are few."""
    marks = marks or Marks()
    links = len(network.links)
    small = len(network.brokers) > MOST_LABELS
    parts = [f'<svg class="network" viewBox="0 0 {WIDTH:.0f} {HEIGHT:.0f}" role="img">']
    for number, link in enumerate(network.links):
        kind = "failed" if number in marks.failed else "weak" if number in marks.weak else ""
        title = f"{link.name}: cost {link.cost:g}" + (f", {link.latency_ms:g} ms" if link.latency_ms else "")
        parts.append(_line(points[link.source], points[link.target], f"link {kind}".strip(), title))
    for kind, ways in (("lost", marks.lost), ("bad", marks.bad)):
        parts += [_way(points, way, kind) for way in ways if len(way) > 1]
    for number, broker in enumerate(network.brokers):
        kind = "failed" if links + number in marks.failed else "weak" if links + number in marks.weak else ""
        x, y = points[number]
        radius = 3 if small else 6
        parts.append(
            f'<circle class="{f"broker {kind}".strip()}" cx="{x:.1f}" cy="{y:.1f}" r="{radius}">'
            f"<title>{escape(broker.name)}</title></circle>"
        )
        if not small:
            parts.append(f'<text x="{x:.1f}" y="{y - 10:.1f}">{escape(broker.name)}</text>')
    return "".join([*parts, "</svg>"])


def _line(a: Points, b: Points, kind: str, title: str) -> str:
    return (
        f'<line class="{kind}" x1="{a[0]:.1f}" y1="{a[1]:.1f}" x2="{b[0]:.1f}" y2="{b[1]:.1f}">'
        f"<title>{escape(title)}</title></line>"
    )


def _way(points: Points, way: Sequence[int], kind: str) -> str:
    """Beside the links rather than on them, so that both can be seen."""
    corners = []
    for a, b in pairwise(way):
        step = points[b] - points[a]
        side = np.array([-step[1], step[0]]) / max(float(np.hypot(*step)), 1e-6) * 3.5
        corners += [points[a] + side, points[b] + side]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    return f'<polyline class="way {kind}" points="{path}" marker-end="url(#{kind}-arrow)"/>'


STYLE = """
.network { width: 100%; background: #fbfbf9; border: 1px solid #ddd; border-radius: 6px; }
.network text { font: 11px system-ui, sans-serif; text-anchor: middle; fill: #333; paint-order: stroke;
  stroke: #fbfbf9; stroke-width: 3px; }
.link { stroke: #9aa5ad; stroke-width: 1.6; }
.link.weak { stroke: #d98a00; stroke-width: 3; }
.link.failed { stroke: #c62828; stroke-width: 2.4; stroke-dasharray: 5 5; }
.broker { fill: #35596f; stroke: white; stroke-width: 1.2; }
.broker.weak { fill: #d98a00; }
.broker.failed { fill: white; stroke: #c62828; stroke-width: 2.4; }
.way { fill: none; stroke-width: 2.4; stroke-linejoin: round; opacity: 0.85; }
.way.lost { stroke: #c62828; stroke-width: 1.2; stroke-dasharray: 2 4; opacity: 0.55; }
.way.bad { stroke: #c62828; }
"""
ARROWS = (
    '<svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs>'
    + "".join(
        f'<marker id="{kind}-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="5" markerHeight="5" '
        f'orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="{colour}"/></marker>'
        for kind, colour in (("lost", "#c62828"), ("bad", "#c62828"))
    )
    + "</defs></svg>"
)
