"""NuSMV text as tokens."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from homing.core.errors import HomingError, Place

PATTERN = re.compile(
    r"""
    (?P<SPACE> [ \t\r\n\f\v]+ | /--[\s\S]*?--/ | --[^\n]* )
  | (?P<WORD>  0[us]?[bBoOdDhH][0-9]*_[0-9a-fA-F_]+ )
  | (?P<REAL>  [0-9]+\.[0-9]+ | [fF]'[0-9]+/[0-9]+ | [0-9]+(?:\.[0-9]+)?[eE]-?[0-9]+ )
  | (?P<NUMBER> [0-9]+ )
  | (?P<NAME>  [A-Za-z_](?:[A-Za-z0-9_$#\\]|-(?=[A-Za-z0-9_$#\\]))* )
  | (?P<OPEN>  /-- )
  | (?P<SIGN>  := | \.\. | <-> | -> | <= | >= | != | << | >> | :: | [-+*/=<>!&|?:;,(){}\[\].] )
    """,
    re.VERBOSE | re.ASCII,
)
_WORDS = """
    MODULE DEFINE MDEFINE CONSTANTS VAR IVAR FROZENVAR FUN INIT TRANS INVAR SPEC CTLSPEC LTLSPEC PSLSPEC COMPUTE
    INVARSPEC FAIRNESS JUSTICE COMPASSION ISA ASSIGN CONSTRAINT SIMPWFF CTLWFF LTLWFF PSLWFF COMPWFF MIRROR PRED
    PREDICATES PARSYNTH process array of boolean integer real clock word EX AX EF AF EG AG E F O G H X Y Z A U S V T BU
    EBF ABF EBG ABG case esac mod next init union in xor xnor self TRUE FALSE
"""
KEYWORDS = frozenset(_WORDS.split())
"""Words that cannot be names; functions and words such as NAME mean something only where they stand."""


class Token(NamedTuple):
    """Its kind is NAME, NUMBER, REAL, WORD, END, or the keyword or sign itself."""

    kind: str
    text: str
    at: int


@dataclass(frozen=True, eq=False)
class Source:
    """The text of a file; places in it are offsets until somebody has to be told."""

    file: str
    text: str

    @cached_property
    def _lines(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def place(self, at: int) -> Place:
        """The line and column of an offset."""
        line = bisect_right(self._lines, at)
        return Place(self.file, line, at - self._lines[line - 1] + 1)

    def error(self, message: str, at: int, known: tuple[str, ...] | list[str] = ()) -> HomingError:
        """Bad input at an offset."""
        return HomingError(message, self.place(at), known)


def tokens(source: Source) -> list[Token]:
    """All tokens of a text and its end; raises HomingError on a character that starts none."""
    text, at, found = source.text, 0, list[Token]()
    match = PATTERN.match
    while at < len(text):
        token = match(text, at)
        if token is None or token.lastgroup == "OPEN":
            raise source.error(_stray(text, at), at)
        kind, value = token.lastgroup, token.group()
        assert kind is not None
        if kind == "SIGN" or (kind == "NAME" and value in KEYWORDS):
            kind = value
        if kind != "SPACE":
            found.append(Token(kind, value, at))
        at = token.end()
    # Behind the last character that is no space: nobody looks at the lines below.
    found.append(Token("END", "", len(text.rstrip())))
    return found


def _stray(text: str, at: int) -> str:
    if text.startswith("/--", at):
        return "a comment that starts here with '/--' has no '--/'"
    if text[at] == "#":
        return "a line for a preprocessor stands here; run it first"
    character = text[at]
    return f"no use for the character {repr(character) if character.isprintable() else f'U+{ord(character):04X}'} here"
