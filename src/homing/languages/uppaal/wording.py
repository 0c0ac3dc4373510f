"""Syntax errors in the words of the language."""

from __future__ import annotations

from homing.languages.common.grammars import Wording

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
WORDING = Wording(WORDS, GROUPS, ", which does not fit here")
