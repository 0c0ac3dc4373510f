"""The verdict on a whole trace: its events, and where they are given its states, its loop and its branches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from homing.core.model import Model
from homing.core.values import State, same
from homing.core.verdict import Verdict
from homing.core.witness import Branch
from homing.replaying.document import told
from homing.replaying.matching import wanted
from homing.replaying.simulation import Run, Settings, follow
from homing.replaying.story import Offshoot, Story


def is_about(model: Model, story: Story) -> bool:
    """Whether the states of the trace could be the model's at all."""
    shape = model.system.shape
    return story.slots in (None, tuple(map(str, shape.slots)), shape.notation.slots)


def judge(model: Model, story: Story, settings: Settings) -> Run:
    """Whether the trace is one of the model's system."""
    return _judge(model, story, replace(settings, silent=story.states is None, told=_telling(model, story)))


def _telling(model: Model, story: Story) -> Callable[[State], State]:
    """How the trace tells states: in the slots of engines or in those of people, values as the notation has them."""
    notation = model.system.shape.notation
    if story.slots is None or story.slots != notation.slots or notation.state is None:
        return partial(told, notation)
    shown = notation.state
    return lambda state: told(notation, shown(state))


def _judge(model: Model, story: Story, settings: Settings, start: State | None = None) -> Run:
    """`start` is where a branch starts: it need not be initial."""
    first = story.states[0] if story.states and start is None else start
    run = follow(model.system, wanted(model, story), settings, first, initial=start is None)
    if run.verdict is not Verdict.HOLDS or story.states is None:
        return run
    if story.loop is not None and not same(story.states[story.loop], story.states[-1]):
        return replace(run, verdict=Verdict.VIOLATED, reason=f"its loop does not return to state {story.loop}")
    run = replace(run, trace=replace(run.trace, loop=story.loop))
    for branch in story.branches:
        run = _with_branch(model, story.states, branch, settings, run)
        if run.verdict is not Verdict.HOLDS:
            break
    return run


def _with_branch(model: Model, states: tuple[State, ...], branch: Offshoot, settings: Settings, run: Run) -> Run:
    """The run with the branch, if that is one."""
    start = None if branch.at is None else states[branch.at]
    first = branch.story.states[0] if branch.story.states else None
    if start is not None and (first is None or not same(start, first)):
        reason = f"its branch '{branch.why}' does not start in state {branch.at}"
        return replace(run, verdict=Verdict.VIOLATED, reason=reason)
    # What is asked of the end is asked of the trace itself.
    start = None if branch.at is None else run.trace.states[branch.at]
    inner = _judge(model, branch.story, replace(settings, goal=(), ends=False), start)
    if inner.verdict is not Verdict.HOLDS:
        reason = f"its branch '{branch.why}' is none: {inner.reason}"
        return replace(run, verdict=inner.verdict, reason=reason, states=run.states + inner.states)
    branches = (*run.trace.branches, Branch(branch.at, branch.why, inner.trace))
    return replace(run, trace=replace(run.trace, branches=branches), states=run.states + inner.states)
