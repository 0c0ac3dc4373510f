"""The pages show what happens: their code is run."""

from __future__ import annotations

import doctest
import io
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest

from homing import expect
from tests.command_line import runner

ROOT = Path(__file__).parent.parent


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", (ROOT / "docs" / page).read_text(), re.MULTILINE | re.DOTALL)


def test_the_python_api_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    text = "\n".join(blocks("python-api.md", "python"))
    names: dict[str, Any] = {}
    test = doctest.DocTestParser().get_doctest(text, names, "python-api.md", "python-api.md", 0)
    shown: list[str] = []
    results = doctest.DocTestRunner().run(test, out=shown.append)
    assert results.attempted > 10
    assert not results.failed, "".join(shown)


def test_the_expect_page_shows_what_stands_beside_the_demo() -> None:
    (example,) = (tomllib.loads(block) for block in blocks("expect.md", "toml"))
    written = tomllib.loads((ROOT / "models/demo/expect.toml").read_text())
    name = "requests.py"
    assert {**example[name], "properties": None} == {**written[name], "properties": None}
    assert example[name]["properties"].keys() == written[name]["properties"].keys()


def test_the_expect_page_lists_every_key() -> None:
    page = (ROOT / "docs/expect.md").read_text()
    for key in (*expect.COUNTS, *expect.DETAILS, "properties", "verdict", *expect.VERDICTS):
        assert key in page


def test_the_charts_page(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (session,) = (block for block in blocks("charts.md", "") if block.startswith("$ ./homing "))
    command, shown = session.split("\n…\n")
    ran = runner(capsys)(*shlex.split(command)[2:])
    assert ran.out.rstrip().endswith(shown.rstrip())


def test_the_tla_page(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (sidecar,) = (tomllib.loads(block) for block in blocks("languages/tla.md", "toml"))
    assert sidecar == tomllib.loads((ROOT / "models/kafka/transactions.chart.toml").read_text())
    page = (ROOT / "docs/languages/tla.md").read_text()
    (session,) = re.findall(r"^```\n(\$ \./homing .*?)^```", page, re.MULTILINE | re.DOTALL)
    command, shown = session.split("\n…\n")
    ran = runner(capsys)(*shlex.split(command)[2:])
    assert shown.rstrip() in ran.out


def test_the_replay_page(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (session,) = (block for block in blocks("replay.md", "") if block.startswith("$ echo "))
    command, shown = session.split("\n", 1)
    echo, replay = command.split(" | ")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(shlex.split(echo)[2].encode())))
    ran = runner(capsys)(*shlex.split(replay)[1:])
    assert (ran.code, ran.out) == (1, shown)
