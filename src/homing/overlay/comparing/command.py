"""`homing overlay compare`: prints a finding and its table for each comparison, and writes the plots."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from homing.core.errors import HomingError
from homing.overlay.comparing.comparison import Comparison, Estimate
from homing.report.files import say, say_json
from homing.report.plots import save
from homing.report.wording import printable

WHAT = ("paths", "tables", "lookup", "alternates")
OF_NETWORKS = ("paths", "alternates")
NETWORK = "random:32:64"


def run(sources: Sequence[str], what: str, seeds: int, out: Path | None, as_json: bool) -> int:
    wanted = chosen(what, bool(sources))
    found: list[Comparison] = []
    for each in wanted:
        comparison = compare(each, sources, seeds)
        if out:
            for plot in comparison.plots:
                save(plot, out)
        if not as_json:
            _print(comparison, len(found) > 0)
        found.append(comparison)
    if as_json:
        say_json([each.as_data() for each in found])
    elif out:
        names = ", ".join(plot.name for each in found for plot in each.plots)
        say()
        say(f"written to {out}, as .svg, .png and .csv: {names}")
    return 0


def chosen(what: str, named: bool) -> list[str]:
    """The comparisons asked for, once each, in their order."""
    words = [word.strip() for word in what.split(",")]
    for word in words:
        if word not in WHAT:
            raise HomingError(f"unknown comparison '{word}'", None, WHAT)
    if named and not set(words) & set(OF_NETWORKS):
        raise HomingError(f"{' and '.join(dict.fromkeys(words))} draw their own networks: leave NETWORK out")
    return [each for each in WHAT if each in words]


def compare(what: str, sources: Sequence[str], seeds: int) -> Comparison:
    from homing.overlay.comparing import alternates, lookup, paths, sizes

    if what == "paths":
        return paths.compare(sources or (NETWORK,), seeds)
    if what == "tables":
        return sizes.compare(seeds)
    if what == "lookup":
        return lookup.compare()
    return alternates.compare(sources or alternates.NETWORKS, seeds)


def _print(comparison: Comparison, more: bool) -> None:
    if more:
        say()
    say(f"{comparison.what}: {comparison.finding}")
    say()
    rows = [comparison.columns, *([printable(_text(cell)) for cell in row] for row in comparison.rows)]
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        cells = [cell.rjust(width) if at else cell.ljust(width) for at, (cell, width) in enumerate(zip(row, widths))]
        say("  ".join(cells).rstrip())
    say()
    for note in comparison.notes:
        say(f"  {note}")


def _text(cell: str | int | float | Estimate) -> str:
    return f"{cell:,.0f}" if isinstance(cell, float) else str(cell)
