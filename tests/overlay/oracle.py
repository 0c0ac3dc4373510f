"""Routes found the slow, obvious way, with NetworkX, and tables mixed one by one: what kernels are compared with."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import networkx as nx

from homing.overlay.colours import Failure
from homing.overlay.network import Network

Table = dict[tuple[int, int], int]
"""Next hops by (broker, destination)."""


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


def table_of(network: Network, failure: Failure) -> Table:
    return {pair: hop for pair, (_, _, hop) in routes(network, failure).items()}


def loops(network: Network, down: Failure, tables: Sequence[Table]) -> int:
    """Pairs whose messages come to a broker twice in some mixture: each broker follows one of the tables."""
    graph = surviving(network, down)
    found = set()
    for d in graph:
        choices = [sorted({table.get((u, d), -1) for table in tables}) for u in graph]
        for chosen in itertools.product(*choices):
            hops = dict(zip(graph, chosen))
            found |= {(u, d) for u in graph if u != d and _loops(graph, hops, u, d)}
    return len(found & set(network.pairs()))


def _loops(graph: nx.MultiDiGraph, hops: dict[int, int], u: int, d: int) -> bool:
    seen = set()
    while u != d:
        if u in seen:
            return True
        seen.add(u)
        if not graph.has_edge(u, hops[u]):
            return False
        u = hops[u]
    return False


def micro_loops(
    network: Network, colours: list[Failure], at_once: set[Failure], which: str
) -> tuple[dict[tuple[Failure, Failure], int], int]:
    """Pairs at risk by (failure before, failure after), and how many failures no event leads to."""
    found, left = {}, 0
    tables = {failure: table_of(network, failure) for failure in colours}
    for after in colours:
        if not after:
            continue
        nearest = [before for before in colours if set(before) < set(after) and len(before) == len(after) - 1]
        events: dict[Failure, tuple[Failure, ...]] = {
            before: (before, after) for before in nearest if which == "all" or not before
        }
        if after in at_once or (which == "all" and not nearest):
            events[()] = tuple(part for part in colours if set(part) <= set(after))
        left += not events
        for before, known in events.items():
            found[before, after] = loops(network, after, [tables[failure] for failure in known])
    return {change: pairs for change, pairs in found.items() if pairs}, left
