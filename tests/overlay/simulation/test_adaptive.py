"""Heartbeats that adapt to load."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from homing.overlay.simulation.adaptive import Experiment, adaptive
from homing.overlay.simulation.pace import Adaptive
from homing.overlay.simulation.settings import Settings


@cache
def experiment() -> Experiment:
    return adaptive(loads=(0.0, 1.5), seeds=2, seconds=450.0)


def point(heartbeat: str, load: float) -> tuple[float, float]:
    """False alarms an hour, and seconds until a failure is noticed."""
    (found,) = [each for each in experiment().points if (each.heartbeat, each.load) == (heartbeat, load)]
    assert found.detected is not None
    return found.false_alarms.mean, found.detected.mean


def test_a_quiet_link_is_found_dead_sooner() -> None:
    (fixed_alarms, fixed), (alarms, seconds) = point("fixed", 0.0), point("adaptive", 0.0)
    assert fixed_alarms == alarms == 0
    assert 3.0 < fixed < 4.0
    assert seconds < fixed / 2


def test_a_busy_link_is_taken_for_dead_less_often() -> None:
    (fixed_alarms, _), (alarms, seconds) = point("fixed", 1.5), point("adaptive", 1.5)
    assert fixed_alarms > 10
    assert alarms < fixed_alarms / 3
    assert seconds > 4.0  # what it costs


def test_the_plots() -> None:
    names = {plot.name: [series.label for series in plot.series] for plot in experiment().plots}
    kinds = ["fixed heartbeats", "adaptive heartbeats"]
    wanted = ("adaptive-false-alarms", "adaptive-detected", "adaptive-heartbeats")
    assert names == dict.fromkeys(wanted, kinds)


def heard(numbers: list[int], late: float = 0.0) -> Adaptive:
    """Heartbeats each half second, some missing; every second one late."""
    found = Adaptive(Settings())
    for number in numbers:
        found.hear(number, 0.5, number * 0.5 + (late if number % 2 else 0.0))
    return found


def test_patience_follows_losses_and_lateness() -> None:
    assert Adaptive(Settings()).patience() == 4.0  # nothing is known yet
    regular = heard(list(range(1, 200)))
    assert regular.patience() == pytest.approx(3 * 0.5)
    late = heard(list(range(1, 200)), late=0.2)
    assert late.patience() > regular.patience() + 0.4


def test_losses_in_a_row_ask_for_more_patience_than_as_many_apart() -> None:
    apart = heard([number for number in range(1, 400) if number % 3])
    together = heard([number for number in range(1, 400) if number % 12 > 3])
    assert apart.patience() <= 4 * 0.5
    assert together.patience() >= 12 * 0.5


def test_patience_is_what_the_chance_of_a_run_asks_for() -> None:
    """Half are lost, whatever was lost before: fourteen in a row have a chance of 1 in 10 000."""
    random = np.random.default_rng(3)
    found = [heard(np.flatnonzero(random.random(2000) < 0.5).tolist()).patience() / 0.5 for _ in range(20)]
    assert 11 < sum(found) / len(found) < 16


def test_a_failure_is_not_counted_as_loss() -> None:
    assert heard([*range(1, 100), *range(200, 210)]).patience() == pytest.approx(3 * 0.5)
    assert heard([*range(1, 100), *range(110, 120)]).patience() > 3 * 0.5
