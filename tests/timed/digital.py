"""Digital clocks: time passes by whole units. Where constraints are closed and on single clocks, this reaches the same
discrete states (Henzinger, Manna and Pnueli, 1992)."""

from __future__ import annotations

from tests.timed.discrete import Asked, after, holds

from homing.core.values import State
from homing.timed.system import TimedSystem


def reachable_discretely(system: TimedSystem) -> set[State]:
    """The discrete states that can be reached."""
    asked = Asked(system)
    assert all(bound % 2 for constraints in asked.occurring(()) for *_, bound in constraints), "an open constraint"
    actions = [option.action for state in asked.states for option in asked.timing(state).options]
    assert len({action.priority for action in actions}) <= 1, "priorities are open constraints"
    caps = [most + 1 for most in asked.greatest(())]
    caps[0] = 0
    waiting = [
        (state, (0,) * len(caps)) for state in system.initial() if holds([0] * len(caps), asked.timing(state).invariant)
    ]
    found = set(waiting)
    while waiting:
        state, values = waiting.pop()
        timing = asked.timing(state)
        moves = [(state, [value + 1 for value in values])] if timing.delay else []
        for option in timing.options:
            if holds(values, option.action.guard):
                moves.append((option.target, after(values, option.action)))
        for target, changed in moves:
            capped = tuple(min(value, cap) for value, cap in zip(changed, caps))
            if holds(capped, asked.timing(target).invariant) and (target, capped) not in found:
                found.add((target, capped))
                waiting.append((target, capped))
    return {state for state, _ in found}
