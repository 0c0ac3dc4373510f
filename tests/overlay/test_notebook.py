"""Networks, verifications and tables in a notebook."""

from __future__ import annotations

from pathlib import Path

import pytest

from homing.overlay import load, notebook, plan, scenarios, verify
from homing.overlay.network import Broker, Link, Network, Topic
from homing.overlay.simulation.routes import Routes
from homing.overlay.simulation.run import simulate
from homing.overlay.simulation.script import Change
from homing.overlay.simulation.settings import Settings
from tests.report.test_notebook import EVIL, Elements

EXCHANGE = str(Path(__file__).parents[2] / "networks" / "exchange.toml")


def named(name: str) -> Network:
    """A network whose names are all of one sort: three brokers in a line."""
    brokers = tuple(Broker(f"{name} {number}") for number in range(3))
    links = tuple(Link(f"{name} link {number}", number, number + 1) for number in range(2))
    return Network(name, brokers, links, (Topic(name, (0,), (2,)),))


def test_names_in_networks_cannot_inject_markup() -> None:
    found = scenarios(named(EVIL), "links")
    tables = plan(found)
    for shown in (found.network, verify(found), tables, tables.condense(0)):
        elements = Elements(shown._repr_html_())
        assert not elements.names & {"script", "img"}
        assert not elements.open
        assert "<script>alert(1)</script>" in elements.text


def test_a_verification_shows_findings_weak_points_and_the_network() -> None:
    elements = Elements(verify(scenarios(load(EXCHANGE), "links"))._repr_html_())
    for text in (
        "exchange: VIOLATED under 1 of 10 colours",
        "VIOLATED (tolerated)",
        "F(risk, branch)",
        "archive – branch",
    ):
        assert text in elements.text
    assert "svg" in elements.names


def test_a_sound_network_has_no_weak_points() -> None:
    elements = Elements(verify(scenarios(load("random:6:9:seed=1"), "links"))._repr_html_())
    assert "No single link or broker cuts a pair off." in elements.text
    assert "single point of failure" not in elements.text


def test_tables_say_what_the_terminal_says() -> None:
    tables = plan(scenarios(load(EXCHANGE), "links"))
    assert "42 + 63" in Elements(tables._repr_html_()).text
    table = tables.condense(0)
    elements = Elements(table._repr_html_())
    assert elements.text.count("core-") >= len(table.entries)


def test_a_network_that_is_too_large_to_draw_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebook, "MOST", 2)
    elements = Elements(named("line")._repr_html_())
    assert elements.text == "line: 3 brokers, 2 links, 1 topics"


def test_a_simulated_run_shows_packets_changes_and_latencies() -> None:
    on = Routes(scenarios(named(EVIL), "links"))
    (change,) = (each for each in on.network.links if each.source == 0)
    run = simulate(on, "pcrt", Settings(until=20.0), (Change(5.0, 0, False),))
    elements = Elements(run._repr_html_().replace("<img alt=", "<img-of-ours alt="))
    assert not elements.names & {"script", "img"}
    assert f"{run.lost} of 20 packets lost" in elements.text
    assert f"{change.name} down at 5 s" in elements.text
    assert "data:image/png;base64," in run._repr_html_()
