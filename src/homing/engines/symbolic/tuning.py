"""How the symbolic engine goes about it. None of this changes a verdict or a count."""

from __future__ import annotations

import gc
import os
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from homing.core.errors import HomingError
from homing.engines.local.watch import DEFAULT_SHARE, available_mb

Strategy: TypeAlias = Literal["auto", "levels", "chaining", "saturation"]
VARIABLE = "HOMING_SYMBOLIC"
"""The environment variable that names a strategy."""
NODE_BYTES = 40
"""Of memory, a node with its share of the tables."""
MOST_NODES, FEWEST_NODES = 1 << 30, 1 << 16
MOST_CACHE = 1 << 20
LARGE = 200_000
"""Nodes that are freed at once when nobody needs them any more."""


@dataclass(frozen=True)
class Tuning:
    """The defaults are what measured best on the benchmarks."""

    strategy: Strategy = "auto"
    """`levels`: breadth first. `chaining`: what a group finds is taken in before the next group moves. `saturation`:
    the same, the groups near the bottom of the order first, each to its fixpoint. `auto`: chaining, but where its sets
    grow, levels if theirs are much simpler."""
    doubt: int = 10_000
    """Nodes of the states found by chaining from which levels are tried."""
    simpler: float = 0.5
    """Levels are kept if as many states have no more than so many of chaining's nodes."""
    work: int = 20_000
    share: int = 5
    """Where states are not found breadth first, their levels are counted afterwards, as long as these have no more
    nodes in all than `work`, or `share` times as many as all that the search went through; otherwise the depth is
    unknown. So much may be spent on a shortest trace, too."""
    cluster: int = 2_000
    """Nodes up to which relations of groups that move together are joined."""
    wide: int = 0
    """Combinations of values up to which a function is asked about each, even if there is a description of it."""
    leap: int = 500
    """Levels after which the rest is tried at once, by squaring the relation."""
    tidy: int = 50_000
    """Nodes in all from which the order is looked at again; it is changed where a tenth of them are of the states."""
    nodes: int | None = None
    """Nodes at most; from the memory limit when None."""
    cache: int | None = None
    """Entries of the cache of operations; from the number of nodes when None."""

    def room(self, memory_mb: float | None, used_mb: float) -> tuple[int, int]:
        """Nodes, and entries of the cache, for which a limit of memory has room besides what is in use already."""
        memory = (memory_mb or DEFAULT_SHARE * available_mb()) - used_mb
        nodes = self.nodes or int(min(max(memory * 2**20 / NODE_BYTES, FEWEST_NODES), MOST_NODES))
        return nodes, self.cache or min(nodes // 4, MOST_CACHE)


def clear_up(nodes: int) -> None:
    """Frees diagrams that had so many nodes: what refers to them refers to itself too, and Python does not know that it
    is large."""
    if nodes > LARGE:
        gc.collect()


def chosen() -> Tuning:
    """With the strategy that the environment names."""
    name = os.environ.get(VARIABLE, "")
    known = get_args(Strategy)
    if name and name not in known:
        raise HomingError(f"unknown strategy '{name}' in {VARIABLE}", known=known)
    return Tuning(strategy=name) if name else Tuning()  # type: ignore[arg-type]
