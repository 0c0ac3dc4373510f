"""A network as flat arrays: what the kernels read.

Every undirected link is two arcs. Arcs stand in the order of the tie-break: by source, then by the number of
the broker they lead to, then by weight, then by the link's number. A weight counts cost first and hops second
(`cost * scale + 1`), so all weights are positive, even of links that cost nothing, and a route that gets
closer by weight with every hop cannot loop.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

import numpy as np
import numpy.typing as npt

from homing.core.errors import HomingError
from homing.overlay.network import COST_DECIMALS, Network, nowhere

U32 = npt.NDArray[np.uint32]
I64 = npt.NDArray[np.int64]
UNREACHABLE = np.int64(2**62)
MICROSECONDS = 1000  # a millisecond


@dataclass(frozen=True)
class Graph:
    """Arcs by their source (`first[u]` to `first[u + 1]`), and by their target through `back`."""

    brokers: int
    links: int
    scale: int  # weight of one unit of cost; 1 when all links cost the same
    cost_unit: float  # what one unit of cost stands for in the network
    first: U32
    source: U32
    target: U32
    weight: I64
    latency: I64  # microseconds
    link: U32
    back_first: U32
    back: U32  # arcs by target
    link_first: U32
    link_arcs: U32  # arcs by link

    @property
    def arcs(self) -> int:
        return len(self.target)

    @property
    def uniform(self) -> bool:
        """All links cost the same: distances are hops."""
        return self.scale == 1

    def cost(self, weight: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Costs in the network's own unit."""
        return np.asarray(weight // self.scale * self.cost_unit, np.float64)

    def hops(self, weight: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        return np.asarray(weight if self.uniform else weight % self.scale, np.int64)


def compile_network(network: Network) -> Graph:
    """The arrays of a network."""
    micro = [round(link.cost * 10**COST_DECIMALS) for link in network.links]
    unit = gcd(*micro) or 1
    uniform = len(set(micro)) <= 1
    scale = 1 if uniform else len(network.brokers) + 1
    rows = []
    for number, (link, cost) in enumerate(zip(network.links, micro)):
        # When all links cost the same, the fewest hops are the least cost, and a hop can weigh 1.
        weight = 1 if uniform else cost // unit * scale + 1
        latency = round(link.latency_ms * MICROSECONDS)
        rows.append((link.source, link.target, weight, number, latency))
        if not link.directed:
            rows.append((link.target, link.source, weight, number, latency))
    rows.sort()
    if sum(row[2] for row in rows) >= 2**61:
        raise HomingError("costs are too large or too fine to be added up exactly", nowhere(network.name))
    columns = np.array(rows, np.int64).reshape(-1, 5).T
    source, target, link = (columns[i].astype(np.uint32) for i in (0, 1, 3))
    back = np.argsort(target, kind="stable").astype(np.uint32)
    link_arcs = np.argsort(link, kind="stable").astype(np.uint32)
    return Graph(
        brokers=len(network.brokers),
        links=len(network.links),
        scale=scale,
        cost_unit=(micro[0] if uniform and micro else unit) / 10**COST_DECIMALS,
        first=_starts(source, len(network.brokers)),
        source=source,
        target=target,
        weight=np.ascontiguousarray(columns[2]),
        latency=np.ascontiguousarray(columns[4]),
        link=link,
        back_first=_starts(target, len(network.brokers)),
        back=back,
        link_first=_starts(link, len(network.links)),
        link_arcs=link_arcs,
    )


def _starts(keys: U32, count: int) -> U32:
    starts = np.zeros(count + 1, np.uint32)
    np.cumsum(np.bincount(keys, minlength=count), out=starts[1:])
    return starts
