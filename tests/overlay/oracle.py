"""Routes found the slow, obvious way, with NetworkX: what the kernels are compared with."""

from __future__ import annotations

import networkx as nx

from homing.overlay.colours import Failure
from homing.overlay.network import Network


def surviving(network: Network, failure: Failure) -> nx.MultiDiGraph:
    """What is left of a network; keys of edges are numbers of links."""
    links = len(network.links)
    graph = nx.MultiDiGraph()
    graph.add_nodes_from(range(len(network.brokers)))
    for number, link in enumerate(network.links):
        if number not in failure:
            attributes = {"cost": round(link.cost * 10**6), "latency": round(link.latency_ms * 1000)}
            graph.add_edge(link.source, link.target, number, **attributes)
            if not link.directed:
                graph.add_edge(link.target, link.source, number, **attributes)
    graph.remove_nodes_from([element - links for element in failure if element >= links])
    return graph


def routes(network: Network, failure: Failure) -> dict[tuple[int, int], tuple[int, int, int]]:
    """(source, destination) to cost in millionths, hops and next hop, by the documented tie-break."""
    graph = surviving(network, failure)
    # Costs and hops as one number that a shortest-path search can add up.
    scale = len(network.brokers) + 1
    for _, _, data in graph.edges(data=True):
        data["both"] = data["cost"] * scale + 1
    found = {}
    for d in graph:
        away = nx.single_source_dijkstra_path_length(graph.reverse(copy=False), d, weight="both")
        for u in away:
            if u == d:
                continue
            near = (v for v in graph.successors(u) if v in away and _step(graph, u, v) + away[v] == away[u])
            found[u, d] = (away[u] // scale, away[u] % scale, min(near))
    return found


def _step(graph: nx.MultiDiGraph, u: int, v: int) -> int:
    return min(int(data["both"]) for data in graph[u][v].values())
