"""Syntax errors in the words of the language."""

from __future__ import annotations

from homing.languages.common.grammars import Wording

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
WORDING = Wording(WORDS, GROUPS)
