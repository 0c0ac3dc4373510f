"""`./homing test`: linters and type checks first, then pytest, whose summary is the last line.

With arguments only pytest runs, and gets them: that is the quick loop on a few tests.
"""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
# Tools run as modules of this Python: their scripts name the folder .venv was first made in.
PYTHON = (sys.executable, "-P", "-m")
LINT_IMPORTS = "from importlinter.cli import lint_imports_command as lint; lint(['--no-logo'])"
FORMATTED = ("src", "tests", "tools", "benchmarks", "models")
# Faults of models execute the model they vary, of which no type is known.
TYPED = FORMATTED[:-1]
# In two processes for two cores: what `local` compiles is there when `graphs` begins.
COMPILING = (("local", "spark", "timed"), ("overlay", "graphs"))
# A process for each core, but each takes memory; tests/conftest.py says which tests go to which.
# One that crashes ends the run: the tests that it held would be waited for without end.
PARALLEL = ("--numprocesses=logical", "--maxprocesses=4", "--max-worker-restart=0")


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


@contextmanager
def compiling() -> Iterator[None]:
    """Meanwhile kernels are compiled, as otherwise every process of pytest would do for itself.

    Whether it works is for the tests to say.
    """
    quiet = subprocess.DEVNULL
    # Without -P: tests are found in the root.
    started = [
        subprocess.Popen(
            (sys.executable, "-m", "tests.kernels", *parts), cwd=ROOT, stdin=quiet, stdout=quiet, stderr=quiet
        )
        for parts in COMPILING
    ]
    try:
        yield
        for process in started:
            process.wait()
    finally:
        for process in started:
            process.kill()


def from_root(argument: str) -> str:
    """A path given relative to the caller's folder, for pytest running in the root."""
    path, separator, rest = argument.partition("::")
    exists = not argument.startswith("-") and os.path.exists(path)
    return os.path.abspath(path) + separator + rest if exists else argument


def compile_modules() -> None:
    """Once, also where the environment tells Python to write nothing: tests start many processes."""
    subprocess.run((*PYTHON, "compileall", "-q", "-j", "0", *FORMATTED), cwd=ROOT, check=False)


def lint() -> dict[str, int]:
    compile_modules()
    with compiling():
        codes = {stage: run(stage, command) for stage, command in linters().items()}
        failed = [stage for stage, code in codes.items() if code]
        if failed:
            print(f"== failed so far: {', '.join(failed)}", flush=True)
    return codes


def main(arguments: Sequence[str]) -> int:
    codes = {} if arguments else lint()
    options = [from_root(argument) for argument in arguments] or PARALLEL
    codes["pytest"] = run("pytest", (*PYTHON, "pytest", *options))
    return next((code for code in codes.values() if code), 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
