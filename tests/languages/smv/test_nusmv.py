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
        theirs = re.findall(r"^-- (?:specification|invariant) .* is (true|false)", run.stdout, re.MULTILINE)
        ours = {r.property: r.verdict.name for r in report(text).results}
        assert len(theirs) == len(ours), (text, run.stdout, run.stderr)
        assert sorted(theirs) == sorted({"HOLDS": "true", "VIOLATED": "false"}[name] for name in ours.values()), text


def test_the_texts_are_read() -> None:
    """What NuSMV would be asked, at least we understand."""
    assert all(result.verdict.name != "UNKNOWN" for result in report(asked(3)).results)


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
