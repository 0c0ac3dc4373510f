"""How much memory there is, and how much of it this process has."""

from __future__ import annotations

import os
from pathlib import Path

STATM = Path("/proc/self/statm")


def resident_mb() -> float:
    """What this process has in memory now."""
    try:
        return int(STATM.read_bytes().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    except OSError:  # not Linux
        # Takes a hundredth of a second to import.
        import psutil

        return psutil.Process().memory_info().rss / 2**20


def physical_mb() -> float:
    """What the machine has."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**20
    except (AttributeError, OSError, ValueError):  # Windows has no such call, other systems not these names
        import psutil

        return psutil.virtual_memory().total / 2**20
