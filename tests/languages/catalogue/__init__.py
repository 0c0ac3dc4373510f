"""Construct × context: the constructs of a notation in contexts and pairs of contexts, enumerated.

A notation has a module here (`csp`, `tla`, `uppaal`, `smv`) with a `NOTATION`. The expected answers come from an
independent tool and stand in `<notation>.records`; `python -m tools.records <notation>` renews them.
"""
