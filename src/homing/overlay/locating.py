"""What `homing overlay locate` prints."""

from __future__ import annotations

from pathlib import Path

from homing.core.errors import HomingError
from homing.core.verdict import Verdict
from homing.overlay.colours import element_name
from homing.overlay.localisation import Pair, Suspects, describe, locate, read_observed
from homing.overlay.network import Network
from homing.overlay.readers import read_text
from homing.overlay.trees import prepare
from homing.overlay.verdicts import read_verdicts
from homing.report.files import say, say_json


def run(network: Network, observed: Path | None, verdicts: Path | None, as_json: bool = False) -> int:
    """Suspects with their evidence; the exit code says whether anything fails."""
    if observed is None and verdicts is None:
        raise HomingError("give what was seen: --observed FILE, --verdicts FILE, or both")
    failing: list[Pair] = []
    working: list[Pair] = []
    for path, read in ((observed, read_observed), (verdicts, read_verdicts)):
        if path is not None:
            bad, good = read(path, read_text(path), network)
            failing += bad
            working += good
    suspects = locate(prepare(network), failing, working)
    if as_json:
        say_json(as_data(network, suspects, len(set(working))))
    else:
        say(f"{suspects.failing} pairs fail, {len(set(working))} work")
        for line in describe(network, suspects) if failing else ():
            say(f"  {line}")
    return (Verdict.VIOLATED if failing else Verdict.HOLDS).exit_code


def as_data(network: Network, suspects: Suspects, working: int) -> dict[str, object]:
    """The suspects for other programs."""
    names = network.broker_names

    def pairs(found: tuple[Pair, ...]) -> list[list[str]]:
        return [[names[u], names[v]] for u, v in found]

    return {
        "failing": suspects.failing,
        "working": working,
        "suspects": [
            {
                "element": element_name(network, suspect.element),
                "explains": pairs(suspect.explains),
                "single": pairs(suspect.single),
                "against": pairs(suspect.against),
            }
            for suspect in suspects.ranked
        ],
        "together": [element_name(network, element) for element in suspects.together],
        "unexplained": pairs(suspects.unexplained),
    }
