"""Single points of failure, and the cheapest link that would remove one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from homing.overlay.colours import NORMAL, Scenarios, scenarios
from homing.overlay.network import Link, Network
from homing.overlay.portions import Look, Progress, nothing, unseen
from homing.overlay.routing import COUNTS, Router
from homing.overlay.trees import NO_DEADLINE, State, grow, prepare
from homing.overlay.walking import Weather

EARTH_KM = 6371.0


@dataclass(frozen=True)
class WeakPoint:
    """An element whose failure alone cuts pairs off."""

    element: int
    pairs: int


@dataclass(frozen=True)
class NewLink:
    """A link that is not there yet; `verified`: with it, the element's failure cuts nobody off."""

    source: int
    target: int
    cost: float
    measure: str  # what the cost means
    verified: bool


def weak_points(state: State, look: Look = nothing, progress: Progress = unseen) -> list[WeakPoint]:
    """Links and brokers that are single points of failure, worst first; pairs with an end at a failed broker aside."""
    found = scenarios(state.network, "any")
    counted = Router(state).counted(found, NORMAL, len(found), look, progress)
    cut = np.concatenate(list(counted))[:, COUNTS.index("cut")]
    normal = int(cut[0])
    weak = [
        WeakPoint(found.failure(colour)[0], int(cut[colour - 1]) - normal)
        for colour in range(NORMAL + 1, len(found) + 1)
        if cut[colour - 1] > normal or (normal and _new_cuts(state, found, colour, look))
    ]
    return sorted(weak, key=lambda point: (-point.pairs, point.element))


def _new_cuts(state: State, found: Scenarios, colour: int, look: Look) -> int:
    """Pairs cut off by this failure alone, where some are cut off in the normal state already."""
    weather = Weather(state, found.failure(colour))
    dist = grow(state.graph, weather.weight, look).dist
    n = state.size
    alive = (weather.dead == 0)[:, None] & (weather.dead == 0)[None, :]
    cut = (state.wanted == 1) & (dist >= NO_DEADLINE) & (state.trees.dist < NO_DEADLINE)
    return int((cut.reshape(n, n) & alive).sum())


def cheapest_link(state: State, point: WeakPoint, look: Look = nothing) -> NewLink | None:
    """The cheapest link with which the pairs cut off have a path; None if no single link is enough."""
    weather = Weather(state, (point.element,))
    n = state.size
    dist = grow(state.graph, weather.weight, look).dist.reshape(n, n)
    reach = dist < NO_DEADLINE  # [destination, source]
    alive = weather.dead == 0
    wanted = state.wanted.reshape(n, n) == 1
    normal = state.trees.dist.reshape(n, n) < NO_DEADLINE
    cut = wanted & ~reach & normal & alive[:, None] & alive[None, :]
    helps = np.outer(alive, alive) & ~np.eye(n, dtype=bool)
    # A second link beside an existing one tends to share its duct, and so its fate.
    helps[state.graph.source, state.graph.target] = False
    helps[state.graph.target, state.graph.source] = False
    # Pairs that see the network alike need the same links, and there are few sorts of them.
    for d, u in _sorts(cut, reach):
        look()
        forward = np.outer(reach[:, u], reach[d, :])  # [a, b]: u reaches a, b reaches d
        helps &= forward | forward.T
    costs, measure = prices(state)
    costs = np.where(helps, costs, np.inf)
    best = int(np.argmin(costs))
    if not np.isfinite(costs.ravel()[best]):
        return None
    a, b = sorted(divmod(best, n))
    return NewLink(a, b, float(costs[a, b]), measure, _verify(state, point, a, b, look))


def _sorts(cut: npt.NDArray[np.bool_], reach: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    _, by_target = np.unique(reach, axis=0, return_inverse=True)
    _, by_source = np.unique(reach, axis=1, return_inverse=True)
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for d, u in zip(*(axis.tolist() for axis in np.nonzero(cut))):
        found.setdefault((int(by_target.ravel()[d]), int(by_source.ravel()[u])), (d, u))
    return list(found.values())


def prices(state: State) -> tuple[npt.NDArray[np.float64], str]:
    """What a new link between any two brokers would cost: by distance if the map tells, else by hops there are now."""
    network, n = state.network, state.size
    if not network.without_position():
        x = np.array([broker.x for broker in network.brokers], float)
        y = np.array([broker.y for broker in network.brokers], float)
        if geographic(network):
            return kilometres(x, y), "km"
        return np.hypot(x[:, None] - x[None, :], y[:, None] - y[None, :]), "distance on the map"
    dist = state.trees.dist.reshape(n, n)
    hops = np.where(dist < NO_DEADLINE, state.graph.hops(dist), n).astype(float)
    return np.maximum(hops, hops.T), "hops bridged"


def geographic(network: Network) -> bool:
    """Whether positions look like degrees of longitude and latitude on a map larger than a town."""
    xs = [broker.x or 0.0 for broker in network.brokers]
    ys = [broker.y or 0.0 for broker in network.brokers]
    inside = all(abs(x) <= 180 for x in xs) and all(abs(y) <= 90 for y in ys)
    return (inside and network.name.startswith(("topozoo", "sndlib", "backbone", "caida"))) or (
        inside and any(abs(value) > 20 for value in (*xs, *ys))
    )


def kilometres(longitude: npt.NDArray[np.float64], latitude: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Great-circle distances."""
    x, y = np.radians(longitude), np.radians(latitude)
    across = np.sin((y[:, None] - y[None, :]) / 2) ** 2
    along = np.cos(y)[:, None] * np.cos(y)[None, :] * np.sin((x[:, None] - x[None, :]) / 2) ** 2
    return np.asarray(2 * EARTH_KM * np.arcsin(np.sqrt(np.minimum(across + along, 1.0))))


def _verify(before: State, point: WeakPoint, a: int, b: int, look: Look) -> bool:
    """Builds the network with the link and fails the element again."""
    network = before.network
    new = Link(f"new {network.brokers[a].name}-{network.brokers[b].name}", a, b)
    links = len(network.links)
    better = network.with_links((new,))
    name = network.links[point.element].name if point.element < links else ""
    element = better.link_number[name] if name else point.element + 1
    state = prepare(better, look)
    weather = Weather(state, (element,))
    dist = grow(state.graph, weather.weight, look).dist
    alive = ((weather.dead == 0)[:, None] & (weather.dead == 0)[None, :]).ravel()
    wanted = (state.wanted == 1) & (before.trees.dist < NO_DEADLINE) & alive
    return not bool((wanted & (dist >= NO_DEADLINE)).any())
