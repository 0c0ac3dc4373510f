"""Syntax errors in the words of the language."""

from __future__ import annotations

from collections.abc import Iterable

from lark import Lark, Token
from lark.lexer import PatternStr

MOST_EXPECTED = 8
WORDS = {
    "NAME": "a name",
    "NUMBER": "a number",
    "STEP": "'++' or '--'",
    "PATH": "'E<>' or 'A[]'",
    "SIMPLE_TYPE": "a type",
    "$END": "the end",
}
EXPRESSION = "NAME NUMBER TRUE FALSE DEADLOCK LPAR BANG NOT PLUS MINUS STEP FORALL EXISTS SUM"
OPERATOR = (
    "ASSIGN ASSIGN_OLD ASSIGN_WITH OR AND XOR IMPLY BIT_OR BIT_XOR AMPERSAND EQUALITY LESS RELATION EXTREME SHIFT PLUS"
    " MINUS TIMES POWER QUERY STEP QUOTE DOT LPAR LSQB"
)
TYPE = "SIMPLE_TYPE INT CHAN SCALAR STRUCT CONST META URGENT BROADCAST HYBRID"
GROUPS = (
    # What has to be expected for the group to be, its name, and what it covers.
    ("WHILE RETURN", "a statement", f"WHILE RETURN FOR IF DO LBRACE SEMICOLON TYPEDEF {EXPRESSION} {TYPE}"),
    ("TYPEDEF SIMPLE_TYPE", "a declaration", f"TYPEDEF SEMICOLON NAME {TYPE}"),
    ("NUMBER TRUE", "an expression", EXPRESSION),
    ("SIMPLE_TYPE STRUCT", "a type", f"NAME {TYPE}"),
    ("EQUALITY TIMES", "an operator", OPERATOR),
    ("BANG QUERY LSQB", "'!' or '?'", "BANG QUERY DOT LPAR LSQB QUOTE STEP"),
)


def describe(parser: Lark, found: Token, accepted: Iterable[str]) -> str:
    """One sentence: what was found, and what could have stood there."""
    accepted = set(accepted)
    if accepted == {"NAME"} and str(found).isidentifier():
        return f"'{found}' is a word of the language and cannot be a name"
    expected = [word for word in _expected(parser, accepted) if word != _found(found)]
    shown = ", ".join(expected[: MOST_EXPECTED - 1])
    if len(expected) > MOST_EXPECTED:
        shown += " or other things"
    elif len(expected) > 1:
        shown = ", ".join(expected[:-1]) + " or " + expected[-1]
    return f"found {_found(found)}, expected {shown}" if shown else f"found {_found(found)}, which does not fit here"


def _found(token: Token) -> str:
    if token.type == "$END":
        return WORDS["$END"]
    text = " ".join(token.split())
    return f"'{text if len(text) <= 40 else text[:40] + '…'}'"


def _expected(parser: Lark, accepted: set[str]) -> list[str]:
    words = []
    for signature, word, covered in GROUPS:
        if accepted.issuperset(signature.split()):
            words.append(word)
            accepted = accepted - set(covered.split())
    literals = {term.name: term.pattern.value for term in parser.terminals if isinstance(term.pattern, PatternStr)}
    single = (WORDS.get(name) or f"'{literals.get(name, name.lower())}'" for name in sorted(accepted))
    return list(dict.fromkeys([*words, *single]))
