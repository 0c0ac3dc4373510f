"""The compiled inner loops: they know numbers only; `evaluator` knows what the numbers stand for.

A state is a *row* of 32-bit words. A *function* is a transition group, a label or an update; applied to the
numbers it reads, it has an *entry* in the memo, once the evaluator has learnt it. Where an entry is missing, a
kernel notes the key in a *miss* and leaves the state for later.

Two habits, each worth a factor: rows are addressed in flat arrays (a view of a row would be reference-counted in
the inner loop), and the arrays of a named tuple are taken out of it before the loop.
"""

from homing.engines.local.kernels.arrays import (
    EDGE,
    GROWING,
    KEEP,
    MOST_ROWS,
    NONE,
    PARTITIONS,
    Array,
    Chunks,
    Memo,
    Plan,
    Store,
)
from homing.ready import Kernel

EXPANSION, HASHING, JOINT, LOOKING, STORAGE, TREES = (
    f"{__name__}.{name}" for name in ("expansion", "hashing", "joint", "looking", "storage", "trees")
)

canonical_rows = Kernel(EXPANSION, "canonical_rows")
expand = Kernel(EXPANSION, "expand")
index_entries = Kernel(LOOKING, "index_entries")
match = Kernel(EXPANSION, "match")
observe = Kernel(LOOKING, "observe")
repack = Kernel(EXPANSION, "repack")
hash_rows = Kernel(HASHING, "hash_rows")
tabulate = Kernel(HASHING, "tabulate")
expand_together = Kernel(JOINT, "expand_together")
fill_tables = Kernel(STORAGE, "fill_tables")
gather = Kernel(STORAGE, "gather")
insert = Kernel(STORAGE, "insert")
locate = Kernel(STORAGE, "locate")
repack_parts = Kernel(STORAGE, "repack_parts")
scatter = Kernel(STORAGE, "scatter")
grow = Kernel(TREES, "grow")
move_edges = Kernel(TREES, "move_edges")

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
