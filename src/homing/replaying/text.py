"""Events as people write them: one a line, or with commas or arrows between them, in angle brackets or not."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from homing.core.errors import HomingError, Place
from homing.replaying.story import Mention, Stage, Story

COMMENT = re.compile(r'"[^"\n]*"|(?:(?<=[\s,>⟩→])|\A)(?:#|//)[^\n]*')
"""Quoted text is in it so that a `#` in there is none. Within a word, `#` and `//` are part of an event."""
PIECE = re.compile(r'"[^"\n]*"|->|→|[,\n]|[(\[{⟨]|[)\]}⟩]|[^"(\[{⟨)\]}⟩,\n→-]+|.')
SEPARATORS = {"->", "→", ",", "\n"}
ARROWS = {"->", "→"}
AROUND = {"<": ">", "⟨": "⟩"}
START = "init"
"""What PAT writes before the first arrow of a trace; no event."""


def parse(content: str, file: str) -> Story:
    """The events of a text; commas within brackets are part of an event, as is all within double quotes."""
    text = COMMENT.sub(lambda found: found[0] if found[0][0] == '"' else " " * len(found[0]), content)
    places = _Places(text, file)
    start, end = len(text) - len(text.lstrip()), len(text.rstrip())
    around = AROUND.get(text[start : start + 1])
    if around is not None:
        if text[end - 1] != around or text.endswith("->", 0, end):
            raise HomingError(f"'{text[start]}' is never closed", places.at(start))
        start, end = start + 1, end - 1
    events = list(_events(text, start, end, places))
    if around is not None and events and events[0][0].text == START and events[0][1] in {*ARROWS, ""}:
        events = events[1:]
    if around is None and not events:
        raise HomingError("holds no event; an empty trace is <>", Place(file))
    return Story(tuple(Stage(mention) for mention, _ in events))


class _Places:
    """Lines and columns of offsets."""

    def __init__(self, text: str, file: str) -> None:
        self._file = file
        self._starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def at(self, offset: int) -> Place:
        line = bisect_right(self._starts, offset)
        return Place(self._file, line, offset - self._starts[line - 1] + 1)


def _events(text: str, start: int, end: int, places: _Places) -> Iterator[tuple[Mention, str]]:
    """Each event, and the separator that follows it."""
    open_at: list[int] = []
    first = start
    for piece in PIECE.finditer(text, start, end):
        token = piece[0]
        if token in SEPARATORS and (token == "\n" or not open_at):
            if open_at:
                break
            yield from _event(text, first, piece.start(), token, places)
            first = piece.end()
        elif token in "([{⟨":
            open_at.append(piece.start())
        elif token in ")]}⟩" and open_at:
            open_at.pop()
    if open_at:
        what = f"'{text[open_at[-1]]}' is not closed on its line; an event with such a text goes in double quotes"
        raise HomingError(what, places.at(open_at[-1]))
    yield from _event(text, first, end, "", places)


def _event(text: str, start: int, end: int, separator: str, places: _Places) -> Iterator[tuple[Mention, str]]:
    """Nothing where there is nothing between two separators: a comma at the end of a line is one."""
    written = text[start:end]
    shown = written.strip()
    if not shown:
        return
    place = places.at(start + len(written) - len(written.lstrip()))
    quoted = len(shown) > 2 and shown[0] == shown[-1] == '"' and '"' not in shown[1:-1]
    yield Mention(shown[1:-1] if quoted else shown, place), separator
