"""Routing tables of a broker for all colours, in three forms: plain, condensed, normal plus changes.

Condensed is the thesis's super routing table: every distinct (destination, next hop) once, with the colours it
serves, and an array colour x destination that says which entry applies. The array is as large as the plain
tables, so the leaner form is kept and sent: the normal table, and for each colour only what differs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from homing.overlay.colours import NORMAL, Scenarios
from homing.overlay.network import Network
from homing.overlay.portions import Look, nothing
from homing.overlay.routing import Changes, Router
from homing.overlay.trees import NO_BROKER, U16, State, prepare

Order = Literal["first seen", "destination"]
# A colour in a condensed table or a change: 4 bytes; a broker: 2; an address: 2.
COLOUR_BYTES, BROKER_BYTES = 4, 2


@dataclass(frozen=True)
class SuperRoute:
    """One entry of a super routing table (Table 6-4): address from 1, names of brokers, colours."""

    address: int
    destination: str
    next_hop: str
    colours: tuple[int, ...]


@dataclass(frozen=True)
class Sizes:
    """Entries and bytes of each form, for all brokers and colours."""

    plain_entries: int
    super_entries: int
    lookup_entries: int
    normal_entries: int
    change_entries: int

    @property
    def plain_bytes(self) -> int:
        return self.plain_entries * BROKER_BYTES

    @property
    def super_bytes(self) -> int:
        """Destination and next hop an entry, and an address for each cell of the lookup array."""
        return self.super_entries * 2 * BROKER_BYTES + self.lookup_entries * BROKER_BYTES

    @property
    def change_bytes(self) -> int:
        """A next hop an entry; a change also names its colour and destination."""
        return self.normal_entries * BROKER_BYTES + self.change_entries * (COLOUR_BYTES + 2 * BROKER_BYTES)


@dataclass(frozen=True)
class Tables:
    """Next hops of all brokers under all colours, held as the normal table plus changes."""

    scenarios: Scenarios
    state: State
    changes: Changes

    @property
    def network(self) -> Network:
        return self.scenarios.network

    @cached_property
    def _rows(self) -> npt.NDArray[np.int64]:
        """Where the changes of each colour start."""
        return np.searchsorted(self.changes.colour, np.arange(NORMAL, len(self.scenarios) + 2, dtype=np.uint32))

    def hops(self, colour: int) -> npt.NDArray[np.uint16]:
        """Next hops under a colour, [destination, broker]; NO_BROKER where there is none."""
        n = self.state.size
        hops = self.state.hops.reshape(n, n).copy()
        rows = slice(self._rows[colour - NORMAL], self._rows[colour - NORMAL + 1])
        hops[self.changes.destination[rows], self.changes.source[rows]] = self.changes.hop[rows]
        links = len(self.network.links)
        for element in self.scenarios.failure(colour):
            if element >= links:
                # A failed broker has no table, and nobody sends to it.
                hops[element - links, :] = NO_BROKER
                hops[:, element - links] = NO_BROKER
        return hops

    def next_hop(self, colour: int, broker: int, destination: int) -> int | None:
        """From the normal table and the changes, without building anything."""
        links = len(self.network.links)
        failed = {element - links for element in self.scenarios.failure(colour) if element >= links}
        if broker == destination or failed & {broker, destination}:
            return None
        rows = slice(self._rows[colour - NORMAL], self._rows[colour - NORMAL + 1])
        match = (self.changes.source[rows] == broker) & (self.changes.destination[rows] == destination)
        hop = self.changes.hop[rows][match]
        found = int(hop[0]) if len(hop) else int(self.state.hops[destination * self.state.size + broker])
        return None if found == NO_BROKER else found

    def _repr_html_(self) -> str:
        from homing.overlay import notebook

        return notebook.tables(self)

    def condense(self, broker: int, order: Order = "first seen") -> SuperTable:
        """The super routing table of one broker."""
        colours = range(NORMAL, len(self.scenarios) + 1)
        plain = np.stack([self.hops(colour)[:, broker] for colour in colours], axis=1)
        return condense(self.network, broker, plain, order)

    def sizes(self) -> Sizes:
        """Of all three forms, counted from what is there."""
        n, colours = self.state.size, len(self.scenarios)
        normal = int((self.state.hops != NO_BROKER).sum())
        distinct = sum(len(np.unique(part)) for part in self._used())
        return Sizes(colours * n * (n - 1), distinct, colours * n * n, normal, len(self.changes))

    def _used(self) -> Iterator[npt.NDArray[np.int64]]:
        """Keys of the entries in use under some colour."""
        n = np.int64(self.state.size)
        normal = np.flatnonzero(self.state.hops != NO_BROKER).astype(np.int64)
        has = self.changes.hop != NO_BROKER
        cell = self.changes.destination[has].astype(np.int64) * n + self.changes.source[has]
        yield np.concatenate([normal * n + self.state.hops[normal], cell * n + self.changes.hop[has]])


@dataclass(frozen=True)
class SuperTable:
    """A broker's super routing table and its lookup arrays, [destination, colour - 1]."""

    network: Network
    broker: int
    entries: tuple[SuperRoute, ...]
    addresses: npt.NDArray[np.int32]  # 0: no route
    plain: npt.NDArray[np.uint16]

    def lookup(self, colour: int, destination: int) -> str | None:
        """The next hop, by the array and the entry it points to."""
        address = int(self.addresses[destination, colour - NORMAL])
        return self.entries[address - 1].next_hop if address else None

    def _repr_html_(self) -> str:
        from homing.overlay import notebook

        return notebook.super_table(self)

    def next_hops(self) -> list[list[str]]:
        """The lookup array as the thesis prints it (6-3, 6-10): next hops, and the broker itself in its own row."""
        names = self.network.broker_names
        return [
            [names[self.broker] if d == self.broker else names[hop] if hop != NO_BROKER else "" for hop in row]
            for d, row in enumerate(self.plain.tolist())
        ]


