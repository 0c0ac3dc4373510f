"""Walks through a system with clocks: its states have zones, and what is written replays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from homing.api import CheckedModel
from homing.core import interpreter
from homing.core.builder import Builder, step
from homing.core.model import Model
from homing.core.system import Step
from homing.core.wrappers import Wrapper
from homing.simulating.chance import Chance, wander
from homing.simulating.walk import Walk
from homing.timed.system import NEVER, Action, Cell, Constraints, Part, Reset, at_most
from tests.command_line import runner

X = 1


class Lamp(Wrapper):
    """A lamp with one clock."""

    clocks = ("x",)
    parts = (0,)
    diagonals: Constraints = ()
    ranked = False

    def part(self, number: int) -> Part:
        """While it is on, at most 5 units pass."""
        return Part(((X, 0, at_most(5)),) if number else (), (NEVER, 2), (NEVER, 5))

    def cells(self, number: int) -> tuple[Cell, ...]:
        return ()

    def asks_deadlock(self, label: int) -> bool:
        return False

    def constants(self, label: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return (NEVER, NEVER), (NEVER, NEVER)


def lamp() -> Model:
    """Goes on when it is pressed, and off again after 2 to 5 units of time."""
    build = Builder("lamp")
    on = build.slot("on", False)
    build.label("part", [on], int)

    @build.group("lamp", [on], [on])
    def change(lit: bool) -> list[Step]:
        if lit:
            return [step(Action("off", guard=((0, X, at_most(-2)),)), {on: False})]
        return [step(Action("press", sender="user", receiver="lamp", resets=(Reset(X),)), {on: True})]

    system = build.system()
    return build.model(Lamp(system, system.shape))


def test_states_have_zones() -> None:
    walk = Walk(lamp())
    wander(walk, Chance(0), 3)
    trace = walk.trace().readable()
    assert trace.slots == ("on", "zone")
    assert [str(move.event) for move in trace.moves] == ["press", "off", "press"]
    assert [state[1] for state in trace.states] == ["true", "x <= 5", "x >= 2", "x <= 5"]
    interpreter.replay(walk.system, walk.trace())


def test_what_is_written_replays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in ("simulating", "replaying"):
        monkeypatch.setattr(f"homing.commands.{command}.load", lambda *_, **__: CheckedModel((lamp(),)))
    target = tmp_path / "walk.json"
    homing = runner(capsys)
    ran = homing("simulate", "lamp.xml", "--seed", 1, "--steps", 4, "--json", target)
    assert (ran.code, ran.out.splitlines()[0]) == (0, "lamp.xml: 4 steps at random, seed 1; no deadlock")
    assert json.loads(target.read_text())["results"][0]["trace"]["slots"] == ["on", "zone"]
    assert homing("replay", "lamp.xml", target).code == 0
    target.write_text(target.read_text().replace("x <= 5", "x <= 6"))
    assert homing("replay", "lamp.xml", target).code == 1
