"""`python -m tools.records NOTATION [TOOL]`: asks an independent tool about every case of a catalogue.

`tools/records/<notation>.py` has `answers(cases, tool)`, which returns the tool's name and version, and its answers by
the keys of cases. TOOL is the path of a program where the notation needs one (TLC, NuSMV).
"""

from __future__ import annotations

import sys
from importlib import import_module

from tests.languages.catalogue import records
from tests.languages.catalogue.notations import NAMES, notation

USAGE = f"usage: python -m tools.records {{{','.join(NAMES)}}} [TOOL]"


def main(arguments: list[str]) -> int:
    """Returns the exit code."""
    if not 1 <= len(arguments) <= 2 or arguments[0] not in NAMES:
        print(USAGE, file=sys.stderr)
        return 3
    name, *tool = arguments
    cases = sorted(notation(name).cases(), key=lambda case: case.construct)
    version, answers = import_module(f"tools.records.{name}").answers(cases, *tool)
    records.write(name, cases, records.Records(version, answers))
    print(f"{records.path(name).name}: {len(cases)} answers of {version}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
