"""What is told of each change, beside the same found packet by packet."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homing.overlay.simulation.packets import OUTCOMES
from homing.overlay.simulation.recovery import Recovery
from homing.overlay.simulation.run import Run, simulate
from homing.overlay.simulation.settings import Settings
from tests.overlay.simulation import small
from tests.scale import scaled

Row = tuple[tuple[int, int], float, float, str, tuple[int, ...]]


def rows(run: Run) -> list[Row]:
    """Pair, sent, ended, outcome and path of each packet."""
    p = run.packets
    return [
        ((int(p.source[n]), int(p.destination[n])), float(p.sent[n]), float(p.ended[n]), OUTCOMES[p.outcome[n]],
         p.paths[p.path[n]])
        for n in range(len(p))
    ]  # fmt: skip


def naive(run: Run, change: Recovery, end: float) -> tuple[int, float | None, float | None]:
    """Packets lost, when all pairs were served again, when the link was used."""
    packets = rows(run)
    lost = [row for row in packets if row[3] not in ("delivered", "in flight") and change.time <= row[2] < end]
    served: list[float] = []
    for pair in {row[0] for row in lost}:
        last = max(row[1] for row in lost if row[0] == pair)
        served.append(min((r[2] for r in packets if r[0] == pair and r[3] == "delivered" and r[1] > last), default=end))
    (link,) = [link for link in run.network.links if link.name == change.link]
    ends = {link.source, link.target}
    used = [
        row[2]
        for row in packets
        if row[3] == "delivered" and change.time <= row[1] and row[2] < end
        and any({a, b} == ends for a, b in pairwise(row[4]))
    ]  # fmt: skip
    again = max(served) if served and max(served) < end else None
    return len(lost), again, min(used, default=None) if change.up else None


@settings(max_examples=scaled(10))
@given(st.integers(0, 999), st.sampled_from(["pcrt", "ospf", "rrl"]))
def test_recoveries(seed: int, protocol: str) -> None:
    drawn = Settings(until=80.0, seed=seed, failure_rate=0.01, packets=2.0, pairs=6, mean_repair=8.0)
    run = simulate(small.routes("1-2 2-3 3-4 4-1 1-3"), protocol, drawn)
    ends = [*(change.time for change in run.recoveries[1:]), 80.0]
    for change, end in zip(run.recoveries, ends):  # a run without changes has an end, too
        assert (change.lost, change.restored, change.used) == naive(run, change, end)


def test_changes_at_one_moment_are_one() -> None:
    run = small.run(
        small.routes("1-2 2-3 3-4 4-1 1-3", "1 2", failures="links:1-2"),
        "pcrt",
        Settings(until=60.0),
        ["1-2@20,3-4@20"],
    )
    (change,) = run.recoveries
    assert change.link == "1-2, 3-4"
    assert change.converged is not None


def test_a_change_that_is_overtaken_is_never_acted_on() -> None:
    run = small.run(small.routes("1-2 2-3 1-3", "1 2"), "pcrt", Settings(until=60.0), ["1-2@20"], ["1-2@21"])
    failure, repair = run.recoveries
    assert (failure.detected, failure.converged, failure.after("converged")) == (None, None, None)
    assert failure.lost == pytest.approx(1, abs=1)
    assert repair.used is not None
