"""Engines: how states are found, stored and partitioned. `--engine` chooses one by name."""

from __future__ import annotations

from homing.core.errors import HomingError
from homing.core.model import Model
from homing.core.result import Exploration, Options
from homing.timed.system import is_timed

NAMES = ("local", "spark", "symbolic")


def check(model: Model, engine: str = "local", options: Options | None = None) -> Exploration:
    """What an engine finds out about a model."""
    if engine not in NAMES:
        raise HomingError(f"unknown engine '{engine}'", known=NAMES)
    options = options or Options()
    # Compiled code takes a while to load, so an engine is imported when it is used.
    if is_timed(model.system):
        if engine in ("spark", "symbolic"):
            what = f"has clocks, which the engine '{engine}' does not know: zones are explored by the local one"
            raise HomingError(what, model.place)
        from homing.engines.zones.engine import check as check_zones

        return check_zones(model, options)
    if engine == "spark":
        from homing.engines.spark.engine import check as check_on_spark

        return check_on_spark(model, options)
    if engine == "symbolic":
        from homing.engines.symbolic.engine import check as check_symbolically

        return check_symbolically(model, options)
    from homing.engines.local.engine import check as check_locally

    return check_locally(model, options)
