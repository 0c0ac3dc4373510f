"""Which element is broken, judging by which deliveries work and which do not?

The thesis finds a failed link (13-17) and a failed broker (17) from the paths that turn false (5.2.7), by checking the
links of these again one by one. The same here: suspects lie on the normal way of pairs that fail, what works clears
them, and a pair of neighbours that fails accuses its link alone.
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
SHOWN = 10
Pair = tuple[int, int]


@dataclass(frozen=True)
class Suspect:
    """An element, and what speaks for and against it: pairs whose normal way leads over it."""

    element: int
    explains: tuple[Pair, ...]  # that fail
    single: tuple[Pair, ...]  # of those, neighbours whose way is one hop
    against: tuple[Pair, ...]  # that work


@dataclass(frozen=True)
class Suspects:
    """Suspects, the likeliest first: those that nothing speaks against, by how many failures they explain."""

    ranked: tuple[Suspect, ...]
    failing: int
    together: tuple[int, ...]  # where no single one explains all: several that do, if they can
    unexplained: tuple[Pair, ...]  # what works clears everything on the way of these, or they never had a way

    @property
    def certain(self) -> tuple[int, ...]:
        """Those that explain every failure, and that nothing speaks against; by number."""
        alone = (s for s in self.ranked if len(s.explains) == self.failing and not s.against)
        return tuple(sorted(suspect.element for suspect in alone))

    @property
    def partial(self) -> tuple[tuple[int, int], ...]:
        """(element, failing pairs it explains), when none is certain."""
        found = [(s.element, len(s.explains)) for s in self.ranked if not s.against]
        return () if self.certain else tuple(found[:SHOWN])


def locate(state: State, failing: Iterable[Pair], working: Iterable[Pair] = ()) -> Suspects:
    """Suspects among links and brokers; a failed broker also explains its own silence."""
    bad, good = tuple(dict.fromkeys(failing)), tuple(dict.fromkeys(working))
    crossing: dict[int, list[Pair]] = {}
    for pair in bad:
        for element in elements_on_path(state, pair):
            crossing.setdefault(element, []).append(pair)
    against: dict[int, list[Pair]] = {}
    for pair in good:
        for element in elements_on_path(state, pair):
            if element in crossing:
                against.setdefault(element, []).append(pair)
    links = state.graph.links
    suspects = [
        Suspect(element, tuple(pairs), tuple(p for p in pairs if _single(state, p)), tuple(against.get(element, ())))
        for element, pairs in crossing.items()
    ]
    # Of a broker and its only link in doubt, the link is the smaller fault.
    suspects.sort(key=lambda s: (bool(s.against), -len(s.explains), -len(s.single), s.element >= links, s.element))
    together, left = _cover(suspects, bad)
    return Suspects(tuple(suspects), len(bad), together, left)


def _single(state: State, pair: Pair) -> bool:
    return int(state.hops[pair[1] * state.size + pair[0]]) == pair[1]


def _cover(suspects: list[Suspect], failing: tuple[Pair, ...]) -> tuple[tuple[int, ...], tuple[Pair, ...]]:
    """Few elements that explain all that can be explained, the one that explains the most of the rest first."""
    free = [(suspect.element, set(suspect.explains)) for suspect in suspects if not suspect.against]
    left, chosen = set(failing), []
    while left and free:
        element, pairs = max(free, key=lambda item: len(item[1] & left))  # the first of equals
        if not pairs & left:
            break
        chosen.append(element)
        left -= pairs
    return tuple(chosen), tuple(pair for pair in failing if pair in left)


def elements_on_path(state: State, pair: Pair) -> set[int]:
    """Links and brokers of the normal route; nothing where there is none."""
    u, d = pair
    n, links = state.size, state.graph.links
    found = {links + u}
    while u != d:
        arc = int(state.trees.via[d * n + u])
        if arc == NO_BROKER:
            return set()
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
    """One line a suspect, with the evidence; those that something speaks against only where there is no other."""
    free = [suspect for suspect in suspects.ranked if not suspect.against]
    sure = [suspect for suspect in free if len(suspect.explains) == suspects.failing]
    lines = [_line(network, suspect, suspects.failing) for suspect in (sure or free or suspects.ranked)[:SHOWN]]
    if not sure and len(suspects.together) > 1 and not suspects.unexplained:
        names = " and ".join(element_name(network, element) for element in suspects.together)
        lines.insert(0, f"{names} together explain every failure")
    if suspects.unexplained:
        lines.append(
            f"nothing explains {_pairs(network, suspects.unexplained)}: all on the way works, or there is none"
        )
    return lines


def _line(network: Network, suspect: Suspect, failing: int) -> str:
    count = len(suspect.explains)
    what = "every failure" if count == failing else f"{count} of {failing} failures"
    parts = [f"{element_name(network, suspect.element)} explains {what}", _pairs(network, suspect.explains)]
    if suspect.single:
        parts.append(f"by themselves {_pairs(network, suspect.single)}")
    if suspect.against:
        parts.append(f"but {_pairs(network, suspect.against)} work over it")
    return f"{parts[0]}: {'; '.join(parts[1:])}"


def _pairs(network: Network, pairs: tuple[Pair, ...], most: int = 3) -> str:
    names = network.broker_names
    listed = ", ".join(f"{names[u]} to {names[v]}" for u, v in pairs[:most])
    return listed + (f" and {len(pairs) - most} more" if len(pairs) > most else "")
