"""What the simulator's brokers do is a behaviour of models/pcrt/heartbeat.tla, and they end with the same colours."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

import homing
from homing.core.model import Model
from homing.core.verdict import Verdict
from homing.overlay.colours import scenarios
from homing.overlay.readers import load
from homing.overlay.simulation import script
from homing.overlay.simulation.routers.pcrt import PcrtRouter
from homing.overlay.simulation.routes import Links, Routes
from homing.overlay.simulation.run import simulate
from homing.overlay.simulation.settings import Settings
from homing.overlay.simulation.world import Entry
from homing.replaying.judging import judge
from homing.replaying.reading import parse
from homing.replaying.simulation import Settings as Replaying
from tests.scale import SCALE

ROOT = Path(__file__).parents[3]
TEMPLATE = ROOT / "models" / "pcrt" / "traces" / "two_failures.cfg"
SCENARIOS = {
    "a link fails and is repaired": (["1-2@5"], ["1-2@15"]),
    "two fail and are repaired": (["1-2@5", "1-3@5.1"], ["1-2@15", "1-3@15.2"]),
    "one is noticed as another is repaired": (["1-2@5", "1-3@12"], ["1-2@15.3"]),
}
LEFT = {scenario: ["1-3"] if "one is" in scenario else [] for scenario in SCENARIOS}
"""What is down in the end."""
CAUSES = ("detect_failure", "recover", "receive_flood")
"""What a broker that switches has done just before; else it has heard something on a link that it doubted."""
Colours = dict[str, frozenset[str]]


@cache
def ring() -> Routes:
    return Routes(scenarios(load(str(ROOT / "networks" / "ring.toml")), "links:1-2"))


def run(scenario: str, flooding: str, seed: int = 1) -> tuple[Entry, ...]:
    fails, repairs = SCENARIOS[scenario]
    settings = Settings(until=25.0, seed=seed, flooding=flooding, packets=0.1)
    return simulate(ring(), "pcrt", settings, script.read(ring().network, fails, repairs)).log


@cache
def model(flooding: str, folder: Path) -> Model:
    """The protocol on the ring, with as many changes and losses as a run may have."""
    # A configuration names a specification in its own folder.
    for file in (ROOT / "models" / "pcrt").glob("*.tla"):
        shutil.copy(file, folder)
    text = TEMPLATE.read_text().replace("../heartbeat.tla", "heartbeat.tla")
    changes = {
        "Flaky = {{b1, b2}, {b1, b3}}": "Flaky = {{b1, b2}, {b1, b3}, {b2, b3}}",
        "Changes = 2": "Changes = 9",
        'Flooding = "colour"': f'Flooding = "{flooding}"',
        "Losses = 0": "Losses = Any",
        "Early = FALSE": "Early = TRUE",
    }
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    file = folder / f"{flooding}.cfg"
    file.write_text(text)
    (found,) = homing.load(file).models
    return found


# From the log to the model's events


def link(name: str) -> str:
    return "{" + ", ".join(f"b{end}" for end in sorted(name.split("-"))) + "}"


def several(names: Sequence[str]) -> str:
    return "{" + ", ".join(sorted(map(link, names))) + "}"


def note(details: dict[str, Any]) -> str:
    return f"[failed |-> {several(details['failed'])}, origin |-> b{details['origin']}, seq |-> {details['seq']}]"


def told(log: Sequence[Entry]) -> Iterator[tuple[Entry, str]]:
    """Entries that are steps of the model, and these; what is sent on a link that is down is none."""
    down: set[str] = set()
    colours: Colours = {}
    before: Entry | None = None
    for entry in log:
        if entry.kind in ("link_down", "link_up"):
            (down.add if entry.kind == "link_down" else down.discard)(entry.details["link"])
        event = step(entry, before, colours, down)
        if entry.kind == "switch_colour":
            colours[entry.broker] = frozenset(entry.details["failed"])
        if event is not None:
            yield entry, event
        before = entry


def step(entry: Entry, before: Entry | None, colours: Colours, down: set[str]) -> str | None:
    details, here = entry.details, f"b{entry.broker}"
    ends = f"{here}, b{details.get('neighbour')}"
    match entry.kind:
        case "link_down" | "link_up":
            return f"{'LinkDown' if entry.kind == 'link_down' else 'LinkUp'}({link(details['link'])})"
        case "detect_failure":
            return f"DetectFailure({ends})"
        case "send_test":
            return f"HearOnFailed({ends})"
        case "receive_test":
            return f"ReceiveTest({ends})"
        case "receive_test_ack":
            return f"ReceiveTestAck({ends})"
        case "receive_flood":
            return f"ReceiveFlood({ends}, {note(details)})"
        case "receive_ack":
            return f"ReceiveAck({ends}, {note(details)})"
        case "resend_flood" if details["link"] not in down:
            return f"Resend({ends}, {note(details)})"
        case "switch_colour" if before is None or before.broker != entry.broker or before.kind not in CAUSES:
            trusted = colours.get(entry.broker, frozenset()) - set(details["failed"])
            ends_of = {end for name in trusted for end in name.split("-")} - {entry.broker}
            return f"Trust({here}, b{min(ends_of, default=entry.broker)})"
    return None


# What both say


def disagreement(log: Sequence[Entry], model: Model) -> str:
    """Where the log is no behaviour of the model, or says something else of colours; empty if nowhere."""
    steps = list(told(log))
    story = parse("\n".join(f'"{event}"' for _, event in steps), "log")
    result = judge(model, story, Replaying())
    if result.verdict is not Verdict.HOLDS:
        return f"{steps[result.matched][1]}: {result.reason}"
    shown = result.trace.readable()
    states = [dict(zip(shown.slots, state)) for state in shown.states]
    show = model.system.shape.notation.show
    seen = [{broker: show(state[f"colour[b{broker}]"]) for broker in "123"} for state in states]
    return next(chain(other_acts(steps, states), other_colours(log, steps, seen)), "")


def other_acts(steps: Sequence[tuple[Entry, str]], states: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Notifications that were acted on in one and not in the other."""
    for (entry, event), was, state in zip(steps, states[:-1], states[1:], strict=True):
        if entry.kind == "receive_flood":
            slot = f"known[b{entry.broker}][b{entry.details['origin']}]"
            if entry.details["acted"] != (was[slot] != state[slot]):
                yield f"{event}: acted on"


