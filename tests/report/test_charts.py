"""Message sequence charts: what they say, and how they are drawn."""

from __future__ import annotations

import json
import sys
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from homing.core.result import Result
from homing.core.system import Event, Notation
from homing.core.values import Value
from homing.core.verdict import Verdict
from homing.core.witness import Branch, Move, Trace
from homing.report.charts import chart as charts
from homing.report.charts import document, svg, terminal
from homing.report.charts.layout import lay_out
from homing.report.charts.measure import shortened, width, wrapped
from homing.report.charts.pairing import pair
from homing.report.charts.parts import Box, Label, Layout
from homing.report.charts.rows import rows_of
from tests.command_line import Homing, runner
from tests.report.results import result
from tests.sources import write

DEMO = Path(__file__).parent.parent.parent / "models" / "demo"
FAULT = DEMO / "faults" / "forgets_on_delivery.py"
NAMES = ("A", "B", "a process with a long name", "<script>", "服务器", "new\nline", "Ωμέγα")


@pytest.fixture
def homing(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Homing:
    monkeypatch.chdir(tmp_path)
    return runner(capsys)


def trace(*events: Event, loop: int | None = None, notes: tuple[str, ...] = (), branch: Trace | None = None) -> Trace:
    states = tuple((number,) for number in range(len(events) + 1))
    branches = () if branch is None else (Branch(1, "E F p", branch),)
    return Trace(("n",), states, tuple(Move("g", event) for event in events), loop, branches, notes)


def call(name: str, sender: str, receiver: str, *arguments: Value) -> Event:
    return Event(name, arguments, sender, receiver)


def send(channel: str, sender: str, *arguments: Value) -> Event:
    return Event("send", arguments, sender, None, channel, text=f"{channel}!{'.'.join(map(str, arguments))}")


def take(channel: str, receiver: str, *arguments: Value) -> Event:
    return Event("take", arguments, None, receiver, channel, text=f"{channel}?{'.'.join(map(str, arguments))}")


def drawn(shown: Trace, columns: int = 80) -> str:
    return "\n".join(str(line) for line in terminal.lines(shown, columns))


events = st.one_of(
    st.builds(
        call, st.sampled_from(["go", "a longer label", "x" * 90]), st.sampled_from(NAMES), st.sampled_from(NAMES)
    ),
    st.builds(send, st.sampled_from("cd"), st.sampled_from(NAMES), st.integers(0, 2)),
    st.builds(take, st.sampled_from("cd"), st.sampled_from(NAMES), st.integers(0, 2)),
    st.builds(Event, st.sampled_from(["tick", "消息", "\x1b[31m & <b>"]), st.just(()), st.sampled_from((None, *NAMES))),
)
traces = st.lists(events, max_size=30).map(lambda found: trace(*found))


# Sends and receives


def test_a_channel_keeps_the_order() -> None:
    assert pair([send("c", "A", 1), send("c", "A", 1), take("c", "B", 1), take("c", "B", 1)]) == {3: 1, 4: 2}


def test_channels_do_not_mix() -> None:
    assert pair([send("c", "A", 1), send("d", "A", 1), take("d", "B", 1), take("c", "B", 1)]) == {3: 2, 4: 1}


def test_what_was_there_before_comes_from_nowhere() -> None:
    assert pair([take("c", "B", 1), send("c", "A", 1), take("c", "B", 1)]) == {3: 2}
    assert pair([send("c", "A", 2), take("c", "B", 1)]) == {}
    assert pair([send("c", "A", 2), take("c", "B", 1), take("c", "B", 2)]) == {3: 1}


def test_a_lost_message_stays_unpaired() -> None:
    assert pair([send("c", "A", 1), send("c", "A", 2), take("c", "B", 2)]) == {3: 2}


def test_true_is_not_one() -> None:
    assert pair([send("c", "A", 1), send("c", "A", True), take("c", "B", True)]) == {3: 2}


def test_arguments_that_only_the_send_has_do_not_matter() -> None:
    assert pair([send("c", "A", 1), send("c", "A", 2), take("c", "B")]) == {3: 1}


@given(st.lists(st.tuples(st.sampled_from("cd"), st.booleans(), st.integers(0, 3)), max_size=40))
def test_pairs_are_those_of_a_queue(operations: list[tuple[str, bool, int]]) -> None:
    queues: dict[str, deque[tuple[int, int]]] = {"c": deque(), "d": deque()}
    found, expected = [], {}
    for channel, sends, value in operations:
        if sends:
            found.append(send(channel, "A", value))
            queues[channel].append((len(found), value))
        elif queues[channel]:
            sent, value = queues[channel].popleft()
            found.append(take(channel, "B", value))
            expected[len(found)] = sent
    assert pair(found) == expected


@given(traces)
def test_every_step_is_in_the_chart_once(shown: Trace) -> None:
    chart = charts.of(shown)
    steps = [local.step for local in chart.locals]
    for message in chart.messages:
        steps += {step for step in (message.sent, message.received) if step is not None}
        assert message.sent is None or message.received is None or message.sent <= message.received
    assert sorted(steps) == list(range(1, len(shown) + 1))


def test_a_notation_may_find_several_messages_in_a_step() -> None:
    def lines(_: object, steps: Sequence[Event]) -> list[list[Event]]:
        return [[send("c", "A", 1)], [take("c", "B", 1), send("c", "B", 2)], *[[step] for step in steps[2:]]]

    silent = trace(*map(Event, "xyz"), loop=1)
    assert not charts.has_messages(silent)
    shown = replace(silent, notation=Notation(lines=lines))
    assert charts.has_messages(shown)
    chart = charts.of(shown)
    assert (chart.numbers, chart.loop, chart.steps) == ((1, 2, 2, 3), 1, 4)
    assert [(message.sent, message.received) for message in chart.messages] == [(1, 2), (3, None)]
    assert document.chart(chart)["messages"][1]["sent"] == 2
    assert "\n  ↻ steps 2 to 3 for ever" in drawn(shown)
    assert [line[:4] for line in drawn(shown).splitlines()[1:5]] == ["  1 ", "╭ 2 ", "│   ", "╰ 3 "]
    assert [line[:4] for line in drawn(shown, 5).splitlines()[:4]] == ["  1 ", "╭ 2 ", "│   ", "╰ 3 "]
    assert "(sent in step 1)" in drawn(shown, 5)
    assert [label.text for label in lay_out(chart).numbers] == ["1", "2", "3"]


def test_which_events_move_messages() -> None:
    assert charts.has_messages(trace(call("go", "A", "B")))
    assert charts.has_messages(trace(send("c", "A", 1)))
    assert charts.has_messages(trace(Event("tick"), branch=trace(take("c", "A", 1))))
    assert not charts.has_messages(trace(Event("tick", (), "A"), Event("tau"), Event("lose", (), channel="c")))


# On a terminal


def test_a_handshake_and_a_local_event() -> None:
    shown = trace(
        call("publish", "producer", "broker", 0),
        Event("crash", (), "broker"),
        Event("tau"),
        call("nak", "broker", "producer"),
        call("retry", "broker", "broker"),
    )
    assert drawn(shown) == (
        "  producer       broker\n"
        "  1  ├─publish(0)─▶│\n"
        "  2  │             ■ crash\n"
        "  3  ┄┄┄┄┄ tau ┄┄┄┄┄\n"
        "  4  │◀─────nak────┤\n"
        "  5  │             ├─retry─↩"
    )


def test_messages_that_wait_in_channels() -> None:
    shown = trace(
        send("c", "A", 1),
        send("c", "A", 2),
        send("d", "B", 7),
        take("c", "B", 1),
        take("d", "A", 7),
        send("c", "A", 3),
        take("c", "B", 2),
        take("e", "A", 9),
    )
    assert drawn(shown) == (
        "                  A                      B\n"
        "  1               ├─c!1────────────╮     │\n"
        "  2               ├─c!2──────────╮ ┆     │\n"
        "  3               │            ╭─┼─┼─d!7─┤\n"
        "  4               │            ┆ ┆ ╰────▶│\n"
        "  5               │◀───────────╯ ┆       │\n"
        "  6               ├─c!3─○ in c   ┆       │\n"
        "  7               │              ╰──────▶│\n"
        "  8   in e ○─e?9─▶│                      │"
    )


def test_lifelines_that_are_crossed_and_a_lasso_with_a_branch() -> None:
    shown = trace(
        call("a", "A", "B"),
        call("b", "B", "C"),
        call("c", "C", "A"),
        loop=1,
        notes=("fair",),
        branch=trace(call("d", "A", "C")),
    )
    assert drawn(shown) == (
        "     A    B    C\n"
        "  1  ├─a─▶│    │\n"
        "╭ 2  │    ├─b─▶│\n"
        "╰ 3  │◀───┼──c─┤\n"
        "  ↻ steps 2 to 3 for ever\n"
        "  fair\n"
        "  from state 1, E F p:\n"
        "         A    C\n"
        "      1  ├─d─▶│"
    )
    assert drawn(trace(call("a", "A", "B"), loop=1)).endswith("↻ and stays so for ever")
    assert "\n  ↻ step 1 for ever" in drawn(trace(call("a", "A", "B"), loop=0))


def test_what_does_not_fit_becomes_a_list() -> None:
    shown = trace(
        call("publish", "producer", "broker", "x" * 60),
        send("c", "broker", 1),
        Event("tick", (), "producer"),
        take("c", "consumer", 1),
        send("c", "broker", 2),
        Event("tau"),
        loop=4,
    )
    assert drawn(shown) == (
        f"  1  producer ──publish({'x' * 60})──▶ broker\n"
        "  2  broker ──c!1──○ in c (received in step 4)\n"
        "  3  producer: tick\n"
        "  4  in c ○──c!1──▶ consumer (sent in step 2)\n"
        "╭ 5  broker ──c!2──○ in c\n"
        "╰ 6  tau\n"
        "  ↻ steps 5 to 6 for ever"
    )


@given(traces, st.sampled_from([40, 80, 120]))
def test_a_drawing_keeps_to_its_width_and_its_rows(shown: Trace, columns: int) -> None:
    lines = drawn(shown, columns).splitlines()
    assert all(line.isprintable() for line in lines)
    if any("│" in line for line in lines):
        assert len(lines) == len(shown) + 1
        assert max(map(cell_len, lines)) <= columns


def test_a_long_chart_shows_both_ends() -> None:
    many = [call("go", "A", "B", number) for number in range(1000)]
    lines = drawn(trace(send("c", "A", 1), *many, take("c", "B", 1), loop=500)).splitlines()
    assert len(lines) == 203
    assert "802 steps left out" in lines[101]
    assert lines[100].split()[0] == "100"
    assert lines[101].startswith("╭")
    assert lines[102].split()[:2] == ["│", "903"]
    assert rows_of(charts.of(trace(*many[:200]))).gap is None


# SVG


def svg_of(shown: Trace, name: str = "p", verdict: Verdict = Verdict.VIOLATED) -> ElementTree.Element:
    return ElementTree.fromstring(svg.render(result(name, verdict, trace=shown)))


def texts(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]


def overlap(one: Box, other: Box) -> bool:
    across = min(one.right, other.right) - max(one.left, other.left)
    down = min(one.bottom, other.bottom) - max(one.top, other.top)
    return across > 0.01 and down > 0.01


def crosses_a_lifeline(label: Label, layout: Layout) -> bool:
    return any(label.box.left < at < label.box.right for at in layout.lifelines)


@given(traces)
def test_no_label_meets_a_lifeline_or_another_label(shown: Trace) -> None:
    layout = lay_out(charts.of(shown), "VIOLATED")
    assert not any(crosses_a_lifeline(label, layout) for label in layout.labels)
    placed = [*layout.labels, *layout.locals, *layout.bands, *layout.numbers, *layout.heads]
    for number, one in enumerate(placed):
        assert not any(overlap(one.box, other.box) for other in placed[number + 1 :])
    for label in (*placed, *([layout.end] if layout.end else [])):
        assert width(label.text, label.size) <= label.box.width + 0.01
        assert label.box.left >= 0
        assert label.box.right <= layout.width


@given(traces)
def test_a_local_box_stays_in_its_column(shown: Trace) -> None:
    layout = lay_out(charts.of(shown))
    for label in (*layout.locals, *layout.heads):
        assert sum(label.box.left < at < label.box.right for at in layout.lifelines) == 1


@given(traces, st.text(max_size=20))
def test_svg_is_well_formed_whatever_the_names(shown: Trace, name: str) -> None:
    root = svg_of(shown, name)
    kinds = {element.tag.removeprefix("{http://www.w3.org/2000/svg}") for element in root.iter()}
    assert kinds <= {"svg", "title", "rect", "g", "text", "polyline", "polygon", "circle"}
    attributes = {attribute for element in root.iter() for attribute in element.keys()}  # noqa: SIM118
    assert not any("href" in attribute or attribute.startswith("on") for attribute in attributes)


def test_hostile_names_are_escaped() -> None:
    text = svg.render(
        result("<b>", Verdict.VIOLATED, trace=trace(call("<script>x</script>", 'a"b\n', "]]>\x00\ud800")))
    )
    assert "<script" not in text
    assert "&lt;script&gt;x&lt;/script&gt;" in text
    assert 'a"b\\n' in text
    text.encode()


def test_what_a_drawing_says() -> None:
    shown = trace(send("c", "A", 1), call("go", "A", "B"), loop=1, notes=("fair to all",), branch=trace(Event("tau")))
    said = texts(svg_of(shown, "no loss"))
    for expected in ("no loss", "c!1", "in c", "go", "loop: step 2 for ever", "fair to all", "from state 1, E F p:"):
        assert expected in said
    assert "VIOLATED" in texts(svg_of(trace(call("go", "A", "B"))))
    assert "VIOLATED" not in texts(svg_of(trace(call("go", "A", "B")), verdict=Verdict.HOLDS))


def test_one_accent_for_what_is_violated() -> None:
    shown = trace(call("go", "A", "B"), call("no", "B", "A"))
    assert svg.render(result("p", Verdict.VIOLATED, trace=shown)).count(f'fill="{svg.ACCENT}"') == 3  # head, label, end
    assert svg.ACCENT not in svg.render(result("p", trace=shown))


def test_heads_again_below_a_long_chart() -> None:
    assert texts(svg_of(trace(*[call("go", "A", "B")] * 30))).count("A") == 2
    assert texts(svg_of(trace(call("go", "A", "B")))).count("A") == 1


def long_trace(length: int) -> Result:
    many = [event for number in range(length) for event in (send("c", "A", number), call("go", "B", "A"))]
    many += [take("c", "B", number) for number in range(length)]
    return result("p", Verdict.VIOLATED, trace=trace(*many))


def test_the_middle_of_a_very_long_trace_is_left_out() -> None:
    drawing = svg.render(long_trace(20_000))
    assert "59,800 steps left out" in drawing
    assert len(drawing) < 500_000


def test_work_grows_with_the_length_of_a_trace_and_no_faster() -> None:
    def work(length: int) -> int:
        lines = 0

        def count(frame: FrameType, event: str, argument: object) -> Any:
            nonlocal lines
            lines += 1
            return count

        drawn = long_trace(length)
        before = sys.gettrace()
        sys.settrace(count)
        try:
            svg.render(drawn)
        finally:
            sys.settrace(before)
        return lines

    assert work(2_000) < 2.5 * work(1_000)


def test_long_labels_are_shortened_and_complete_in_a_tooltip() -> None:
    label = "x" * 50 + "y" * 50
    root = svg_of(trace(call(label, "A", "B")))
    assert label not in texts(root)
    assert label in [element.text for element in root.iter("{http://www.w3.org/2000/svg}title")]
    assert len(shortened(label, 64)) == 64


@given(st.text(max_size=80), st.integers(20, 300))
def test_wrapped_text_keeps_its_words(text: str, room: int) -> None:
    lines = wrapped(text, 10.0, room)
    assert " ".join(lines).split() == " ".join(shortened(text, 10**6).split(" ")).split()
    for line, following in pairwise(lines):
        assert width(f"{line} {following.split(' ')[0]}", 10.0) > room


# JSON


def test_the_document() -> None:
    shown = trace(
        send("c", "A", frozenset({1})), Event("tick", (), "B"), take("c", "B", frozenset({1})), loop=1, notes=("n",)
    )
    found: Result = result("p", Verdict.VIOLATED, trace=shown)
    assert json.loads(document.render([found, result("q")])) == {
        "version": 1,
        "charts": [
            {
                "model": "m.py",
                "property": "p",
                "system": "",
                "verdict": "VIOLATED",
                "lifelines": ["A", "B"],
                "steps": 3,
                "messages": [
                    {
                        "from": "A",
                        "to": "B",
                        "text": "c!frozenset({1})",
                        "name": "send",
                        "arguments": [{"set": [1]}],
                        "channel": "c",
                        "sent": 1,
                        "received": 3,
                        "lost": None,
                    }
                ],
                "local": [{"on": "B", "text": "tick", "name": "tick", "arguments": [], "step": 2}],
                "loop": 1,
                "notes": ["n"],
                "branches": [],
            }
        ],
    }


def test_branches_in_the_document() -> None:
    (branch,) = document.chart(charts.of(trace(call("go", "A", "B"), branch=trace(Event("tau")))))["branches"]
    assert (branch["at"], branch["why"], branch["steps"], branch["lifelines"]) == (1, "E F p", 1, [])


# The command line


def test_charts_in_files(homing: Homing, tmp_path: Path) -> None:
    ran = homing("check", "--python", FAULT, "--property", "no message is lost", "--msc", "a.svg")
    assert (ran.code, ran.err) == (1, "homing: wrote a.svg\n")
    assert "deliver(0)" in texts(ElementTree.parse(tmp_path / "a.svg").getroot())
    ran = homing("check", "--python", DEMO / "requests.py", "--msc", "b.SVG")
    assert (ran.code, ran.err) == (0, "homing: wrote b.SVG, b-2.SVG\n")
    assert {file.name for file in tmp_path.iterdir()} == {"a.svg", "b.SVG", "b-2.SVG"}


def test_charts_in_one_document(homing: Homing, tmp_path: Path) -> None:
    ran = homing("check", "--python", FAULT, DEMO / "requests.py", "--msc", "a.json", "--json", "-")
    assert ran.code == 1
    listed = json.loads((tmp_path / "a.json").read_text())["charts"]
    traced = [found for found in json.loads(ran.out)["results"] if found["trace"]]
    assert [found["property"] for found in listed] == [found["property"] for found in traced]
    assert len(listed) > 2


def test_no_trace_no_chart(homing: Homing, tmp_path: Path) -> None:
    name = "a reply is to the last attempt"
    ran = homing("check", "--python", DEMO / "requests.py", "--property", name, "--msc", "a.svg")
    assert (ran.code, ran.err) == (0, "homing: no trace was found, so --msc writes nothing\n")
    assert not list(tmp_path.iterdir())


def test_charts_that_cannot_be_written(homing: Homing) -> None:
    ran = homing("check", "--python", FAULT, "--msc", "missing/a.svg")
    assert ran.code == 3
    assert "missing/a.svg: cannot be written: " in ran.err
    ran = homing("check", "--python", FAULT, "--msc", "a.pdf")
    assert ran.code == 3
    assert "'a.pdf' has another ending than .svg or .json" in ran.err


def test_an_error_shows_the_values_where_it_happened(homing: Homing, tmp_path: Path) -> None:
    write(
        tmp_path / "m.py",
        """
        n = build.slot("n", 2)
        @build.group("go", [n], [n])
        def go(value):
            yield step(Event("go", (), "A", "B"), {n: 2 // value - 1})
        """,
    )
    ran = homing("check", "--python", "m.py")
    assert ran.code == 3
    assert "in the last state of this trace:" in ran.err
    assert "  1  go   A → B\n       n  2 → 0" in ran.err


def test_a_trace_with_messages_is_a_chart_unless_asked_otherwise(homing: Homing) -> None:
    fault = ("check", "--python", FAULT, "--property", "no message is lost")
    assert "  2  │             ├─deliver(0)─▶│\n" in homing(*fault).out
    assert "  2  deliver(0)   broker → consumer\n" in homing(*fault, "--trace", "table").out
