"""The compiled inner loops on a partition's share of a graph."""

from homing.engines.spark.graph.kernels.arrays import FAR, Array, Cut, View
from homing.engines.spark.graph.kernels.cutting import collect, gather, inside, nearest, spread, trim, uncovered
from homing.engines.spark.graph.kernels.reaching import backwards, distances, prints, reach, until

__all__ = [
    "FAR",
    "Array",
    "Cut",
    "View",
    "backwards",
    "collect",
    "distances",
    "gather",
    "inside",
    "nearest",
    "prints",
    "reach",
    "spread",
    "trim",
    "uncovered",
    "until",
]
