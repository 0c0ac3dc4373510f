"""UPPAAL's texts to their syntax trees."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, cast

from lark import Lark, Token, UnexpectedCharacters, UnexpectedToken
from lark.exceptions import VisitError

from homing.languages.common.grammars import parser_of
from homing.languages.uppaal import syntax as s
from homing.languages.uppaal.building import Builder
from homing.languages.uppaal.text import Text
from homing.languages.uppaal.wording import WORDING

STARTS = ["declarations", "optional_parameters", "system", "selects", "updates", "sync", "query", "expression"]
REFUSED = {
    "import": "external functions ('import') are not supported",
    "dynamic": "dynamic templates are not supported",
    "spawn": "processes that are spawned are not supported",
    "exit": "processes that end are not supported",
    "before_update": "'before_update' is not supported",
    "after_update": "'after_update' is not supported",
    "IO": "'IO' declarations are not supported",
}
"""Words that begin what is refused, where another name or a bracket follows."""


class Misread(Exception):
    """A token that no text may have."""

    def __init__(self, message: str, token: Token) -> None:
        super().__init__(message)
        self.message = message
        self.token = token


class Filter:
    """Given to lark, which calls `process` with all tokens of a text; keeps nothing between calls."""

    always_accept = ("REAL", "STRING", "OPEN_COMMENT")  # in no rule, yet tokens

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """The tokens without measures of progress and Gantt charts, which change no verdict."""
        tokens = list(stream)
        at = 0
        while at < len(tokens):
            token = tokens[at]
            following = tokens[at + 1] if at + 1 < len(tokens) else None
            _refuse(token, following)
            if token in ("progress", "gantt") and following == "{":
                at = _behind(tokens, at + 1)
                continue
            yield token
            at += 1


def _refuse(token: Token, following: Token | None) -> None:
    if token.type == "OPEN_COMMENT":
        raise Misread("this comment is not closed by '*/'", token)
    if token.type == "REAL":
        raise Misread(f"the number {token} is no integer; floating point is not supported", token)
    if token.type == "STRING":
        if following is not None and following == "{":
            raise Misread("external functions ('import') are not supported", token)
        raise Misread("strings are not supported", token)
    if token.type == "NAME" and token in REFUSED and following is not None and following.type != "DOT":
        starts = following.type in ("NAME", "STRING", "LBRACE") or (token in ("spawn", "exit") and following == "(")
        if starts:
            raise Misread(REFUSED[token], token)


def _behind(tokens: list[Token], at: int) -> int:
    """Behind the bracket that closes the one here."""
    depth = 0
    for place in range(at, len(tokens)):
        depth += (tokens[place] == "{") - (tokens[place] == "}")
        if not depth:
            return place + 1
    return len(tokens)


@cache
def _parser() -> Lark:
    """Built when the first file is read."""
    return parser_of(Path(__file__).with_name("grammar.lark"), STARTS, Filter())


@lru_cache(maxsize=10_000)  # a template is there once for each of its processes
def _parse(text: Text, start: str) -> Any:
    try:
        tree = _parser().parse(text.value, start)
    except UnexpectedToken as error:
        token = error.token
        at = len(text.value.rstrip()) if token.type == "$END" else token.start_pos or 0
        raise text.error(at, WORDING.describe(_parser(), token, error.accepts or ())) from None
    except UnexpectedCharacters as error:
        character = error.char
        shown = f"'{character}'" if character.isprintable() else f"U+{ord(character):04X}"
        raise text.error(cast("int", error.pos_in_stream), f"no use for the character {shown} here") from None
    except Misread as error:
        raise text.error(error.token.start_pos or 0, error.message) from None
    builder = Builder(text)
    if not hasattr(tree, "data"):
        return tree
    try:
        return builder.transform(tree)
    except VisitError as error:
        raise error.orig_exc from None


def declarations(text: Text) -> tuple[s.Declaration, ...]:
    """Of the model or of a template."""
    return cast("tuple[s.Declaration, ...]", _parse(text, "declarations"))


def parameters(text: Text) -> tuple[s.Parameter, ...]:
    """Of a template."""
    return cast("tuple[s.Parameter, ...]", _parse(text, "optional_parameters"))


def system(text: Text) -> s.SystemNode:
    """The system section."""
    return cast("s.SystemNode", _parse(text, "system"))


def selects(text: Text) -> tuple[s.Select, ...]:
    """What an edge selects."""
    return cast("tuple[s.Select, ...]", _parse(text, "selects"))


def expression(text: Text) -> s.Expression:
    """A guard or an invariant."""
    return cast("s.Expression", _parse(text, "expression"))


def updates(text: Text) -> s.Evaluate:
    """What an edge does."""
    return cast("s.Evaluate", _parse(text, "updates"))


def sync(text: Text) -> s.Sync:
    """What an edge synchronises on."""
    return cast("s.Sync", _parse(text, "sync"))


def query(text: Text) -> s.Query:
    """What is asked."""
    return cast("s.Query", _parse(text, "query"))
