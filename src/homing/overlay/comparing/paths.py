"""How long ways get when a link fails (the thesis's Figure 6-10): nothing failed, PCRT, Resilient Routing Layers.

A case is a link that fails and a pair of brokers that stay connected. PCRT has the shortest way that is left, once
all brokers have switched. With layers a packet follows its normal way up to the failed link, and from there the marked
layer to its end; beside them stands the shortest detour from that broker, which no local repair can beat. Cases are
counted twice: all of them, as the thesis does, where most pairs never notice the failure; and those whose way is cut.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from homing.core.errors import HomingError
from homing.overlay.comparing.comparison import Cell, Comparison, Estimate, drawn, estimate, line
from homing.overlay.layers import NO_LINK, PROTECT, Layers, build
from homing.overlay.network import Network, nowhere
from homing.overlay.trees import NO_DEADLINE, State, grow, prepare
from homing.overlay.walking import Weather
from homing.report.plots import Plot

COUNTS = (2, 3, 4, 6, 12)
SHOWN = (3, 4, 6, 12)  # of these the plots have a line, protecting brokers
FREE, PCRT, DETOUR = "nothing failed", "PCRT", "shortest local detour"
LOST = 0  # a length that no case has otherwise
Lengths = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Cases:
    """Lengths in hops of one scheme on one network: of the cases whose way is cut, and of how many are not."""

    cut: Lengths  # LOST: possible, but not delivered
    spared: Lengths

    def shares(self, everything: bool, most: int) -> npt.NDArray[np.float64]:
        """Percent of cases by length, from 0 (lost) to the greatest."""
        lengths = np.concatenate([self.cut, self.spared]) if everything else self.cut
        return np.asarray(np.bincount(lengths, minlength=most + 1) * 100 / len(lengths), np.float64)

    def mean(self, everything: bool) -> float:
        """Of what was delivered."""
        lengths = np.concatenate([self.cut, self.spared]) if everything else self.cut
        return float(lengths[lengths != LOST].mean())

    def against(self, other: Cases) -> float:
        """How much longer than with another scheme, over the cut cases that are delivered here."""
        arrives = self.cut != LOST
        return float(self.cut[arrives].sum() / other.cut[arrives].sum())


@dataclass(frozen=True)
class Scheme:
    """Nothing failed, PCRT, or layers: its cases on one network, and whether all that can be protected is."""

    name: str
    cases: Cases
    complete: bool = True


@dataclass(frozen=True)
class _Cut:
    """Cases whose way is cut: the pair, the link, the broker before it, and how many hops away that is."""

    source: Lengths
    destination: Lengths
    link: Lengths
    broker: Lengths
    away: Lengths

    def only(self, chosen: npt.NDArray[np.bool_]) -> _Cut:
        return _Cut(*(column[chosen] for column in vars(self).values()))


def layer_name(protect: str, count: int) -> str:
    return f"RRL{' for links' if protect == 'links' else ''}, {count} layers"


def measure(network: Network, counts: Sequence[int] = COUNTS, seed: int = 0) -> list[Scheme]:
    """All schemes on one network."""
    built = {(protect, count): build(network, count, seed, protect) for protect in PROTECT for count in counts}
    base = next(iter(built.values()))
    crossed, normal = _crossed(base), base.lengths[0].astype(np.int64)
    shortest, detour = _shortest_after(prepare(network), crossed)
    possible = shortest != LOST
    cut = crossed.only(possible)
    if not len(cut.link):
        raise HomingError("no link can fail and leave a way around it", nowhere(network.name))
    spared = _spared(normal, crossed, len(network.links))
    found = [
        Scheme(FREE, Cases(normal[cut.destination, cut.source], spared)),
        Scheme(PCRT, Cases(shortest[possible], spared)),
        Scheme(DETOUR, Cases(cut.away + detour[possible], spared)),
    ]
    for (protect, count), layers in built.items():
        complete = not layers.exposed and (protect == "links" or not layers.unsafe)
        found.append(Scheme(layer_name(protect, count), Cases(_on_layers(layers, cut), spared), complete))
    return found


def _crossed(layers: Layers) -> _Cut:
    """Every pair with every link on its normal way."""
    over, hops = layers.over[0], layers.hops[0]
    rows = []
    for destination, source in np.argwhere(over != NO_LINK).tolist():
        broker, away = source, 0
        while broker != destination:
            rows.append((source, destination, int(over[destination, broker]), broker, away))
            broker, away = int(hops[destination, broker]), away + 1
    return _Cut(*np.array(rows, np.int64).reshape(-1, 5).T)


def _spared(normal: Lengths, crossed: _Cut, links: int) -> Lengths:
    """Lengths of the cases whose way is not cut: every pair, under every link that it does not cross."""
    every = np.bincount(normal[normal > 0]) * links
    cut = np.bincount(normal[crossed.destination, crossed.source], minlength=len(every))
    return np.repeat(np.arange(len(every)), every - cut)


def _shortest_after(state: State, crossed: _Cut) -> tuple[Lengths, Lengths]:
    """Hops of the shortest way without the link: from the source, and from the broker before it; LOST if none."""
    n = state.size
    found = np.zeros((2, len(crossed.link)), np.int64)
    for link in range(state.graph.links):
        rows = np.flatnonzero(crossed.link == link)
        dist = grow(state.graph, Weather(state, (link,)).weight).dist
        lengths = np.where(dist < NO_DEADLINE, state.graph.hops(dist), LOST).reshape(n, n)
        for at, start in enumerate((crossed.source, crossed.broker)):
            found[at, rows] = lengths[crossed.destination[rows], start[rows]]
    return found[0], found[1]


def _on_layers(layers: Layers, cut: _Cut) -> Lengths:
    """Up to the failed link as always, and from there on the layer that the packet is marked with."""
    marks: dict[tuple[int, int], int] = {}
    for broker, destination, link in zip(cut.broker.tolist(), cut.destination.tolist(), cut.link.tolist()):
        if (broker, destination) not in marks:
            next_hop = int(layers.hops[0, destination, broker])
            marks[broker, destination] = layers.layer_for(broker, next_hop, link, destination) or 0
    layer = np.array([marks[key] for key in zip(cut.broker.tolist(), cut.destination.tolist())], np.int64)
    return np.where(layer > 0, cut.away + layers.lengths[layer, cut.destination, cut.broker], LOST)


def compare(sources: Sequence[str], seeds: int) -> Comparison:
    """Path lengths on all networks, with intervals over them."""
    networks = [network for source in sources for network in drawn(source, seeds)]
    # Of one network, the layers are drawn several times.
    pairs = [(networks[0], seed) for seed in range(seeds)] if len(networks) == 1 else [(each, 0) for each in networks]
    found = [measure(network, COUNTS, seed) for network, seed in pairs]
    schemes = [[sample[at] for sample in found] for at in range(len(found[0]))]
    by_name = {samples[0].name: samples for samples in schemes}
    shown = [FREE, PCRT, DETOUR, *(layer_name("brokers", count) for count in SHOWN)]
    what = sources[0] if len(networks) == 1 else f"{', '.join(sources)}; {len(networks)} networks"
    plots = [_plot([by_name[name] for name in shown], what, everything) for everything in (False, True)]
    return Comparison(
        "paths",
        _finding(by_name, len(networks)),
        ("scheme", "hops, way cut", "against PCRT", "longest", "lost %", "hops, all pairs", "complete on"),
        tuple(_row(samples, by_name[PCRT]) for samples in schemes),
        (
            "hops, way cut: mean, of what arrives, over pairs whose normal way crosses the failed link and that stay"
            " connected; all pairs: over every pair under every failure, as the thesis counts",
            "against PCRT: over the same pairs; lost: cut pairs for whose failed link there is no layer; complete on:"
            f" how many of the {len(found)} draws leave nothing unprotected that can be protected",
        ),
        tuple(plots),
    )


def _row(samples: Sequence[Scheme], pcrt: Sequence[Scheme]) -> tuple[Cell, ...]:
    means = [each.cases.mean(False) for each in samples]
    ratios = [each.cases.against(other.cases) for each, other in zip(samples, pcrt)]
    return (
        samples[0].name,
        estimate(means),
        estimate(ratios),
        max(int(each.cases.cut.max()) for each in samples),
        estimate([float((each.cases.cut == LOST).mean() * 100) for each in samples]),
        estimate([each.cases.mean(True) for each in samples]),
        sum(each.complete for each in samples),
    )


def _finding(found: dict[str, list[Scheme]], networks: int) -> str:
    def mean(name: str) -> Estimate:
        return estimate([each.cases.mean(False) for each in found[name]])

    few, many = (layer_name("brokers", count) for count in (SHOWN[0], SHOWN[-1]))
    where = "1 network" if networks == 1 else f"{networks} networks"
    return (
        f"a cut way of {mean(FREE)} hops becomes {mean(PCRT)} with PCRT, {mean(many)} with {SHOWN[-1]} layers and"
        f" {mean(few)} with {SHOWN[0]} ({where}, every link failed in turn)"
    )


def _plot(schemes: Sequence[Sequence[Scheme]], what: str, everything: bool) -> Plot:
    most = max(int(each.cases.shares(everything, 0).size) for samples in schemes for each in samples) - 1
    series = []
    for samples in schemes:
        shares = np.stack([each.cases.shares(everything, most) for each in samples])
        points = [estimate(each.tolist()) for each in shares.T[1:]]
        if everything:  # a logarithm knows no zero, and its tail is all that differs
            points = [Estimate(point.mean or math.nan) for point in points]
        series.append(line(samples[0].name, range(1, most + 1), points))
    which = "all pairs" if everything else "pairs whose way is cut"
    return Plot(
        f"compare-paths-{'all' if everything else 'cut'}",
        f"Path lengths under every single link failure, {which}\n({what})",
        "length of the path (hops)",
        f"share of {which} (%)",
        tuple(series),
        log="y" if everything else "",
    )
