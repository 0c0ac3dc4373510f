"""A walk by a person's choice: shows where it is, asks, obeys."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TextIO

from rich.text import Text

from homing.core.errors import HomingError
from homing.core.numerals import MOST_DIGITS
from homing.report import forms
from homing.report.screen import Screen
from homing.report.traces import Line
from homing.report.wording import plural, printable
from homing.simulating import showing
from homing.simulating.chance import Chance, wander
from homing.simulating.walk import Walk

GREETING = "a number takes that step, Enter one at random; u undoes, q ends, ? tells the rest"
HELP = (
    ("1, 2, …", "take that step"),
    ("Enter", "take one at random"),
    ("r N", "take N steps at random"),
    ("u", "undo the last step"),
    ("s", "show the whole state, and all steps"),
    ("c", "show the chart so far"),
    ("w FILE", "write the walk: .json for homing replay, .svg the chart, .itf.json"),
    ("q", "end, as does the end of the input"),
)
MOST_AT_ONCE = 100_000


class Ended(Exception):
    """The person wants no more."""


class Conversation:
    """Reads commands line by line; `write` writes the walk to a file and says what was written."""

    def __init__(
        self, walk: Walk, chance: Chance, out: Screen, answers: TextIO, write: Callable[[str], list[str]]
    ) -> None:
        self.walk = walk
        self.chance = chance
        self.out = out
        self.answers = answers
        self.write = write
        self._commands: dict[str, Callable[[str], None]] = {
            "": self._random,
            "r": self._random,
            "u": self._undo,
            "s": self._state,
            "c": self._chart,
            "w": self._write,
            "q": self._quit,
            "?": self._help,
        }

    def run(self) -> None:
        """Until the person ends it; raises ModelError where the model fails."""
        self.out.say(GREETING)
        self._place(0)
        try:
            while True:
                self._obey(self._answer())
        except (Ended, KeyboardInterrupt):
            self.out.say("")

    # One question

    def _answer(self) -> str:
        self.out.print(Text(self._prompt()), end="", soft_wrap=True)
        self.out.file.flush()
        line = self.answers.readline()
        if not line:
            raise Ended
        if not self.answers.isatty():
            # What was typed is not on the screen otherwise.
            self.out.print(Text(printable(line.strip())), soft_wrap=True)
        return line.strip()

    def _prompt(self) -> str:
        number = len(self.walk.choices())
        if not number:
            return "end> "
        what = f"step {len(self.walk) + 1}" if self.walk.states else "start"
        return f"{what} ({f'1-{number}' if number > 1 else '1'})> "

    def _obey(self, answer: str) -> None:
        word, _, rest = answer.partition(" ")
        if word.isdecimal() and len(word) <= MOST_DIGITS and not rest:
            self._number(int(word))
        elif word in self._commands and (not rest or word in {"r", "w"}):
            self._commands[word](rest.strip())
        else:
            known = ", ".join(["a number", "Enter", *(name for name, _ in HELP[2:]), "?"])
            self.out.say(f"'{printable(answer)}' is no command; known: {known}")

    # The answers

    def _number(self, number: int) -> None:
        choices = self.walk.choices()
        if not 1 <= number <= len(choices):
            self.out.say(self._nothing() if not choices else f"there is no choice {number}, only 1 to {len(choices)}")
            return
        before = len(self.walk)
        self.walk.take(choices[number - 1])
        self._place(before)

    def _random(self, rest: str) -> None:
        number = int(rest) if rest.isdecimal() and len(rest) <= MOST_DIGITS else 1 if not rest else 0
        if not 1 <= number <= MOST_AT_ONCE:
            self.out.say(f"'{printable(rest)}' is no number of steps from 1 to {MOST_AT_ONCE}")
        elif not self.walk.choices():
            self.out.say(self._nothing())
        else:
            before, started = len(self.walk), bool(self.walk.states)
            try:
                wander(self.walk, self.chance, number if started else number - 1)
            finally:  # also of a model that fails on the way, the steps before that
                self._tell(showing.steps(self.walk, before) if started else showing.state(self.walk))
            self._next()

    def _undo(self, _: str) -> None:
        if not self.walk.undo():
            self.out.say("there is nothing to undo")
            return
        if self.walk.states:
            self.out.say(f"back in state {len(self.walk)}")
        self._place(max(0, len(self.walk) - 1))

    def _state(self, _: str) -> None:
        if self.walk.states:
            self._tell(showing.state(self.walk))
        self._next(everything=True)

    def _chart(self, _: str) -> None:
        if not len(self.walk):
            self.out.say("nothing has happened yet")
            return
        forms.show(self.out, self.walk.trace(), "chart")

    def _write(self, target: str) -> None:
        if not target or not self.walk.states:
            self.out.say("the walk has not started yet" if target else "where to? w FILE.json, or w FILE.svg")
            return
        try:
            self.out.say(f"wrote {printable(', '.join(self.write(target)))}")
        except HomingError as error:
            self.out.say(printable(str(error)))

    def _quit(self, _: str) -> None:
        raise Ended

    def _help(self, _: str) -> None:
        self._tell(Line(f"  {name:<8}  ", what) for name, what in HELP)

    # What is shown

    def _place(self, before: int) -> None:
        """The steps since, or the whole state at the start; and what may come next."""
        if len(self.walk) > before:
            self._tell(showing.steps(self.walk, before))
        elif self.walk.states:
            self._tell(showing.state(self.walk))
        self._next()

    def _next(self, everything: bool = False) -> None:
        if not self.walk.choices():
            self.out.say(self._nothing(), "bold")
            return
        what = "possible next" if self.walk.states else f"{plural(self.walk.starts, 'initial state')}"
        self._tell([Line("", f"{what}:"), *showing.choices(self.walk, everything)])

    def _nothing(self) -> str:
        end = self.walk.end()
        return f"the end: {end.text.removeprefix('then ')}" if end is not None else ""

    def _tell(self, lines: Iterable[Line]) -> None:
        self.out.say("")
        for line in lines:
            self.out.hanging(line)
