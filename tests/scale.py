"""How many random cases are drawn: few enough for every day, and as many as HOMING_TEST_SCALE says."""

from __future__ import annotations

import os

SCALE = float(os.environ.get("HOMING_TEST_SCALE", "0.5"))


def scaled(count: int) -> int:
    return max(1, round(count * SCALE))
