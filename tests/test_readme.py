"""The README's commands do what it says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.scale import SCALE

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
SESSIONS = re.findall(r"^```\n\$ \./homing ([^\n]+)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def homing(arguments: str) -> subprocess.CompletedProcess[str]:
    command = f"{sys.executable} -m homing {arguments}"
    return subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)


def measured(text: str) -> str:
    """The text without times and memory."""
    times = r"\([\d.]+ s\)$|[\d.]+ s, [\d,]+ MB|in [\d.]+ s$"
    return re.sub(times, "…", text.rstrip(), flags=re.MULTILINE)


def test_there_are_sessions() -> None:
    assert SESSIONS


@pytest.mark.parametrize(("arguments", "shown"), SESSIONS)
def test_a_session_prints_what_is_shown(arguments: str, shown: str) -> None:
    found = homing(arguments)
    assert measured(found.stdout) == measured(shown)
    assert found.returncode == (1 if "VIOLATED" in shown else 0)


def test_the_first_command_works() -> None:
    assert "./homing check models/kafka/acks.csp" in README
    assert "System(ALL) |= [] Durable               HOLDS" in homing("check models/kafka/acks.csp").stdout


@pytest.mark.skipif(SCALE < 2, reason="takes a minute or two; a paper of it is checked in tests/reproducing")
def test_the_second_command_works() -> None:
    assert "./homing reproduce " in README
    found = homing("reproduce")
    assert found.returncode == 0
    assert found.stdout.splitlines()[-1].startswith("5 papers, ")


@pytest.mark.parametrize("target", re.findall(r"\]\((?!http)([^)#]+)\)", README))
def test_links_lead_somewhere(target: str) -> None:
    assert (ROOT / target).exists()
