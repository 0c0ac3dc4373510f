"""Parsers from grammars, and their errors in the words of the language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lark import Lark, Token
from lark.lexer import PatternStr

MOST_EXPECTED = 8


def parser_of(grammar: Path, start: str | list[str], postlex: Any) -> Lark:
    """Builds a parser, which takes half a second the first time; then lark's tables are kept beside the source."""
    tables = grammar.parent / "__pycache__" / f"{grammar.name}-tables"
    with suppress(OSError):  # lark does without
        tables.parent.mkdir(exist_ok=True)
    return Lark(
        grammar.read_text(encoding="utf-8"),
        start=start,
        parser="lalr",
        lexer="basic",
        postlex=postlex,
        propagate_positions=True,
        cache=str(tables),
    )


@dataclass(frozen=True)
class Wording:
    """How a language calls its tokens."""

    words: Mapping[str, str]
    groups: Sequence[tuple[str, str, str]]
    """What has to be expected for the group to be, its name, and what it covers."""
    unfit: str = ""
    """What to say of a token where nothing at all is expected."""

    def describe(self, parser: Lark, found: Token, accepted: Iterable[str]) -> str:
        """One sentence: what was found, and what could have stood there."""
        accepted = set(accepted)
        if accepted == {"NAME"} and str(found).isidentifier():
            return f"'{found}' is a word of the language and cannot be a name"
        here = self._found(found)
        expected = [word for word in self._expected(parser, accepted) if word != here]
        shown = ", ".join(expected[: MOST_EXPECTED - 1])
        if len(expected) > MOST_EXPECTED:
            shown += " or other things"
        elif len(expected) > 1:
            shown = ", ".join(expected[:-1]) + " or " + expected[-1]
        return f"found {here}, expected {shown}" if shown else f"found {here}{self.unfit}"

    def _found(self, token: Token) -> str:
        if token.type == "$END":
            return self.words["$END"]
        text = " ".join(token.split())
        return f"'{text if len(text) <= 40 else text[:40] + '…'}'"

    def _expected(self, parser: Lark, accepted: set[str]) -> list[str]:
        words = []
        for signature, word, covered in self.groups:
            if accepted.issuperset(signature.split()):
                words.append(word)
                accepted = accepted - set(covered.split())
        literals = {term.name: term.pattern.value for term in parser.terminals if isinstance(term.pattern, PatternStr)}
        single = (self.words.get(name) or f"'{literals.get(name, name.lower())}'" for name in sorted(accepted))
        return list(dict.fromkeys([*words, *single]))
