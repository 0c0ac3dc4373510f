"""Empty reasons for which a property may hold, and where to look for them in a formula."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from homing.core.formula import FALSE, Formula, Operation

NO_BEHAVIOUR = "its negation holds as well: no behaviour is fair"
AT_THE_START = "true in every initial state"
ALWAYS_TRUE = "true whatever the system does"


def reached(formula: Formula, operator: str) -> Formula | None:
    """What a formula with this operator is about; None for others."""
    return formula.operands[0] if isinstance(formula, Operation) and formula.operator == operator else None


def implications(formula: Formula) -> Iterator[tuple[Operation, Formula]]:
    """The implications that the formula asserts, each with the whole formula as it is when the conclusion is false."""
    if not isinstance(formula, Operation) or formula.operator in ("not", "iff"):
        return
    if formula.operator == "implies":
        yield formula, replace(formula, operands=(formula.operands[0], FALSE))
    for position, operand in enumerate(formula.operands):
        if formula.operator == "implies" and position == 0:
            continue
        for found, changed in implications(operand):
            operands = (*formula.operands[:position], changed, *formula.operands[position + 1 :])
            yield found, replace(formula, operands=operands)
