"""The compiled inner loops on a partition's share of a graph."""

from homing.engines.spark.graph.kernels.arrays import FAR, Array, Cut, View
from homing.engines.spark.graph.kernels.cutting import ahead, collect, gather, inside, nearest, spread, trim, uncovered
from homing.engines.spark.graph.kernels.reaching import backwards, distances, prints, reach, until
from homing.engines.spark.graph.kernels.refining import Behaviour, Pairs, Specification, heard, refine, roomy

__all__ = [
    "FAR",
    "Array",
    "Behaviour",
    "Cut",
    "Pairs",
    "Specification",
    "View",
    "ahead",
    "backwards",
    "collect",
    "distances",
    "gather",
    "heard",
    "inside",
    "nearest",
    "prints",
    "reach",
    "refine",
    "roomy",
    "spread",
    "trim",
    "uncovered",
    "until",
]
