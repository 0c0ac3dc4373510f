"""Processes on a graph in pieces: which edges are internal, which the resolved part of a process has, what diverges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from homing.core.system import Event
from homing.engines.spark.graph.branching import Everywhere
from homing.engines.spark.graph.cycles import exist, look
from homing.engines.spark.graph.desks import Desk, Sent
from homing.engines.spark.graph.kernels import Array
from homing.engines.spark.graph.setting import Setting
from homing.engines.spark.graph.supersteps import Supersteps, fresh
from homing.properties.arena import Arena
from homing.properties.ltl.letters import Table
from homing.properties.processes import Name, Process

MARKED = Table(
    1,
    2,
    np.zeros(1, np.int64),
    np.array([0, 0, 1], np.int64),
    np.zeros(1, np.uint32),
    np.zeros(1, np.uint64),
    0,
    np.zeros(1, np.int64),
)
"""An automaton of one state that goes along edges with letter 1 only."""


@dataclass(frozen=True)
class Internal:
    """Reads a graph so that only its internal edges are left."""

    hidden: frozenset[str]

    @property
    def table(self) -> Table:
        return MARKED

    def letter(self, arena: Arena) -> Array:
        """By edge, 1 where it is internal."""
        names = [event.name in self.hidden for event in arena.columns.graph.events]
        return np.array([*names, False]).astype(np.uint32)[arena.event]


@dataclass(frozen=True)
class Occurring:
    """Reports the visible events that occur, whether an edge is internal, and how many edges there are."""

    hidden: frozenset[str]

    def step(self, desk: Desk) -> Sent:
        process = Process(desk.piece.graph, self.hidden)
        desk.report = process.alphabet, bool(process.internal.any()), len(desk.piece.graph.target)
        yield from ()


@dataclass(frozen=True)
class Events:
    """What a process does."""

    alphabet: dict[Name, Event]
    internal: bool
    edges: int


def events_of(supersteps: Supersteps, hidden: frozenset[str]) -> Events:
    """The events of all pieces."""
    reports = list(supersteps.once(Occurring(hidden)).values())
    named = {name: event for alphabet, _, _ in reports for name, event in alphabet.items()}
    alphabet = {name: named[name] for name in sorted(named)}
    return Events(alphabet, any(internal for _, internal, _ in reports), sum(edges for _, _, edges in reports))


def diverging(supersteps: Supersteps, hidden: frozenset[str], every: bool) -> Setting | None:
    """A setting of internal steps alone, if they have cycles; with `every`, GOOD then has all that are on some."""
    setting, among = Setting("never", (), Internal(hidden)), fresh("every")
    supersteps.once(Everywhere(True, among))
    found = look(supersteps, setting, among, _nothing) if every else exist(supersteps, setting, among)
    return setting if found else None


def _nothing() -> None:
    """What was found stays among those in which others are looked for: it may be part of a larger one."""
