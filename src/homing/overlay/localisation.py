"""Which element is broken, judging by which deliveries work and which do not?

The thesis finds a failed link (13-17) and a failed broker (17) from the paths that turn false. The same here:
suspects lie on the normal way of every pair that fails and of no pair that works.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from homing.core.errors import HomingError
from homing.overlay.colours import element_name
from homing.overlay.network import Network
from homing.overlay.readers.tables import csv_rows
from homing.overlay.trees import NO_BROKER, State

OBSERVED = ("publisher", "subscriber", "delivered")
Pair = tuple[int, int]


@dataclass(frozen=True)
class Suspects:
    """Elements that explain all observations, and those that explain the most when none does."""

    certain: tuple[int, ...]
    partial: tuple[tuple[int, int], ...]  # (element, failing pairs it explains)


def locate(state: State, failing: Iterable[Pair], working: Iterable[Pair] = ()) -> Suspects:
    """Suspects among links and brokers; a failed broker also explains its own silence."""
    explained: dict[int, int] = {}
    bad = list(failing)
    for pair in bad:
        for element in elements_on_path(state, pair):
            explained[element] = explained.get(element, 0) + 1
    for pair in working:
        for element in elements_on_path(state, pair):
            explained.pop(element, None)
    certain = tuple(sorted(element for element, count in explained.items() if count == len(bad)))
    ranked = sorted(explained.items(), key=lambda item: (-item[1], item[0]))
    return Suspects(certain, () if certain else tuple(ranked[:10]))


def elements_on_path(state: State, pair: Pair) -> set[int]:
    """Links and brokers of the normal route."""
    u, d = pair
    n, links = state.size, state.graph.links
    found = {links + u}
    while u != d:
        arc = int(state.trees.via[d * n + u])
        if arc == NO_BROKER:
            break
        u = int(state.graph.target[arc])
        found |= {int(state.graph.link[arc]), links + u}
    return found


def read_observed(path: Path, text: str, network: Network) -> tuple[list[Pair], list[Pair]]:
    """Failing and working pairs: CSV publisher,subscriber,delivered (yes or no)."""
    failing: list[Pair] = []
    working: list[Pair] = []
    for place, row in csv_rows(path, text, OBSERVED, needed=3):
        ends = []
        for end in ("publisher", "subscriber"):
            if row[end] not in network.broker_number:
                raise HomingError(f"unknown broker '{row[end]}' in an observation", place, network.broker_names)
            ends.append(network.broker_number[row[end]])
        if row["delivered"].lower() not in ("yes", "no"):
            raise HomingError(f"delivered must be yes or no, got '{row['delivered']}'", place)
        (working if row["delivered"].lower() == "yes" else failing).append((ends[0], ends[1]))
    return failing, working


def describe(network: Network, suspects: Suspects) -> list[str]:
    """One line a suspect."""
    if suspects.certain:
        return [f"{element_name(network, element)} explains every failure" for element in suspects.certain]
    return [f"{element_name(network, element)} explains {count}" for element, count in suspects.partial] or [
        "no single link or broker explains what was observed"
    ]
