"""UPPAAL's XML: the elements of a file, each with its text and place. Nothing outside of the file is ever read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from homing.core.errors import HomingError, Place
from homing.languages.uppaal.text import Text

FLAT = re.compile(r"flat-1_\d+\.dtd$")
"""What the only document type ends in that is accepted; it is not fetched."""
MOST_LEVELS = 50
CHUNK = 4096


@dataclass(eq=False)
class Element:
    """An element with what it contains."""

    name: str
    attributes: dict[str, str]
    place: Place
    children: list[Element] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    marks: list[tuple[int, int, int]] = field(default_factory=list)
    length: int = 0

    def add(self, data: str, line: int, column: int) -> None:
        """Some more of its text."""
        self.marks.append((self.length, line, column))
        self.pieces.append(data)
        self.length += len(data)

    def text(self, element: str) -> Text:
        """Its own text, under a name."""
        marks = tuple(self.marks) or ((0, self.place.line, self.place.column),)
        return Text(self.place.file, element, "".join(self.pieces), marks)

    @property
    def value(self) -> str:
        """Its own text without space around it."""
        return "".join(self.pieces).strip()

    def all(self, name: str) -> Iterator[Element]:
        """The elements of a name in it."""
        return (child for child in self.children if child.name == name)

    def first(self, name: str) -> Element | None:
        """The first of them."""
        return next(self.all(name), None)


class Reader:
    """One pass over a document."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.open: list[Element] = []
        self.root: Element | None = None
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = False
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.EntityDeclHandler = self._entity
        self.parser.SkippedEntityHandler = self._skipped
        self.parser.ExternalEntityRefHandler = self._external
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._data

    def read(self, data: bytes) -> Element:
        """The root element."""
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as error:
            place = Place(self.file, error.lineno, error.offset + 1)
            raise HomingError(f"no XML: {expat.ErrorString(error.code)}", place) from None
        except (ValueError, LookupError) as error:
            raise HomingError(f"no XML: {error}", self._here()) from None
        assert self.root is not None
        return self.root

    def _here(self) -> Place:
        return Place(self.file, self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1)

    def _doctype(self, _name: str, system: str | None, public: str | None, internal: bool) -> None:
        if internal:
            why = "a document type with declarations of its own, such as entities, is refused"
            raise HomingError(why, self._here())
        if system is not None and not FLAT.search(system):
            raise HomingError(
                f"a reference to '{system}' is refused; only UPPAAL's own document type is named", self._here()
            )

    def _entity(self, name: str, *_rest: object) -> None:
        raise HomingError(f"the entity '{name}' is refused: entities are not read", self._here())

    def _skipped(self, name: str, _parameter: bool) -> None:
        raise HomingError(f"the entity '{name}' is refused: entities are not read", self._here())

    def _external(self, _context: str, _base: str | None, system: str | None, _public: str | None) -> int:
        raise HomingError(f"the external reference '{system}' is refused", self._here())

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self.open) >= MOST_LEVELS:
            raise HomingError(f"elements stand in one another more than {MOST_LEVELS} levels deep", self._here())
        element = Element(name, attributes, self._here())
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def _end(self, _name: str) -> None:
        self.open.pop()

    def _data(self, data: str) -> None:
        self.open[-1].add(data, self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1)


def read(data: bytes, file: str) -> Element:
    """The root element `nta` of a file; raises HomingError on anything else."""
    root = Reader(file).read(data)
    if root.name != "nta":
        raise HomingError(f"is no UPPAAL model: its root element is '{root.name}', not 'nta'", root.place)
    return root


def is_model(path: Path) -> bool:
    """Whether a file's root element is UPPAAL's; only its beginning is read."""
    found: list[str] = []
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda name, _attributes: found.append(name)
    try:
        with path.open("rb") as file:
            while not found and (data := file.read(CHUNK)):
                parser.Parse(data, False)
    except (OSError, expat.ExpatError, ValueError, LookupError):
        pass
    return found[:1] == ["nta"]
