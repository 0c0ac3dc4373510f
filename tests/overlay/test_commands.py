"""The commands: what they print, and the codes they end with."""

from __future__ import annotations

import errno
import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from homing.overlay.__main__ import main
from homing.overlay.drawing import place
from homing.overlay.readers import load

NETWORKS = Path(__file__).parents[2] / "networks"
RING, SIX, EXCHANGE = (str(NETWORKS / f"{name}.toml") for name in ("ring", "six", "exchange"))


def test_verify_holds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", RING]) == 0
    printed = capsys.readouterr().out
    assert "ring: 3 brokers, 3 links, 0 topics, 6 pairs, 4 colours" in printed
    assert printed.splitlines()[-1].startswith("HOLDS (")


def test_verify_tells_what_fails_and_what_would_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", EXCHANGE, "--failures", "links:1-2,brokers,groups"]) == 1
    printed = capsys.readouterr().out
    assert "feed to risk, quotes: deadline missed, 1.8 ms (feed → core-b → core-a → match → risk)" in printed
    assert "F(risk, branch) cuts 1 pair; a link archive - branch helps" in printed


def test_partitions_can_be_tolerated(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", SIX]) == 1
    assert main(["verify", SIX, "--tolerate", "partitions"]) == 0
    assert "(tolerated)" in capsys.readouterr().out
    assert main(["verify", EXCHANGE, "--failures", "none", "--time-limit", "0.000001"]) == 2


def test_micro_loops_count_when_asked() -> None:
    assert main(["verify", "random:9:14:seed=3", "--tolerate", "partitions"]) == 0
    assert main(["verify", "random:9:14:seed=3", "--tolerate", "partitions", "--strict-switching"]) == 1


def test_edited_tables_and_their_repair(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tables = tmp_path / "tables.csv"
    tables.write_text("broker,destination,next_hop\n4,5,6\n")
    assert main(["verify", SIX, "--failures", "none", "--tables", str(tables)]) == 1
    printed = capsys.readouterr().out
    assert "1 to 5, A: looped (1 → 2 → 4 → 6 → 4)" in printed
    assert f"repair: {tables}:2: 4 to 5 (every colour): 6 → 5, verified" in printed


def test_observations_locate_the_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seen = tmp_path / "seen.csv"
    seen.write_text("publisher,subscriber,delivered\n1,5,no\n3,4,no\n1,2,yes\n5,6,yes\n")
    assert main(["verify", SIX, "--observed", str(seen)]) == 1
    assert "F(2, 4) explains every failure" in capsys.readouterr().out


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", SIX, "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["verdict"] == "VIOLATED"
    assert data["findings"][0]["colours"][0] == {"colour": 2, "failure": "F(1, 2)"}


def test_plan_prints_the_super_routing_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", RING, "--broker", "1"]) == 0
    printed = capsys.readouterr().out
    assert "  3        2            3         2\n" in printed
    assert "         2: 2 3 2 2\n" in printed
    assert "normal table + changes" in printed


def test_results_in_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", EXCHANGE, "-o", str(tmp_path / "one")]) == 1
    one = capsys.readouterr().out
    assert main(["verify", EXCHANGE]) == 1
    other = capsys.readouterr().out
    assert one.split("\nVIOLATED (")[0] == other.split("\nVIOLATED (")[0]
    assert main(["plan", EXCHANGE, "-o", str(tmp_path / "two")]) == 0
    assert {path.name for path in (tmp_path / "two").iterdir()} >= {"scenarios", "routes", "deliveries", "super_routes"}


def test_plan_runs_on_spark_without_a_folder(spark: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", EXCHANGE, "--failures", "links:1-2,brokers"]) == 0
    sizes = capsys.readouterr().out
    assert main(["plan", EXCHANGE, "--failures", "links:1-2,brokers", "--master", "local[2]"]) == 0
    printed = capsys.readouterr().out
    assert "Spark: start" in printed
    assert printed.endswith(sizes)


def test_report_draws_the_network(tmp_path: Path) -> None:
    out = tmp_path / "r.html"
    assert main(["report", EXCHANGE, "--failures", "links:1-2", "-o", str(out)]) == 1
    page = out.read_text()
    assert "http" not in page.replace("http://www.w3.org", "")
    assert "<script" not in page
    start = page.index('<svg class="network"')
    picture = ElementTree.fromstring(page[start : page.index("</svg>", start) + 6])
    assert len(picture.findall("circle")) == 7
    assert len(picture.findall("line")) == 9
    assert 'class="link failed"' in page
    assert 'class="way bad"' in page  # the late ones
    assert 'class="way lost"' in page  # the partitioned ones


def test_names_are_escaped_in_reports(tmp_path: Path) -> None:
    network = tmp_path / "n.toml"
    network.write_text('brokers = ["<b>", "a&b"]\nlinks = [ { between = ["<b>", "a&b"] } ]\n')
    assert main(["report", str(network), "-o", str(tmp_path / "r.html")]) == 1
    page = (tmp_path / "r.html").read_text()
    assert "<b>" not in page
    assert "&lt;b&gt;" in page


def test_networks_without_a_map_are_laid_out() -> None:
    points = place(load("random:20:30:seed=1"))
    assert points.shape == (20, 2)
    assert (points >= 0).all()
    assert len({tuple(point) for point in points.round(1).tolist()}) == 20


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["verify", "nowhere.toml"], "nowhere.toml: cannot read the file"),
        (["verify", RING, "--failures", "nodes"], "unknown scenarios 'nodes'"),
        (["verify", RING, "--tolerate", "noise"], "unknown choice 'noise'"),
        (["plan", RING, "--broker", "9"], "unknown broker '9'; declared: 1, 2, 3"),
        (["verify", RING, "--failures", "groups"], "no risk group is declared"),
        (["verify", RING, "--failures", "links:7"], "7 of 3 links cannot fail"),
        (["report", RING, "--failures", "links:7"], "7 of 3 links cannot fail"),
        (["verify", "random:4:4:costs=0"], "random:4:4:costs=0: costs are drawn from 1 up to a number"),
    ],
)
def test_bad_input_is_one_sentence_and_code_3(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 3
    said = capsys.readouterr().err
    assert message in said
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize("command", ["verify", "plan", "sweep", "report"])
@pytest.mark.parametrize("below", ["", "deeper"])
def test_results_that_cannot_be_kept(
    tmp_path: Path, command: str, below: str, capsys: pytest.CaptureFixture[str]
) -> None:
    taken = tmp_path / "taken"
    if command == "report" and not below:
        taken.mkdir()
    else:
        taken.write_text("mine")
    assert main([command, RING, "-o", str(taken / below)]) == 3
    said = capsys.readouterr().err
    assert said.startswith(f"{taken / below}")
    assert "cannot write here: " in said
    assert len(said.splitlines()) == 1


def test_a_folder_that_is_closed_to_us(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)  # chmod does not stop root
    assert main(["verify", RING, "-o", str(tmp_path / "out")]) == 3
    assert capsys.readouterr().err == f"{tmp_path / 'out'}: cannot write here: Permission denied\n"


def test_sweep_calls_bad_input_by_its_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # Nothing is left to run, so Spark is not started.
    assert main(["sweep", "random:3:3", RING, "--failures", "groups", "-o", str(tmp_path)]) == 3
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].startswith("bad input random:3:3: scenarios 'groups': no risk group is declared")
    assert printed[1].startswith(f"bad input {RING}: ")
    assert "UNKNOWN" not in "".join(printed)


def test_a_network_without_links(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "n.toml").write_text('brokers = ["1", "2"]\n')
    assert main(["verify", str(tmp_path / "n.toml"), "--failures", "brokers"]) == 1
    assert main(["verify", str(tmp_path / "n.toml"), "--tolerate", "partitions"]) == 3
    assert "1 of 0 links cannot fail; the network has 0 links and 2 brokers" in capsys.readouterr().err


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys\nfrom homing.overlay.__main__ import main\nmain(['--help'])\n"
        "heavy = {'numpy', 'numba', 'pyspark', 'pyarrow', 'pandas', 'networkx'} & set(sys.modules)\n"
        "sys.exit(f'loaded {heavy}' if heavy else 0)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 0, result.stderr
