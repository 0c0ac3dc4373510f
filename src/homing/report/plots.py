"""Plots for print: SVG and PNG, and the data behind them as CSV.

Series differ by marker, dash or hatch as well as by colour, so that a plot can be read without colours; the
colours are those of Okabe and Ito, which the colour-blind tell apart. The same plot is the same bytes each time.
"""

from __future__ import annotations

import csv
import io
import math
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from homing.core.errors import HomingError, Place
from homing.report.wording import csv_cell, printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Values = Sequence[float] | npt.NDArray[Any]
KINDS = ("line", "points", "steps", "bars")
LOGS = ("", "x", "y", "xy")
COLUMNS = ("series", "x", "y", "low", "high")
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = "osD^vPX*<>"
DASHES: tuple[Any, ...] = ("-", "--", "-.", (0, (1, 1)), (0, (5, 1, 1, 1, 1, 1)), (0, (8, 3)), (0, (3, 3)))
HATCHES = ("", "////", "----", "xxxx", "\\\\\\\\", "++++", "||||")
MOST_MARKERS = 24  # a line of thousands of points would be nothing but markers
STYLE: dict[Any, Any] = {
    "svg.hashsalt": "homing",  # names of clip paths; random otherwise
    "svg.fonttype": "path",  # looks the same whatever fonts the reader has
    "font.family": "DejaVu Sans",  # comes with matplotlib
    "font.size": 9.0,
    "axes.titlesize": 10.5,
    "hatch.linewidth": 0.7,
    "text.parse_math": False,  # a dollar in a name is a dollar
}
INCHES = (6.4, 4.2)
DOTS = 200  # an inch


@dataclass(frozen=True)
class Series:
    """Points of one kind: line, points, steps (each value holds until the next) or bars; `nan` leaves a gap."""

    label: str
    x: Values
    y: Values
    low: Values | None = None
    high: Values | None = None
    kind: str = "line"

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise HomingError(f"series '{self.label}': unknown kind '{self.kind}'", None, KINDS)
        if (self.low is None) != (self.high is None):
            raise HomingError(f"series '{self.label}': an interval has a low and a high end")
        lengths = {len(values) for values in (self.x, self.y, self.low, self.high) if values is not None}
        if len(lengths) > 1:
            raise HomingError(f"series '{self.label}': {', '.join(map(str, sorted(lengths)))} values do not match")


@dataclass(frozen=True)
class Plot:
    """Series over one pair of axes, whose names carry their units."""

    name: str
    title: str
    x: str
    y: str
    series: tuple[Series, ...]
    log: str = ""  # the axes that are logarithmic: x, y, xy
    marks: tuple[tuple[float, str], ...] = ()  # vertical lines with a text
    ticks: tuple[str, ...] = ()  # names of x = 0, 1, 2, ...

    def __post_init__(self) -> None:
        if self.log not in LOGS:
            raise HomingError(f"plot '{self.name}': unknown logarithmic axes '{self.log}'", None, LOGS)
        if not re.fullmatch(r"[\w.-]+", self.name) or self.name.startswith("."):
            raise HomingError(f"a plot's name is part of file names, so '{self.name}' cannot be one")


def save(plot: Plot, folder: Path) -> tuple[Path, Path, Path]:
    """Writes NAME.svg, NAME.png and NAME.csv."""
    paths = tuple(folder / f"{plot.name}.{ending}" for ending in ("svg", "png", "csv"))
    contents = (*draw(plot), text(plot).encode())
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, content in zip(paths, contents):
            path.write_bytes(content)
    except OSError as error:
        raise HomingError(f"cannot be written: {error.strerror or error}", Place(str(folder))) from None
    return paths[0], paths[1], paths[2]


