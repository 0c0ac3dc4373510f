"""Rows from one numbering and layout to another, and the representatives that all processes agree on."""

from __future__ import annotations

from typing import Any

import numpy as np

from homing.engines.local.kernels.expansion import visible_first
from homing.engines.spark.kernels.compiling import kernel


@kernel(nogil=True)
def mark(form: Any, rows: Any, used: Any) -> None:
    """Marks, by slot and number, what the rows use."""
    words, flat = rows.shape[1], rows.ravel()
    for s in range(form.word.shape[0]):
        word, shift, mask, start = np.int64(form.word[s]), form.shift[s], form.mask[s], np.int64(form.start[s])
        for i in range(rows.shape[0]):
            used[start + np.int64((flat[i * words + word] >> shift) & mask)] = 1


@kernel(nogil=True)
def translate(form: Any, numbers: Any, to: Any, rows: Any, out: Any) -> None:
    """Writes the rows in another form; `numbers` gives, by slot and number here, the number there."""
    words, wide = rows.shape[1], out.shape[1]
    flat, target = rows.ravel(), out.ravel()
    for i in range(target.shape[0]):
        target[i] = 0
    for s in range(form.word.shape[0]):
        word, shift, mask, start = np.int64(form.word[s]), form.shift[s], form.mask[s], np.int64(form.start[s])
        there, left = np.int64(to.word[s]), to.shift[s]
        for i in range(rows.shape[0]):
            number = numbers[start + np.int64((flat[i * words + word] >> shift) & mask)]
            target[i * wide + there] |= number << left


@kernel(nogil=True)
def represent(form: Any, visible: Any, prints: Any, source: Any, image: Any, unary: Any, rows: Any) -> None:
    """Replaces rows by the least of their orbits, values compared by their hashes: numbers differ by process.

    The slots of the first `visible` words are compared first, as they count for identity.
    """
    slots, elements, words = form.word.shape[0], source.shape[0], rows.shape[1]
    word, shift, mask, start = form.word, form.shift, form.mask, form.start
    ids, best, other = np.empty(slots, np.uint32), np.empty(slots, np.uint32), np.empty(slots, np.uint32)
    turns = visible_first(word, visible)
    for i in range(rows.shape[0]):
        for s in range(slots):
            ids[s] = (rows[i, word[s]] >> shift[s]) & mask[s]
            best[s] = ids[s]
        moved = False
        for e in range(elements):
            order = 0
            for s in turns:
                other[s] = unary[np.int64(image[e, s]) + ids[source[e, s]]]
                if order == 0 and other[s] != best[s]:
                    mine, theirs = prints[np.int64(start[s]) + other[s]], prints[np.int64(start[s]) + best[s]]
                    if mine > theirs:
                        order = 1
                        break
                    order = -1
            if order < 0:
                moved = True
                for s in range(slots):
                    best[s] = other[s]
        if moved:
            for k in range(words):
                rows[i, k] = 0
            for s in range(slots):
                rows[i, word[s]] |= best[s] << shift[s]
