"""`./homing test`: linters and type checks first, then pytest, whose summary is the last line.

With arguments only pytest runs, and gets them: that is the quick loop on a few tests.
"""

import os
import subprocess
import sys
from collections.abc import Sequence

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
# Tools run as modules of this Python: their scripts name the folder .venv was first made in.
PYTHON = (sys.executable, "-P", "-m")
LINT_IMPORTS = "from importlinter.cli import lint_imports_command as lint; lint(['--no-logo'])"
FORMATTED = ("src", "tests", "tools", "benchmarks", "models")
# Faults of models execute the model they vary, of which no type is known.
TYPED = FORMATTED[:-1]


def linters() -> dict[str, tuple[str, ...]]:
    return {
        "ruff format --check": (*PYTHON, "ruff", "format", "--check", *FORMATTED),
        "ruff check": (*PYTHON, "ruff", "check", *FORMATTED),
        "mypy": (*PYTHON, "mypy", *TYPED),
        "lint-imports": (*PYTHON[:-1], "-c", LINT_IMPORTS),
    }


def run(stage: str, command: Sequence[str]) -> int:
    print(f"== {stage}", flush=True)
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def from_root(argument: str) -> str:
    """A path given relative to the caller's folder, for pytest running in the root."""
    path, separator, rest = argument.partition("::")
    exists = not argument.startswith("-") and os.path.exists(path)
    return os.path.abspath(path) + separator + rest if exists else argument


def main(arguments: Sequence[str]) -> int:
    codes: dict[str, int] = {}
    if not arguments:
        codes = {stage: run(stage, command) for stage, command in linters().items()}
        failed = [stage for stage, code in codes.items() if code]
        if failed:
            print(f"== failed so far: {', '.join(failed)}", flush=True)
    codes["pytest"] = run("pytest", (*PYTHON, "pytest", *map(from_root, arguments)))
    return next((code for code in codes.values() if code), 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
