"""Limits, interruption and failures: what was found is kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from benchmarks import chain

from homing.core.builder import Builder, read, step
from homing.core.errors import HomingError
from homing.core.model import Model
from homing.core.result import Limits, Options, Progress
from homing.core.system import Projection, Step
from homing.core.values import Value
from homing.core.verdict import Verdict
from homing.core.wrappers import Constrained
from homing.engines.local.engine import Check, check
from homing.engines.local.tuning import Tuning
from homing.engines.local.watch import available_mb

FLOAT: Any = 1.5


def counting(wide: int = 1) -> Builder:
    """Counters without a bound."""
    b = Builder("counting")
    for number in range(wide):
        value = b.slot("value", 0, index=(number,))

        @b.group(f"count {number}", [value], [value])
        def count(now: int, value: int = value) -> Iterator[Step]:
            yield step("count", {value: now + 1})

    b.sometimes("five", [0], lambda now: now == 5)
    b.always("small", [0], lambda now: now < 10**9)
    b.extreme("least", "min", [0], lambda now: now)
    return b


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (Options(limits=Limits(states=2000)), "the limit of 2000 states was reached"),
        (Options(limits=Limits(seconds=0.6)), "the time limit of 0.6 s was reached"),
        (Options(limits=Limits(memory_mb=1)), "the memory limit of 1 MB was reached"),
        (Options(interrupted=lambda: True), "interrupted"),
    ],
)
def test_a_limit_ends_in_unknown_with_all_that_was_found(options: Options, reason: str) -> None:
    report = check(counting(2).model(), options).report
    five, small, least = report.results
    assert (small.verdict, small.reason) == (Verdict.UNKNOWN, reason)
    assert (least.verdict, least.value) == (Verdict.UNKNOWN, 0)
    if "states" in reason:
        assert five.verdict is Verdict.HOLDS
        assert five.trace is not None
        assert len(five.trace) == 5
        assert five.counts.distinct >= 2000


def test_progress_is_shown() -> None:
    seen: list[Progress] = []
    check(counting(2).model(), Options(limits=Limits(seconds=1.0), show=seen.append))
    assert len(seen) >= 2
    assert seen[-1].states > seen[0].states
    assert seen[-1].memory_mb > 10
    assert seen[-1].depth > 1


def test_the_memo_stays_in_its_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    budget = 50_000
    run = Check(counting().model(), Options(threads=1, limits=Limits(states=2000)), Tuning(memo=budget))
    evaluator = run.search.evaluator
    sizes: list[int] = []
    forget = evaluator.forget

    def watched(budget: int) -> None:
        sizes.append(evaluator.memo.bytes)
        forget(budget)

    monkeypatch.setattr(evaluator, "forget", watched)
    run.run()
    assert len(sizes) > 500
    assert max(sizes) <= budget + 20_000  # one batch is learnt before the next look


def test_the_visited_set_is_compact() -> None:
    run = Check(chain.model(8, 4), Options())
    assert run.run().counts.distinct == 5**8
    assert run.search.evaluator.layout.words == 1
    assert run.search.visited.bytes / 5**8 <= 16


def test_a_checkpoint_of_another_model_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.checkpoint"
    check(counting(2).model(), Options(limits=Limits(states=500), checkpoint=path))
    assert path.exists()
    with pytest.raises(HomingError, match="is a checkpoint of another model than 'counting', or of other properties"):
        check(counting(3).model(), Options(checkpoint=path, resume=True))


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 nonsense", b"x" * 1000])
def test_a_damaged_checkpoint_is_refused(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "run.checkpoint"
    path.write_bytes(damage)
    with pytest.raises(HomingError, match="cannot be resumed from"):
        check(counting().model(), Options(checkpoint=path, resume=True))


def test_a_checkpoint_that_cannot_be_written_costs_only_itself(tmp_path: Path) -> None:
    notes: list[str] = []
    folder = tmp_path / "file"
    folder.write_text("not a folder")
    options = Options(
        limits=Limits(states=500),
        checkpoint=folder / "run.checkpoint",
        show=lambda progress: notes.append(progress.note),
    )
    report = check(counting(2).model(), options).report
    assert report.results[0].verdict is Verdict.HOLDS
    assert report.checkpoint is None
    assert any("no checkpoint" in note for note in notes)


def failing(group: object = None, label: object = None) -> Model:
    b = Builder("failing")
    value = b.slot("value", 0)

    @b.group("count", [value], [value])
    def count(now: int) -> Iterator[Step]:
        yield step("count", {value: now + 1})

    if group is not None:
        assert callable(group)
        b.group("fail", [value], [value])(group)
    observe = label or (lambda now: True)
    assert callable(observe)
    b.sometimes("three", [value], lambda now: now == 3)
    b.always("fine", [value], observe)
    return b.model()


@pytest.mark.parametrize(
    ("model", "message", "steps"),
    [
        (failing(group=lambda now: [1 // (5 - now)]), "group 'fail' yields 0, which is no Step", 0),
        (
            failing(group=lambda now: [step("x")] if now < 5 else [1 // 0]),
            "group 'fail' with value = 5 failed: ZeroDivisionError: integer division or modulo by zero",
            5,
        ),
        (
            failing(group=lambda now: [step("x", {0: FLOAT if now == 4 else now})]),
            "1.5 is a float, which is no value",
            4,
        ),
        (
            failing(label=lambda now: now < 4 or "no"),
            "label 'fine' with value = 4 is 'no', neither a bool nor an int",
            4,
        ),
        (failing(label=lambda now: now < 4 or 2**40), "which needs more than 32 bits", 4),
        (failing(label=lambda now: [][now]), "label 'fine' with value = 0 failed: IndexError", 0),
    ],
)
def test_a_model_that_fails_is_explained_with_the_way_there(model: Model, message: str, steps: int) -> None:
    report = check(model, Options(threads=1)).report
    assert message in str(report.error)
    assert report.error_trace is not None
    assert len(report.error_trace) == steps
    three, fine = report.results
    assert three.verdict is (Verdict.HOLDS if steps > 3 else Verdict.UNKNOWN)
    assert (fine.verdict, fine.reason) == (Verdict.UNKNOWN, "the model failed")


def half(value: Value, most: int) -> Value:
    """A projection that makes sense up to a bound."""
    assert isinstance(value, int)
    if value > most:
        raise ValueError("too large")
    return value // 2


def test_a_projection_may_fail_where_nobody_reads_it() -> None:
    b = Builder("bounded")
    value = b.slot("value", 0)

    @b.group("count", [read(value, Projection(half, (9,))), value], [value])
    def count(halved: int, now: int) -> Iterator[Step]:
        yield step("count", {value: now + 1})

    inside = b.label("inside", [value], lambda now: now < 10)
    assert inside == 0
    good = check(b.model(Constrained(b.system(), ["inside"])), Options(threads=1))
    assert good.report.error is None
    assert good.counts.distinct == 10
    bad = check(b.model(), Options(threads=1)).report
    assert "half(9) of 10, read from slot 'value', failed: ValueError: too large" in str(bad.error)


def test_bad_initial_states_are_named() -> None:
    b = Builder("bad")
    b.slot("value", FLOAT)
    with pytest.raises(HomingError, match=r"the initial value of slot 'value' cannot be encoded: 1.5 is a float"):
        check(b.model(), Options(threads=1))


@pytest.mark.parametrize(
    ("group", "limits", "available"),
    [
        ("", {"memory.max": "max"}, None),
        ("", {"memory.max": "314572800"}, 300),  # a container, which shows its own group as the topmost
        ("", {"memory/memory.limit_in_bytes": "314572800"}, 300),
        ("0::/one/two", {"one/two/memory.max": "max", "one/memory.max": "209715200", "other/memory.max": "1"}, 200),
        ("4:cpu,memory:/one", {"memory/one/memory.limit_in_bytes": "104857600", "memory.max": "209715200"}, 100),
        ("4:memory:/of/the/host\n0::/", {"memory/memory.limit_in_bytes": "314572800"}, 300),
        ("0::/one:two", {"one:two/memory.max": "9223372036854771712"}, None),  # as version 1 says that there is none
    ],
)
def test_memory_is_what_control_groups_allow(
    tmp_path: Path, group: str, limits: dict[str, str], available: float | None
) -> None:
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/self/cgroup").write_text(group and f"{group}\n")
    for name, limit in limits.items():
        file = tmp_path / "sys/fs/cgroup" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{limit}\n")
    assert available_mb(tmp_path) == (available or available_mb(tmp_path / "nothing"))
