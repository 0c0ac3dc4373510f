"""The arrays that kernels work on, in named tuples; Numba takes these as they are."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]

PARTITION_BITS = 8
PARTITIONS = 1 << PARTITION_BITS
"""Parts of the visited set, each small enough to stay in a core's cache while a batch goes into it."""
NUMBER_BITS = 24
"""A cell of a table holds the number of a row + 1, and above it a tag: hash bits that tell most rows apart, so that
a row is compared only when it is nearly certain to be the same."""
MOST_ROWS = (1 << NUMBER_BITS) - 1
KEEP = -1
"""As a result: the slot keeps its value."""
QUIET = 0
"""The number of `core.system.QUIET` in a joint system: an event that goes with any other."""
NONE = 0xFFFFFFFF
"""No offset."""
NOTHING = 1
"""Entry + 1 of what every memo starts with: no step, for all groups with a false guard."""
LEAF = 1 << 31
"""The bit that tells entries from nodes in a tree of reads."""
GROWING = 1 << 31
"""The bit that tells, in the key of a miss, that a tree has to grow: it has the function, the node and the number."""
READ = 6
WRITE = 4
FIELD = 5
EDGE = 4


class Plan(NamedTuple):
    """How a row is laid out, and what each function reads and writes.

    Numbers are unsigned 32-bit wherever they can be: then the compiler knows that an index is not negative and
    leaves out what Python's negative indexes would cost.
    """

    word: Array  # by slot: which word of the row
    shift: Array  # by slot: where in the word
    mask: Array  # by slot: how wide
    read_start: Array  # by function: its part of reads
    reads: Array  # a read is six numbers: word, shift, mask, start in unary or NONE, shift in a dense position, guard?
    write_start: Array  # by group: its part of writes
    writes: Array  # a write is four numbers: word, shift, mask, slot
    dense_start: Array  # by function: its part of Memo.dense, or NONE
    unary: Array  # unary functions (projections, images): the number of the result, by that of the value; or -1
    source: Array  # by symmetry element and slot: the slot whose image lands here
    image: Array  # and where in unary the image is
    seed: Array  # by slot: what its numbers are hashed with; 0 where the slot does not count for identity
    fields: Array  # slots side by side are five numbers: word, shift, mask, start in parts; or NONE there, and the slot
    parts: Array  # what they add to the hash of a row, by their bits
    visible: int  # words that count for identity come first


class Memo(NamedTuple):
    """What the functions returned: keys (function, numbers read) lead to entries, entries to results."""

    table: Array  # open addressing: entry + 1
    dense: Array  # for functions with few keys, directly: entry + 1
    key_start: Array  # by entry
    keys: Array
    result_start: Array  # by entry
    results: Array  # group: event, then by slot written a number, KEEP or -(update + 2); others: one int
    roots: Array  # by function: where its tree of reads starts; NONE for functions that have none
    looks: Array  # by node of a tree: which of `Plan.reads` it looks at
    edges: Array  # open addressing; an edge is four numbers: node, number read, where it leads to, unused


class Chunks(NamedTuple):
    """Where the steps from each chunk of a batch go; the caller makes more room when a chunk fills up."""

    position: Array  # by chunk: the next row of the batch to expand
    filled: Array  # by chunk: rows produced
    missed: Array  # by chunk: how many misses
    misses: Array  # by chunk: row, length and key of what has to be learnt
    bounds: Array  # by chunk and partition: where its rows start in `sorted`
    rows: Array  # by chunk and number: the row after the step
    hashes: Array  # and its hash
    sorted: Array  # the same, partition by partition
    sorted_hashes: Array
    origin: Array  # by chunk and number, if recorded: the row of the batch that the step leaves
    group: Array  # if recorded
    event: Array  # if recorded
    dead: Array  # by row of the batch: 1 if it has no step
    deferred: Array  # by row of the batch: 1 if something has to be learnt first


class Store(NamedTuple):
    """The visited set: by partition, the rows in the order they were found, and a table of their numbers."""

    rows: Array  # addresses
    tables: Array  # addresses
    size: Array  # rows in use
    capacity: Array
    table_size: Array
