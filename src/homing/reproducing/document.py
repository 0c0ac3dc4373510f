"""A reproduction for other programs."""

from __future__ import annotations

from typing import Any

from homing.report.wording import json_text
from homing.reproducing.judging import Confirmed, Judged
from homing.reproducing.running import Reproduction


def render(done: Reproduction) -> str:
    """JSON: claims and findings."""
    data = {"claims": [_claim(each) for each in done.claims], "findings": [_finding(each) for each in done.findings]}
    return json_text(data) + "\n"


def _claim(judged: Judged) -> dict[str, Any]:
    return {
        "paper": judged.claim.paper,
        "claim": judged.claim.text,
        "published": judged.published,
        "measured": judged.found,
        "mark": judged.mark.value,
        "note": judged.note,
        "source": judged.claim.source,
        "facts": dict(judged.measured.facts),
        "seconds": judged.measured.seconds,
        "command": judged.measured.where,
    }


def _finding(confirmed: Confirmed) -> dict[str, Any]:
    return {
        "paper": confirmed.finding.paper,
        "found": confirmed.finding.text,
        "shown": confirmed.holds,
        "evidence": [{"command": each.where, "measured": each.text} for each in confirmed.measured],
    }
