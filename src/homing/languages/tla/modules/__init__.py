"""The standard modules, and the community's where they are cheap: names and what they stand for."""

from __future__ import annotations

from homing.languages.tla.modules import bags, community, logic, numbers, rationals, sequences, tlc
from homing.languages.tla.scope import Symbol

BASE: dict[str, Symbol] = dict(logic.BASE)

_THEOREMS = ("NaturalsInduction", "FiniteSetTheorems", "SequenceTheorems", "FunctionTheorems", "WellFoundedInduction",
             "SequencesTheorems", "SequencesExtTheorems", "BagsTheorems", "FiniteSetsExtTheorems",
             "FiniteSetsExt_theorems", "FunctionsTheorems")  # fmt: skip
"""Modules of theorems, which only proofs need; what they extend, their readers see."""

_INPUT = "it reads or writes what is not part of the specification"

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
    "Randomization": dict(tlc.RANDOMIZATION),
    "TLAPS": dict(tlc.TLAPS),
    "Toolbox": dict(tlc.TOOLBOX),
    "SequencesExt": dict(community.SEQUENCES_EXT),
    "Functions": dict(community.FUNCTIONS),
    "Folds": dict(community.FOLDS),
    "FiniteSetsExt": {**community.FOLDS, **community.FUNCTIONS, **community.FINITE_SETS_EXT},
    "Bitwise": dict(community.BITWISE),
    "Combinatorics": {**numbers.NATURALS, **community.COMBINATORICS},
    "DyadicRationals": dict(rationals.DYADIC_RATIONALS),
    "Json": dict(tlc.refused(_INPUT, ToJson=1, ToJsonArray=1, ToJsonObject=1, JsonSerialize=2, JsonDeserialize=1,
                             ndJsonSerialize=2, ndJsonDeserialize=1)),
    "IOUtils": dict(tlc.refused(_INPUT, IOExec=1, IOEnv=0, IOEnvExec=2, IOSerialize=3, IODeserialize=2, atoi=1,
                                Serialize=3, Deserialize=2, zeroPadN=2, IOEnvPermissive=0)),
    "CSV": dict(tlc.refused(_INPUT, CSVWrite=3, CSVRead=3, CSVRecords=1, CSVWriteRecord=2)),
    "SVG": dict(tlc.refused("it draws", SVGElem=4, SVGElemToString=1, SVGDoc=6, Line=5, Circle=4, Rect=5, Text=4,
                            Image=6, Group=2, Svg=2, SVGSerialize=3, NodesOfDirectedMultiGraph=3,
                            PointOnLine=3, NodeOfRingNetwork=5)),
    **{name: {**numbers.INTEGERS, **sequences.SEQUENCES, **logic.FINITE_SETS} for name in _THEOREMS},
}  # fmt: skip
"""A module that has only what is its own stands before those that hand on what they extend."""


def home_of(name: str) -> str | None:
    """The module that has an operator."""
    return next((module for module, names in STANDARD.items() if name in names), None)
