"""`homing overlay simulate`: what it prints, and what it writes."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from homing.overlay.__main__ import main

SIX = str(Path(__file__).parents[3] / "networks" / "ospf-six.toml")
CHANGES = ["--fail", "2-3@50", "--repair", "2-3@100", "--until", "150"]


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert main(["simulate", SIX, *CHANGES, *words]) == 0
    return capsys.readouterr().out.splitlines()


def test_the_first_line_is_what_people_want(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "--protocol", "pcrt,ospf,rrl")
    assert lines[0].startswith(
        "ospf-six: pcrt loses 3 of 150 packets, ospf 4, rrl 3; all brokers have acted on a failure"
    )
    assert [line.split()[0] for line in lines[4:7]] == ["pcrt", "ospf", "rrl"]
    assert (
        "  pcrt 1 to 3: 1-2-3 (0.09 to 49.09, 50); 1-2-6-5-3 (53.09 to 100.09, 48); 1-2-3 (101.09 to 149.09, 49)"
        in lines
    )
    assert "  ospf: 4 link down" in lines


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads("\n".join(printed(capsys, "--json")))
    pcrt, ospf = found["runs"]
    assert (pcrt["packets"]["sent"], pcrt["packets"]["delivered"], pcrt["packets"]["link down"]) == (150, 147, 3)
    assert pcrt["changes"][0]["detected"] == ospf["changes"][0]["detected"]
    assert [way["path"] for way in ospf["paths"]] == [["1", "2", "3"], ["1", "2", "6", "5", "3"], ["1", "2", "3"]]
    assert pcrt["messages"]["heartbeat"] == 2100


def test_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log.jsonl"
    printed(capsys, "-o", str(tmp_path / "out"), "--log", str(log))
    packets = pq.read_table(tmp_path / "out" / "packets.parquet").to_pylist()
    assert len(packets) == 300
    with (tmp_path / "out" / "packets.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["outcome"] for row in rows] == [row["outcome"] for row in packets]
    assert sum(row["outcome"] == "link down" for row in rows) == 7
    for name in ("latency-pcrt", "latency-ospf", "losses"):
        assert {(tmp_path / "out" / f"{name}.{ending}").exists() for ending in ("svg", "png", "csv")} == {True}
    entries: list[dict[str, Any]] = [json.loads(line) for line in log.read_text().splitlines()]
    assert entries[0] == {"protocol": "pcrt", "time": 50.0, "broker": "", "kind": "link_down", "link": "2-3"}
    assert {entry["protocol"] for entry in entries} == {"pcrt", "ospf"}
    times = [entry["time"] for entry in entries if entry["protocol"] == "pcrt"]
    assert times == sorted(times)


def test_several_seeds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "--seeds", "4", "-o", str(tmp_path))
    assert lines[0].startswith("ospf-six: means of 4 seeds: pcrt loses 3.")
    assert "±" in lines[4]
    assert any(line.startswith("  ospf beside pcrt, seed by seed: lost ") for line in lines)
    rows = pq.read_table(tmp_path / "seeds.parquet").to_pylist()
    assert [(row["seed"], row["protocol"]) for row in rows[:5]] == [*((s, "pcrt") for s in range(1, 5)), (1, "ospf")]
    assert (tmp_path / "times.svg").exists()
    found = json.loads("\n".join(printed(capsys, "--seeds", "4", "--json", "--protocol", "pcrt")))
    mean = found["protocols"]["pcrt"]["means"]["lost"]
    assert mean["low"] <= mean["mean"] == sum(row["lost"] for row in rows[:4]) / 4 <= mean["high"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--fail", "2-9@50"], "homing: --fail 2-9@50: no link is called '2-9'; declared: 1-2, 1-4, 2-3, 2-6, 3-5"),
        (["--rate", "0"], "homing: --rate is 0; it has to be more than 0"),
        (["--protocol", "rip"], "homing: unknown protocol 'rip'; declared: pcrt, ospf, rrl"),
        (["--seeds", "0"], "homing: --seeds is 0; it has to be at least 1"),
        (["--seeds", "3", "--log", "x"], "homing: --log is of one run, and --seeds asks for 3"),
        (["--fail", "2-3@50", "--until", "20"], "homing: --fail 2-3@50: the run ends before, at 20"),
    ],
)
def test_bad_input(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", SIX, *words]) == 3
    assert capsys.readouterr().err.startswith(said)


def test_layers_need_links_both_ways(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one_way = tmp_path / "one-way.toml"
    one_way.write_text('links = [{from = "a", to = "b"}, {between = ["b", "c"]}, {between = ["a", "c"]}]')
    assert main(["simulate", str(one_way), "--protocol", "rrl"]) == 3
    assert "layers need links that carry both ways" in capsys.readouterr().err
    assert main(["simulate", str(one_way), "--protocol", "pcrt,ospf", "--fail", "a-c@20"]) == 0
    assert "not acted on" not in capsys.readouterr().out
