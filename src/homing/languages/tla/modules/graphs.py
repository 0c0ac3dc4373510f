"""Graphs and UndirectedGraphs of the community: records [node, edge], edges as pairs or as sets of one or two nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, combinations, pairwise

from homing.languages.tla.modules.build import lazy, strict
from homing.languages.tla.scope import Builtin
from homing.languages.tla.sets import Filtered, Powerset, Product, Records, Sequences
from homing.languages.tla.values import (
    MOST,
    Fault,
    Value,
    apply,
    as_set,
    force,
    function,
    is_function,
    ordered,
    record,
    show,
)

Arcs = dict[Value, list[Value]]
Ends = Callable[[Value], "tuple[Value, Value] | None"]
FIELDS = ("edge", "node")


def _nodes(graph: Value) -> frozenset[Value]:
    return as_set(apply(graph, "node"))


def _edges(graph: Value) -> frozenset[Value]:
    return as_set(apply(graph, "edge"))


def _graph(nodes: frozenset[Value], edges: frozenset[Value]) -> Value:
    return record(FIELDS, (edges, nodes))


def _is_record(graph: Value) -> bool:
    _nodes(graph), _edges(graph)
    return is_function(graph) and graph[1] == FIELDS


def _arrow(edge: Value) -> tuple[Value, Value] | None:
    """The ends of an edge that is a pair; anything else leads nowhere."""
    return edge if type(edge) is tuple and len(edge) == 2 else None


def _line(edge: Value) -> tuple[Value, Value] | None:
    """The ends of an edge that is a set."""
    if type(edge) is not frozenset or not 1 <= len(edge) <= 2:
        return None
    ends = ordered(edge)
    return ends[0], ends[-1]


def _arcs(graph: Value, ends: Ends) -> Arcs:
    """By node those that an edge leads to, among the nodes of the graph; sets lead both ways."""
    nodes = _nodes(graph)
    found: Arcs = {node: [] for node in nodes}
    for edge in ordered(_edges(graph)):
        pair = ends(edge)
        if pair is None or pair[0] not in nodes or pair[1] not in nodes:
            continue
        found[pair[0]].append(pair[1])
        if ends is _line and pair[0] != pair[1]:
            found[pair[1]].append(pair[0])
    return found


def _reached(start: list[Value], arcs: Arcs) -> frozenset[Value]:
    seen, waiting = set(start), list(start)
    while waiting:
        for node in arcs[waiting.pop()]:
            if node not in seen:
                seen.add(node)
                waiting.append(node)
    return frozenset(seen)


def _connected(one: Value, other: Value, graph: Value, ends: Ends) -> bool:
    nodes = _nodes(graph)
    return one in nodes and other in nodes and other in _reached([one], _arcs(graph, ends))


def _paths(graph: Value, ends: Ends) -> Value:
    arcs = _arcs(graph, ends)

    def leads(path: Value) -> bool:
        path = force(path)
        return bool(path) and all(there in arcs[here] for here, there in pairwise(path))

    return Filtered(Sequences(_nodes(graph)), leads)


def _simple_paths(graph: Value, ends: Ends) -> Value:
    arcs = _arcs(graph, ends)
    found: set[Value] = set()
    waiting: list[tuple[Value, ...]] = [(node,) for node in arcs]
    while waiting:
        path = waiting.pop()
        found.add(path)
        if len(found) > MOST:
            raise Fault(f"there are more than {MOST} simple paths")
        waiting += [(*path, node) for node in set(arcs[path[-1]]) if node not in path]
    return frozenset(found)


def _parts(items: frozenset[Value]) -> Iterator[frozenset[Value]]:
    listed = ordered(items)
    return map(frozenset, chain.from_iterable(combinations(listed, size) for size in range(len(listed) + 1)))


def _subgraphs(graph: Value, ends: Ends, allowed: Callable[[Value], bool]) -> Value:
    found: set[Value] = set()
    for nodes in _parts(_nodes(graph)):
        inside = frozenset(e for e in _edges(graph) if (p := ends(e)) and p[0] in nodes and p[1] in nodes)
        for edges in _parts(inside):
            found.add(_graph(nodes, edges))
            if len(found) > MOST:
                raise Fault(f"there are more than {MOST} subgraphs of {show(graph)}")
    return frozenset(filter(allowed, found))


# Directed graphs


def _is_directed(graph: Value) -> bool:
    if not _is_record(graph):
        return False
    nodes = _nodes(graph)
    return all((pair := _arrow(edge)) and pair[0] in nodes and pair[1] in nodes for edge in _edges(graph))


def _is_symmetric(graph: Value) -> bool:
    edges = _edges(graph)
    return _is_directed(graph) and all((there, here) in edges for here, there in edges)


def _transposed(graph: Value) -> Value:
    return _graph(_nodes(graph), frozenset((apply(edge, 2), apply(edge, 1)) for edge in _edges(graph)))


def _after(graph: Value, node: Value) -> frozenset[Value]:
    edges = _edges(graph)
    return frozenset(other for other in _nodes(graph) if (node, other) in edges)


def _before(graph: Value, node: Value) -> frozenset[Value]:
    edges = _edges(graph)
    return frozenset(other for other in _nodes(graph) if (other, node) in edges)


def _of_all(step: Callable[[Value, Value], frozenset[Value]], graph: Value, group: Value) -> frozenset[Value]:
    return frozenset().union(*(step(graph, node) for node in as_set(group)))


def _descendants(graph: Value, node: Value) -> frozenset[Value]:
    arcs = _arcs(graph, _arrow)
    if node not in arcs:
        raise Fault(f"{show(node)} is no node of {show(graph)}")
    return _reached(arcs[node], arcs)


def _ancestors(graph: Value, node: Value) -> frozenset[Value]:
    return _descendants(_transposed(graph), node)


def _is_strong(graph: Value) -> bool:
    arcs = _arcs(graph, _arrow)
    return all(len(_reached([node], arcs)) == len(arcs) for node in arcs)


def _connections(graph: Value) -> Value:
    arcs = _arcs(graph, _arrow)
    reached = {node: _reached([node], arcs) for node in arcs}
    return function({(one, other): other in reached[one] for one in arcs for other in arcs})


def _is_tree(graph: Value, root: Value) -> bool:
    if not _is_directed(graph) or root not in _nodes(graph):
        return False
    starts = [start for start, _ in _edges(graph)]
    above = _reached([root], _arcs(_transposed(graph), _arrow))
    return root not in starts and len(set(starts)) == len(starts) and above == _nodes(graph)


def _is_bipartite(graph: Value, one: Value, other: Value) -> bool:
    left, right = as_set(one), as_set(other)
    return (
        not left & right
        and _nodes(graph) <= left | right
        and all(
            (here in left and there in right) or (there in left and here in right)
            for here, there in ((apply(edge, 1), apply(edge, 2)) for edge in _edges(graph))
        )
    )


def _has_cycle(graph: Value) -> bool:
    return any(node in _descendants(graph, node) for node in _nodes(graph))


GRAPHS: dict[str, Builtin] = dict(
    [
        strict("IsDirectedGraph", _is_directed),
        strict("DirectedSubgraph", lambda graph: _subgraphs(graph, _arrow, _is_directed)),
        strict("Transpose", _transposed),
        strict("IsUndirectedGraph", _is_symmetric),
        strict("UndirectedSubgraph", lambda graph: _subgraphs(graph, _arrow, _is_symmetric)),
        lazy("Path", lambda graph: _paths(graph, _arrow)),
        strict("SimplePath", lambda graph: _simple_paths(graph, _arrow)),
        strict("AreConnectedIn", lambda one, other, graph: _connected(one, other, graph, _arrow)),
        strict("IsStronglyConnected", _is_strong),
        strict("ConnectionsIn", _connections),
        strict("IsTreeWithRoot", _is_tree),
        strict("GraphUnion", lambda one, other: _graph(_nodes(one) | _nodes(other), _edges(one) | _edges(other))),
        strict("IsBipartiteWithPartitions", _is_bipartite),
        strict("HasCycle", _has_cycle),
        strict("IsDag", lambda graph: _is_directed(graph) and not _has_cycle(graph)),
        strict("Successors", _after),
        strict("AllSuccessors", lambda graph, group: _of_all(_after, graph, group)),
        strict("Predecessors", _before),
        strict("AllPredecessors", lambda graph, group: _of_all(_before, graph, group)),
        strict("Ancestors", _ancestors),
        strict("Descendants", _descendants),
        strict("InDegree", lambda graph, node: len(_before(graph, node))),
        strict("OutDegree", lambda graph, node: len(_after(graph, node))),
        strict("Roots", lambda graph: frozenset(node for node in _nodes(graph) if not _before(graph, node))),
        strict("Leaves", lambda graph: frozenset(node for node in _nodes(graph) if not _after(graph, node))),
        strict("EmptyGraph", lambda: _graph(frozenset(), frozenset())),
        lazy("Graphs", lambda nodes: Records(FIELDS, (Powerset(Product(nodes, nodes)), frozenset({as_set(nodes)})))),
    ]
)


# Undirected graphs


def _is_undirected(graph: Value, loops: bool) -> bool:
    if not _is_record(graph):
        return False
    nodes = _nodes(graph)
    ends = [_line(edge) for edge in _edges(graph)]
    return all(pair and pair[0] in nodes and pair[1] in nodes and (loops or pair[0] != pair[1]) for pair in ends)


def _components(graph: Value) -> frozenset[Value]:
    arcs = _arcs(graph, _line)
    return frozenset(_reached([node], arcs) for node in arcs)


def _all_undirected(nodes: Value) -> Value:
    inside = as_set(nodes)
    lines = frozenset(frozenset({one, other}) for one in inside for other in inside)
    return Records(FIELDS, (Powerset(lines), frozenset({inside})))


UNDIRECTED_GRAPHS: dict[str, Builtin] = dict(
    [
        strict("IsUndirectedGraph", lambda graph: _is_undirected(graph, loops=True)),
        strict("IsLoopFreeUndirectedGraph", lambda graph: _is_undirected(graph, loops=False)),
        strict("UndirectedSubgraph", lambda graph: _subgraphs(graph, _line, _is_record)),
        lazy("Path", lambda graph: _paths(graph, _line)),
        strict("SimplePath", lambda graph: _simple_paths(graph, _line)),
        strict("AreConnectedIn", lambda one, other, graph: _connected(one, other, graph, _line)),
        strict("ConnectedComponents", _components),
        strict("IsStronglyConnected", lambda graph: _components(graph) == frozenset({_nodes(graph)})),
        lazy("UndirectedGraphs", _all_undirected),
    ]
)
