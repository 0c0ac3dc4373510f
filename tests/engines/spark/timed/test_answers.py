"""Answers that come from several partitions, or from a few states at a time."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.engines.spark.timed.agreeing import MANY, agree, checked, locally, spread

import homing
from homing.core.model import Model
from homing.core.result import Limits
from homing.core.verdict import Verdict
from homing.engines.spark.folder import Folder
from homing.engines.spark.rounds import Here, Work
from homing.engines.spark.timed import searching, surveying
from homing.engines.spark.timed.engine import check
from homing.engines.spark.timed.exploring import Part, Spread
from homing.engines.spark.timed.partition import Partition
from homing.engines.spark.timed.searching import Spreading
from homing.engines.spark.timed.tasks import Overflow
from homing.engines.zones.growing import Growing, columns, nothing
from homing.engines.zones.symbolic import Symbolic
from homing.timed.kernels.arrays import Fired

TEMPLATE = """<nta><declaration>{declared}</declaration><template><name>P</name>{body}</template>
<system>system P;</system><queries>{queries}</queries></nta>"""


def written(folder: Path, declared: str, body: str, *queries: str) -> Model:
    asked = "".join(f"<query><formula>{query}</formula></query>" for query in queries)
    file = folder / "model.xml"
    file.write_text(TEMPLATE.format(declared=declared, body=body, queries=asked), encoding="utf-8")
    (model,) = homing.load(file).models
    return model


FAILING = """
<location id="a"/><location id="b"/><location id="c"><name>C</name></location><init ref="a"/>
<transition><source ref="a"/><target ref="b"/><label kind="assignment">i = 5</label></transition>
<transition><source ref="a"/><target ref="c"/><label kind="assignment">i = 1</label></transition>
"""


@pytest.mark.parametrize("partitions", [1, 64])
def test_what_was_asked_before_the_model_failed_is_answered(tmp_path: Path, partitions: int) -> None:
    model = written(tmp_path, "int a[2] = {0, 1}; int i = 0;", FAILING, "E&lt;&gt; P.C", "E&lt;&gt; a[i] == 1")
    found = checked(model, spread(tmp_path, partitions=partitions))
    agree(found, locally(model))
    assert [result.verdict for result in found.report.results] == [Verdict.HOLDS, Verdict.UNKNOWN]


WAITING = """
<location id="a"/><location id="b"><urgent/></location><init ref="a"/>
<transition><source ref="a"/><target ref="b"/></transition>
"""


def test_one_state_in_which_a_run_waits_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(surveying, "MOST_SENT", 1)
    model = written(tmp_path, "clock x;", WAITING, "sup: x")
    found = checked(model, spread(tmp_path, partitions=1))
    agree(found, locally(model))
    assert found.report.results[0].reason == "it has no upper bound"


def test_an_answer_is_that_of_all_partitions(tmp_path: Path) -> None:
    """Where one has no room, as after --resume with less memory, all are asked again in more of them."""
    asked: list[int] = []

    def run(survey: object, todo: Sequence[Any], partitions: int) -> tuple[list[Any], dict[int, str]]:
        asked.append(len(todo))
        return ([3, Overflow(1, 5, True)] if len(asked) == 1 else [1] * len(todo)), {}

    job = SimpleNamespace(folder=Folder(str(tmp_path)))
    site = SimpleNamespace(check=lambda: None, rounds=SimpleNamespace(run=run))
    search = Spread(1, parts={0: Part(), 1: Part()})
    assert surveying.surveyed(job, site, search, lambda *_: iter(())) == ([1] * 4, {})  # type: ignore[arg-type]
    assert asked == [2, 4]


@pytest.mark.parametrize("end", ["waits", "is stuck"])
def test_a_run_may_end_in_any_partition(tmp_path: Path, end: str) -> None:
    """Of six states that partitions share, one after the other is where it does."""
    bound = '<label kind="invariant">x &lt;= 1</label>'
    for ending in range(6):
        places = "".join(
            f'<location id="b{n}">{bound if end == "is stuck" or n != ending else ""}</location>' for n in range(6)
        )
        there = "".join(f'<transition><source ref="a"/><target ref="b{n}"/></transition>' for n in range(6))
        on = "".join(f'<transition><source ref="b{n}"/><target ref="e"/></transition>' for n in range(6) if n != ending)
        body = f'<location id="a">{bound}</location>{places}<location id="e"><name>E</name></location><init ref="a"/>'
        model = written(tmp_path, "clock x;", body + there + on, "E[] !P.E")
        found = checked(model, spread(tmp_path, partitions=64))
        agree(found, locally(model))
        assert found.report.results[0].verdict is Verdict.HOLDS
        assert any(end in note for note in found.report.results[0].trace.notes)  # type: ignore[union-attr]
        found.done()


class Dies(Here):
    """Rounds of a process that is killed in one of them."""

    def __init__(self, folder: Folder, rounds: int) -> None:
        super().__init__(folder)
        self.left = iter(range(rounds))

    def run(self, work: Work, todo: Sequence[Any], partitions: int) -> tuple[list[Any], dict[int, str]]:
        if next(self.left, None) is None:
            raise Killed
        return super().run(work, todo, partitions)


class Killed(BaseException):
    """Nothing is done any more."""


@pytest.mark.parametrize("query", ["E&lt;&gt; P.S", "E[] !P.E", "sup{P.S}: x"])
@pytest.mark.parametrize("saved", [1, 4, 9])
def test_what_was_found_before_a_kill_is_known_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, query: str, saved: int
) -> None:
    """S is near, and a run may be stuck there; E is far away. What was not saved since is done again."""
    left, true = iter(range(saved)), Spreading.save
    monkeypatch.setattr(searching, "SAVE_EVERY", 0.0)
    bound = '<label kind="invariant">x &lt;= 1</label>'
    far = [f"l{n}" for n in range(9)]
    places = "".join(f'<location id="{name}">{bound}</location>' for name in ("a", *far))
    named = f'<location id="s"><name>S</name>{bound}</location><location id="e"><name>E</name></location>'
    steps = [("a", "s"), *pairwise(["a", *far, "e"])]
    moves = "".join(f'<transition><source ref="{a}"/><target ref="{b}"/></transition>' for a, b in steps)
    model = written(tmp_path, "clock x;", f'{places}{named}<init ref="a"/>{moves}', query, "E&lt;&gt; P.E")
    expected = locally(model)
    with monkeypatch.context() as patched:
        patched.setattr(Spreading, "save", lambda self: None if next(left, None) is None else true(self))
        with pytest.raises(Killed):
            check(model, spread(tmp_path), lambda folder: Dies(folder, 6))
    agree(checked(model, spread(tmp_path, resume=True)), expected)
    assert {result.verdict for result in expected.report.results} == {Verdict.HOLDS}


LOOPING = (
    "".join(f'<location id="{name}"><label kind="invariant">x &lt;= 1</label></location>' for name in "abcd")
    + '<location id="e"><name>E</name></location><init ref="a"/>'
)
STEP = '<transition><source ref="{}"/><target ref="{}"/><label kind="guard">x == 1</label>\
<label kind="assignment">x = 0</label></transition>'


@pytest.mark.parametrize("edges", [0, MANY])
def test_a_loop_may_be_found_before_a_search_is_spread(tmp_path: Path, edges: int) -> None:
    steps = "".join(STEP.format(*step) for step in ("ab", "ba", "bc", "cd", "de"))
    model = written(tmp_path, "clock x;", LOOPING + steps, "E[] !P.E")
    found = checked(model, spread(tmp_path, edges, small=3))
    assert found.report.engine["rounds"] > 0
    agree(found, locally(model))
    assert found.report.results[0].verdict is Verdict.HOLDS


def test_of_several_that_begin_earlier_the_earliest_is_the_parent() -> None:
    known = SimpleNamespace(_before=1, _stem=Growing(np.uint32), _parent=Growing(np.uint64))
    known._stem.extend([4, 9])
    known._parent.extend([70, 71])
    source, target, stem = np.array([80, 81, 82, 83], np.uint64), np.array([1, 1, 1, 0]), np.array([5, 3, 6, 0])
    Partition._prefer(known, source, target, stem)  # type: ignore[arg-type]
    assert known._stem.array.tolist() == [4, 3]  # what was known before this level stays
    assert known._parent.array.tolist() == [70, 81]


def test_room_for_steps_grows_with_what_a_state_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = written(tmp_path, "int a[2] = {0, 1}; int i = 0;", FAILING, "E&lt;&gt; i == 7")
    expected, true = locally(model), Symbolic._allocate

    def allocate(self: Symbolic, n: int, recording: bool) -> None:
        true(self, n, recording)
        source, edge, zone = columns(3, 1)
        self._fired = Fired(source, edge, zone, nothing())

    monkeypatch.setattr(Symbolic, "_allocate", allocate)
    agree(locally(model, Limits(seconds=10)), expected)
