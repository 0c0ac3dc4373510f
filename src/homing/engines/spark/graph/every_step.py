"""Conditions on every step of a graph in pieces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from homing.core.system import TransitionSystem
from homing.core.temporal import EveryStep
from homing.core.verdict import Verdict
from homing.core.witness import Trace
from homing.engines.spark.exploring import Run
from homing.engines.spark.graph.desks import Desk, Sent
from homing.engines.spark.graph.supersteps import Supersteps
from homing.engines.spark.graph.walking import Hop, Node, Walk
from homing.engines.spark.graph.ways import Ways, least
from homing.properties.finding import Finding
from homing.properties.steps import Real


@dataclass(frozen=True)
class Initially:
    """Reports the first initial state in which a label is false: its number and position."""

    label: int

    def step(self, desk: Desk) -> Sent:
        piece = desk.piece
        failing = piece.initial[~piece.columns.label(self.label)[piece.initial]]
        if len(failing):
            desk.report = int(piece.number[failing[0]]), int(failing[0])
        yield from ()


@dataclass(frozen=True)
class Edges:
    """Reports the first edge that breaks a condition: the number of its state, its position, the edge."""

    prop: EveryStep

    def step(self, desk: Desk) -> Sent:
        piece = desk.piece
        arena = piece.arena("never")
        broken = np.zeros(len(arena.target), np.bool_)
        for condition in self.prop.steps:
            broken |= ~arena.on_edges(condition)
        if broken.any():
            edge = int(np.argmax(broken))
            desk.report = int(piece.number[arena.source[edge]]), int(arena.source[edge]), edge
        yield from ()


@dataclass(frozen=True)
class Steps:
    """The same of the model's steps themselves, where the graph has others, or not all of them."""

    prop: EveryStep

    def step(self, desk: Desk) -> Sent:
        piece = desk.piece
        real = Real(self.prop, piece.arena("never"), piece.machine.system, lambda: None)
        for position in range(piece.own):
            if real.broken(piece.state(position)):
                desk.report = int(piece.number[position]), position
                break
        yield from ()


class Conditions:
    """Decides conditions on steps."""

    def __init__(self, supersteps: Supersteps, run: Run, system: TransitionSystem) -> None:
        self.supersteps = supersteps
        self.system = system
        self.ways = Ways(supersteps, run, system)
        self.walker = self.ways.walker

    def check(self, prop: EveryStep) -> Finding:
        """The first step that breaks a condition, with a shortest way to it."""
        shape = self.system.shape
        merged = bool(shape.symmetry or shape.hidden)
        for label in prop.initially:
            found = least(self.supersteps.once(Initially(label)))
            if found is not None:
                node = Node(found[0], found[1][1])
                trace = None if merged else self.walker.trace(Walk(node), self.system)
                return Finding(Verdict.VIOLATED, trace)
        if not merged and prop.steps:
            found = least(self.supersteps.once(Edges(prop)))
            if found is not None:
                part, (_, state, edge) = found
                return Finding(Verdict.VIOLATED, self._trace(Hop(part, state, edge, 0)))
        if (merged or shape.constraints or prop.among is not None) and prop.steps:
            found = least(self.supersteps.once(Steps(prop)))
            if found is not None:
                return Finding(Verdict.VIOLATED, self._real(prop, Node(found[0], found[1][1])))
        return Finding(Verdict.HOLDS)

    def _trace(self, hop: Hop) -> Trace:
        return self.ways.on(self.ways.to(Node(hop.part, hop.pair)), Walk(self.walker.target(hop, 0), [hop]))

    def _real(self, prop: EveryStep, node: Node) -> Trace | None:
        arena = self.supersteps.piece(node.part).arena("never")
        return Real(prop, arena, self.system, lambda: None).trace(list(self.ways.to(node).states))
