"""Time limits of a verification: wherever the time is up, what was found stays true and the rest is UNKNOWN."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from homing.core.result import Limits
from homing.core.stop import Stopped
from homing.core.verdict import Verdict
from homing.overlay import portions as cutting
from homing.overlay import terminal
from homing.overlay.colours import scenarios
from homing.overlay.network import Network
from homing.overlay.portions import portions
from homing.overlay.readers import load
from homing.overlay.verification import verify
from tests.command_line import Homing, runner

NETWORKS = Path(__file__).parents[2] / "networks"
EXCHANGE = str(NETWORKS / "exchange.toml")


@pytest.fixture
def homing(capsys: pytest.CaptureFixture[str]) -> Homing:
    return runner(capsys)


class Looks:
    """A clock that strikes at the so manieth look."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, at: int) -> None:
        self.left = at
        monkeypatch.setattr(Limits, "overdue", lambda limits, needed=0.0: self.look())
        monkeypatch.setattr(cutting, "SECONDS", 0.0)  # portions of one

    def look(self) -> str | None:
        self.left -= 1
        return "the time limit was reached" if self.left < 0 else None


@pytest.mark.parametrize("last", [0, 1, 7, 100, 1000])
@pytest.mark.parametrize("most", [1, 3, 10_000])
def test_portions_cover_a_range_once(last: int, most: int) -> None:
    found: list[int] = []
    for low, high in portions(1, last, most):
        assert 1 <= high - low + 1 <= most
        found += range(low, high + 1)
    assert found == list(range(1, last + 1))


def test_a_look_ends_them() -> None:
    def look() -> None:
        raise Stopped("enough")

    with pytest.raises(Stopped, match="enough"):
        list(portions(1, 5, 5, look))


@pytest.mark.parametrize("failures", ["links", "links:1-2"])
@pytest.mark.parametrize("switching", ["single", "all", "none"])
def test_what_was_found_in_time_is_true(monkeypatch: pytest.MonkeyPatch, failures: str, switching: str) -> None:
    found = scenarios(load(EXCHANGE), failures)
    whole = verify(found, switching=switching, tolerate=frozenset())
    assert whole.complete
    looks, complete = 0, False
    while not complete:
        with monkeypatch.context() as patch:
            Looks(patch, looks)
            result = verify(found, switching=switching, tolerate=frozenset(), seconds=1.0)
        assert np.array_equal(result.counts, whole.counts[: len(result.counts)])
        assert set(result.micro.found if result.micro else ()) <= set(whole.micro.found if whole.micro else ())
        # HOLDS is never said too early, and VIOLATED never wrongly.
        for finding in result.findings:
            (full,) = (each for each in whole.findings if each.name == finding.name)
            assert finding.verdict in (full.verdict, Verdict.UNKNOWN)
        complete = result.complete and (result.micro is None or not result.micro.stopped)
        looks += 1 if failures == "links" else 5
    assert looks > 10


def test_the_command_ends_wherever_the_time_is_up(homing: Homing, monkeypatch: pytest.MonkeyPatch) -> None:
    """From before the first route to the last single point of failure."""
    whole = homing("overlay", "verify", EXCHANGE)
    seen: set[str] = set()
    looks = 0
    while True:
        with monkeypatch.context() as patch:
            clock = Looks(patch, looks)
            found = homing("overlay", "verify", EXCHANGE, "--time-limit", "1h")
        assert not found.err
        assert found.code in (1, 2)
        if clock.left >= 0:
            break
        assert "the time limit was reached" in found.out
        seen.update(word for word in ("normal state", "stopped after", "not all looked for") if word in found.out)
        looks += 1
    assert found.out.splitlines()[:-1] == whole.out.splitlines()[:-1]
    assert seen == {"normal state", "stopped after", "not all looked for"}


def test_a_limit_counts_from_before_the_network_is_read(homing: Homing, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[float | None] = []

    def verify_later(found: object, edits: object, options: terminal.VerifyOptions, *rest: object) -> int:
        begun.append(options.limits.begun)
        return 0

    monkeypatch.setattr(terminal, "verify", verify_later)

    def load_later(source: str) -> Network:
        begun.append(-1.0)
        return load(source)

    monkeypatch.setattr("homing.overlay.readers.load", load_later)
    monkeypatch.setattr("time.monotonic", iter(range(100)).__next__)
    assert homing("overlay", "verify", EXCHANGE, "--time-limit", "5m").code == 0
    assert begun == [-1.0, 0]


@pytest.mark.parametrize(("text", "code"), [("90", 1), ("90s", 1), ("5m", 1), ("1h", 1), ("soon", 3), ("0", 3)])
def test_limits_are_spelt_as_for_models(homing: Homing, text: str, code: int) -> None:
    assert homing("overlay", "verify", EXCHANGE, "--time-limit", text).code == code


def test_a_log_has_lines_of_progress(homing: Homing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "BETWEEN_LINES", 0.0)
    found = homing("overlay", "verify", EXCHANGE)
    for text in (
        "homing: routes: 7 of 7 brokers",
        "homing: 10 colours: 10 of 10",
        "single points of failure: 17 of 17",
    ):
        assert text in found.err
    assert not homing("overlay", "verify", EXCHANGE, "--json").err
