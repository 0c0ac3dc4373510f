"""Durations and sizes as people type them: `90s`, `5m`, `2h`; `500M`, `8G`."""

from __future__ import annotations

import re

import typer

SECONDS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
MEGABYTES = {"": 1.0, "m": 1.0, "g": 1024.0, "t": 1024.0**2}


def duration(text: str) -> float:
    """Seconds."""
    return _quantity(text, SECONDS, "", "a duration such as 90, 90s, 5m or 2h")


def megabytes(text: str) -> float:
    """Megabytes."""
    return _quantity(text, MEGABYTES, "i?b?", "a size such as 500 (in MB), 500M or 8G")


def _quantity(text: str, units: dict[str, float], ending: str, wanted: str) -> float:
    choice = "".join(units)
    match = re.fullmatch(rf"(\d+(?:\.\d+)?)\s*([{choice}]?){ending}", text.strip().lower(), re.ASCII)
    amount = float(match[1]) * units[match[2]] if match else 0.0
    if not 0 < amount < float("inf"):
        raise typer.BadParameter(f"{text!r} is not {wanted}")
    return amount
