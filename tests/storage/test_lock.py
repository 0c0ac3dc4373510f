"""One run per folder, and locks that nobody holds any more."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from homing.core.errors import HomingError, Place
from homing.storage import lock
from homing.storage.seal import sealed, unsealed
from homing.storage.tree import Tree


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


def owner(tree: Tree) -> dict[str, Any]:
    found: dict[str, Any] = unsealed(lock.NAME, tree.open(lock.NAME).read())
    return found


def told(tree: Tree, **other: Any) -> None:
    """Has the lock say something else."""
    tree.replace(lock.NAME, sealed(lock.NAME, owner(tree) | other))


def test_the_second_is_kept_out_until_the_first_is_done(tree: Tree) -> None:
    first, said = lock.taken(tree, "runs")
    assert said is None
    with pytest.raises(HomingError, match=rf"runs: is used by another run: process {os.getpid()} on "):
        lock.taken(tree, "runs")
    first.release()
    assert not tree.has(lock.NAME)
    lock.taken(tree, "runs")[0].release()


def test_a_process_that_is_gone_holds_nothing(tree: Tree) -> None:
    script = "import sys; from homing.storage import lock, tree; lock.taken(tree.Tree(sys.argv[1]), 'runs')"
    subprocess.run([sys.executable, "-c", script, tree.root], check=True, timeout=60)
    assert tree.has(lock.NAME)
    mine, said = lock.taken(tree, "runs")
    assert "ended without saying so" in str(said)
    assert owner(tree)["process"] == os.getpid()
    mine.release()


def test_another_process_of_the_same_number_is_another(tree: Tree) -> None:
    first, _ = lock.taken(tree, "runs")
    told(tree, token="0" * 32, started=psutil.Process().create_time() - 1000)
    second, said = lock.taken(tree, "runs")
    assert "ended without saying so" in str(said)
    first.release()  # which is not its own any more
    assert owner(tree)["token"] == second.token
    second.release()


@pytest.mark.parametrize(
    ("silent", "stale"), [(lock.SILENT_SECONDS - 60, False), (lock.SILENT_SECONDS + 60, True)], ids=["short", "long"]
)
def test_another_machine_is_gone_when_it_was_silent_for_long(tree: Tree, silent: float, stale: bool) -> None:
    lock.taken(tree, "runs")
    told(tree, host="elsewhere", process=1, beat=time.time() - silent)
    if stale:
        mine, said = lock.taken(tree, "runs")
        assert said == "the run of process 1 on elsewhere gave no sign of life for 11 minutes"
        mine.release()
    else:
        with pytest.raises(HomingError, match="is used by another run: process 1 on elsewhere"):
            lock.taken(tree, "runs")


def test_a_machine_that_was_started_again_holds_nothing(tree: Tree) -> None:
    lock.taken(tree, "runs")
    told(tree, machine="before", host=socket.gethostname(), beat=psutil.boot_time() - 5)
    mine, said = lock.taken(tree, "runs")
    assert "when the machine was started again" in str(said)
    mine.release()


def test_signs_of_life(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    mine, _ = lock.taken(tree, "runs")
    told(tree, beat=0.0)
    mine.beat()
    assert owner(tree)["beat"] > 0
    told(tree, token="0" * 32, beat=0.0)
    mine.beat()  # another's
    assert owner(tree)["beat"] == 0
    mine.release()
    assert tree.has(lock.NAME)


def test_a_lock_that_says_nothing_is_not_taken_for_none(tree: Tree) -> None:
    tree.replace(lock.NAME, b"{}")
    with pytest.raises(HomingError, match=r"runs: lock\.json is damaged.*; remove it if no other run works"):
        lock.taken(tree, "runs")


def test_a_stale_lock_that_someone_else_takes_first(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two find it stale; the slower one must not remove what the quicker one put there."""
    first, _ = lock.taken(tree, "runs")
    stale = owner(tree) | {"token": "0" * 32}
    with pytest.raises(HomingError, match="at the same time"):
        lock._clear_away(tree, stale, lock.Lock(tree, "runs"), Place("runs"))
    assert owner(tree)["token"] == first.token
    assert list(tree.names()) == [lock.NAME]
    first.release()
