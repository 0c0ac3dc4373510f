"""Lookups in a compiled loop, for measuring what one takes."""

from __future__ import annotations

import numpy as np

from homing.overlay.kernels.compiling import kernel


@kernel(nogil=True, boundscheck=False)
def look_up(addresses, entries, colours, destinations):
    """The next hop of each question, by the array and the entry it points to; their sum, so that none is left out."""
    total = np.int64(0)
    for i in range(len(colours)):
        total += np.int64(entries[addresses[destinations[i], colours[i]]])
    return total
