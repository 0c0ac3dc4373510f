"""Two slow ways to know what a timed system does: digital clocks and the region graph."""

from __future__ import annotations

from tests.timed.digital import reachable_discretely
from tests.timed.regions import RegionGraph

__all__ = ["RegionGraph", "reachable_discretely"]
