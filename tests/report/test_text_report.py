from __future__ import annotations

import io
import re
from collections.abc import Callable
from itertools import cycle

import pytest

from homing.core.errors import HomingError, Place
from homing.core.result import Counts
from homing.core.system import Event
from homing.core.verdict import Verdict
from homing.core.witness import Move, Trace
from homing.report.outcome import Difference, Outcome
from homing.report.output import Output, Plain, output
from homing.report.screen import Screen
from homing.report.text_report import TextReport
from tests.report.results import report, result


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(*outcomes: Outcome, columns: int | None = None, monkeypatch: pytest.MonkeyPatch | None = None) -> str:
    """What is shown of outcomes: on a terminal of so many columns, or in a pipe."""
    stream = Terminal() if columns else io.StringIO()
    if columns and monkeypatch:
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setenv("NO_COLOR", "1")
    text = TextReport(output(stream), output(stream))
    for outcome in outcomes:
        text.show(outcome)
    text.total(list(outcomes))
    return stream.getvalue()


LONG = "every message that a producer published before the broker crashed is delivered again"
VALUES = tuple(f"message-{number}" for number in range(40))
TRACE = Trace(("a slot with a long name",), ((VALUES,), (VALUES[::-1],)), (Move("g", Event("swap", VALUES)),))


def test_counts_are_said_once_when_shared() -> None:
    text = shown(Outcome("m.py", report(result("p"), result("q"))))
    assert text.count("10 distinct states, 20 generated, depth 3; 0.50 s, 87 MB") == 1


def test_counts_are_said_for_each_search() -> None:
    text = shown(Outcome("m.py", report(result("p"), result("q", counts=Counts(1, 1, 1)))))
    assert "p: 10 distinct states, 20 generated" in text
    assert "q: 1 distinct state, 1 generated" in text


def test_the_first_line_is_the_answer() -> None:
    found = report(result("p", Verdict.VIOLATED), result("q", Verdict.UNKNOWN, reason="why"), result("r"))
    assert shown(Outcome("m.py", found)).startswith("m.py: 1 of 3 VIOLATED: p; 1 of 3 UNKNOWN: q\n")
    assert shown(Outcome("m.py", report(result("p"), result("q")))).startswith("m.py: all 2 properties hold\n")
    assert shown(Outcome("m.py", report())).startswith("m.py: UNKNOWN, the model asks about no property\n")


def test_names_are_text_not_markup() -> None:
    text = shown(Outcome("[bold]m[/bold].py", report(result("[red]x[/nope] :smile:"), model="[bold]m[/bold].py")))
    assert "[bold]m[/bold].py: the property holds" in text
    assert "[red]x[/nope] :smile:   HOLDS" in text


def test_a_pipe_gets_every_value_on_one_line() -> None:
    text = shown(Outcome("m.py", report(result(LONG, Verdict.VIOLATED, trace=TRACE))))
    assert f"{LONG}   VIOLATED after 1 step" in text
    (line,) = (line for line in text.splitlines() if " → " in line)
    assert line.count("message-") == 80
    assert "\x1b" not in text
    assert "…" not in text
    assert all(line == line.rstrip() for line in text.splitlines())


@pytest.mark.parametrize("columns", [10, 20, 40, 80, 120])
def test_a_terminal_gets_all_of_it_within_its_width(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    found = report(result(LONG, Verdict.VIOLATED, trace=TRACE))
    outcomes = [
        Outcome("m.py", found),
        Outcome("a/long/path/to/n.py", report(result("p"), model="a/long/path/to/n.py")),
    ]
    text = re.sub(r"\x1b\[[0-9;]*m", "", shown(*outcomes, columns=columns, monkeypatch=monkeypatch))
    assert max(len(line) for line in text.splitlines()) <= columns
    assert "…" not in text
    together = "".join(text.split())
    assert "".join(LONG.split()) in together or columns < 80  # beside a verdict, a name is cut into a column
    assert together.count("message-") == 4 * len(VALUES)
    assert together.count("message-39") == 4


def test_an_error_is_said_once_and_with_its_trace() -> None:
    error = HomingError("failed", Place("m.py", 3))
    broken = Outcome("m.py", report(result("p", Verdict.UNKNOWN), error=error, error_trace=TRACE))
    text = shown(broken, Outcome("n.py", error=error))
    assert text.count("m.py:3: failed\n  in the last state of this trace:\n  0  initially\n") == 1
    assert "2 models: 2 bad input" in text


def test_totals() -> None:
    good, bad = Outcome("m.py", report(result("p"))), Outcome("n.py", report(result("p", Verdict.VIOLATED)))
    assert "all 2 models hold" in shown(good, good)
    assert "3 models: 1 bad input, 1 VIOLATED, 1 HOLDS" in shown(good, bad, Outcome("x", error=HomingError("x")))
    assert "models" not in shown(good)


def test_comparisons() -> None:
    violated = report(result("p", Verdict.VIOLATED, trace=TRACE))
    expected = Outcome("m.py", violated, differences=())
    assert shown(expected) == "m.py: as expected\n"
    assert shown(expected, expected).endswith("all 2 as expected\n")
    surprise = Outcome("m.py", violated, differences=(Difference("p", "expected HOLDS, found VIOLATED"),))
    text = shown(surprise, expected)
    assert "m.py: p: expected HOLDS, found VIOLATED\n" in text
    assert text.count("swap") == 1
    assert text.endswith("1 of 2 models differ\n")


def test_plain_text_is_what_a_screen_shows_in_a_pipe() -> None:
    names = ("p", "命題 of the queue", "e\u0301galité", "a" * 90, "with\ttab")
    results = [result(name, verdict) for name, verdict in zip(names, cycle(Verdict))]
    outcomes = [Outcome("m.py", report(*results)), Outcome("n.py", error=HomingError("bad", Place("n.py")))]
    outcomes.append(Outcome("empty.py", report()))

    def said(screen: Callable[[io.StringIO], Output]) -> str:
        stream = io.StringIO()
        text = TextReport(screen(stream), screen(stream), "table")
        for outcome in outcomes:
            text.show(outcome)
        text.total(outcomes)
        return stream.getvalue()

    assert isinstance(output(io.StringIO()), Plain)
    assert said(Plain) == said(Screen)
