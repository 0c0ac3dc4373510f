"""Bad input: one sentence each."""

from __future__ import annotations

import pytest

from homing.core.errors import HomingError
from homing.overlay.network import RiskGroup
from homing.overlay.simulation import script
from homing.overlay.simulation.settings import Settings, protocols, read
from tests.overlay.simulation import small

NETWORK = small.network("1-2 1-3 2-3", "1 2")


@pytest.mark.parametrize(
    ("fail", "repair", "said"),
    [
        (["1-9@5"], [], "--fail 1-9@5: no link is called '1-9'; declared: 1-2, 1-3, 2-3"),
        (["1-2"], [], "--fail 1-2: write it as LINK@TIME, for example 2-3@50"),
        ([""], [], "--fail '' names no link; write it as LINK@TIME, for example 2-3@50"),
        (["1-2@soon"], [], "--fail 1-2@soon: 'soon' is no time in seconds"),
        (["1-2@-5"], [], "--fail 1-2@-5: a time cannot be -5"),
        (["1-2@nan"], [], "--fail 1-2@nan: a time cannot be nan"),
        (["1-2@5"], ["1-2@4"], "--repair 1-2@4: the link 1-2 is not down then, so it cannot be repaired"),
        ([], ["1-2@4"], "--repair 1-2@4: the link 1-2 is not down then, so it cannot be repaired"),
        (["1-2@5", "2-1@6"], [], "--fail 2-1@6: the link 1-2 is down already, since 5"),
        (["1@5,1-2@6"], [], "--fail 1-2@6: the link 1-2 is down already, since 5"),
    ],
)
def test_failures_that_make_no_sense(fail: list[str], repair: list[str], said: str) -> None:
    with pytest.raises(HomingError) as caught:
        script.read(NETWORK, fail, repair)
    assert str(caught.value) == said


def test_links_brokers_and_groups() -> None:
    grouped = small.network("1-2 1-3 2-3")
    object.__setattr__(grouped, "groups", (RiskGroup("duct", (0, 2)),))
    found = script.read(grouped, ["duct@5", "3-1@7"], ["2-3@9"])
    assert [(change.time, change.link, change.up) for change in found] == [
        (5.0, 0, False), (5.0, 2, False), (7.0, 1, False), (9.0, 2, True),
    ]  # fmt: skip
    assert {change.link for change in script.read(grouped, ["2@5"], [])} == {0, 2}


def test_how_long_a_run_is() -> None:
    changes = script.read(NETWORK, ["1-2@5"], ["1-2@9"])
    assert script.length(changes, None) == 59.0
    assert script.length((), None) == 150.0
    with pytest.raises(HomingError, match="--repair 1-2@9: the run ends before, at 9"):
        script.length(changes, 9.0)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"rate": 0.0}, "--rate is 0; it has to be more than 0"),
        ({"rate": -1.0}, "--rate is -1; it has to be more than 0"),
        ({"until": -1.0}, "--until is -1; it has to be more than 0"),
        ({"packets": 0.0}, "--packets is 0; it has to be more than 0"),
        ({"interval": float("inf")}, "--interval is inf, which is no finite number"),
        ({"failure_rate": -0.1}, "--failure-rate is -0.1; it has to be more than 0, or left out"),
        ({"failure_rate": 0.0}, "--failure-rate is 0; it has to be more than 0, or left out"),
        ({"buffer": -1}, "--buffer is -1; it cannot be less than 0"),
        ({"sequence_space": 2}, "--set sequence_space is 2; numbers need at least 3"),
        ({"spf_hold": 20.0}, "--set spf_hold_most is 10, less than spf_hold"),
        ({"heartbeat": "sometimes"}, "unknown heartbeat 'sometimes'; declared: fixed, adaptive"),
    ],
)
def test_settings_that_make_no_sense(given: dict[str, float], said: str) -> None:
    with pytest.raises(HomingError) as caught:
        Settings(**given)  # type: ignore[arg-type]
    assert str(caught.value) == said


def test_other_settings() -> None:
    found = read({"rate": 5.0}, ["spf_delay=0.5", "spread=no", "ttl=9"])
    assert (found.rate, found.spf_delay, found.spread, found.ttl) == (5.0, 0.5, False, 9)
    for text, said in (
        ("ttl=x", "--set ttl: 'x' is not of the kind of 64"),
        ("x=1", "--set x=1: write it as NAME=VALUE"),
    ):
        with pytest.raises(HomingError, match=said):
            read({}, [text])


def test_protocols() -> None:
    assert protocols("ospf, pcrt,ospf") == ("ospf", "pcrt")
    with pytest.raises(HomingError, match="unknown protocol 'rip'; declared: pcrt, ospf, rrl"):
        protocols("pcrt,rip")
    with pytest.raises(HomingError, match="no protocol is asked for"):
        protocols(",")
