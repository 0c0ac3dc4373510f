"""Where each slot's id lies in a row of 32-bit words."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from homing.engines.local.kernels import Array

WORD = 32


@dataclass(frozen=True)
class Layout:
    """A slot's id is `(row[word] >> shift) & mask`; visible slots fill the first `visible` words."""

    word: Array
    shift: Array
    mask: Array
    words: int
    visible: int

    def holds(self, counts: Sequence[int]) -> bool:
        """Whether ids below the counts fit."""
        return all(count - 1 <= mask for count, mask in zip(counts, self.mask.tolist(), strict=True))

    def fields(self, most: int) -> Iterator[tuple[int, int, list[int]]]:
        """The slots in the order of their places, as many at once as lie within so many bits of a word, or one that is
        wider; with the word, and the bit that they start at."""
        here, place = list[int](), (0, 0)
        for slot in np.lexsort((self.mask, self.shift, self.word)).tolist():
            word, shift, mask = int(self.word[slot]), int(self.shift[slot]), int(self.mask[slot])
            if here and (word != place[0] or shift + mask.bit_length() > place[1] + most):
                yield *place, here
                here = []
            if not here:
                place = (word, shift)
            here.append(slot)
        yield *place, here

    def pack(self, ids: Sequence[int]) -> Array:
        """The row of a state."""
        row = np.zeros(self.words, np.uint32)
        for slot, value in enumerate(ids):
            row[self.word[slot]] |= np.uint32(value << int(self.shift[slot]))
        return row

    def unpack(self, row: Array) -> list[int]:
        """The ids of a row."""
        return ((row[self.word] >> self.shift) & self.mask).tolist()  # type: ignore[no-any-return]


def pack(counts: Sequence[int], hidden: Collection[int]) -> Layout:
    """The fewest words for slots with so many values each, hidden ones apart from visible ones."""
    bits = [(count - 1).bit_length() for count in counts]
    shown = _first_fit([slot for slot in range(len(bits)) if slot not in hidden], bits)
    words = shown + _first_fit(sorted(hidden), bits)
    word, shift, width = (np.zeros(len(bits), np.uint32) for _ in range(3))
    for number, slots in enumerate(words):
        at = 0
        for slot, size in zip(slots, _widened([bits[slot] for slot in slots]), strict=True):
            word[slot], shift[slot], width[slot] = number, at, size
            at += size
    mask = ((np.uint64(1) << width.astype(np.uint64)) - np.uint64(1)).astype(np.uint32)
    # A shift by 32 is undefined in compiled code; a slot of width 0 may lie anywhere.
    shift[width == 0] = 0
    return Layout(word, shift, mask, max(1, len(words)), len(shown))


def _first_fit(slots: list[int], bits: Sequence[int]) -> list[list[int]]:
    """First-fit decreasing: within 22 % of the fewest words, and exact for all that we meet."""
    words: list[list[int]] = []
    free: list[int] = []
    for slot in sorted(slots, key=lambda s: (-bits[s], s)):
        number = next((n for n, room in enumerate(free) if room >= bits[slot]), None)
        if number is None:
            words.append([])
            free.append(WORD)
            number = len(free) - 1
        words[number].append(slot)
        free[number] -= bits[slot]
    return words


def _widened(bits: list[int]) -> list[int]:
    """Bits that would stay empty go to the slots of the word, so that new values seldom move anything."""
    spare, sizes = WORD - sum(bits), list(bits)
    while spare:
        for position in range(len(sizes)):
            if spare and sizes[position] < WORD:
                sizes[position] += 1
                spare -= 1
    return sizes
