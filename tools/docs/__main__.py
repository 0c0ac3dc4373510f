"""`./homing docs`: writes what is made from the program, and builds the site; or shows it while somebody writes."""

from __future__ import annotations

import os
import subprocess
import sys

from tools.docs import pages
from tools.docs.screens import ROOT

USAGE = "usage: ./homing docs [write|build|serve]   (build, into site/, unless told otherwise)"


def main(arguments: list[str]) -> int:
    """The exit code."""
    task = arguments[0] if arguments else "build"
    if task not in ("write", "build", "serve") or len(arguments) > 1:
        print(USAGE, file=sys.stderr)
        return 3
    for path in pages.write() if task != "serve" else ():
        print(f"written: {path.relative_to(ROOT)}")
    if task == "write":
        return 0
    options = ("--strict",) if task == "build" else ()  # not --quiet: then it does not count what it does not tell
    # It would tell of itself and of what else its makers sell.
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    code = subprocess.run((sys.executable, "-m", "mkdocs", task, *options), cwd=ROOT, env=environment, check=False)
    if task == "build" and code.returncode == 0:
        print("site/index.html")
    return code.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
