"""Which operators may stand side by side without parentheses, by the table of the language.

Every operator has a range of precedences. Of two that meet at an operand, the one whose range is higher takes it; where
the ranges overlap, neither does, and the text means nothing. An operator may follow itself when it is associative.
"""

from __future__ import annotations

from homing.core.errors import HomingError, Place

Range = tuple[int, int]


def _infix() -> dict[str, Range]:
    table = {
        (1, 1): "=>",
        (2, 2): "-+-> <=> ~>",
        (3, 3): "/\\ \\/",
        (5, 5): "= # < > <= >= \\in \\notin \\subset \\supset \\subseteq \\supseteq \\sqsubset \\sqsupset \\sqsubseteq "
        "\\sqsupseteq \\prec \\succ \\preceq \\succeq \\ll \\gg \\sim \\simeq \\approx \\cong \\doteq \\asymp \\propto "
        "::= := |- |= -| =|",
        (5, 14): "\\cdot",
        (6, 6): "@@",
        (7, 7): ":> <:",
        (8, 8): "\\ \\cup \\cap",
        (9, 9): ".. ...",
        (9, 13): "!! ## $ $$ ?? \\sqcap \\sqcup \\uplus",
        (9, 14): "\\wr",
        (10, 10): "+ ++ (+)",
        (10, 11): "% %% | ||",
        (10, 13): "\\X",
        (11, 11): "- -- (-)",
        (13, 13): "* ** / // & && \\div \\o \\star \\bullet \\bigcirc (.) (/) (\\X)",
        (14, 14): "^ ^^",
    }
    return {name: span for span, names in table.items() for name in names.split()}


INFIX = _infix()
PREFIX: dict[str, Range] = {
    "~": (4, 4),
    **dict.fromkeys(("ENABLED", "UNCHANGED", "[]", "<>"), (4, 15)),
    # Also by what the language's own parser does: the book has 8 and 9.
    **dict.fromkeys(("SUBSET", "UNION", "DOMAIN"), (10, 13)),
    "-": (12, 12),
}
ASSOCIATIVE = frozenset(INFIX) - frozenset(name for name, span in INFIX.items() if span in ((1, 1), (2, 2), (5, 5)))
ASSOCIATIVE -= {":>", "<:", "\\", "..", "...", "!!", "\\wr", "%", "/", "//", "\\div", "^", "^^"}


def check(outer: str, above: Range | None, inner: str, below: Range | None, is_first: bool, place: Place) -> None:
    """Raises HomingError when it is not known that the operator `inner` takes its operands before `outer`."""
    if above is None or below is None or below[0] > above[1]:
        return
    if inner == outer:
        if is_first and outer in ASSOCIATIVE:
            return
        raise HomingError(f"'{outer}' stands here twice in a row: say with parentheses which comes first", place)
    if above[0] > below[1]:  # the grammar knows what belongs together
        return
    raise HomingError(
        f"'{inner}' and '{outer}' stand side by side and neither goes first: say with parentheses which does", place
    )
