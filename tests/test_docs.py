"""The pages show what happens: their code is run, and what is made from the program is as the program now is."""

from __future__ import annotations

import doctest
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tools.docs import pages
from tools.docs.hooks import on_page_markdown
from tools.docs.screens import FENCE, Session, Workshop, sessions

from homing import expect
from homing.overlay import load, scenarios
from homing.overlay.simulation.files import packets
from homing.overlay.simulation.routes import Routes
from homing.overlay.simulation.run import simulate
from homing.overlay.simulation.settings import Settings
from tests.command_line import runner

ROOT = Path(__file__).parent.parent
RENEW = "./homing docs write"


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


@pytest.mark.parametrize("name", pages.WRITTEN)
def test_what_is_made_from_the_program_is_up_to_date(name: str) -> None:
    assert (ROOT / "docs" / name).read_text("utf-8") == pages.WRITTEN[name](), f"{RENEW} would change it"


@pytest.mark.parametrize("page", pages.with_screens(), ids=lambda page: str(page.relative_to(ROOT / "docs")))
def test_screens_and_pictures_are_what_commands_give(page: Path, tmp_path: Path) -> None:
    workshop = Workshop(tmp_path)
    for block in FENCE.findall(page.read_text("utf-8")):
        for session in sessions(block):
            printed = workshop.run(session.command)
            assert session.fits(printed), f"{RENEW} would change it: $ {session.command}\n{printed}"
    for picture in workshop.pictures.iterdir():
        assert (ROOT / "docs/pictures" / picture.name).read_text() == picture.read_text(), picture.name


@pytest.mark.parametrize(
    ("shown", "printed", "fits"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a\nb\n", "a\nc\n", False),
        ("a; 0.20 s, 31 MB\n", "a; 11.4 s, 1,204 MB\n", True),
        ("41 states; 0.2 s\n", "42 states; 0.2 s\n", False),
        ("a\n…\nd\n", "a\nb\nc\nd\n", True),
        ("…\nd\n", "a\nb\nc\n", False),
        ("a\n…\n", "a\n", True),
        ("a.b\n", "a+b\n", False),
    ],
)
def test_what_fits_on_a_screen(shown: str, printed: str, fits: bool) -> None:
    assert Session("", shown).fits(printed) is fits


def test_commands_of_a_screen(tmp_path: Path) -> None:
    block = "$ printf '%s\\n' a \\\n  b\na\nb\n$ ./homing check nothing.csp\n…\n$ echo $?\n3\n"
    workshop, found = Workshop(tmp_path), list(sessions(block))
    assert len(found) == 3
    for session in found:
        assert session.fits(workshop.run(session.command))
    assert "nothing.csp" in workshop.run(found[1].command)
    piped = "echo 'data!0' | ./homing replay models/tutorial/channel.csp -"
    assert "a trace of System(), 1 event" in workshop.run(piped)


def test_bars_in_code_are_shown_as_they_are() -> None:
    page = "| `a \\| b` | c \\| d |\n`a \\| b`"
    assert on_page_markdown(page) == "| `a | b` | c \\| d |\n`a \\| b`"


def build(folder: Path) -> None:
    """The site; anything that mkdocs warns of is an error."""
    # Not --quiet: then it does not count what it does not tell.
    command = (sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder))
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=environment)
    assert built.returncode == 0, built.stderr


def loaded(page: Path) -> Iterator[str]:
    """What a browser would load with a page."""
    text = page.read_text("utf-8")
    yield from re.findall(r"<(?:script|img|iframe|source)\b[^>]*\bsrc=\"?([^\s\">]+)", text)
    yield from re.findall(r"<link\b[^>]*\bhref=\"?([^\s\">]+)", text)


def test_the_site_has_every_page_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    build(tmp_path)
    for page in (ROOT / "docs").rglob("*.md"):
        assert (tmp_path / page.relative_to(ROOT / "docs").with_suffix(".html")).exists()
    for page in tmp_path.rglob("*.html"):
        for target in loaded(page):
            assert "//" not in target, (page, target)
            # Only 404.html, which is shown at any address, begins at the root.
            place = tmp_path if target.startswith("/") else page.parent
            assert (place / target.partition("?")[0].lstrip("/")).exists(), (page, target)


def test_the_page_on_files_has_every_key(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    page = (ROOT / "docs/reference/files.md").read_text()
    run = runner(capsys)("check", "models/tutorial/faults/channel_takes_all.csp", "--json", "-")
    document = json.loads(run.out)
    (result,) = (result for result in document["results"] if result["trace"])
    keys = {*document, *result, *result["trace"], *result["trace"]["moves"][0]}
    assert not [key for key in keys if f"`{key}`" not in page and f'"{key}"' not in page]


def test_the_page_on_parquet_has_every_column_of_packets() -> None:
    run = simulate(Routes(scenarios(load("random:4:5:seed=1"), "links")), "pcrt", Settings(until=3.0))
    page = (ROOT / "docs/reference/parquet.md").read_text().partition("## Simulations")[2]
    assert set(re.findall(r"`(\w+)`", page)) >= set(packets(run).column_names)
