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
from homing.replaying.judging import judge
from homing.replaying.matching import INTERNAL
from homing.replaying.reading import read
from homing.replaying.simulation import Settings
from homing.replaying.story import Story
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
            models = _selected(load(request.model, python=request.python).models, request.systems, story)
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
    for name in wanted:
        if not any(_is_called(model, name) for model in models):
            known = [model.part for model in models if model.part] or ["one without a name"]
            raise HomingError(f"unknown system '{name}'", models[0].place or Place(models[0].name), known)
    return [model for model in models if not wanted or any(_is_called(model, name) for name in wanted)]


def _is_called(model: Model, name: str) -> bool:
    return model.part in (name, f"{name}()")


def _attempts(models: list[Model], story: Story, request: Request, interruption: Interruption) -> list[Attempt]:
    """What became of it in each system, the one that goes furthest first; ends with the first that accepts."""
    settings = Settings(
        frozenset({INTERNAL}) | request.hide, ends=request.ends, limits=request.limits, interrupted=interruption
    )
    attempts: list[Attempt] = []
    errors: list[tuple[int, HomingError]] = []
    for model in _with_goal(models, request.goal):
        began = time.monotonic()
        try:
            result = judge(model, story, replace(settings, goal=_goal(model, request.goal)))
        except HomingError as error:
            errors.append((0, error))
            continue
        if result.error is not None:
            errors.append((result.matched, result.error))
        attempts.append(Attempt(model, result, time.monotonic() - began))
        if result.verdict is Verdict.HOLDS:
            return [attempts.pop(), *attempts]
    attempts.sort(key=lambda attempt: (attempt.run.verdict is Verdict.UNKNOWN, attempt.run.matched), reverse=True)
    best = attempts[0].run if attempts else None
    for matched, failure in errors:
        # An event that is unknown is a mistake in the trace, if no system gets beyond it.
        if best is None or (best.verdict is not Verdict.UNKNOWN and matched >= best.matched):
            raise failure
    return attempts


# The goal


def _with_goal(models: list[Model], name: str | None) -> list[Model]:
    """The models that know the goal."""
    found = [model for model in models if name is None or _goal(model, name) is not None]
    if not found:
        known = dict.fromkeys(known for model in models for known in _goals(model))
        raise HomingError(f"unknown goal '{name}'", models[0].place or Place(models[0].name), known)
    return found


def _goal(model: Model, name: str | None) -> int | None:
    return None if name is None else _goals(model).get(name)


def _goals(model: Model) -> dict[str, int]:
    """The labels of a system, by their names and by those of the properties that are about them."""
    labels = {label.name: number for number, label in enumerate(model.system.shape.labels)}
    return labels | {prop.name: prop.label for prop in model.properties if isinstance(prop, Always | Sometimes)}
