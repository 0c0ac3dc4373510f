"""Conversations: what each answer does, and what is shown."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from homing.api import load
from homing.core.builder import Builder, step
from homing.core.errors import HomingError, ModelError, Place
from homing.core.model import Model
from homing.core.system import Event, Step
from homing.core.values import Value
from homing.report.screen import Screen
from homing.simulating.chance import Chance
from homing.simulating.choosing import GREETING, HELP, Conversation
from homing.simulating.walk import Walk

MODELS = Path(__file__).parent.parent.parent / "models"
REDELIVERY = load(MODELS / "demo/redelivery.py", python=True).models[0]


class Talk:
    """A conversation, and what came of it."""

    def __init__(self, model: Model, *answers: str) -> None:
        self.walk = Walk(model)
        self.written: list[str] = []
        self.stream = io.StringIO()
        text = io.StringIO("".join(f"{answer}\n" for answer in answers))
        Conversation(self.walk, Chance(1), Screen(self.stream), text, self._write).run()

    def _write(self, target: str) -> list[str]:
        if target == "bad":
            raise HomingError("cannot be written", Place(target))
        self.written.append(target)
        return [target]

    @property
    def shown(self) -> str:
        return self.stream.getvalue()

    def after(self, answer: str) -> str:
        """What was shown between an answer and the next question."""
        return self.shown.split(f"> {answer}\n", 1)[1].split(")> ")[0].rpartition("\n")[0]

    @property
    def events(self) -> list[str]:
        return [str(move.event) for move in self.walk.moves]


def test_a_number_takes_that_step() -> None:
    talk = Talk(REDELIVERY, "1", "2", "q", "1")
    assert talk.events == ["publish(0)", "deliver(0)"]
    assert talk.after("2").startswith(
        "\nstep 2: deliver(0)   broker → consumer\n"
        "  queue  ⟨0⟩ → ⟨⟩\n"
        "  copy   None → 0\n"
        "  inbox  None → ⟨received, 0⟩\n"
        "\npossible next:\n"
        "  1  publish(1)   producer → broker\n"
        "     published: 1 → 2; queue: ⟨⟩ → ⟨1⟩\n"
    )


def test_the_start_is_shown_in_full() -> None:
    shown = Talk(REDELIVERY).shown
    assert shown.startswith(f"{GREETING}\n\ninitially\n  published  0\n  queue      ⟨⟩\n")
    assert shown.endswith("step 1 (1)> \n")


def test_the_end_of_the_input_is_the_end() -> None:
    assert Talk(REDELIVERY, "1").events == ["publish(0)"]


def test_a_last_line_without_an_end() -> None:
    walk = Walk(REDELIVERY)
    Conversation(walk, Chance(1), Screen(io.StringIO()), io.StringIO("1\n2"), lambda target: []).run()
    assert len(walk) == 2


def test_random_steps() -> None:
    assert len(Talk(REDELIVERY, "", "r", "r 4").walk) == 6
    talk = Talk(REDELIVERY, "r 4")
    assert all(f"step {number}: " in talk.after("r 4") for number in range(1, 5))
    assert talk.after("r 4").count("possible next:") == 1


@pytest.mark.parametrize("rest", ["x", "0", "-1", "1 2", "100001"])
def test_no_number_of_steps(rest: str) -> None:
    talk = Talk(REDELIVERY, f"r {rest}")
    assert talk.after(f"r {rest}") == f"'{rest}' is no number of steps from 1 to 100000"
    assert not len(talk.walk)


@pytest.mark.parametrize("answer", ["x", "1 2", "u 3", "-1", "help", "R", "²", "\x1b[A"])
def test_what_is_no_command(answer: str) -> None:
    talk = Talk(REDELIVERY, answer, "1")
    assert "is no command; known: a number, Enter, r N, u, s, c, w FILE, q, ?\n" in talk.shown
    assert "\x1b" not in talk.shown
    assert len(talk.walk) == 1


@pytest.mark.parametrize("answer", ["0", "2", "99999999999999999999"])
def test_no_such_choice(answer: str) -> None:
    talk = Talk(REDELIVERY, answer)
    assert talk.after(answer) == f"there is no choice {answer}, only 1 to 1"


def test_undo() -> None:
    talk = Talk(REDELIVERY, "1", "2", "u")
    assert talk.events == ["publish(0)"]
    assert talk.after("u").startswith("back in state 1\n\nstep 1: publish(0)   producer → broker\n")
    talk = Talk(REDELIVERY, "1", "u", "u")
    assert "back in state 0\n\ninitially\n" in talk.shown
    assert "> u\nthere is nothing to undo\n" in talk.shown


def test_the_whole_state() -> None:
    shown = Talk(REDELIVERY, "1", "s").after("s")
    assert shown.startswith(
        "\nstate 1\n  published  1\n  queue      ⟨0⟩\n  copy       None\n  inbox      None\n  processed  ⟨⟩\n"
    )
    assert "possible next:\n  1  publish(1)" in shown


def test_the_chart_so_far() -> None:
    talk = Talk(REDELIVERY, "c", "1", "c")
    assert talk.after("c") == "nothing has happened yet"
    assert "  1  ├─publish(0)─▶│" in talk.shown


def test_writing() -> None:
    talk = Talk(REDELIVERY, "1", "w a b.json", "w", "w bad")
    assert talk.written == ["a b.json"]
    assert talk.after("w a b.json") == "wrote a b.json"
    assert talk.after("w") == "where to? w FILE.json, or w FILE.svg"
    assert talk.after("w bad") == "bad: cannot be written"


def test_help() -> None:
    shown = Talk(REDELIVERY, "?").after("?")
    assert all(f"  {name:<8}  {what}" in shown for name, what in HELP)


def test_ctrl_c_is_the_end() -> None:
    class Interrupted(io.StringIO):
        def readline(self, size: int = -1) -> str:  # type: ignore[override]
            raise KeyboardInterrupt

    out = io.StringIO()
    Conversation(Walk(REDELIVERY), Chance(1), Screen(out), Interrupted(), lambda target: []).run()
    assert out.getvalue().endswith("> \n")


# Models of all sorts


def several(number: int, starts: int = 1, deep: int = 0) -> Model:
    """So many steps from so many initial states, each to a deadlock."""
    build = Builder("several")
    start = build.slot("start", *range(starts))
    done = build.slot("done", (frozenset((f"message {one}", "x" * 20) for one in range(deep)), 0))

    @build.group("go", [start, done], [done])
    def go(place: int, found: tuple[frozenset[Value], int]) -> list[Step]:
        if found[1]:
            return []
        return [step(Event("go", (place, one)), {done: (found[0], one)}) for one in range(1, number + 1)]

    return build.model()


def test_a_deadlock() -> None:
    talk = Talk(several(1), "1", "1", "", "u", "1")
    assert "\nthe end: a deadlock: no step is possible\nend> 1\n" in talk.shown
    assert talk.shown.count("the end: a deadlock: no step is possible") == 4
    assert len(talk.walk) == 1


def test_many_choices() -> None:
    talk = Talk(several(100), "s", "77")
    first = talk.shown.split("> s\n")[0]
    assert "   30  go(0, 30)\n" in first
    assert "   31  go" not in first
    assert "\n  … and 70 more, up to 100; s shows them all\n" in first
    assert "  100  go(0, 100)\n" in talk.after("s")
    assert talk.events == ["go(0, 77)"]


def test_several_initial_states() -> None:
    talk = Talk(several(2, starts=3), "u", "2", "1", "u", "u", "3")
    assert "\n3 initial states:\n  1  start: 0\n  2  start: 1\n  3  start: 2\nstart (1-3)> u\n" in talk.shown
    assert talk.after("u") == "there is nothing to undo"
    assert "initially\n  start  1\n" in talk.after("2")
    assert talk.walk.state[0] == 2


def test_a_random_initial_state() -> None:
    talk = Talk(several(2, starts=3), "r 2")
    assert len(talk.walk) == 1
    assert len(Talk(several(2, starts=3), "", "w x.json").walk) == 0


def test_nothing_to_write_or_draw_before_the_start() -> None:
    talk = Talk(several(2, starts=3), "w x.json", "c", "s")
    assert talk.after("w x.json") == "the walk has not started yet"
    assert talk.after("c") == "nothing has happened yet"
    assert talk.after("s").startswith("\n3 initial states:")


def test_a_model_that_fails() -> None:
    build = Builder("fails")
    n = build.slot("n", 3)

    @build.group("divide", [n], [n])
    def divide(value: int) -> list[Step]:
        return [step("divide", {n: value - 1 + 0 * (1 // value)})]

    model = build.model()
    with pytest.raises(ModelError, match="ZeroDivisionError"):
        Talk(model, "r 9")


# Long values


def test_long_values_show_what_differs() -> None:
    shown = Talk(several(2, deep=20), "1").shown
    assert "     done: … 0⟩ → … 1⟩\n" in shown
    assert "\n  done  … 0⟩ → … 1⟩\n" in shown


def test_a_set_shows_what_it_loses_and_gains() -> None:
    build = Builder("set")
    many = frozenset(f"message number {one}" for one in range(20))
    n = build.slot("n", many)

    @build.group("swap", [n], [n])
    def swap(value: frozenset[str]) -> list[Step]:
        return [step("swap", {n: value - {"message number 3"} | {"new"}}), step("clear", {n: frozenset({"new"})})]

    shown = Talk(build.model()).shown
    assert "     n: − message number 3, + new\n" in shown
    assert ", and 17 others\n" in shown
