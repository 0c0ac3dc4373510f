"""Hand-edited tables: entries that replace computed ones.

CSV: broker,destination,next_hop[,colour][,failure]. Without colour and failure an entry holds under every
colour; `failure` names links and brokers like a list of scenarios; next_hop `-` takes the entry away.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from homing.core.errors import HomingError, Place
from homing.core.numerals import whole
from homing.overlay.colours import Scenarios
from homing.overlay.network import Network
from homing.overlay.readers.tables import csv_rows
from homing.overlay.trees import NO_BROKER

COLUMNS = ("broker", "destination", "next_hop", "colour", "failure")
EVERY = 0
NOTHING = "-"
Key = tuple[int, int, int]  # colour (or EVERY), destination, broker


@dataclass(frozen=True)
class Edits:
    """Next hops by colour, destination and broker, and where each was written."""

    hops: Mapping[Key, int]
    places: Mapping[Key, Place]

    def destinations(self, colour: int) -> list[int]:
        """Those whose tables are edited under a colour."""
        return sorted({d for c, d, _ in self.hops if c in (EVERY, colour)})

    def colours(self, scenarios: Scenarios) -> list[int]:
        named = {colour for colour, _, _ in self.hops}
        return list(range(1, len(scenarios) + 1)) if EVERY in named else sorted(named)

    def row(self, colour: int, destination: int) -> dict[int, int]:
        """Edited next hops of the brokers towards a destination; what names the colour goes before the rest."""
        every = {u: hop for (c, d, u), hop in self.hops.items() if c == EVERY and d == destination}
        own = {u: hop for (c, d, u), hop in self.hops.items() if c == colour and d == destination}
        return every | own

    def place(self, colour: int, destination: int, broker: int) -> Place | None:
        return self.places.get((colour, destination, broker)) or self.places.get((EVERY, destination, broker))

    def without(self, keys: set[Key]) -> Edits:
        hops = {key: hop for key, hop in self.hops.items() if key not in keys}
        return Edits(hops, {key: place for key, place in self.places.items() if key not in keys})


def read_edits(path: Path, text: str, scenarios: Scenarios) -> Edits:
    """The entries of a file; each is checked against the network."""
    network = scenarios.network
    hops: dict[Key, int] = {}
    places: dict[Key, Place] = {}
    near = neighbours(network)
    for place, row in csv_rows(path, text, COLUMNS, needed=3):
        broker, destination = (_broker(network, row[name], place) for name in ("broker", "destination"))
        if broker == destination:
            raise HomingError(f"broker '{row['broker']}' needs no entry for itself", place)
        hop = NO_BROKER if row["next_hop"] == NOTHING else _broker(network, row["next_hop"], place)
        if hop != NO_BROKER and hop not in near[broker]:
            known = [network.brokers[number].name for number in sorted(near[broker])]
            raise HomingError(f"next hop '{row['next_hop']}' is no neighbour of '{row['broker']}'", place, known)
        key = (_colour(scenarios, row, place), destination, broker)
        if key in hops:
            raise HomingError(f"the same entry as on line {places[key].line}", place)
        hops[key], places[key] = hop, place
    return Edits(hops, places)


def neighbours(network: Network) -> list[set[int]]:
    """Brokers that each broker has a link to."""
    near: list[set[int]] = [set() for _ in network.brokers]
    for link in network.links:
        near[link.source].add(link.target)
        if not link.directed:
            near[link.target].add(link.source)
    return near


def _broker(network: Network, name: str, place: Place) -> int:
    if name not in network.broker_number:
        raise HomingError(f"unknown broker '{name}' in a table", place, network.broker_names)
    return network.broker_number[name]


def _colour(scenarios: Scenarios, row: dict[str, str], place: Place) -> int:
    from homing.overlay.colours import read_list

    if row["failure"]:
        if row["failure"].lower() == "none":
            return 1
        try:
            (failure,) = read_list(scenarios.network, place.file, row["failure"])
        except HomingError as error:
            raise HomingError(error.message, place, error.known) from error
        colour = scenarios.colour(failure)
        if colour is None:
            raise HomingError(f"the failure '{row['failure']}' is not among the scenarios", place)
        return colour
    if not row["colour"]:
        return EVERY
    colour = whole(row["colour"], place) if row["colour"].isdecimal() else 0
    if not 1 <= colour <= len(scenarios):
        raise HomingError(f"unknown colour '{row['colour']}': colours are 1 to {len(scenarios)}", place)
    return colour