def text(plot: Plot) -> str:
    """The data as CSV, a point a line."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    for series in plot.series:
        gaps = [math.nan] * len(series.x)
        low, high = (gaps if end is None else end for end in (series.low, series.high))
        for x, *values in zip(series.x, series.y, low, high):
            where = csv_cell(plot.ticks[int(x)]) if plot.ticks else _number(x)
            writer.writerow((csv_cell(series.label), where, *map(_number, values)))
    return stream.getvalue()


def draw(plot: Plot) -> tuple[bytes, bytes]:
    """The plot as SVG and as PNG."""
    import matplotlib

    svg, png = io.BytesIO(), io.BytesIO()
    with matplotlib.rc_context(STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "constrained_layout not applied")
        figure = _figure(_printable(plot))
        figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
        figure.savefig(png, format="png", dpi=DOTS, metadata={"Software": None})
    return svg.getvalue(), png.getvalue()


def _printable(plot: Plot) -> Plot:
    """The plot with texts that may stand in a picture."""
    series = tuple(replace(each, label=printable(each.label)) for each in plot.series)
    marks = tuple((at, printable(label)) for at, label in plot.marks)
    texts = {name: printable(getattr(plot, name)) for name in ("title", "x", "y")}
    return replace(plot, series=series, marks=marks, ticks=tuple(map(printable, plot.ticks)), **texts)


def _figure(plot: Plot) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(INCHES, layout="constrained")
    axes = figure.subplots()
    axes.set_title(plot.title, wrap=True)
    axes.set_xlabel(plot.x)
    axes.set_ylabel(plot.y)
    for name, axis in (("x", axes.xaxis), ("y", axes.yaxis)):
        if name in plot.log:
            axes.set(**{f"{name}scale": "log"})
        else:
            axis.set_major_formatter("{x:,.10g}")
    axes.grid(True, color="0.88", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    for number, series in enumerate(_beside(plot.series)):
        _add(axes, number, *series)
    _name_ticks(axes, plot.ticks)
    if plot.marks and "y" not in plot.log:  # room for their texts above what is drawn
        bottom, top = axes.get_ylim()
        axes.set_ylim(bottom, top + 0.2 * (top - bottom))
    for at, label in plot.marks:
        _mark(axes, at, label)
    labels = [series.label for series in plot.series if series.label]
    if labels:  # below the axes, where it hides nothing
        figure.legend(loc="outside lower center", ncols=_columns(labels), frameon=False, handlelength=3)
    return figure


def _columns(labels: list[str]) -> int:
    """As many columns as fit a line of some ninety letters, with what stands before each."""
    return max(1, min(len(labels), 4, 90 // (max(map(len, labels)) + 6)))


def _name_ticks(axes: Axes, ticks: tuple[str, ...]) -> None:
    if not ticks:
        return
    crowded = sum(map(len, ticks)) > 60
    turned: dict[str, Any] = {"rotation": 35, "ha": "right", "rotation_mode": "anchor"} if crowded else {}
    axes.set_xticks(range(len(ticks)), ticks, **turned)


def _mark(axes: Axes, at: float, label: str) -> None:
    axes.axvline(at, color="0.35", linewidth=0.9, linestyle=(0, (2, 2)), zorder=1)
    behind = {"facecolor": "white", "edgecolor": "none", "pad": 1.0}
    place = axes.get_xaxis_transform()
    axes.text(at, 0.98, label, transform=place, rotation=90, va="top", ha="right", fontsize=7.5, bbox=behind)


def _beside(series: Sequence[Series]) -> Iterator[tuple[Series, float]]:
    """Bars of several series stand beside each other: each with its width, moved to its place."""
    bars = [each for each in series if each.kind == "bars"]
    places = sorted({float(x) for each in bars for x in each.x})
    gap = min((b - a for a, b in pairwise(places)), default=1.0)
    width = 0.8 * gap / max(len(bars), 1)
    at = 0
    for each in series:
        if each.kind == "bars":
            shift = (at - (len(bars) - 1) / 2) * width
            at += 1
            each = replace(each, x=[x + shift for x in each.x])
        yield each, width


def _add(axes: Axes, number: int, series: Series, width: float) -> None:
    colour, marker = COLOURS[number % len(COLOURS)], MARKERS[number % len(MARKERS)]
    shown: dict[str, Any] = {"label": series.label, "color": colour}
    x, y = list(series.x), list(series.y)
    if series.kind == "bars":
        hatch = HATCHES[number % len(HATCHES)]
        axes.bar(x, y, width, label=series.label, facecolor=colour, edgecolor="white", hatch=hatch, linewidth=0.4)
    elif series.kind == "points":
        axes.plot(x, y, linestyle="none", marker=marker, markersize=4, markerfacecolor="none", **shown)
    else:
        shown |= {"linestyle": DASHES[number % len(DASHES)], "linewidth": 1.4, "marker": marker, "markersize": 4}
        shown["markevery"] = max(1, math.ceil(len(x) / MOST_MARKERS))
        shown["drawstyle"] = "steps-post" if series.kind == "steps" else "default"
        axes.plot(x, y, **shown)
    if series.low is not None and series.high is not None:
        _interval(axes, series.kind, x, list(series.low), list(series.high), colour)


def _interval(axes: Axes, kind: str, x: list[float], low: list[float], high: list[float], colour: str) -> None:
    if kind in ("bars", "points"):
        axes.vlines(x, low, high, colors="black" if kind == "bars" else colour, linewidth=0.9)
    else:
        axes.fill_between(x, low, high, step="post" if kind == "steps" else None, color=colour, alpha=0.18, linewidth=0)


def _number(value: float) -> str:
    """As written by Python, whole numbers without a point, and nothing for a gap."""
    value = float(value)
    if math.isnan(value):
        return ""
    return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
