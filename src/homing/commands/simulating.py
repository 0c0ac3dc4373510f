"""What `homing simulate` does: walks, tells what the walk did, draws and writes it."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from rich.text import Text

from homing.api import load
from homing.core.errors import HomingError, Place
from homing.core.model import Model
from homing.core.result import Counts, Report, Result
from homing.core.verdict import Verdict
from homing.replaying.matching import Wanted, wanted
from homing.replaying.story import Mention, Stage, Story
from homing.report import files, forms, itf, json_format
from homing.report.charts import saving
from homing.report.outcome import BAD_INPUT, Outcome
from homing.report.progress import display
from homing.report.screen import Screen
from homing.report.text_report import TextReport
from homing.report.wording import plural, printable
from homing.simulating.chance import Chance, any_seed, wander
from homing.simulating.choosing import Conversation
from homing.simulating.walk import Walk

STEPS = 25
STEPS_UNTIL = 1000
"""What is waited for is rarely among the first 25 steps."""


@dataclass(frozen=True)
class Request:
    """What was asked on the command line."""

    file: Path
    python: bool
    config: Path | None
    env: tuple[str, ...]
    part: str | None
    random: bool
    choose: bool
    seed: int | None
    steps: int | None
    until: str | None
    initial: int | None
    trace: str | None
    json: str | None
    msc: str | None
    itf: str | None

    @property
    def chooses(self) -> bool:
        """Whether a person is asked for each step."""
        if self.choose:
            return True
        given = (self.seed, self.steps, self.until)
        at_random = self.random or any(option is not None for option in given)
        return not at_random and sys.stdin is not None and sys.stdin.isatty()

    def check(self) -> None:
        """Raises HomingError on options that contradict each other."""
        if self.choose and self.random:
            raise HomingError("--choose and --random exclude each other")
        if self.choose and (self.steps is not None or self.until is not None):
            raise HomingError("--steps and --until are for random walks; with --choose, 'r N' takes N random steps")


def run(request: Request) -> int:
    """Walks, shows, writes; the exit code."""
    request.check()
    # A document on stdout must be alone there: then a conversation goes to stderr, and a report nowhere.
    to_stdout = request.json == files.STDOUT
    out = Screen(sys.stderr if to_stdout and request.chooses else sys.stdout)
    out.quiet = to_stdout and not request.chooses
    text = TextReport(out, Screen(sys.stderr), request.trace)
    with display(quiet=True):  # what a model prints goes to stderr
        found = load(request.file, python=request.python, config=request.config, env=request.env)
        model = _selected(found.models, request.part, text)
        session = Session(request, model, out, text)
        session.walk_through()
        session.show()
    session.write()
    return session.exit_code


def _selected(models: tuple[Model, ...], name: str | None, text: TextReport) -> Model:
    """The system asked for, else the first; the others are mentioned."""
    if name is None:
        if len(models) > 1:
            others = ", ".join(model.part for model in models[1:])
            text.note(f"{models[0].part} is the first of {len(models)} systems; --part takes another: {others}")
        return models[0]
    found = [model for model in models if model.part in (name, f"{name}()")]
    if not found:
        known = [model.part for model in models if model.part]
        why = "" if known else ", since the model is a single one without a name"
        raise HomingError(f"unknown system '{name}'{why}", Place(models[0].name), known)
    return found[0]


def _awaited(model: Model, text: str) -> Wanted:
    """What is waited for, as the language of the model understands it."""
    return wanted(model, Story((Stage(Mention(text, Place("--until"))),)))[0]


class Session:
    """One run of the command."""

    def __init__(self, request: Request, model: Model, out: Screen, text: TextReport) -> None:
        self.request = request
        self.model = model
        self.out = out
        self.text = text
        self.chance = Chance(any_seed() if request.seed is None else request.seed)
        self.walk = Walk(model)
        self.until = None if request.until is None else _awaited(model, request.until)
        self.met = False
        self.interrupted = False
        self.error: HomingError | None = None
        self.exit_code = 0

    def walk_through(self) -> None:
        """At random or by choice; a model that fails on the way ends it."""
        self._start()
        try:
            if self.request.chooses:
                self._converse()
            else:
                self._wander()
        except KeyboardInterrupt:
            self.interrupted = True
        except HomingError as error:
            place = error.place or Place(str(self.request.file))
            self.error = HomingError(error.message, place, error.known)
        if self.error is not None:
            self.exit_code = BAD_INPUT
        elif self.until is not None and self.until.error is not None and not self.met:
            raise self.until.error
        elif self.interrupted or (self.request.until is not None and not self.met):
            self.exit_code = Verdict.UNKNOWN.exit_code

    def _start(self) -> None:
        number = self.request.initial
        if number is None:
            return
        if number > self.walk.starts:
            has = plural(self.walk.starts, "initial state")
            raise HomingError(f"there is no initial state {number}: the model has {has}", Place(str(self.request.file)))
        if not self.walk.states:
            self.walk.take(self.walk.choices()[number - 1])

    def _converse(self) -> None:
        self.out.print(Text(printable(f"{self.request.file}: {self.model.part}".rstrip(": ")), "bold"), soft_wrap=True)
        answers = sys.stdin or StringIO()  # there is none where a shell has closed it
        if hasattr(answers, "reconfigure"):
            answers.reconfigure(errors="replace")
        Conversation(self.walk, self.chance, self.out, answers, self._write_to).run()

    def _wander(self) -> None:
        steps = self.request.steps
        if steps is None:
            steps = STEPS if self.until is None else STEPS_UNTIL
        self.met = wander(self.walk, self.chance, steps, None if self.until is None else self.until.matches)
        if not self.met:
            self.walk.end()  # whether it could go on is told, so what fails there is to be told, too

    # What came of it

    def show(self) -> None:
        """What the walk did, and its chart."""
        summary = printable(f"{self.request.file}: {self.summary()}")
        self.out.print(Text(summary, "bold"), soft_wrap=True)
        if len(self.walk) or self.request.trace is not None:
            self._show_walk()
        if self.error is not None:
            self.text.error(self.error)

    def _show_walk(self) -> None:
        trace = self.walk.trace()
        # Values were shown on the way, where there was one.
        short = self.request.chooses and forms.draws(self.out)
        form = self.request.trace or ("chart" if short else forms.usual(self.out, trace))
        if self.walk.states:
            self.out.say("")
            forms.show(self.out, trace, form)

    def summary(self) -> str:
        """`25 steps at random, seed 7; no deadlock`."""
        of = f"{self.model.part}: " if self.model.part else ""
        return f"{of}{plural(len(self.walk), 'step')}{self._by()}{self._ending()}"

    def _by(self) -> str:
        return " by choice" if self.request.chooses else f" at random, seed {self.chance.seed}"

    def _ending(self) -> str:
        if self.error is not None:
            return ", then the model fails"
        if self.interrupted or not self.walk.states:
            return ", interrupted" if self.interrupted else ""
        if self.met:
            return f", until '{self.request.until}'"
        end = self.walk.end()
        unmet = f"; '{self.request.until}' did not happen" if self.request.until is not None else ""
        return f"{f', {end.text}' if end is not None else '; no deadlock'}{unmet}"

    # For machines

    def write(self) -> None:
        """The documents that were asked for."""
        if not self.walk.states:
            return
        if self.request.json is not None:
            files.write(self.request.json, self.document())
        for target, save in ((self.request.msc, saving.save), (self.request.itf, itf.save)):
            if target is not None:
                self.text.note(f"wrote {', '.join(save(target, [self.outcome()]))}")

    def _write_to(self, target: str) -> list[str]:
        """By its ending: the walk, or a chart of it."""
        name = target.lower()
        if name.endswith(".svg"):
            return saving.save(target, [self.outcome()])
        if name.endswith(".itf.json"):
            return itf.save(target, [self.outcome()])
        if not name.endswith(".json"):
            raise HomingError("has another ending than .json, .itf.json or .svg", Place(target))
        files.write(target, self.document())
        return [target]

    def outcome(self) -> Outcome:
        """As a check of a property that there is such a walk, so that all that shows results can show it."""
        by = "a walk" if self.request.chooses else f"a random walk, seed {self.chance.seed}"
        end = None if self.error is not None else self.walk.end()
        result = Result(
            self.model.name,
            by,
            Verdict.HOLDS,
            Counts(),
            0.0,
            0.0,
            self.walk.trace(),
            reason=None if end is None else end.text,
            part=self.model.part,
        )
        return Outcome(self.model.name, Report(self.model.name, (result,), self.error))

    def document(self) -> str:
        """As `check --json` writes it, with what only a walk has; `homing replay` reads it."""
        written = json.loads(json_format.render([self.outcome()]))
        end = None if self.error is not None else self.walk.end()
        written["results"][0]["seed"] = None if self.request.chooses else self.chance.seed
        written["results"][0]["end"] = None if end is None else end.name
        return json.dumps(written, indent=2) + "\n"
