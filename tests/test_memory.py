from __future__ import annotations

import os
from pathlib import Path

import psutil
import pytest

from homing import memory


def test_memory_is_what_the_system_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    resident, physical = psutil.Process().memory_info().rss / 2**20, psutil.virtual_memory().total / 2**20
    assert memory.resident_mb() == pytest.approx(resident, rel=0.1)
    assert memory.physical_mb() == pytest.approx(physical, rel=0.01)
    # Where it says nothing by itself, as on other systems.
    monkeypatch.setattr(memory, "STATM", tmp_path / "nothing")
    monkeypatch.delattr(os, "sysconf")
    assert memory.resident_mb() == pytest.approx(resident, rel=0.1)
    assert memory.physical_mb() == pytest.approx(physical, rel=0.01)
