"""Random numbers by purpose: what one part draws does not move what another draws.

So all protocols see the same traffic and the same failures, however many messages each of them sends.
"""

from __future__ import annotations

import numpy as np

PAIRS, TRAFFIC, FAILURES, PHASES = range(4)


def stream(seed: int, purpose: int, number: int = 0) -> np.random.Generator:
    """The stream of one publisher, link or broker."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(purpose, number))))
