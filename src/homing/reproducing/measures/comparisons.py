"""Measures on many networks: lengths of ways, sizes of tables, alternates."""

from __future__ import annotations

from collections.abc import Callable

from homing.overlay.comparing import alternates, lookup, paths, sizes
from homing.overlay.comparing.comparison import Comparison, Estimate
from homing.reproducing.claims import Facts
from homing.reproducing.measures import Bench, Measured

SEEDS = 5
"""Networks that are drawn for an average."""
POWERS = {1: "linear", 2: "quadratic", 3: "cubic"}


def lengths(bench: Bench, about: Facts) -> Measured:
    """Which scheme's ways around a failed link are nearest to those before it failed."""
    found = paths.compare([about["network"]], SEEDS)
    means = {str(row[0]): _mean(row[1]) for row in found.rows}
    nearest = min((name for name in means if name != paths.FREE), key=means.__getitem__)
    return _measured({"nearest": nearest}, found, f"nearest {nearest}; {found.finding}")


def growth(bench: Bench, about: Facts) -> Measured:
    """How the entries of a broker grow with the number of brokers, in one form of tables."""
    if "sizes" not in bench.known:
        bench.known["sizes"] = sizes.compare(SEEDS)
    found = bench.known["sizes"]
    assert isinstance(found, Comparison)
    column = found.columns.index(about["form"])
    counts, entries = [int(str(row[0])) for row in found.rows], [_mean(row[column]) for row in found.rows]
    fitted = sizes.grow(counts, entries)
    word = "exponential" if fitted.exponential > fitted.fit else POWERS.get(round(fitted.power), "other")
    return _measured({"growth": word}, found, f"{word}: as N^{fitted.power:.2f}, at R² {fitted.fit:.4f}")


def lookups(bench: Bench, about: Facts) -> Measured:
    """Whether to look up a next hop takes next to nothing, compared with sending the packet."""
    found = lookup.measure(about["brokers"])[lookup.ARRAY]
    share = found.fastest * 1e-9 / about["sending"]
    text = f"{found.fastest:.1f} ns, a part of {share:.0e} of the time to send a packet"
    return Measured({"negligible": share < about["below"]}, text, "homing overlay compare --what lookup")


def coverage(bench: Bench, about: Facts) -> Measured:
    """What loop-free alternates recover after a link fails, of all that can be."""
    found = alternates.compare([about["network"]], SEEDS)
    columns = {name: _mean(found.rows[0][at]) for at, name in enumerate(found.columns) if name.endswith("%")}
    everything = {"alternates": columns["link %"] >= 100, "PCRT": columns["PCRT, link %"] >= 100}
    text = f"alternates {columns['link %']:.0f} %, PCRT {columns['PCRT, link %']:.0f} % of what can be recovered"
    return _measured(everything, found, text)


def _mean(cell: object) -> float:
    assert isinstance(cell, int | float | Estimate)
    return cell.mean if isinstance(cell, Estimate) else float(cell)


def _measured(facts: Facts, found: Comparison, text: str) -> Measured:
    return Measured(facts, text, f"homing overlay compare --what {found.what}", plots=found.plots)


MEASURES: dict[str, Callable[[Bench, Facts], Measured]] = {
    "lengths": lengths,
    "growth": growth,
    "lookups": lookups,
    "alternates": coverage,
}
