"""Cases in which Homing differs from TLC on purpose, and those that it refuses by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tests.languages.catalogue.case import Choice

TRUE, FALSE = "4 distinct, 6 generated, depth 4", "4 distinct, 6 generated, depth 4, P VIOLATED"
STEPS = "TLC has no answer: it takes formulas with actions as <>[]A, []<>A and [][A]_v only"
ASSUMED = "TLC has no answer: it takes no such formula for fairness"
FIRST = "TLC stops at an initial state that violates a property; all states are counted here"
ORDER = "ENABLED asks for some next state; TLC reads the conjuncts from left to right there, too"
LABEL = "TLC wants a label to stand in a definition"

_FORMULAS = {
    (TRUE, STEPS): {
        "[][A]_v": ["negated"],
        "[][A]_v, true": ["definition with parameter", "implies"],
        "<><<A>>_v": ["property", "definition with parameter", "LET", "conjunct", "implies"],
        "[][A]_v of a recursive operator": ["implies"],
        "prime on a LET name": ["negated"],
        "specification": ["definition with parameter", "implies"],
        "specification, false": ["negated"],
        "specification with fairness": ["definition with parameter", "implies"],
    },
    (FALSE, STEPS): {
        "[][A]_v": ["implied"],
        "<><<A>>_v": ["strong fairness", "assumed"],
        "[][A]_v of a recursive operator": ["definition with parameter"],
        "prime on a LET name": ["implied"],
        "specification, false": ["implied"],
    },
    (FALSE, ASSUMED): {"[]": ["assumed"], "ENABLED": ["assumed"]},
    (FALSE, FIRST): {"state formula": ["negated"]},
}


def _of_formulas(rows: Mapping[tuple[str, str], Mapping[str, Iterable[str]]]) -> dict[str, Choice]:
    return {
        f"formula: {formula} @ {context}": Choice(*chosen)
        for chosen, formulas in rows.items()
        for formula, contexts in formulas.items()
        for context in contexts
    }


CHOICES: dict[str, Choice] = {
    **_of_formulas(_FORMULAS),
    "action: order of conjuncts @ ENABLED": Choice("6 distinct, 37 generated, depth 2", ORDER),
    "action: order of conjuncts @ fairness subscript": Choice("6 distinct, 37 generated, depth 2", ORDER),
    "label @ assumption": Choice("assumptions HOLDS", LABEL),
}
REFUSED = {r"unbounded \E @ alias": r"\E without a set is not supported"}
