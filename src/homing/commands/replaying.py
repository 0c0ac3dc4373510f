"""What `homing replay` does: asks each system of the model in turn, until one knows the trace."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from homing.api import load
from homing.commands import replies
from homing.commands.interruption import Interruption, interruptible
from homing.commands.replies import Attempt
from homing.core.errors import HomingError, Place
from homing.core.model import Model
from homing.core.property import Always, Sometimes
from homing.core.result import Limits
from homing.core.verdict import Verdict
from homing.replaying.judging import is_about, judge
from homing.replaying.matching import INTERNAL
from homing.replaying.reading import read
from homing.replaying.simulation import Run, Settings
from homing.replaying.story import Story
from homing.replaying.times import prepared
from homing.report import files
from homing.report.charts import saving
from homing.report.progress import display
from homing.report.screen import Screen


@dataclass(frozen=True)
class Request:
    """What was asked on the command line."""

    model: Path
    trace_file: str
    python: bool
    env: tuple[str, ...]
    systems: tuple[str, ...]
    of: str | None
    hide: frozenset[str]
    ends: bool
    goal: str | None
    trace: str | None
    json: str | None
    msc: str | None
    limits: Limits


def run(request: Request) -> int:
    """Follows, shows, writes; the exit code."""
    with interruptible() as interruption:
        story = read(request.trace_file, request.of)
        with display(quiet=True):  # what a model prints goes to stderr
            found = load(request.model, python=request.python, env=request.env).models
            asked = story
            plain = []
            for model in found:
                system, story = prepared(model, asked)
                plain.append(replace(model, system=system))
            models = _selected(tuple(plain), request.systems, story)
            attempts = _attempts(models, story, request, interruption)
        out = Screen(sys.stdout)
        out.quiet = request.json == files.STDOUT  # a document on stdout must be alone there
        replies.show(out, str(request.model), story, attempts, request.trace)
        if request.json is not None:
            files.write(request.json, replies.document(attempts, story))
        if request.msc is not None:
            saving.save(request.msc, [replies.outcome(attempts[:1])])
        return attempts[0].run.verdict.exit_code


def _selected(models: tuple[Model, ...], names: Sequence[str], story: Story) -> list[Model]:
    """The systems that are asked for, else the one that the trace names, else all."""
    wanted = names or ([story.system] if any(model.part == story.system for model in models) else [])
    place = Place(models[0].name)
    for name in wanted:
        if not any(_is_called(model, name) for model in models):
            known = [model.part for model in models if model.part]
            raise HomingError(f"unknown system '{name}'", place, known)
    selected = [model for model in models if not wanted or any(_is_called(model, name) for name in wanted)]
    found = [model for model in selected if is_about(model, story)]
    if not found:
        slots = map(str, selected[0].system.shape.slots)
        raise HomingError(f"the trace has other slots: {', '.join(story.slots or ())}", place, slots)
    return found


def _is_called(model: Model, name: str) -> bool:
    return model.part in (name, f"{name}()")


def _attempts(models: list[Model], story: Story, request: Request, interruption: Interruption) -> list[Attempt]:
    """What became of it in each system, the one that goes furthest first; ends with the first that accepts."""
    settings = Settings(
        frozenset({INTERNAL}) | request.hide, ends=request.ends, limits=request.limits, interrupted=interruption
    )
    attempts: list[Attempt] = []
    for model in _with_goal(models, request.goal):
        began = time.monotonic()
        result = judge(model, story, replace(settings, goal=_goal(model, request.goal)))
        attempts.append(Attempt(model, result, time.monotonic() - began))
        if result.verdict is Verdict.HOLDS:
            return [attempts.pop(), *attempts]
    attempts.sort(key=lambda attempt: _merit(attempt.run), reverse=True)
    best = attempts[0].run
    if best.error is not None:  # a mistake in the trace, since no system gets beyond it
        raise best.error
    return attempts


def _merit(result: Run) -> tuple[bool, int, bool]:
    """What is not decided counts most, since the trace may be one there."""
    return result.verdict is Verdict.UNKNOWN, result.matched, result.error is None


# The goal


def _with_goal(models: list[Model], name: str | None) -> list[Model]:
    """The models that know the goal."""
    found = [model for model in models if name is None or _goal(model, name)]
    if not found:
        known = dict.fromkeys(known for model in models for known in _goals(model))
        raise HomingError(f"unknown goal '{name}'", Place(models[0].name), known)
    return found


def _goal(model: Model, name: str | None) -> tuple[int, ...]:
    return () if name is None else _goals(model).get(name, ())


def _goals(model: Model) -> dict[str, tuple[int, ...]]:
    """The labels of a system, by their names and by those of the properties that are about them."""
    found: dict[str, tuple[int, ...]] = {label.name: (i,) for i, label in enumerate(model.system.shape.labels)}
    for prop in model.properties:
        if isinstance(prop, Always | Sometimes):
            found[prop.name] = prop.labels if isinstance(prop, Always) else (prop.label,)
    return found
