"""Loop-free alternates (RFC 5286): how often one neighbour can take over at once, beside what PCRT covers.

S sends to D by its primary neighbour E. A neighbour N, over another link, is an alternate if N's own normal way does
not come back: dist(N, D) < dist(N, S) + dist(S, D), inequality 1. That covers the failure of the link to E. It is
downstream if dist(N, D) < dist(S, D), inequality 2, and covers the failure of E itself, if E is not D, if
dist(N, D) < dist(N, E) + dist(E, D), inequality 3. Distances are those that the overlay routes by: cost, then hops.

Each is counted in percent of what is possible at all: pairs that stay connected without the link, or without E.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from homing.core.errors import HomingError
from homing.overlay.colours import scenarios
from homing.overlay.comparing.comparison import Cell, Comparison, drawn, estimate, line
from homing.overlay.network import Network, nowhere
from homing.overlay.tables import plan
from homing.overlay.trees import NO_BROKER, NO_DEADLINE, State, grow, prepare
from homing.overlay.walking import Outcome, Weather
from homing.report.plots import Plot

NETWORKS = (
    "topohub:topozoo/Abilene", "topohub:topozoo/Geant2012", "topohub:topozoo/Nsfnet", "topohub:topozoo/BtNorthAmerica",
    "topohub:topozoo/Janetbackbone", "random:10:20", "random:32:64", "random:50:100",
)  # fmt: skip
MEASURES = ("link", "downstream", "broker", "PCRT, link", "PCRT, broker")
LABELS = ("LFA, link protected", "LFA, link, downstream", "LFA, broker protected", "PCRT, link or broker")
Pairs = npt.NDArray[np.bool_]  # [destination, source]


@dataclass(frozen=True)
class Alternates:
    """Which pairs have an alternate, and which could have one."""

    link: Pairs
    downstream: Pairs
    broker: Pairs
    link_possible: Pairs
    broker_possible: Pairs


def alternates(state: State) -> Alternates:
    """By the inequalities, for every pair at once."""
    n, g = state.size, state.graph
    dist = state.trees.dist.reshape(n, n)  # [destination, source]
    via = state.trees.via.reshape(n, n)
    has = via != NO_BROKER
    found = {name: np.zeros((n, n), bool) for name in ("link", "downstream", "broker")}
    for s in range(n):
        to = np.flatnonzero(has[:, s])
        primary = via[to, s]
        e = g.target[primary]
        for arc in range(int(g.first[s]), int(g.first[s + 1])):
            near = int(g.target[arc])
            other = (g.link[primary] != g.link[arc]) & (dist[to, near] < NO_DEADLINE)
            loop_free = other & (dist[to, near] < dist[s, near] + dist[to, s])
            found["link"][to, s] |= loop_free
            found["downstream"][to, s] |= loop_free & (dist[to, near] < dist[to, s])
            # False by itself where E is N or D.
            found["broker"][to, s] |= loop_free & (dist[to, near] < dist[e, near] + dist[to, e])
    return Alternates(**found, link_possible=_possible(state, False), broker_possible=_possible(state, True))


def _possible(state: State, brokers: bool) -> Pairs:
    """Pairs that stay connected when the link to their next hop fails, or the next hop, if it is not their end."""
    n, g = state.size, state.graph
    via = state.trees.via.reshape(n, n)
    has = via != NO_BROKER
    first = np.where(has, via, 0)
    failed = g.links + g.target[first].astype(np.int64) if brokers else g.link[first].astype(np.int64)
    if brokers:
        has = has & (g.target[first] != np.arange(n)[:, None])
    possible = np.zeros((n, n), bool)
    for element in np.unique(failed[has]).tolist():
        dist = grow(g, Weather(state, (element,)).weight).dist.reshape(n, n)
        concerned = has & (failed == element)
        possible[concerned] = dist[concerned] < NO_DEADLINE
    return possible


def recovered(network: Network, words: str) -> Pairs:
    """Pairs that PCRT delivers when the first link, or broker, on their way fails: its tables followed hop by hop."""
    state = prepare(network)
    n, g = state.size, state.graph
    via = state.trees.via.reshape(n, n)
    found = scenarios(network, words)
    tables = plan(found, state)
    delivered = np.zeros((n, n), bool)
    for colour in range(2, len(found) + 1):
        (element,) = found.failure(colour)
        weather, hops = Weather(state, (element,)), tables.hops(colour)
        for destination in range(n):
            row = np.flatnonzero(via[destination] != NO_BROKER)
            arcs = via[destination, row]
            row = row[(g.links + g.target[arcs] if words == "brokers" else g.link[arcs]) == element]
            if len(row):
                outcome = weather.walk(destination, hops[destination]).outcome
                delivered[destination, row] = (outcome[row] == Outcome.DELIVERED) | (outcome[row] == Outcome.LATE)
    return delivered


def coverage(network: Network) -> tuple[float, ...]:
    """Percent of what is possible, in the order of MEASURES, and percent of pairs that any scheme could recover."""
    state = prepare(network)
    found = alternates(state)
    pairs = int((state.trees.via != NO_BROKER).sum())
    pcrt = [recovered(network, words) for words in ("links", "brokers")]
    link, broker = found.link_possible, found.broker_possible
    shares = ((found.link, link), (found.downstream, link), (found.broker, broker), (pcrt[0], link), (pcrt[1], broker))
    return (*(_percent(some & all_, all_.sum()) for some, all_ in shares), _percent(link, pairs))


def _percent(some: Pairs, every: float) -> float:
    return float(some.sum() * 100 / every) if every else math.nan


def compare(sources: Sequence[str] = NETWORKS, seeds: int = 10) -> Comparison:
    """Coverage on each network; with an interval where several were drawn."""
    networks = {source: drawn(source, seeds) for source in sources}
    found = {source: np.array([coverage(each) for each in drawn]).T for source, drawn in networks.items()}
    if not any(samples[-1].any() for samples in found.values()):
        raise HomingError("no link can fail and leave a way around it", nowhere(", ".join(sources)))
    rows = tuple(_row(source, networks[source], samples) for source, samples in found.items())
    links, brokers = (_range([float(samples[at].mean()) for samples in found.values()]) for at in (0, 2))
    pcrt = _range([float(each) for samples in found.values() for each in samples[3:5].ravel()])
    return Comparison(
        "alternates",
        f"of what can be recovered, loop-free alternates recover {links} % after a link fails and {brokers} % after a"
        f" broker does, PCRT {pcrt} %",
        ("network", "brokers", "links", "possible %", *(f"{name} %" for name in MEASURES)),
        rows,
        (
            "possible: pairs that stay connected when the link to their next hop fails; the rest in percent of what is"
            " possible; downstream is the stricter inequality 2",
            "an alternate is used at once, by the broker before the failure alone; PCRT's tables, followed here hop by"
            " hop, once all brokers have switched",
        ),
        (_plot(found),),
    )


def _range(values: Sequence[float]) -> str:
    known = [value for value in values if not math.isnan(value)]
    ends = (f"{value:.0f}" for value in (min(known), max(known))) if known else "-"
    return " to ".join(dict.fromkeys(ends))


def _row(source: str, networks: list[Network], samples: npt.NDArray[np.float64]) -> tuple[Cell, ...]:
    one = networks[0]
    measured = [estimate(each.tolist()) for each in samples]
    name = one.name if len(networks) == 1 else f"{source}, {len(networks)} drawn"
    return (name, len(one.brokers), len(one.links), measured[-1], *measured[:-1])


def _plot(found: dict[str, npt.NDArray[np.float64]]) -> Plot:
    at = range(len(found))
    shown = [(*samples[:3], np.fmin(samples[3], samples[4])) for samples in found.values()]
    lines = [
        line(label, at, [estimate(each[number].tolist()) for each in shown], "bars")
        for number, label in enumerate(LABELS)
    ]
    ticks = tuple(source.rsplit("/", 1)[-1].removesuffix(".toml") for source in found)
    title = "Recovered by what was computed before the failure"
    return Plot("compare-alternates", title, "network", "share of what is possible (%)", tuple(lines), ticks=ticks)