def other_colours(
    log: Sequence[Entry], steps: Sequence[tuple[Entry, str]], seen: Sequence[dict[str, str]]
) -> Iterator[str]:
    """Colours that differ after a step and what follows from it."""
    said = dict.fromkeys("123", "{}")
    numbers = {id(entry): number for number, (entry, _) in enumerate(steps, 1)}
    now = 0
    for entry, after in zip(log, [*log[1:], None]):
        now = numbers.get(id(entry), now)
        if entry.kind == "switch_colour":
            said[entry.broker] = several(entry.details["failed"])
        if (after is None or id(after) in numbers) and said != seen[now]:
            yield f"{steps[now - 1][1]}: colours are {said}, and {seen[now]} in the model"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("ring")


ALL = [(scenario, flooding) for scenario in SCENARIOS for flooding in ("links", "strict", "colour")]
FEW = list(zip(SCENARIOS, ("strict", "links", "colour")))


@pytest.mark.parametrize(("scenario", "flooding"), ALL if SCALE >= 2 else FEW)
def test_a_run_is_a_behaviour_of_the_model(scenario: str, flooding: str, folder: Path) -> None:
    for seed in range(6, 6 + max(1, round(SCALE))):
        log = run(scenario, flooding, seed)
        assert any(entry.kind == "detect_failure" for entry in log)
        assert disagreement(log, model(flooding, folder)) == "", seed


@pytest.mark.parametrize(("flooding", "right"), [("links", True), ("strict", True), ("colour", False)])
def test_colours_are_right_in_the_end(flooding: str, right: bool) -> None:
    """Not so where whole colours are flooded, as the model says: not with all seeds."""
    ends = [final(run(scenario, flooding, seed)) == LEFT[scenario] for scenario in SCENARIOS for seed in range(1, 11)]
    assert all(ends) is right


def final(log: Sequence[Entry]) -> list[str] | None:
    """The links of the colour that all brokers have in the end, if they have the same."""
    colours: dict[str, list[str]] = {broker: [] for broker in "123"}
    colours |= {entry.broker: entry.details["failed"] for entry in log if entry.kind == "switch_colour"}
    return colours["1"] if colours["1"] == colours["2"] == colours["3"] else None


def changed(log: Sequence[Entry], kind: str, change: dict[str, Any] | None, **details: Any) -> list[Entry]:
    """The log with the first entry of a kind and with these details changed, or left out."""
    found = next(i for i, each in enumerate(log) if each.kind == kind and details.items() <= each.details.items())
    changed = [] if change is None else [replace(log[found], details=log[found].details | change)]
    return [*log[:found], *changed, *log[found + 1 :]]


@pytest.mark.parametrize(
    ("kind", "details", "change", "why"),
    [
        ("receive_flood", {"acted": False}, {"acted": True}, "acted on"),
        ("receive_flood", {"acted": True}, {"seq": 7}, "is not possible"),
        ("receive_flood", {"acted": True}, None, "is not possible"),
        ("receive_test", {}, None, "is not possible"),
        ("switch_colour", {"failed": []}, {"failed": ["1-2"]}, "colours are"),
    ],
)
def test_a_log_that_was_tampered_with_is_none(
    kind: str, details: dict[str, Any], change: dict[str, Any] | None, why: str, folder: Path
) -> None:
    log = run("a link fails and is repaired", "strict")
    assert why in disagreement(changed(log, kind, change, **details), model("strict", folder))


def test_a_broker_that_believes_anything_is_found_out(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def union(router: PcrtRouter) -> Links:
        return frozenset(router._own()).union(*router.down_at.values())

    monkeypatch.setattr(PcrtRouter, "_union", union)
    log = run("a link fails and is repaired", "strict")
    assert "colours are" in disagreement(log, model("strict", folder))
