"""Runs command lines in the test's own process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import pytest

from homing import cli


@dataclass(frozen=True)
class Ran:
    """How a command line ended, and what it printed."""

    code: int
    out: str
    err: str


Homing: TypeAlias = Callable[..., Ran]


def runner(capsys: pytest.CaptureFixture[str]) -> Homing:
    """A function from the arguments of `homing` to what came of it."""

    def run(*arguments: object) -> Ran:
        # The first run on a machine compiles, and would say so on stderr.
        quiet = ["--quiet"] if arguments[:1] == ("check",) else []
        code = cli.run([*map(str, arguments), *quiet])
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run
