"""Records what pyModelChecking says of random structures, for `test_recorded.py`.

    python -m tests.properties.record      # needs pyModelChecking on the path

It is not a dependency: it asks for `lark-parser`, which puts an old `lark` where the languages need the new one.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from tests.properties.structures import LABELS, Structure, draw_ctl, draw_ltl, draw_structure

from homing.core.formula import Formula, Operation

FILE = Path(__file__).parent / "pymodelchecking.json"
COUNTS = {"CTL": 3000, "LTL": 1500, "both": 1500}


def case(logic: str, seed: int) -> tuple[Structure, Formula]:
    """Drawn by `random()` alone, which gives the same numbers in every version of Python."""
    draw = random.Random(1_000_000 + seed)
    structure = draw_structure(draw, 6, total=True)
    if logic == "CTL":
        return structure, draw_ctl(draw, 1 + int(draw.random() * 6), LABELS)
    if logic == "both":
        return structure, draw_both(draw, 1 + int(draw.random() * 4))
    size = 1 + int(draw.random() * 3)
    return structure, draw_ltl(draw, size, ("not", "X", "F", "G"), ("and", "or", "implies", "U", "R"), LABELS)


def draw_both(draw: random.Random, size: int) -> Formula:
    """LTL that says the same with an A before each of its operators (Maidl, "The common fragment of CTL and LTL",
    2000): where it chooses, a label tells which way."""
    if size <= 0:
        return LABELS[int(draw.random() * 3)]
    kind, test = int(draw.random() * 5), LABELS[int(draw.random() * 3)]
    one, other = draw_both(draw, size - 1), draw_both(draw, size - 2)
    match kind:
        case 0:
            return Operation("X", (one,))
        case 1:
            return Operation("G", (one,))
        case 2:
            return one & other
        case 3:
            return (test & one) | (~test & other)
    return Operation("U", (test & one, ~test & other))


def with_quantifiers(formula: Formula) -> Formula:
    """An A before each temporal operator."""
    if not isinstance(formula, Operation):
        return formula
    inner = Operation(formula.operator, tuple(map(with_quantifiers, formula.operands)))
    return Operation("A", (inner,)) if formula.operator in ("X", "G", "U") else inner


def main() -> None:
    """Writes, by logic and seed, the states that satisfy the formula as bits of a number."""
    found = {logic: [_states(logic, *case(logic, seed)) for seed in range(count)] for logic, count in COUNTS.items()}
    FILE.write_text(json.dumps(found) + "\n", encoding="utf-8")


def _states(logic: str, structure: Structure, formula: Formula) -> int:
    from pyModelChecking import CTL, LTL, Kripke  # type: ignore[import-not-found]

    n = range(len(structure.labels))
    relation = sorted({(source, target) for source, _, target in structure.edges})
    kripke = Kripke(S=n, S0=n, R=relation, L={state: set(structure.labels[state]) for state in n})
    if logic != "LTL":
        states = CTL.modelcheck(kripke, _ctl(CTL, with_quantifiers(formula) if logic == "both" else formula))
    else:
        states = LTL.modelcheck(kripke, LTL.A(_ltl(LTL, formula)))
    return sum(1 << state for state in states)


def _ctl(to: Any, formula: Formula) -> Any:
    if not isinstance(formula, Operation):
        return to.AtomicProposition(str(formula))
    if formula.operator in ("A", "E"):
        path = formula.operands[0]
        assert isinstance(path, Operation)
        inner = getattr(to, path.operator)(*(_ctl(to, operand) for operand in path.operands))
        return getattr(to, formula.operator)(inner)
    names = {"not": "Not", "and": "And", "or": "Or", "implies": "Imply"}
    return getattr(to, names[formula.operator])(*(_ctl(to, operand) for operand in formula.operands))


def _ltl(to: Any, formula: Formula) -> Any:
    """With Not, Or, X and U only."""
    if not isinstance(formula, Operation):
        return to.AtomicProposition(str(formula))
    parts = [_ltl(to, operand) for operand in formula.operands]
    one, two = parts[0], parts[-1]
    match formula.operator:
        case "not":
            return to.Not(one)
        case "or":
            return to.Or(one, two)
        case "and":
            return to.Not(to.Or(to.Not(one), to.Not(two)))
        case "implies":
            return to.Or(to.Not(one), two)
        case "X":
            return to.X(one)
        case "F":
            return to.U(True, one)
        case "G":
            return to.Not(to.U(True, to.Not(one)))
        case "U":
            return to.U(one, two)
    return to.Not(to.U(to.Not(one), to.Not(two)))


if __name__ == "__main__":
    main()
