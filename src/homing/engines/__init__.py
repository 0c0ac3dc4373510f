"""Engines: how states are found, stored and partitioned. `--engine` chooses one by name."""

from __future__ import annotations

from homing.core.errors import HomingError
from homing.core.model import Model
from homing.core.result import Exploration, Options
from homing.timed import is_timed

NAMES = ("auto", "local", "spark", "symbolic")


def check(model: Model, engine: str = "local", options: Options | None = None) -> Exploration:
    """What an engine finds out about a model."""
    if engine not in NAMES:
        raise HomingError(f"unknown engine '{engine}'", known=NAMES)
    options = options or Options()
    # Compiled code takes a while to load, so an engine is imported when it is used.
    if is_timed(model.system):
        return _check_clocks(model, engine, options)
    if engine == "spark":
        from homing.engines.spark.engine import check as check_on_spark

        return check_on_spark(model, options)
    if engine == "symbolic":
        from homing.engines.symbolic.engine import check as check_symbolically

        return check_symbolically(model, options)
    if engine == "auto":
        from homing.engines.auto import check as check_with_any

        return check_with_any(model, options)
    from homing.engines.local.engine import check as check_locally

    return check_locally(model, options)


def _check_clocks(model: Model, engine: str, options: Options) -> Exploration:
    if engine == "spark":
        from homing.engines.spark.timed.engine import check as check_in_partitions

        return check_in_partitions(model, options)
    if engine == "symbolic":
        from homing.engines.symbolic.clocks import check as check_in_diagrams

        return check_in_diagrams(model, options)
    from homing.engines.zones.engine import check as check_zones

    return check_zones(model, options)
