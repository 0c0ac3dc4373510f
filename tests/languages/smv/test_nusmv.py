"""Verdicts beside those of NuSMV itself, where the environment variable NUSMV names its binary."""

from __future__ import annotations

import os
import random
import re
import subprocess
from pathlib import Path

import pytest
from tests.languages.smv.checking import report
from tests.languages.smv.oracle import Drawing
from tests.scale import scaled

NUSMV = os.environ.get("NUSMV", "")
CTL = ("AG {}", "EF {}", "AF {}", "EG {}", "AX {}", "EX {}", "A [{} U {}]", "E [{} U {}]", "AG EF {}", "AF AG {}")
LTL = ("G {}", "F {}", "X {}", "{} U {}", "G F {}", "F G {}", "G ({} -> O {})", "H {}", "G ({} -> F {})", "{} S {}")


@pytest.mark.skipif(not NUSMV, reason="NUSMV names no binary")
@pytest.mark.parametrize("batch", range(4))
def test_verdicts(tmp_path: Path, batch: int) -> None:
    for seed in range(batch * scaled(25), (batch + 1) * scaled(25)):
        text = asked(seed)
        file = tmp_path / "x.smv"
        file.write_text(text, encoding="utf-8")
        run = subprocess.run([NUSMV, str(file)], capture_output=True, text=True, timeout=60, check=False)
        found = re.findall(r"^-- specification (.*) is (true|false)", run.stdout, re.MULTILINE)
        theirs = {plain(formula): {"true": "HOLDS", "false": "VIOLATED"}[verdict] for formula, verdict in found}
        ours = {plain(each.property): each.verdict.name for each in report(text).results}
        assert theirs == ours, (seed, text, run.stdout[-3000:], run.stderr)


def test_the_texts_are_read() -> None:
    """What NuSMV would be asked, at least we understand."""
    assert all(result.verdict.name != "UNKNOWN" for result in report(asked(3)).results)


def plain(formula: str) -> str:
    """Without what NuSMV writes in its own way."""
    return re.sub(r"[ ()]", "", formula)


def asked(seed: int) -> str:
    """A random model with states, and random specifications of it."""
    while True:
        drawing = Drawing(seed)
        text = drawing.text()
        if drawing.model.explore()[0]:
            break
        seed += 100_000
    draw = random.Random(seed)
    conditions = [f"({name} = {draw.choice(('TRUE', 'FALSE'))})" for name in ("a", "b")]
    for kind, forms in (("CTLSPEC", CTL), ("LTLSPEC", LTL)):
        for form in draw.sample(forms, 4):
            text += f"{kind} {form.format(draw.choice(conditions), draw.choice(conditions))};\n"
    if draw.random() < 0.3:
        text += f"FAIRNESS {draw.choice(conditions)};\n"
    return text
