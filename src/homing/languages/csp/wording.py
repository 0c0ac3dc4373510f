"""Syntax errors in the words of the language."""

from __future__ import annotations

from collections.abc import Iterable

from lark import Lark, Token
from lark.lexer import PatternStr

MOST_EXPECTED = 8
WORDS = {
    "NAME": "a name",
    "INT": "a number",
    "STEP": "'++' or '--'",
    "RELATION": "'<'",
    "QUESTION": "'deadlockfree'",
    "FAIRNESS": "'//@fairness'",
    "_DEFINE": "'#define'",
    "_ASSERT": "'#assert'",
    "_ALPHABET": "'#alphabet'",
    "_PARAMETERS": "'('",
    "_EVENTS": "'('",
    "_END": "';'",
    "$END": "the end of the file",
}
EXPRESSION = "NAME INT TRUE FALSE CALL LPAR NOT PLUS MINUS OR AND"
PROCESS = "NAME LPAR LSQB LBRACE SKIP STOP CASE ATOMIC ASSERT TAU IF IFA IFB INTERLEAVE OR BOX DIAMOND EXTERNAL _EVENTS"
GROUPS = (
    # What has to be expected for the group to be, its name, and what it covers.
    ("ENUM CHANNEL", "a declaration", "ENUM CHANNEL VAR HVAR NAME FAIRNESS _DEFINE _ASSERT _ALPHABET $END"),
    ("SKIP STOP", "a process", PROCESS),
    ("WHILE VAR", "a statement", "WHILE VAR IF NAME CALL LBRACE SEQUENCE"),
    ("NEXT DIAMOND", "a formula", "NEXT BOX DIAMOND " + EXPRESSION),
    ("INT TRUE", "an expression", EXPRESSION),
    ("INTERLEAVE INTERRUPT", "an operator", "INTERLEAVE OR BOX DIAMOND EXTERNAL INTERRUPT HIDE"),
    ("UNTIL RELEASE", "an operator", "AND OR ARROW IFF UNTIL RELEASE WEAK EQUALITY RELATION PLUS MINUS STAR SCALE"),
    ("STAR SCALE", "an operator", "OR AND XOR BITS EQUALITY RELATION PLUS MINUS STAR SCALE"),
    ("QUESTION", "a question such as 'deadlockfree', 'reaches' or '|='", "QUESTION REACHES REFINES MODELS"),
)


def describe(parser: Lark, found: Token, accepted: Iterable[str]) -> str:
    """One sentence: what was found, and what could have stood there."""
    accepted = set(accepted)
    if accepted == {"NAME"} and str(found).isidentifier():
        return f"'{found}' is a word of the language and cannot be a name"
    expected = _expected(parser, accepted)
    expected = [word for word in expected if word != _found(found)]
    shown = ", ".join(expected[: MOST_EXPECTED - 1])
    if len(expected) > MOST_EXPECTED:
        shown += " or other things"
    elif len(expected) > 1:
        shown = ", ".join(expected[:-1]) + " or " + expected[-1]
    return f"found {_found(found)}, expected {shown}" if shown else f"found {_found(found)}"


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
