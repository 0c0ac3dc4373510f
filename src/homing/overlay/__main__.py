"""`python -m homing.overlay`: the same commands, without the rest of the command line."""

from __future__ import annotations

import sys

import typer

from homing.core.errors import HomingError
from homing.overlay.commands import app
from homing.report.files import say

BAD_INPUT = 3


def main(arguments: list[str] | None = None) -> int:
    """Runs a command line; the exit code."""
    try:
        command = typer.main.get_command(app)
        code = command.main(arguments, prog_name="homing overlay", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except HomingError as error:
        say(str(error) if error.place else f"homing: {error}", sys.stderr)
        return BAD_INPUT


if __name__ == "__main__":
    sys.exit(main())
