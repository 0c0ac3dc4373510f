"""What there is to know where only infinite behaviours count, but some states have no successor."""

from __future__ import annotations

from homing.core.system import Shape
from homing.core.values import State
from homing.core.witness import Trace

LONGEST_STATE = 200


def not_total(shape: Shape, state: State, count: int) -> str:
    """The sentence about so many states without a successor, one of which is this."""
    end = Trace(tuple(map(str, shape.slots)), (state,), (), notation=shape.notation).readable()
    shown = ", ".join(
        f"{slot} = {end.notation.show(value)}" for slot, value in zip(end.slots, end.states[0], strict=True)
    )
    many = "a state has" if count == 1 else f"{count:,} states have"
    such = shown if len(shown) <= LONGEST_STATE else shown[:LONGEST_STATE] + " …"
    what = f"the transition relation is not total: {many} no successor, such as {such}"
    return f"{what}; paths that end do not count"
