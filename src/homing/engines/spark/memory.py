"""How much memory partitions may take: what a limit leaves beside Java, Python and their libraries."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable

import psutil
import pyarrow as pa

from homing.core.result import Options
from homing.engines.local.engine import cores
from homing.engines.local.tuning import Tuning
from homing.engines.local.watch import DEFAULT_SHARE, available_mb

JAVA, PYTHON = 400 << 20, 250 << 20
"""Bytes that Spark takes, and each process of ours before it has a state: interpreter, libraries, compiled code."""
SHARES = 4
"""Of a lane's memory: for a partition that it works on, for as much again while that grows, for those that it keeps,
and for rows on their way."""
LEAST = 16 << 20
"""Bytes of a share, however little memory there is."""
EDGE_BYTES = 70
"""Of a graph in one memory, with what is decided on it."""


def share(options: Options) -> int:
    """The bytes that a partition may take where all processes of one machine together keep to the limit."""
    lanes = lanes_of(options.distribution.master)
    return max(LEAST, (_whole(options) - _besides(lanes)) // (SHARES * lanes))


def too_little(options: Options) -> str | None:
    """What is to be said of a limit that cannot be kept."""
    lanes, whole = lanes_of(options.distribution.master), _whole(options)
    least = _besides(lanes) + SHARES * lanes * LEAST
    if whole >= least:
        return None
    return f"{whole >> 20} MB of memory are less than the {least >> 20} MB that Spark and {lanes} workers need at least"


def _besides(lanes: int) -> int:
    return JAVA + (lanes + 1) * PYTHON


def _whole(options: Options) -> int:
    return int((options.limits.memory_mb or DEFAULT_SHARE * available_mb()) * 2**20)


def within(options: Options, stopped: Callable[[], str | None]) -> Callable[[], str | None]:
    """Why to stop, which may also be that this process takes more than its part: workers keep theirs meanwhile."""
    lanes = lanes_of(options.distribution.master)
    most = max(2 * PYTHON, _whole(options) - JAVA - lanes * (PYTHON + share(options)))

    def reason() -> str | None:
        if psutil.Process().memory_info().rss <= most:
            return stopped()
        return f"this process took more than {most >> 20} MB, which is its part of the memory limit"

    return reason


def lanes_of(master: str | None) -> int:
    """How many partitions one machine works on at once: as many as it has cores, unless Spark's master says."""
    found = re.fullmatch(r"local\[(\d+)(,.*)?\]", master or "")
    return max(1, int(found[1])) if found else cores()


def tuning(memory: int) -> Tuning:
    """Buffers for partitions of so many bytes, as far as they matter."""
    usual = Tuning()
    return Tuning(output=min(usual.output, max(LEAST, memory)), memo=min(usual.memo, max(LEAST, memory)))


def give_back() -> None:
    """Returns what is free to the system: allocators would keep what was needed at the worst time."""
    pa.default_memory_pool().release_unused()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc's
    if trim is not None:
        trim(0)


def most_edges(options: Options, memory: int) -> int:
    """Of a graph that this process may put together: workers keep what they have meanwhile."""
    room = lanes_of(options.distribution.master) * memory * SHARES // 2
    return min(options.distribution.most_edges, room // EDGE_BYTES)
