"""Screens on pages: what a fence with ```` ```console ```` shows is what its commands print.

They run in a folder of their own that sees the repository's models and networks. What they draw into docs/pictures is
kept; times and memory differ from run to run, and count as the same.
"""

from __future__ import annotations

import io
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path

from homing import cli

ROOT = Path(__file__).parents[2]
SEEN = ("models", "networks", "benchmarks")
FENCE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MEASURED = re.compile(r"\d[\d.,]* ?(?:s|MB|GB|ms|core-seconds)\b|\d+ min \d+ s|time=\"[\d.]+\"| +$", re.MULTILINE)
LEFT_OUT = "…"


@dataclass(frozen=True)
class Session:
    """One command and what is shown of its output; lines of `…` stand for any others."""

    command: str
    shown: str

    def fits(self, printed: str) -> bool:
        """Whether that is shown, but for what is measured and what is left out."""
        parts = [masked(part.strip("\n")) for part in re.split(rf"^{LEFT_OUT}$", self.shown, flags=re.MULTILINE)]
        pattern = ".*".join(re.escape(part) for part in parts)
        return re.fullmatch(pattern, masked(printed.strip("\n")), re.DOTALL) is not None


def masked(text: str) -> str:
    """The text without what differs from run to run; also blanks that only make room for it."""
    return re.sub(r"  +|─+", " ", MEASURED.sub(LEFT_OUT, text))


def sessions(block: str) -> Iterator[Session]:
    """The commands of a fence; one that ends in a backslash goes on in the next line."""
    for part in re.split(r"^(?=\$ )", block, flags=re.MULTILINE):
        if part.startswith("$ "):
            command, _, shown = part[2:].replace("\\\n", LONG).partition("\n")
            yield Session(command, shown.replace(LONG, "\\\n"))


LONG = "\x00"
"""Stands for a line that goes on, while lines are counted."""


@dataclass
class Workshop:
    """The folder that commands run in; `code` is how the last one ended."""

    folder: Path
    code: int = 0
    pictures: Path = field(init=False)

    def __post_init__(self) -> None:
        for name in SEEN:
            (self.folder / name).symlink_to(ROOT / name)
        self.pictures = self.folder / "docs" / "pictures"
        self.pictures.mkdir(parents=True)

    def run(self, command: str) -> str:
        """What it prints, on both streams."""
        command = command.replace(LONG, " ")
        if command == "echo $?":
            return f"{self.code}\n"
        before, found, homing = command.rpartition("./homing ")
        if not found or (before and not before.endswith("| ")):
            return self._shell(command)
        given = self._shell(before.removesuffix("| ")) if before else ""
        return self._homing(homing, given)

    def _shell(self, command: str) -> str:
        """Something else than Homing."""
        ran = subprocess.run(command, shell=True, cwd=self.folder, capture_output=True, text=True, check=False)
        self.code = ran.returncode
        return ran.stdout + ran.stderr

    def _homing(self, arguments: str, given: str) -> str:
        """In this process: to start another for each would take longer than most checks."""
        out, before = io.StringIO(), sys.stdin
        quiet = ["--quiet"] if arguments.startswith("check ") else []
        try:
            sys.stdin = io.TextIOWrapper(io.BytesIO(given.encode()))
            with chdir(self.folder), redirect_stdout(out), redirect_stderr(out):
                self.code = cli.run([*shlex.split(arguments), *quiet])
        finally:
            sys.stdin = before
        # Whether code had to be compiled first depends on what ran before.
        return "".join(line for line in out.getvalue().splitlines(True) if "is compiled, once" not in line)


def renewed(text: str, workshop: Workshop) -> str:
    """A page with what its commands print now; what fits stays as it is."""

    def block(match: re.Match[str]) -> str:
        lines = []
        for session in sessions(match[1]):
            printed = workshop.run(session.command)
            shown = session.shown if session.fits(printed) else f"{printed.strip(chr(10))}\n".lstrip("\n")
            lines += [f"$ {session.command.replace(LONG, chr(92) + chr(10))}\n", shown]
        return f"```console\n{''.join(lines)}```"

    return FENCE.sub(block, text)
