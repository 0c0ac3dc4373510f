"""The compiled inner loops on graphs: numbers only.

A graph is a pair of arrays: the edges of node v are `start[v] .. start[v + 1]` in `target`. Nothing recurses, since
graphs are deeper than any stack.
"""

from homing.properties.kernels.components import components, drop_edges, gather, gather_through, uncovered
from homing.properties.kernels.fixpoints import can_stay, meets, reach_back, reverse, stutters
from homing.properties.kernels.marks import mark_fair, mark_steps
from homing.properties.kernels.paths import shortest
from homing.properties.kernels.product import explore
from homing.properties.kernels.refinement import refine

__all__ = [
    "can_stay",
    "components",
    "drop_edges",
    "explore",
    "gather",
    "gather_through",
    "mark_fair",
    "mark_steps",
    "meets",
    "reach_back",
    "refine",
    "reverse",
    "shortest",
    "stutters",
    "uncovered",
]
