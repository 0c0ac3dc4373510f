"""What `homing overlay export` writes and prints."""

from __future__ import annotations

import time
from pathlib import Path

from homing.overlay import store
from homing.overlay.export.smv import Export
from homing.report import files
from homing.report.files import STDOUT, say


def run(export: Export, file: Path) -> int:
    """Writes the text; what it holds is printed unless the text itself goes there."""
    started = time.monotonic()
    text = "\n".join(export.lines()) + "\n"
    if str(file) == STDOUT:
        files.write(STDOUT, text)
        return 0
    with store.writing(file):
        file.write_text(text, encoding="ascii")
    say(f"{export.network.name}: {len(export.network.brokers)} brokers, {len(export.distinct)} pairs")
    for note in export.network.notes:
        say(f"  note: {note}")
    if not export.coloured and export.asked.subpaths:
        _print_cover(export)
    spent = time.monotonic() - started
    lines = text.count("\n")
    say(f"{file}: {len(export.specs)} specifications of deliveries, {lines:,} lines ({spent:.2f} s)")
    return 0


def _print_cover(export: Export) -> None:
    cover, printed = export.cover, export.shortcut
    asked = len(export.pairs)
    say(f"  {len(cover.checked)} of {asked} paths are left by sub-path detection, the others are parts of these")
    if printed.backwards:
        share = 100 * printed.wrong_backwards / printed.backwards
        say(
            f"  the thesis's pseudo-code leaves {len(printed.checked)}; it marks {printed.backwards} ways back as "
            f"checked, {printed.wrong_backwards} of them wrongly ({share:.1f} %)"
        )
    if printed.unchecked:
        say(f"    and never checks {_shown(export, printed.unchecked)}")


def _shown(export: Export, pairs: tuple[tuple[int, int], ...], most: int = 5) -> str:
    names = export.network.broker_names
    listed = ", ".join(f"{names[u]} to {names[v]}" for u, v in pairs[:most])
    return listed + (f" and {len(pairs) - most} more" if len(pairs) > most else "")
