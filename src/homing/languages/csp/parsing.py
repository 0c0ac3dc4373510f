"""CSP# text to its syntax tree."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from lark import Lark, UnexpectedCharacters, UnexpectedToken

from homing.core.errors import HomingError, Place
from homing.languages.common.grammars import parser_of
from homing.languages.csp.building import build
from homing.languages.csp.depth import refuse_depth
from homing.languages.csp.syntax import Source
from homing.languages.csp.tokens import Clarifier, Misread
from homing.languages.csp.wording import WORDING

MOST_CHARACTERS = 1_000_000


@cache
def _parser() -> Lark:
    """Built when the first file is read."""
    return parser_of(Path(__file__).with_name("grammar.lark"), "source", Clarifier())


def parse(text: str, file: str) -> Source:
    """The syntax tree of a file's text; raises HomingError where it is no CSP#."""
    if len(text) > MOST_CHARACTERS:
        raise HomingError(f"has more than {MOST_CHARACTERS} characters, which is too much for a model", Place(file))
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    try:
        tree = _parser().parse(text)
    except UnexpectedToken as error:
        place = _end(text, file) if error.token.type == "$END" else Place(file, error.line, error.column)
        raise HomingError(WORDING.describe(_parser(), error.token, error.accepts or ()), place) from None
    except UnexpectedCharacters as error:
        character = error.char
        shown = f"'{character}'" if character.isprintable() else f"U+{ord(character):04X}"
        raise HomingError(f"no use for the character {shown} here", Place(file, error.line, error.column)) from None
    except Misread as error:
        place = Place(file, error.token.line or 0, error.token.column or 0)
        raise HomingError(error.message, place, error.known) from None
    source = build(tree, text, file)
    refuse_depth(node for part in vars(source).values() if isinstance(part, tuple) for node in part)
    return source


def _end(text: str, file: str) -> Place:
    """Behind the last character that is no space: nobody looks at the lines below."""
    text = text.rstrip()
    return Place(file, text.count("\n") + 1, len(text) - text.rfind("\n"))
