from __future__ import annotations

import pytest
import typer

from homing.report.quantities import duration, megabytes


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90", 90), ("90s", 90), ("5m", 300), ("2h", 7200), ("1.5 H", 5400), ("0.2s", 0.2), ("1d", 86400)],
)
def test_durations(text: str, seconds: float) -> None:
    assert duration(text) == seconds


@pytest.mark.parametrize(
    ("text", "size"), [("500", 500), ("500M", 500), ("500mb", 500), ("8G", 8192), ("1.5GiB", 1536), ("1T", 1 << 20)]
)
def test_sizes(text: str, size: float) -> None:
    assert megabytes(text) == size


@pytest.mark.parametrize("text", ["", "0", "-1", "5 minutes", "1e3", "nan", "inf", "٣", "9" * 400])
def test_anything_else_is_refused(text: str) -> None:
    for parse in (duration, megabytes):
        with pytest.raises(typer.BadParameter, match="is not a"):
            parse(text)
