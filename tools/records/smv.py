"""Answers of NuSMV: verdicts in the order of the file, reachable states, diameter, and states without a successor."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.languages.catalogue.case import ERROR, Case

COMMANDS = """set on_failure_script_quits
read_model -i named.smv
flatten_hierarchy
encode_variables
build_model
check_property
show_property
print_reachable_states
check_fsm
quit
"""
SPECIFICATION = re.compile(r"\b(CTLSPEC|SPEC|LTLSPEC|INVARSPEC|COMPUTE)\b(?! NAME)")
LISTED = re.compile(r"\[(?:CTL|LTL|Invar|Quantitative)\s+(\S+)\s+\S+\s+(?:\w+\.)*s(\d+)\]")
REACHED = re.compile(r"system diameter: (\d+)\nreachable states: (\d+)")
LETTERS = {"True": "H", "False": "V"}


def answers(cases: Iterable[Case], tool: str) -> tuple[str, dict[str, str]]:
    """Asks the program `tool` about each case."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "commands").write_text(COMMANDS, "utf-8")
        found = {case.key: _answer(case, tool, folder) for case in cases}
    banner = subprocess.run([tool, "-help"], capture_output=True, text=True, check=False)
    version = re.search(r"This is (NuSMV \S+)", banner.stdout + banner.stderr)
    assert version is not None, banner
    return version[1], found


def _answer(case: Case, tool: str, folder: Path) -> str:
    (text,) = case.files.values()
    (folder / "named.smv").write_text(_named(text), "utf-8")
    command = [tool, "-dcx", "-source", "commands"]
    run = subprocess.run(
        command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False
    )
    reached = REACHED.search(run.stdout)
    if run.returncode or reached is None:
        return ERROR
    verdicts = {int(number): LETTERS.get(value, value) for value, number in LISTED.findall(run.stdout)}
    dead = " dead" if "The transition relation is not deadlock-free" in run.stdout else ""
    return f"{''.join(verdicts[number] for number in sorted(verdicts))} {reached[2]}/{reached[1]}{dead}"


def _named(text: str) -> str:
    """With a name for each specification, since NuSMV answers in an order of its own."""
    pieces = SPECIFICATION.split(text)
    numbered = (
        f"{keyword} NAME s{number} :={rest}"
        for number, (keyword, rest) in enumerate(zip(pieces[1::2], pieces[2::2], strict=True))
    )
    return pieces[0] + "".join(numbered)
