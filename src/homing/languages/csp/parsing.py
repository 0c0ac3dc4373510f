"""CSP# text to its syntax tree."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from lark import Lark, UnexpectedCharacters, UnexpectedToken

from homing.core.errors import HomingError, Place
from homing.languages.csp.building import build
from homing.languages.csp.syntax import Source
from homing.languages.csp.tokens import Clarifier, Misread


@cache
def _parser() -> Lark:
    """Built when the first file is read."""
    grammar = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    return Lark(
        grammar,
        start=["source", "quoted_event"],
        parser="lalr",
        lexer="basic",
        postlex=Clarifier(),
        propagate_positions=True,
        maybe_placeholders=True,
    )


def parse(text: str, file: str) -> Source:
    """The syntax tree of a file's text."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    try:
        tree = _parser().parse(text, start="source")
    except UnexpectedToken as error:
        raise HomingError(str(error), Place(file, error.line, error.column)) from None
    except UnexpectedCharacters as error:
        raise HomingError(str(error), Place(file, error.line, error.column)) from None
    except Misread as error:
        place = Place(file, error.token.line or 0, error.token.column or 0)
        raise HomingError(error.message, place, error.known) from None
    return build(tree, text, file)
