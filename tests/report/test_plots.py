"""Plots: the same bytes each time, the data beside them, and bad ones told in a sentence."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from homing.core.errors import HomingError
from homing.report import plots
from homing.report.plots import Plot, Series, save

KINDS = Plot(
    "all-kinds", "Every kind", "time (s)", "latency (ms)",
    (
        Series("a line", [1, 2, 3], [1.5, 2, math.nan], [1, 1.5, math.nan], [2, 2.5, math.nan]),
        Series("points, too", np.array([1, 2]), np.array([3.25, 4]), np.array([3, 3]), np.array([4, 5]), "points"),
        Series("steps", range(3), [1, 0, 2], kind="steps"),
        Series("bars", [1, 2], [1, 2], kind="bars"),
        Series("more bars", [1, 2], [2, 1], kind="bars"),
    ),
    marks=((1.5, "2-3 fails"),),
)  # fmt: skip


def test_three_files(tmp_path: Path) -> None:
    svg, png, data = save(KINDS, tmp_path / "new" / "folder")
    assert [path.name for path in (svg, png, data)] == ["all-kinds.svg", "all-kinds.png", "all-kinds.csv"]
    assert ElementTree.parse(svg).getroot().tag.endswith("svg")
    assert png.read_bytes().startswith(b"\x89PNG")
    assert data.read_text().splitlines()[:6] == [
        "series,x,y,low,high",
        "a line,1,1.5,1,2",
        "a line,2,2,1.5,2.5",
        "a line,3,,,",
        '"points, too",1,3.25,3,4',
        '"points, too",2,4,3,5',
    ]


def test_same_plot_same_bytes() -> None:
    again = plots.draw(KINDS)
    assert plots.draw(KINDS) == again
    assert b"date" not in again[0].replace(b"http://www.w3.org", b"").lower()


def test_series_can_be_told_apart_without_colours() -> None:
    figure = plots._figure(KINDS)
    (axes,) = figure.axes
    lines = [line for line in axes.lines if not str(line.get_label()).startswith("_")]
    looks = {(str(line.get_linestyle()), str(line.get_marker())) for line in lines}
    assert len(looks) == len(lines) == 3
    assert len({bars.patches[0].get_hatch() for bars in axes.containers}) == 2  # type: ignore[attr-defined]
    assert axes.get_xlabel() == "time (s)"
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [each.label for each in KINDS.series]
    assert "2-3 fails" in [text.get_text() for text in axes.texts]


def test_bars_stand_beside_each_other() -> None:
    (axes,) = plots._figure(KINDS).axes
    first, second = (container.patches for container in axes.containers)  # type: ignore[attr-defined]
    for left, right in zip(first, second):
        assert left.get_x() + left.get_width() == pytest.approx(right.get_x())
    assert first[0].get_x() + first[0].get_width() == pytest.approx(1)


def test_named_places_are_named_in_the_data() -> None:
    plot = Plot("n", "t", "network", "%", (Series("s", [0, 1], [5, 6], kind="bars"),), ticks=("ring", "six"))
    assert plots.text(plot).splitlines()[1:] == ["s,ring,5,,", "s,six,6,,"]


def test_no_global_state_and_no_early_import() -> None:
    code = "import sys, homing.report.plots; assert 'matplotlib' not in sys.modules; "
    code += (
        "from homing.report.plots import *; draw(Plot('n', 't', 'x', 'y', (Series('s', [1, 2], [1, 9]),), log='xy')); "
    )
    code += "assert 'matplotlib.pyplot' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: Series("s", [1], [1], kind="pie"), "unknown kind 'pie'"),
        (lambda: Series("s", [1, 2], [1]), "1, 2 values do not match"),
        (lambda: Series("s", [1], [1], low=[0]), "a low and a high end"),
        (lambda: Plot("n", "t", "x", "y", (), log="z"), "unknown logarithmic axes 'z'"),
        (lambda: Plot("../n", "t", "x", "y", ()), "cannot be one"),
    ],
)
def test_bad_plots(make: object, told: str) -> None:
    with pytest.raises(HomingError, match=told):
        make()  # type: ignore[operator]


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(HomingError, match="cannot be written"):
        save(Plot("n", "t", "x", "y", (Series("s", [1], [1]),)), tmp_path / "file")