def condense(network: Network, broker: int, plain: npt.NDArray[np.uint16], order: Order) -> SuperTable:
    """Every distinct (destination, next hop) of the plain tables [destination, colour - 1], once.

    Addresses count entries as they are first seen, colour by colour (the thesis's algorithm, Tables 6-4 and
    6-9), or all of one destination together (as its Table 6-7 is numbered).
    """
    names = network.broker_names
    found: dict[tuple[int, int], list[int]] = {}
    for colour, column in enumerate(plain.T.tolist(), start=NORMAL):
        for destination, hop in enumerate(column):
            if destination != broker and hop != NO_BROKER:
                found.setdefault((destination, hop), []).append(colour)
    keys = list(found)
    if order == "destination":
        keys.sort(key=lambda key: key[0])  # stable: first seen comes first among those of one destination
    entries = tuple(
        SuperRoute(address, names[d], names[hop], tuple(found[d, hop]))
        for address, (d, hop) in enumerate(keys, start=1)
    )
    addresses = np.zeros(plain.shape, np.int32)
    for address, (destination, hop) in enumerate(keys, start=1):
        addresses[destination, plain[destination] == hop] = address
    addresses[broker] = 0
    return SuperTable(network, broker, entries, addresses, plain)


def plan(scenarios: Scenarios, state: State | None = None, look: Look = nothing) -> Tables:
    """The tables of a network for all scenarios, held in memory: for sweeps use the pipeline."""
    router = Router(state or prepare(scenarios.network), all_destinations=True)
    parts = [part for _, _, part in router.changes(scenarios, NORMAL, len(scenarios), look=look)]
    moved = [_moved(router.state, part) for part in parts]
    return Tables(scenarios, router.state, _join(moved))


def _moved(state: State, part: Changes) -> Changes:
    """Without entries whose route is longer but whose next hop is the same."""
    normal = state.hops[part.destination.astype(np.int64) * state.size + part.source]
    return select(part, normal != part.hop)


def select(part: Changes, rows: npt.NDArray[np.bool_]) -> Changes:
    """The rows that are marked; often all of them."""
    if rows.all():
        return part
    return Changes(*(getattr(part, name)[rows] for name in Changes.__dataclass_fields__))


def _join(parts: list[Changes]) -> Changes:
    return Changes(*(np.concatenate([getattr(part, name) for part in parts]) for name in Changes.__dataclass_fields__))


__all__ = ["NO_BROKER", "U16", "Order", "Sizes", "SuperRoute", "SuperTable", "Tables", "condense", "plan", "select"]
