"""What a lookup takes in arrays of several sizes (the thesis's Figure 6-9), a million at random places.

Times are those of the machine that runs it; what travels is their ratio. Measured is the thesis's two steps, the array
colour x destination and the entry it points to, compiled; and beside it the same in Python, as lists and as a dict.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from homing.overlay.comparing.comparison import Comparison, number
from homing.report.plots import Plot, Series

BROKERS = (10, 32, 100, 316, 1000, 2000)
DEGREE = 4
LOOKUPS = 1_000_000
REPEATS = 9
MOST_IN_PYTHON = 250_000  # cells; lists and a dict of more fill the memory rather than the figure
ARRAY, LISTS, DICT = "array, compiled", "lists, Python", "dict, Python"
NANOSECONDS = 1e9


@dataclass(frozen=True)
class Asked:
    """An array [destination, colour] of addresses, the entries' next hops, and random questions."""

    addresses: npt.NDArray[np.int32]
    entries: npt.NDArray[np.uint16]
    colours: npt.NDArray[np.int64]
    destinations: npt.NDArray[np.int64]


@dataclass(frozen=True)
class Times:
    """Nanoseconds a lookup: of the fastest run, which others on the machine disturb least, and of the slowest."""

    fastest: float
    slowest: float


def ask(brokers: int, count: int, seed: int = 0) -> Asked:
    """Sizes as of a real network; what the cells hold changes nothing, so it is drawn."""
    rng = np.random.default_rng(seed)
    colours = brokers * DEGREE // 2 + 1
    entries = rng.integers(0, brokers, 2 * brokers).astype(np.uint16)
    addresses = rng.integers(0, len(entries), (brokers, colours)).astype(np.int32)
    return Asked(addresses, entries, rng.integers(0, colours, count), rng.integers(0, brokers, count))


def by_array(asked: Asked) -> Callable[[], int]:
    from homing.overlay.kernels.lookup import look_up

    return lambda: int(look_up(asked.addresses, asked.entries, asked.colours, asked.destinations))


def by_lists(asked: Asked) -> Callable[[], int]:
    addresses, entries = asked.addresses.tolist(), asked.entries.tolist()
    questions = list(zip(asked.destinations.tolist(), asked.colours.tolist()))
    return lambda: sum(entries[addresses[d][c]] for d, c in questions)


def by_dict(asked: Asked) -> Callable[[], int]:
    entries = asked.entries.tolist()
    known = {at: entries[address] for at, address in np.ndenumerate(asked.addresses)}
    questions = list(zip(asked.destinations.tolist(), asked.colours.tolist()))
    return lambda: sum(known[question] for question in questions)


WAYS = {ARRAY: by_array, LISTS: by_lists, DICT: by_dict}


def clock(run: Callable[[], int], count: int, repeats: int = REPEATS) -> Times:
    """The first run compiles and warms up, and does not count."""
    run()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        times.append((time.perf_counter() - start) / count * NANOSECONDS)
    return Times(min(times), max(times))


def measure(brokers: int, count: int = LOOKUPS) -> dict[str, Times]:
    """All ways that fit at this size."""
    asked = ask(brokers, count)
    fits = asked.addresses.size <= MOST_IN_PYTHON
    return {name: clock(way(asked), count) for name, way in WAYS.items() if fits or name == ARRAY}


def compare(brokers: Sequence[int] = BROKERS, count: int = LOOKUPS) -> Comparison:
    """Lookup times by size of the array."""
    found = {each: measure(each, count) for each in brokers}
    first, last = found[brokers[0]][ARRAY].fastest, found[brokers[-1]][ARRAY].fastest
    within = max(each for each, times in found.items() if DICT in times)
    slower = found[within][DICT].fastest / found[within][ARRAY].fastest
    return Comparison(
        "lookup",
        f"a lookup takes {number(first)} ns in the array of {brokers[0]} brokers, and {last / first:.0f} times as long"
        f" in that of {brokers[-1]}; a Python dict of {within} brokers takes {slower:.0f} times as long as the array",
        ("brokers", "colours", "array (KiB)", *(f"{name} (ns)" for name in WAYS), "against smallest"),
        tuple(
            (
                each,
                each * DEGREE // 2 + 1,
                number(each * (each * DEGREE // 2 + 1) * 4 / 1024),
                *(number(times[name].fastest) if name in times else "-" for name in WAYS),
                f"{times[ARRAY].fastest / first:.1f}",
            )
            for each, times in found.items()
        ),
        (
            f"on this machine: {count:,} lookups at random places, the fastest of {REPEATS} runs; the band in the plot"
            " ends at the slowest",
        ),
        (_plot(found, count),),
    )


def _plot(found: dict[int, dict[str, Times]], count: int) -> Plot:
    series = []
    for name in WAYS:
        kept = {each * (each * DEGREE // 2 + 1): times[name] for each, times in found.items() if name in times}
        times = list(kept.values())
        fastest = [each.fastest for each in times]
        series.append(Series(name, list(kept), fastest, fastest, [each.slowest for each in times]))
    title = f"Time of one lookup at a random place (mean of {count:,})"
    return Plot("compare-lookup", title, "cells of the array (colours × brokers)", "time (ns)", tuple(series), log="xy")
