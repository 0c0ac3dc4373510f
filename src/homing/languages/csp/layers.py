"""Precedence: a row of operands and operators becomes a tree, loosest operators first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from lark import Token

Levels: TypeAlias = tuple[frozenset[str], ...]
Join: TypeAlias = Callable[[list[Any], list[Token]], Any]


def _levels(*levels: str) -> Levels:
    return tuple(frozenset(level.split()) for level in levels)


EXPRESSION = _levels("OR", "AND", "XOR", "BITS", "EQUALITY", "RELATION", "PLUS MINUS", "STAR SCALE")
FORMULA = _levels("AND OR ARROW IFF", "UNTIL RELEASE WEAK")
"""As in PAT: everything that joins two formulas but `U` and `R` is one level."""

PROCESS = _levels("INTERLEAVE", "OR", "BOX", "DIAMOND", "EXTERNAL", "INTERRUPT", "SEQUENCE")


def layered(row: Sequence[Any], levels: Levels, join: Join) -> Any:
    """Cuts the row at the loosest operators in it, and then each piece; `join` gets the operands and operators."""
    if len(row) == 1:
        return row[0]
    for number, level in enumerate(levels):
        cuts = [at for at, part in enumerate(row) if isinstance(part, Token) and part.type in level]
        if cuts:
            rest = levels[number + 1 :]
            operands = [layered(piece, rest, join) for piece in _pieces(row, cuts)]
            return join(operands, [row[at] for at in cuts])
    raise AssertionError("a row has operators of its levels only")


def _pieces(row: Sequence[Any], cuts: list[int]) -> list[Sequence[Any]]:
    starts = [0, *(at + 1 for at in cuts)]
    return [row[start:end] for start, end in zip(starts, [*cuts, len(row)])]
