"""Properties of the whole state graph: decided here, on `homing.core.graph.Graph` alone, whichever engine built it."""
