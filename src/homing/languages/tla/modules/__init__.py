"""The standard modules, and the community's where they are cheap: names and what they stand for."""

from __future__ import annotations

from homing.languages.tla.modules import (
    bags,
    chance,
    community,
    graphs,
    logic,
    numbers,
    outside,
    rationals,
    relations,
    sequences,
    sequences_ext,
    tlc,
)
from homing.languages.tla.scope import Symbol

BASE: dict[str, Symbol] = dict(logic.BASE)

_THEOREMS = ("NaturalsInduction", "FiniteSetTheorems", "SequenceTheorems", "FunctionTheorems", "WellFoundedInduction",
             "SequencesTheorems", "SequencesExtTheorems", "BagsTheorems", "FiniteSetsExtTheorems",
             "FiniteSetsExt_theorems", "FunctionsTheorems")  # fmt: skip
"""Modules of theorems, which only proofs need; what they extend, their readers see."""

_FUNCTIONS = {**numbers.INTEGERS, **community.FOLDS, **community.FUNCTIONS}
_FINITE_SETS_EXT = {**_FUNCTIONS, **logic.FINITE_SETS, **community.FINITE_SETS_EXT}
_SEQUENCES_EXT = {**_FINITE_SETS_EXT, **sequences.SEQUENCES, **tlc.TLC, **bags.BAGS, **sequences_ext.SEQUENCES_EXT}
_RELATION = {**numbers.NATURALS, **logic.FINITE_SETS, **relations.RELATION}

STANDARD: dict[str, dict[str, Symbol]] = {
    "Naturals": dict(numbers.NATURALS),
    "Integers": dict(numbers.INTEGERS),
    "Reals": dict(numbers.REALS),
    "Sequences": {**sequences.SEQUENCES},
    "FiniteSets": dict(logic.FINITE_SETS),
    "TLC": {**tlc.TLC},
    "Bags": {**tlc.TLC, **bags.BAGS},
    "BagsExt": dict(community.BAGS_EXT),
    "TLCExt": dict(tlc.TLC_EXT),
    "Randomization": dict(chance.RANDOMIZATION),
    "TLAPS": dict(tlc.TLAPS),
    "Toolbox": dict(tlc.TOOLBOX),
    "Folds": dict(community.FOLDS),
    "Functions": dict(_FUNCTIONS),
    "FiniteSetsExt": dict(_FINITE_SETS_EXT),
    "SequencesExt": dict(_SEQUENCES_EXT),
    "Relation": dict(_RELATION),
    "UndirectedGraphs": dict(graphs.UNDIRECTED_GRAPHS),
    "Graphs": {**_SEQUENCES_EXT, **_RELATION, **graphs.GRAPHS},
    "VectorClocks": {**_FUNCTIONS, **sequences.SEQUENCES, **community.VECTOR_CLOCKS},
    "Quorum": dict(community.QUORUM),
    "Bitwise": dict(community.BITWISE),
    "Combinatorics": {**numbers.NATURALS, **community.COMBINATORICS},
    "DyadicRationals": dict(rationals.DYADIC_RATIONALS),
    "IOUtils": dict(outside.IO_UTILS),
    "Json": dict(outside.JSON),
    "CSV": dict(outside.CSV),
    "SVG": dict(outside.SVG),
    "GraphViz": dict(outside.GRAPH_VIZ),
    "ShiViz": {**tlc.TOOLBOX, **outside.SHI_VIZ},
    "DifferentialEquations": dict(outside.DIFFERENTIAL_EQUATIONS),
    "Statistics": {**numbers.NATURALS, **outside.STATISTICS},
    **{name: {**numbers.INTEGERS, **sequences.SEQUENCES, **logic.FINITE_SETS} for name in _THEOREMS},
}
"""A module that has only what is its own stands before those that hand on what they extend."""


def home_of(name: str) -> str | None:
    """The module that has an operator."""
    return next((module for module, names in STANDARD.items() if name in names), None)
