"""Traces of systems with clocks: those that say when things happen, and those that do not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from homing.core.model import Model
from homing.core.system import TransitionSystem
from homing.core.values import State, show
from homing.replaying.story import Given, Story
from homing.timed import is_timed
from homing.timed.system import TimedSystem, plain

WAIT = "wait"


def prepared(model: Model, story: Story) -> tuple[TransitionSystem, Story]:
    """The system that a trace is of, and the trace as that system tells it.

    A trace that waits is one at given times. What it says of zones is left out, as is its loop: the clocks of the next
    round need not be those of the first.
    """
    system = model.system
    delays = list(_delays(story))
    if not is_timed(system) or not (delays or _tells_time(system, story)):
        return plain(system), story
    from homing.timed.timeline import Timeline

    return Timeline(system, delays), replace(story, slots=_without_zone(story.slots), states=_states(story), loop=None)


def _tells_time(system: TimedSystem, story: Story) -> bool:
    from homing.timed.timeline import names

    return story.slots is not None and bool(system.clocks) and set(names(system)) <= set(story.slots)


def _delays(story: Story) -> Iterator[Fraction]:
    """How long it waits, as `check --json` or a person writes it."""
    for stage in story.stages:
        event = stage.event
        told = event.text
        if isinstance(event, Given) and event.name == WAIT and event.arguments:
            told = f"{WAIT} {show(event.arguments[0])}"
        word, _, amount = told.partition(" ")
        try:
            if word == WAIT:
                yield Fraction(amount)
        except (ValueError, ZeroDivisionError):
            continue  # some other event that is called so


def _without_zone(slots: tuple[str, ...] | None) -> tuple[str, ...] | None:
    return slots[:-1] if slots and slots[-1] == "zone" else slots


def _states(story: Story) -> tuple[State, ...] | None:
    if story.states is None or not story.slots or story.slots[-1] != "zone":
        return story.states
    return tuple(state[:-1] for state in story.states)
