"""The compiled inner loops: they know numbers only; `evaluator` knows what the numbers stand for.

A state is a *row* of 32-bit words. A *function* is a transition group, a label or an update; applied to the
numbers it reads, it has an *entry* in the memo, once the evaluator has learnt it. Where an entry is missing, a
kernel notes the key in a *miss* and leaves the state for later.

Two habits, each worth a factor: rows are addressed in flat arrays (a view of a row would be reference-counted in
the inner loop), and the arrays of a named tuple are taken out of it before the loop.
"""

from homing.engines.local.kernels.arrays import EDGE, GROWING, KEEP, NONE, PARTITIONS, Array, Chunks, Memo, Plan, Store
from homing.engines.local.kernels.expansion import (
    canonical_rows,
    expand,
    match,
    repack,
)
from homing.engines.local.kernels.hashing import hash_rows, tabulate
from homing.engines.local.kernels.joint import expand_together
from homing.engines.local.kernels.looking import index_entries, observe
from homing.engines.local.kernels.storage import (
    MOST_ROWS,
    fill_tables,
    gather,
    insert,
    locate,
    repack_parts,
    scatter,
)
from homing.engines.local.kernels.trees import grow, move_edges

__all__ = [
    "EDGE",
    "GROWING",
    "KEEP",
    "MOST_ROWS",
    "NONE",
    "PARTITIONS",
    "Array",
    "Chunks",
    "Memo",
    "Plan",
    "Store",
    "canonical_rows",
    "expand",
    "expand_together",
    "fill_tables",
    "gather",
    "grow",
    "hash_rows",
    "index_entries",
    "insert",
    "locate",
    "match",
    "move_edges",
    "observe",
    "repack",
    "repack_parts",
    "scatter",
    "tabulate",
]
