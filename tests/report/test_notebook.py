"""Results in a notebook: what they show, and that names from models stay text."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

import homing
from homing.core.builder import Builder, step
from homing.core.formula import Holds, eventually
from homing.core.result import Report
from homing.core.showing import Shown
from homing.core.system import Event
from homing.report import traces

ROOT = Path(__file__).parents[2]
EVIL = "<script>alert(1)</script><img src=x onerror='alert(2)'>&\""


class Elements(HTMLParser):
    """The names of all elements, and whether each is closed; and the text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.open: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.names.add(tag)
        if tag != "br":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        self.names.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def counter(name: str, most: int, sender: str | None = None) -> Report:
    """Counts up to five, and asks whether it stays below; with a sender, a message at each step."""
    build = Builder(name)
    number = build.slot(name, 0)

    @build.group(name, reads=[number], writes=[number])
    def count(value: int):  # type: ignore[no-untyped-def]
        if value < 5:
            yield step(Event(name, (name,), sender, sender and f"{sender} too"), {number: value + 1})

    build.always(name, [number], lambda value: value <= most)
    build.label("far", [number], lambda value: value == 9)
    build.temporal("gets far", eventually(Holds("far")))
    return homing.CheckedModel((build.model(),)).check()


def html(shown: Shown | None) -> str:
    assert shown is not None
    text = shown._repr_html_()
    assert text is not None
    return text


@pytest.mark.parametrize("sender", [None, EVIL])
def test_names_in_models_cannot_inject_markup(sender: str | None) -> None:
    report = counter(EVIL, 2, sender)
    for shown in (report, report.results[0], report.results[0].trace):
        found = Elements(html(shown))
        assert not found.open
        assert not found.names & {"script", "img"}
        assert "<script>alert(1)</script>" in found.text  # as text


def test_a_report_has_all_verdicts_and_the_way_to_what_is_violated() -> None:
    found = Elements(html(counter("number", 2)))
    assert found.text.startswith("number: 2 of 2 VIOLATED")
    for text in ("VIOLATED after 3 steps", "6 distinct states", "initially", "number  2 → 3", "and stays so for ever"):
        assert text in found.text
    assert "svg" not in found.names


def test_what_holds_is_told_without_a_trace() -> None:
    report = counter("number", 9)
    assert "HOLDS" in html(report.results[0])
    assert "initially" not in html(report.results[0])


def test_messages_are_drawn() -> None:
    report = counter("number", 2, "broker")
    trace = report.results[0].trace
    for shown in (report, report.results[0], trace):
        assert "svg" in Elements(html(shown)).names
    drawn = html(trace).removeprefix("<div>").removesuffix("</div>")
    assert {"broker", "broker too"} <= set(ElementTree.fromstring(drawn).itertext())


def test_a_reason_and_an_error_are_told() -> None:
    limits = homing.Options(limits=homing.Limits(states=2))
    report = homing.load(ROOT / "models/tutorial/channel.csp").check(options=limits)
    assert "UNKNOWN: the limit of 2 states was reached" in Elements(html(report)).text
    failed = Report("x", (), homing.HomingError("1 < 2 is no <b>number</b>"))
    assert "1 < 2 is no <b>number</b>" in Elements(html(failed)).text


def test_a_notation_tells_its_traces_in_its_own_words() -> None:
    report = homing.load(ROOT / "models/tutorial/faults/channel_takes_all.smv").check(["once"])
    assert "-> State: 1.1 <-" in Elements(html(report)).text
    assert "-> State: 1.1 <-" in Elements(html(report.results[0].trace)).text


def test_of_a_long_trace_the_middle_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traces, "MOST_STEPS", 2)
    found = Elements(html(counter("number", 4).results[0].trace))
    assert "4 steps are left out here" in found.text
    assert "number  4 → 5" in found.text
    assert "number  2 → 3" not in found.text


def test_without_anybody_who_draws_it_is_left_to_repr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Shown, "draw", None)
    assert counter("number", 2)._repr_html_() is None
