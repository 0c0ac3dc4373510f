"""What pyModelChecking says of random structures, asked of the same structures as NuSMV text.

Its LTL has a fault (see `tests/properties/test_recorded.py`), so of LTL only what can be written in CTL is compared.
"""

from __future__ import annotations

import json

import pytest
from tests.languages.smv.checking import report
from tests.properties.record import FILE, case
from tests.properties.structures import Structure
from tests.scale import scaled

from homing.core.formula import Formula, Operation

RECORDED = json.loads(FILE.read_text(encoding="utf-8"))
SIGNS = {"and": "&", "or": "|", "implies": "->", "U": "U", "R": "V"}


@pytest.mark.parametrize("logic", ["CTL", "both"])
def test_verdicts(logic: str) -> None:
    for seed in range(scaled(200)):
        structure, formula = case(logic, seed)
        n = len(structure.labels)
        kind = "CTLSPEC" if logic == "CTL" else "LTLSPEC"
        text = written(formula)
        asked = [f"{kind} state = {state} -> {text}" for state in range(n)]
        found = report(model(structure) + "\n".join(asked)).results
        holds = sum(1 << state for state, result in enumerate(found) if result.verdict.name == "HOLDS")
        assert holds == RECORDED[logic][seed], (seed, text)


def model(structure: Structure) -> str:
    """Every state is initial."""
    n = len(structure.labels)
    after = {state: sorted({target for source, _, target in structure.edges if source == state}) for state in range(n)}
    lines = ["MODULE main", f"VAR state : 0..{n - 1};", "ASSIGN next(state) := case"]
    lines += [f"  state = {state} : {{{', '.join(map(str, targets))}}};" for state, targets in after.items()]
    lines += ["esac;", "DEFINE"]
    for name in "pqr":
        true = [str(state) for state in range(n) if name in structure.labels[state]]
        lines.append(f"  {name} := {'state in {' + ', '.join(true) + '}' if true else 'FALSE'};")
    return "\n".join(lines) + "\n"


def written(formula: Formula) -> str:
    if not isinstance(formula, Operation):
        return str(formula)
    operator, parts = formula.operator, formula.operands
    if operator == "not":
        return f"!({written(parts[0])})"
    if operator in SIGNS:
        return "(" + f" {SIGNS[operator]} ".join(map(written, parts)) + ")"
    if operator not in ("A", "E"):
        return f"({operator} {written(parts[0])})"
    path = parts[0]
    assert isinstance(path, Operation)
    inner = [written(part) for part in path.operands]
    if path.operator == "U":
        return f"{operator} [{inner[0]} U {inner[1]}]"
    if path.operator == "R":  # NuSMV's CTL has no release
        other = "E" if operator == "A" else "A"
        return f"!{other} [!{inner[0]} U !{inner[1]}]"
    return f"({operator}{path.operator} {inner[0]})"
