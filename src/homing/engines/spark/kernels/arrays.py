"""The arrays that kernels work on, in named tuples."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]

NEVER = 0xFFFFFFFF
"""As a depth: none."""


class Form(NamedTuple):
    """How rows are laid out: by slot the word, where in it, and how wide; tables by slot and number start there."""

    word: Array
    shift: Array
    mask: Array
    start: Array


class Owners(NamedTuple):
    """Who a row belongs to, and what stands for it: the same in every process, so made of the hashes of values."""

    slots: Array  # those that decide
    owning: Array  # by slot and number: its part of the owner's hash
    print: Array  # by slot and number: its part of the fingerprint, 0 where the slot does not count for identity
    bits: int  # of the owner's hash
    more: int  # bits of the fingerprint that follow
    parts: Array  # by these bits: the partition
    me: int


class Held(NamedTuple):
    """The states of one partition, in the order they came."""

    rows: Array
    depth: Array
    parent: Array
    counted: Array  # the depth at which its steps are counted, or NEVER
    changed: Array  # 1 if it came, or came nearer, in this round
    table: Array  # open addressing: half a hash, and number + 1
    size: Array  # of one element: how many


class Sent(NamedTuple):
    """What goes to other partitions."""

    rows: Array
    depth: Array
    parent: Array
    owner: Array
    recent: Array  # by hash: number + 1 of a row that was sent lately
    size: Array  # of one element


class Produced(NamedTuple):
    """Rows that steps led to, with what is known of each."""

    rows: Array
    hashes: Array
    parent: Array
    depth: Array


class Steps(NamedTuple):
    """The same where several rows have one origin: few are new, so that what they have in common is not copied."""

    rows: Array
    hashes: Array
    origin: Array  # by row: where the next two are to be found
    parent: Array
    depth: Array
