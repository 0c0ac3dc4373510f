"""The state graph in pieces, one a partition: properties of behaviours beyond one machine."""

from homing.engines.spark.graph.deciding import Decider

__all__ = ["Decider"]
