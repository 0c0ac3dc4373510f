"""What `homing replay` answers: the answer in the first line, then what would have been possible, then the run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from rich.text import Text

from homing.core.errors import Place
from homing.core.model import Model
from homing.core.result import Counts, Report, Result
from homing.core.system import Event
from homing.core.verdict import Verdict
from homing.replaying.simulation import Run
from homing.replaying.story import Story
from homing.report import forms, json_format, table, traces
from homing.report.outcome import Outcome
from homing.report.screen import Screen
from homing.report.wording import plural, printable

MOST_NAMES = 12
MOST_OF_A_NAME = 4
MOST_SYSTEMS = 3


@dataclass(frozen=True)
class Attempt:
    """What became of a trace in one system."""

    model: Model
    run: Run
    seconds: float

    @property
    def system(self) -> str:
        return self.model.part or "the model"


def show(out: Screen, path: str, story: Story, attempts: list[Attempt], form: str | None) -> None:
    """For people; `form` is how to show the run, which is shown anyway when it stops early."""
    best = attempts[0]
    out.print(Text(printable(f"{path}: {answer(story, attempts)}"), table.STYLES[best.run.verdict]), soft_wrap=True)
    if best.run.possible:
        out.say("")
        out.say(_heading(story, best.run))
        for line in _possible(best.run.possible):
            out.hanging(traces.Line("  ", printable(line)))
    if form is not None or best.run.verdict is not Verdict.HOLDS:
        out.say("")
        _show_run(out, best.run, form)


def _show_run(out: Screen, run: Run, form: str | None) -> None:
    whole = run.verdict is Verdict.HOLDS
    out.say(f"{'one such run' if whole else 'as far as it goes'}, {plural(len(run.trace), 'step')}:")
    forms.show(out, run.trace, form or forms.usual(out, run.trace))


# The first line


def answer(story: Story, attempts: list[Attempt]) -> str:
    """`a trace of SYSTEM(), all 15 events`."""
    best, total = attempts[0], len(story)
    run = best.run
    if run.verdict is Verdict.HOLDS:
        unseen = len(run.trace) - total
        between = f" and {plural(unseen, 'internal step')}" if unseen else ""
        return f"a trace of {best.system}, {_all(total)}{between}"
    if run.verdict is Verdict.UNKNOWN:
        return f"UNKNOWN whether it is a trace of {best.system}: {run.reason}, after {run.matched} of {_events(total)}"
    systems = f"{best.system}{_others([attempt.system for attempt in attempts[1:]])}"
    if run.matched < total or not total:
        return f"no trace of {systems}: {run.reason}"
    return f"no such trace of {systems}: {_all(total)}, but {run.reason}"


def _all(total: int) -> str:
    return f"all {total:,} events" if total > 1 else _events(total)


def _events(total: int) -> str:
    return plural(total, "event")


def _others(names: list[str]) -> str:
    """`, nor of A() or B()`."""
    if not names:
        return ""
    if len(names) > MOST_SYSTEMS:
        return f", nor of {len(names)} others"
    return f", nor of {' or '.join(names)}"


# What would have been possible


def _heading(story: Story, run: Run) -> str:
    if run.matched == len(story):
        return "possible after it:"
    place: Place = story.stages[run.matched].event.place
    return printable(f"possible there, instead of {place}:" if place.line else "possible there:")


def _possible(events: tuple[Event, ...]) -> Iterator[str]:
    """A line for each name: what is alike stands together, and many arguments hide no other name."""
    named: dict[str, set[str]] = {}
    for event in events:
        named.setdefault(event.name, set()).add(str(event))
    for name in sorted(named)[:MOST_NAMES]:
        texts = sorted(named[name])
        more = f" and {len(texts) - MOST_OF_A_NAME:,} more" if len(texts) > MOST_OF_A_NAME else ""
        yield ", ".join(texts[:MOST_OF_A_NAME]) + more
    if len(named) > MOST_NAMES:
        yield f"… and events with {len(named) - MOST_NAMES:,} other names"


# For machines


def outcome(attempts: list[Attempt]) -> Outcome:
    """As a check of a property that there is such a trace, so that all that shows results can show it."""
    name = attempts[0].model.name
    return Outcome(name, Report(name, tuple(map(_result, attempts))))


def _result(attempt: Attempt) -> Result:
    run = attempt.run
    return Result(
        attempt.model.name,
        f"is a trace of {attempt.system}",
        run.verdict,
        Counts(distinct=run.states),
        attempt.seconds,
        0.0,
        run.trace,
        reason=run.reason or None,
        part=attempt.model.part,
    )


def document(attempts: list[Attempt], story: Story) -> str:
    """As `check --json` writes it, a result for each system that was tried, with what only a replay has."""
    written = json.loads(json_format.render([outcome(attempts)]))
    for result, attempt in zip(written["results"], attempts, strict=True):
        run = attempt.run
        result["events"] = len(story)
        result["matched"] = run.matched
        result["possible"] = sorted({str(event) for event in run.possible})
    return json.dumps(written, indent=2) + "\n"
