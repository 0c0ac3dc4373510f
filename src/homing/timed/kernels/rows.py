"""Numbers for rows of words: those of discrete states, and those of what their parts say about time."""

from __future__ import annotations

from typing import Any

import numpy as np

from homing.timed.kernels.compiling import kernel


@kernel(nogil=True)
def number_rows(rows: Any, hashes: Any, visible: Any, known: Any, table: Any, count: Any, numbers: Any) -> Any:
    """The number of each row, new ones given where its first `visible` words are new; returns how many are known.

    `known` has room for all rows, and `table`, whose size is a power of two, is never full.
    """
    mask = np.uint64(table.shape[0] - 1)
    for i in range(rows.shape[0]):
        at = np.int64(hashes[i] & mask)
        while True:
            found = np.int64(table[at]) - 1
            if found < 0:
                for k in range(rows.shape[1]):
                    known[count, k] = rows[i, k]
                table[at] = count + 1
                numbers[i] = count
                count += 1
                break
            same = True
            for k in range(visible):
                if known[found, k] != rows[i, k]:
                    same = False
                    break
            if same:
                numbers[i] = found
                break
            at = np.int64(np.uint64(at + 1) & mask)
    return count


@kernel(nogil=True)
def place_rows(hashes: Any, table: Any) -> None:
    """Fills an empty table with the numbers of rows of these hashes, which are all different."""
    mask = np.uint64(table.shape[0] - 1)
    for i in range(hashes.shape[0]):
        at = np.int64(hashes[i] & mask)
        while table[at] != 0:
            at = np.int64(np.uint64(at + 1) & mask)
        table[at] = i + 1


@kernel(nogil=True)
def hash_words(rows: Any, hashes: Any) -> None:
    """Well mixed bits of each row."""
    for i in range(rows.shape[0]):
        h = np.uint64(0x9E3779B97F4A7C15)
        for k in range(rows.shape[1]):
            h = (h ^ np.uint64(rows[i, k])) * np.uint64(0xFF51AFD7ED558CCD)
            h ^= h >> np.uint64(32)
        hashes[i] = h ^ (h >> np.uint64(29))
