"""Which events of a system an event of a trace stands for."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

from homing.core.errors import HomingError
from homing.core.model import Model
from homing.core.system import Event, Notation
from homing.core.values import State, same
from homing.core.witness import STUTTER, Move
from homing.replaying.document import told
from homing.replaying.story import Given, Stage, Story

INTERNAL = "tau"
SIGNS = {"tau": INTERNAL, "τ": INTERNAL}


@dataclass(frozen=True)
class Wanted:
    """One event of a trace, as a question to a system."""

    stage: Stage
    matches: Callable[[Event], bool]
    state: State | None = None
    error: HomingError | None = None
    """What the language does not understand of its text. The text may be that of an event all the same."""

    @property
    def stutters(self) -> bool:
        """Whether it is the step that no group takes, as behaviours have at their end."""
        event = self.stage.event
        return self.stage.group == STUTTER.group and isinstance(event, Given) and event.name == STUTTER.event.name

    def taken_by(self, move: Move, after: State) -> bool:
        """Whether a step that shows a matching event is the very one that is meant."""
        return self.stage.group in (None, move.group) and self.leads_to(after)

    def leads_to(self, after: State) -> bool:
        """Whether the state after it is the one that is meant, told as the trace tells states."""
        return self.state is None or same(self.state, after)


def wanted(model: Model, story: Story) -> tuple[Wanted, ...]:
    """The events of a trace, as the language of the model understands them."""
    states = [None] * len(story) if story.states is None else story.states[1:]
    return tuple(_wanted(model, stage, state) for stage, state in zip(story.stages, states, strict=True))


def _wanted(model: Model, stage: Stage, state: State | None) -> Wanted:
    event = stage.event
    if isinstance(event, Given):
        notation = model.system.shape.notation
        return Wanted(stage, lambda found: _is_given(event, found, notation), state)
    if event.text in SIGNS:
        return Wanted(stage, lambda found: found.name == SIGNS[event.text], state)
    text = squeezed(event.text)
    if model.pattern is None:
        return Wanted(stage, lambda found: text in _texts(found), state)
    try:
        pattern = model.pattern(event.text)
    except HomingError as error:
        unknown = HomingError(error.message, event.place, error.known)
        return Wanted(stage, lambda found: text == squeezed(str(found)), state, unknown)
    return Wanted(stage, lambda found: text == squeezed(str(found)) or pattern.matches(found), state)


def _texts(event: Event) -> set[str]:
    """What an event may be called where the language has nothing to say about it."""
    return {squeezed(event.name), squeezed(str(event)), squeezed(str(replace(event, text="")))}


def _is_given(given: Given, event: Event, notation: Notation) -> bool:
    return (
        event.name == given.name
        and (given.arguments is None or same(given.arguments, told(notation, event.arguments)))
        and all(getattr(event, end) == name for end, name in given.ends.items())
    )


@lru_cache(maxsize=1 << 16)
def squeezed(text: str) -> str:
    """The text without blanks that say nothing: `f(1, 2)` and `f( 1,2 )` are one."""
    return re.sub(r"\s*([(),.\[\]{}⟨⟩!?])\s*", r"\1", " ".join(text.split()))
