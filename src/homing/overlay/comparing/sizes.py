"""How many entries a broker stores (the thesis's Figures 6-11 to 6-13), for networks of 10 to 100 brokers.

Plain is a table a colour. Condensed has every (destination, next hop) once; to be looked up it needs the array
colour x destination, which the thesis leaves out of its figures. Changes are the normal table and what differs from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from homing.overlay.colours import scenarios
from homing.overlay.comparing.comparison import Comparison, Estimate, drawn, estimate, line
from homing.overlay.tables import plan
from homing.report.plots import Plot, Series

BROKERS = tuple(range(10, 101, 10))
DEGREE = 4
FORMS = ("plain", "condensed", "lookup array", "normal and changes")
DEGREES = tuple(range(2, 11))


@dataclass(frozen=True)
class Growth:
    """How entries grow with brokers: the power that fits best, and how well that and an exponential fit (R²)."""

    power: float
    fit: float
    exponential: float


def printed(brokers: int, degree: float) -> float:
    """Formula 6-9 as the thesis prints it."""
    return brokers**2 * degree / 2 + brokers * (degree / 2 - 1) - 1


def right(brokers: int, degree: float) -> float:
    """The product of its formulas 6-7 and 6-5: (ND/2 + 1)(N - 1)."""
    return brokers**2 * degree / 2 - brokers * (degree / 2 - 1) - 1


def measure(brokers: int, seeds: int) -> dict[str, Estimate]:
    """Entries a broker in each form, on random networks with an average degree of 4."""
    samples: dict[str, list[float]] = {form: [] for form in FORMS}
    for network in drawn(f"random:{brokers}:{brokers * DEGREE // 2}", seeds):
        found = plan(scenarios(network, "links")).sizes()
        entries = (
            found.plain_entries, found.super_entries, found.lookup_entries, found.normal_entries + found.change_entries,
        )  # fmt: skip
        for form, count in zip(FORMS, entries):
            samples[form].append(count / brokers)
    return {form: estimate(values) for form, values in samples.items()}


def grow(brokers: Sequence[int], entries: Sequence[float]) -> Growth:
    """Straight lines through the logarithms: over log N for a power, over N for an exponential."""
    x, y = np.asarray(brokers, float), np.log(np.asarray(entries, float))
    power, fit = _straight(np.log(x), y)
    return Growth(power, fit, _straight(x, y)[1])


def _straight(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    slope, start = np.polyfit(x, y, 1)
    left = y - (slope * x + start)
    return float(slope), float(1 - (left**2).sum() / ((y - y.mean()) ** 2).sum())


def compare(seeds: int, brokers: Sequence[int] = BROKERS) -> Comparison:
    """Table sizes, beside the thesis's formula as printed and corrected."""
    found = {count: measure(count, seeds) for count in brokers}
    growth = {form: grow(brokers, [found[count][form].mean for count in brokers]) for form in FORMS}
    powers = ", ".join(f"{form} as N^{growth[form].power:.2f}" for form in FORMS)
    most = brokers[-1]
    return Comparison(
        "tables",
        f"entries a broker grow {powers}: at {most} brokers {found[most]['condensed']} condensed for"
        f" {found[most]['plain']} plain, but its lookup array has {found[most]['lookup array']}",
        ("brokers", *FORMS, "formula 6-9 as printed", "corrected"),
        tuple(
            (count, *(found[count][form] for form in FORMS), printed(count, DEGREE), right(count, DEGREE))
            for count in brokers
        ),
        (
            f"formula 6-9 has a wrong sign: N=50, D=4 gives {printed(50, 4):.0f} as printed, and"
            f" (ND/2 + 1)(N - 1) = {right(50, 4):.0f}",
            *(
                f"{form}: R² of N^{each.power:.2f} {each.fit:.4f}, of an exponential {each.exponential:.4f}"
                for form, each in growth.items()
            ),
        ),
        (*_plots(found), _formulas(found), _degrees()),
    )


def _plots(found: dict[int, dict[str, Estimate]]) -> tuple[Plot, Plot]:
    """On plain axes, and on logarithmic ones, where a power is a straight line and an exponential is not."""
    brokers = list(found)
    series = [line(form, brokers, [found[count][form] for count in brokers]) for form in FORMS]
    title, axes = f"Entries a broker stores, average degree {DEGREE}", ("brokers", "entries a broker")
    return (
        Plot("compare-tables", title, *axes, tuple(series)),
        Plot("compare-tables-log", title, *axes, tuple(series), log="xy"),
    )


def _formulas(found: dict[int, dict[str, Estimate]]) -> Plot:
    """What the formula gives too much: lines of both would lie on each other."""
    series = [
        Series(name, list(found), [formula(count, DEGREE) - each["plain"].mean for count, each in found.items()])
        for name, formula in (("as printed", printed), ("corrected", right))
    ]
    title = "Formula 6-9 minus the entries counted, average degree 4"
    return Plot("compare-formula", title, "brokers", "entries a broker too many", tuple(series))


def _degrees() -> Plot:
    """Formula 6-7; a network of 10 brokers has no degree above 9."""
    series = [
        Series(f"{count} brokers", degrees, [count * degree / 2 + 1 for degree in degrees])
        for count in (10, 20, 50, 100)
        if (degrees := [degree for degree in DEGREES if degree < count])
    ]
    title = "Tables a broker needs without condensing, single link failures"
    return Plot("compare-degree", title, "average degree", "routing tables", tuple(series))
