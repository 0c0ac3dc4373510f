"""From the kernel to Parquet, with and without Spark: the same rows; what is finished is not done again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pyarrow.parquet as pq
import pytest

from homing.overlay import condensing, pipeline, store
from homing.overlay.chunks import Job, run_chunk
from homing.overlay.colours import scenarios
from homing.overlay.edits import read_edits
from homing.overlay.network import Network
from homing.overlay.readers import load
from homing.overlay.results import TABLES
from homing.overlay.sweeping import slug, sweep
from homing.overlay.tables import condense, plan
from homing.overlay.trees import NO_BROKER, prepare
from homing.overlay.walking import Weather
from tests.scale import SCALE

NETWORKS = Path(__file__).parents[2] / "networks"
EXCHANGE = str(NETWORKS / "exchange.toml")


def job(network: Network, out: Path, failures: str = "links:1-2,brokers", **options: Any) -> Job:
    made = Job(network.name, network.to_json(), failures, out=str(out), **options)
    store.begin(made)
    return made


def rows(folder: Path, table: str) -> list[dict[str, Any]]:
    found = pq.read_table(folder / table).to_pylist()
    return sorted(found, key=lambda row: [str(value) for value in row.values()])


def finish(made: Job, run: pipeline.Run) -> store.Totals:
    assert not run.errors
    return store.finish(made, list(run.summaries))


@pytest.mark.parametrize("source", [EXCHANGE, "random:20:30:seed=4", "topohub:topozoo/Abilene"])
def test_spark_and_one_process_write_the_same(spark: Any, tmp_path: Path, source: str) -> None:
    network = load(source)
    here, there = job(network, tmp_path / "here"), job(network, tmp_path / "spark")
    one = finish(here, pipeline.run_here(pipeline.pieces(here)))
    # In small pieces, so that sums over pieces are tested too.
    colours = len(there.scenarios())
    pieces = [pipeline.Piece(there, low, min(low + 19, colours)) for low in range(1, colours + 1, 20)]
    other = finish(there, pipeline.run_on_spark(spark, pieces))
    assert (one.sums, one.bad, one.sizes) == (other.sums, other.bad, other.sizes)
    for table in set(TABLES) - {"transitions"}:
        assert rows(tmp_path / "here", table) == rows(tmp_path / "spark", table), table
        assert pq.read_schema(next((tmp_path / "here" / table).iterdir())).names == TABLES[table].names


def test_routes_are_the_plain_tables_as_changes(tmp_path: Path) -> None:
    network = load("random:12:18:seed=5")
    made = job(network, tmp_path)
    finish(made, pipeline.run_here(pipeline.pieces(made)))
    tables = plan(made.scenarios())
    names = network.broker_names
    written: dict[int, dict[tuple[str, str], str | None]] = {}
    for row in pq.read_table(tmp_path / "routes").to_pylist():
        written.setdefault(row["colour"], {})[row["broker"], row["destination"]] = row["next_hop"]
    for colour in range(1, len(tables.scenarios) + 1):
        hops = tables.hops(colour)
        merged = written[1] | written.get(colour, {})
        alive = ~(hops == NO_BROKER).all(axis=0)
        for d, target in enumerate(names):
            for u, source in enumerate(names):
                if u != d and alive[u] and alive[d]:
                    expected = None if hops[d, u] == NO_BROKER else names[hops[d, u]]
                    assert merged[source, target] == expected, (colour, source, target)


def test_super_routes_are_the_condensed_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = job(load("random:12:18:seed=5"), tmp_path)
    run = pipeline.run_here(pipeline.pieces(made))
    finish(made, run)
    tables = plan(made.scenarios())
    expected = {
        (name, entry.address): (entry.destination, entry.next_hop, len(entry.colours), entry.colours[0], entry.colours)
        for broker, name in enumerate(tables.network.broker_names)
        for entry in tables.condense(broker).entries
    }
    assert super_routes(tmp_path) == expected
    # Too many to list them, or without routes: the same, from sums.
    short = {key: (*entry[:4], None) for key, entry in expected.items()}
    monkeypatch.setattr(condensing, "MOST_LISTED", 100)
    finish(made, run)
    assert super_routes(tmp_path) == short
    lean = job(made.scenarios().network, tmp_path / "lean", details=False)
    finish(lean, pipeline.run_here(pipeline.pieces(lean)))
    assert super_routes(tmp_path / "lean") == short


def super_routes(folder: Path) -> dict[tuple[str, int], tuple[Any, ...]]:
    return {
        (row["broker"], row["address"]): (
            row["destination"], row["next_hop"], row["count"], row["first_colour"],
            None if row["colours"] is None else tuple(row["colours"]),
        )
        for row in pq.read_table(folder / "super_routes").to_pylist()
    }  # fmt: skip


@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize("colour", ["", "1", "2", "9"])
def test_super_routes_have_the_edited_entries(
    tmp_path: Path, colour: str, listed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not listed:
        monkeypatch.setattr(condensing, "MOST_LISTED", 0)
    network = load(str(NETWORKS / "six.toml"))
    found = scenarios(network, "brokers,links:1-2")
    text = f"broker,destination,next_hop,colour\n4,5,6,{colour}\n2,5,-,{colour}\n"
    edits = read_edits(Path("t.csv"), text, found)
    made = job(network, tmp_path, "brokers,links:1-2", edits=edits)
    finish(made, pipeline.run_here(pipeline.pieces(made)))
    names, n = network.broker_names, len(network.brokers)
    expected: dict[tuple[str, int], tuple[Any, ...]] = {}
    plain = np.full((n, n, len(found)), NO_BROKER, np.uint16)
    for number in range(1, len(found) + 1):
        weather = Weather(prepare(network), found.failure(number))
        for d in np.flatnonzero(weather.dead == 0):
            hops = weather.table(number, int(d), edits)
            plain[:, d, number - 1] = np.where(weather.dead == 1, NO_BROKER, hops)
    for broker, name in enumerate(names):
        for entry in condense(network, broker, plain[broker], "first seen").entries:
            colours = entry.colours if listed else None
            row = (entry.destination, entry.next_hop, len(entry.colours), entry.colours[0], colours)
            expected[name, entry.address] = row
    assert super_routes(tmp_path) == expected


@pytest.mark.parametrize(
    ("colour", "told"), [("", {1: {"6"}, 2: {"6"}}), ("1", {1: {"6"}, 2: {"5"}}), ("2", {1: {"5"}, 2: {"6"}})]
)
def test_edited_tables_reach_the_results(tmp_path: Path, colour: str, told: dict[int, set[str]]) -> None:
    network = load(str(NETWORKS / "six.toml"))
    text = f"broker,destination,next_hop,colour\n4,5,6,{colour}\n"
    edits = read_edits(Path("t.csv"), text, scenarios(network, "brokers"))
    made = job(network, tmp_path, "brokers", edits=edits)
    finish(made, pipeline.run_here(pipeline.pieces(made)))
    looped = {row["colour"] for row in pq.read_table(tmp_path / "deliveries").to_pylist() if row["outcome"] == "looped"}
    verdicts = {row["colour"]: row["looped"] for row in pq.read_table(tmp_path / "verdicts").to_pylist()}
    assert looped == {colour for colour, count in verdicts.items() if count}
    hops = [r for r in pq.read_table(tmp_path / "routes").to_pylist() if (r["broker"], r["destination"]) == ("4", "5")]
    written = {number: {row["next_hop"] for row in hops if row["colour"] == number} for number in (1, 2)}
    assert {1: written[1], 2: written[2] or written[1]} == told
    assert len([r for r in pq.read_table(tmp_path / "routes").to_pylist() if r["colour"] == 1]) == 30


def test_finished_pieces_are_not_done_again(tmp_path: Path) -> None:
    made = job(load("random:10:14:seed=1"), tmp_path)
    first = pipeline.run_here(pipeline.pieces(made))
    assert first.resumed == 0
    assert pipeline.run_here(pipeline.pieces(made)).resumed == len(first.summaries)
    changed = job(load("random:10:14:seed=2"), tmp_path)
    assert pipeline.run_here(pipeline.pieces(changed)).resumed == 0


@pytest.mark.parametrize("note", ["", '{"finger', "[]"])
def test_a_run_killed_while_noting_its_job_is_begun_again(tmp_path: Path, note: str) -> None:
    made = job(load("random:6:8:seed=1"), tmp_path)
    pipeline.run_here(pipeline.pieces(made))
    (tmp_path / "job.json").write_text(note)
    assert store.finished(made) is None
    store.begin(made)
    assert pipeline.run_here(pipeline.pieces(made)).resumed == 0


def test_a_piece_that_fails_is_told(tmp_path: Path) -> None:
    broken = Job("broken", "{}", "links", out=str(tmp_path))
    run = pipeline.run_here([pipeline.Piece(broken, 1, 2)])
    assert "KeyError" in run.errors["broken"]
    with pytest.raises(KeyError):
        run_chunk(broken, 1, 2)


def test_a_bad_network_does_not_stop_a_sweep(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text('brokers = ["1", "2"]\nlinks = [\n{ between = ["1", "9"] },\n]\n')
    sources = ["topohub:topozoo/Abilene", str(tmp_path / "bad.toml"), "random:8:16:seed=1"]
    result = sweep(sources, tmp_path / "out")
    assert [network.source for network in result.networks] == sources
    assert "bad.toml:3: unknown broker '9' in a link; declared: 1, 2" in result.networks[1].error
    assert [network.totals is not None for network in result.networks] == [True, False, True]
    assert result.exit_code(frozenset()) == 3
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*.*")}
    again = sweep(sources, tmp_path / "out")
    assert [network.resumed for network in again.networks] == [True, False, True]
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*.*")} == before


@pytest.mark.slow
@pytest.mark.skipif(SCALE < 1, reason="half a minute: from HOMING_TEST_SCALE=1 on")
@pytest.mark.usefixtures("spark")
def test_a_killed_sweep_goes_on_where_it_was(tmp_path: Path) -> None:
    # Small, but one task each: most are still to be done when the sweep is killed.
    sources = [f"random:12:20:seed={seed}" for seed in range(5)]
    out = tmp_path / "out"
    command = [sys.executable, "-m", "homing.overlay", "sweep", *sources, "--failures", "links:1-3", "--routes"]
    process = subprocess.Popen([*command, "--master", "local[1]", "-o", str(out)], stdout=subprocess.DEVNULL)
    try:
        wait_for(lambda: any(out.rglob("chunks/*.json")), 180)
        left_behind = psutil.Process(process.pid).children(recursive=True)
        os.kill(process.pid, signal.SIGKILL)
    finally:
        process.kill()
        process.wait(30)
    # Spark's processes notice a little later, and may finish a piece until then.
    _, alive = psutil.wait_procs(left_behind, timeout=60)
    assert not alive
    done = {path: path.stat().st_mtime_ns for path in out.rglob("chunks/*.json")}
    assert 0 < len(done) < len(sources)  # killed in the middle
    result = sweep(sources, out, failures="links:1-3", details=True, master="local[2]")
    assert all(network.totals for network in result.networks)
    assert result.run.resumed == len(done)
    assert {path: path.stat().st_mtime_ns for path in done} == done
    for source in sources:
        assert len(pq.read_table(out / slug(source) / "scenarios")) == 1351


def wait_for(condition: Any, seconds: float) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "waited too long"
        time.sleep(0.05)
