"""The session, and a cluster of which a worker is killed in the middle of each run."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
import pyarrow.parquet as pq
import pyspark
import pytest

from homing.core.errors import HomingError
from homing.overlay.chunks import Job
from homing.overlay.readers import load
from homing.overlay.sweeping import slug
from homing.overlay.verification import verify
from homing.spark import JVM, find_java, is_local
from tests.scale import SCALE

SPARK_CLASS = str(Path(pyspark.__file__).parent / "bin" / "spark-class")
LOOPBACK = "127.0.0.1"
# Small, but one task each: many are still to be done when the worker dies.
NETWORKS = [f"random:12:20:seed={seed}" for seed in range(7)]
COLOURS = 1_351
# One more than are killed.
WORKERS = 3 if SCALE >= 2 else 2


def test_masters_of_this_machine() -> None:
    assert is_local("local[2]")
    assert is_local("spark://127.0.0.1:7077")
    assert not is_local("spark://cluster:7077")


def test_a_machine_without_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JAVA_HOME", "")  # set and not deleted, so that it is put back
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    with pytest.raises(HomingError, match="Spark needs Java 17"):
        find_java()
    (tmp_path / "java").write_text("17 /opt/java\n")
    find_java()
    assert os.environ["JAVA_HOME"] == "/opt/java"


def test_a_master_that_does_not_exist() -> None:
    code = "from homing.spark import session; session('nonsense')"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert "Spark does not start on nonsense" in result.stderr


@pytest.mark.slow
def test_killing_workers_loses_nothing(tmp_path: Path) -> None:
    with cluster(tmp_path) as (master, workers):
        check_states(tmp_path, master, workers[0], workers[1])
        if SCALE >= 2:  # as for states; and a sweep that is killed as a whole is tested with the overlay
            sweep_networks(tmp_path / "out", master, workers[1])


def executors(worker: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """The processes of a worker that run tasks, once one of them has begun."""
    found = {}
    for each in psutil.Process(worker.pid).children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            found[each] = " ".join(each.cmdline())
    if not any("pyspark.daemon" in line for line in found.values()):
        return []
    return [each for each, line in found.items() if "CoarseGrainedExecutorBackend" in line]


def check_states(folder: Path, master: str, worker: subprocess.Popen[bytes], other: subprocess.Popen[bytes]) -> None:
    """A state space, while an executor of one worker dies, and another worker."""
    shutil.copy(Path(__file__).parent / "engines" / "spark" / "counters.py", folder)
    command = [sys.executable, "-m", "homing", "check", "--engine", "spark", "--python", "-q", "counters.py"]
    command += ["--master", master, "--partitions", "8", "--run-folder", "runs", "--json", "out.json"]
    check = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        # From here on rounds are done by workers.
        wait_for(lambda: check.poll() is not None or states(folder) > 60_000, 180)
        wait_for(lambda: check.poll() is not None or bool(executors(other)), 180)
        for executor in executors(other):
            os.kill(executor.pid, signal.SIGKILL)
        os.kill(worker.pid, signal.SIGKILL)
        assert check.poll() is None, check.communicate()[1]  # killed in the middle
        said = check.communicate(timeout=180)[1]
    finally:
        check.kill()
    assert check.returncode == 0, said
    found = json.loads((folder / "out.json").read_text())
    assert {result["verdict"] for result in found["results"]} == {"HOLDS"}
    assert found["results"][0]["distinct"] == 7**6
    assert found["results"][0]["depth"] == 6 * 6 + 1


def states(folder: Path) -> int:
    found = list(folder.glob("runs/*/run.json"))
    return (
        sum(part["states"] for part in json.loads(found[0].read_text())["document"]["parts"].values()) if found else 0
    )


def sweep_networks(out: Path, master: str, worker: subprocess.Popen[bytes]) -> None:
    """A sweep, while a worker dies."""
    command = [sys.executable, "-m", "homing.overlay", "sweep", *NETWORKS, "--failures", "links:1-3", "--routes"]
    sweep = subprocess.Popen([*command, "--master", master, "-o", str(out)], stdout=subprocess.PIPE, text=True)
    try:
        wait_for(lambda: any(out.rglob("chunks/*.json")), 180)
        os.kill(worker.pid, signal.SIGKILL)
        assert len(list(out.rglob("chunks/*.json"))) < len(NETWORKS)  # killed in the middle
        printed, _ = sweep.communicate(timeout=180)
    finally:
        sweep.kill()
    assert sweep.returncode == 1, printed
    assert f"{len(NETWORKS)} networks, {len(NETWORKS) * COLOURS} colours, 0 with bad input" in printed
    for source in NETWORKS:
        verdicts = pq.read_table(out / slug(source) / "verdicts").sort_by("colour")
        expected = verify(Job("", load(source).to_json(), "links:1-3").scenarios(), switching="none")
        assert verdicts["colour"].to_pylist() == list(range(1, COLOURS + 1))
        assert (verdicts["partitioned"].to_numpy() == expected.column("partitioned")).all()
        assert (verdicts["changed"].to_numpy() == expected.column("changed")).all()


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A master and workers of one core each, on loopback only."""
    find_java()
    with socket.socket() as free:
        free.bind((LOOPBACK, 0))
        port = free.getsockname()[1]
    environment = os.environ | {
        "SPARK_LOCAL_IP": LOOPBACK,
        "SPARK_DAEMON_MEMORY": "512m",
        "SPARK_DAEMON_JAVA_OPTS": JVM,
    }
    started: list[subprocess.Popen[bytes]] = []

    def start(name: str, *arguments: str) -> subprocess.Popen[bytes]:
        log = (folder / f"{name}.log").open("wb")
        process = subprocess.Popen(
            [SPARK_CLASS, *arguments], stdout=log, stderr=subprocess.STDOUT, env=environment, cwd=folder
        )
        started.append(process)
        return process

    base = "org.apache.spark.deploy"
    try:
        start("master", f"{base}.master.Master", "--host", LOOPBACK, "--port", str(port), "--webui-port", "0")
        master = f"spark://{LOOPBACK}:{port}"
        options = ("--host", LOOPBACK, "--webui-port", "0", "--cores", "1", "--memory", "1500m")
        workers = [
            start(f"worker{n}", f"{base}.worker.Worker", *options, "-d", str(folder / f"work{n}"), master)
            for n in range(WORKERS)
        ]
        wait_for(lambda: (folder / "master.log").read_bytes().count(b"Registering worker") == WORKERS, 90)
        yield master, workers
    finally:
        for process in started[::-1]:
            process.terminate()
        for process in started:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(20)


def wait_for(condition: Callable[[], bool], seconds: float) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "waited too long"
        time.sleep(0.05)


def test_a_session_listens_on_loopback_only(spark: Any) -> None:
    assert spark.conf.get("spark.driver.bindAddress") == LOOPBACK
    assert spark.sparkContext.uiWebUrl is None
