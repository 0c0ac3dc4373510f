"""Lines of Python code, as they are put together for what is evaluated very often.

Nothing of a specification's text goes into the code: names are made here, and values are constants that it refers to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

LITERALS = (int, bool)


class Lines:
    """The body of a function that is being written."""

    def __init__(self) -> None:
        self.first: list[str] = []
        self.lines: list[str] = []
        self.constants: dict[str, Any] = {}
        self._names: dict[int, str] = {}
        self._depth = 1
        self._count = 0
        self._outside: list[set[str]] = []
        """By function inside the function, the names that it gives values to though they are not its own."""

    def add(self, text: str) -> None:
        """One line more."""
        self.lines.append(" " * self._depth + text)

    def fresh(self) -> str:
        """A name that is not in use."""
        self._count += 1
        return f"t{self._count}"

    def constant(self, value: Any) -> str:
        """What stands for a value in the code."""
        if type(value) in LITERALS:
            return f"({value})"
        if id(value) not in self._names:
            self._names[id(value)] = name = f"k{len(self._names)}"
            self.constants[name] = value  # which also keeps its identity from being another's
        return self._names[id(value)]

    def kept(self, text: str) -> str:
        """A name, or a literal, for the value of some code."""
        if text.isidentifier() or (text[0] == "(" and text[1:-1].lstrip("-").isalnum()):
            return text
        return self.copied(text)

    def copied(self, text: str) -> str:
        """A name of its own for a value: what the text refers to may be given another value before it is used."""
        name = self.fresh()
        self.add(f"{name} = {text}")
        return name

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """The lines below a head."""
        self.add(head)
        self._depth += 1
        yield
        self._depth -= 1

    @property
    def level(self) -> int:
        """How many functions are around what is being written."""
        return len(self._outside)

    @contextmanager
    def function(self, head: str) -> Iterator[None]:
        """The lines of a function inside the function."""
        at = len(self.lines) + 1
        self._outside.append(set())
        with self.block(head):
            yield
            names = self._outside.pop()
            if names:
                self.lines.insert(at, " " * self._depth + f"nonlocal {', '.join(sorted(names))}")

    @contextmanager
    def beginning(self) -> Iterator[None]:
        """Lines that go before all others, wherever they turn out to be needed."""
        here = self.lines, self._depth, self._outside
        self.lines, self._depth, self._outside = [], 1, []
        yield
        self.first += self.lines
        self.lines, self._depth, self._outside = here

    def assigned(self, name: str, level: int) -> None:
        """Notes that a name of a function further out gets a value here."""
        for names in self._outside[level:]:
            names.add(name)

    def junction(self, word: str, parts: Sequence[Callable[[], str]]) -> str:
        """Parts joined by `and` or `or`: the lines that one needs run only where those before it do not decide."""
        text = parts[0]()
        for part in parts[1:]:
            more, inner = self.apart(part)
            if not inner:
                text = f"({text} {word} {more})"
                continue
            name = self.fresh()
            self.add(f"{name} = {text}")
            self.add(f"if {name}:" if word == "and" else f"if not {name}:")
            self.lines += [*inner, " " * (self._depth + 1) + f"{name} = {more}"]
            text = name
        return text

    def choice(self, condition: str, then: Callable[[], str], other: Callable[[], str]) -> str:
        """One of two, whose lines run only where it is chosen."""
        (yes, first), (no, second) = self.apart(then), self.apart(other)
        if not first and not second:
            return f"({yes} if {condition} else {no})"
        name, inside = self.fresh(), " " * (self._depth + 1)
        self.add(f"if {condition}:")
        self.lines += [*first, f"{inside}{name} = {yes}"]
        self.add("else:")
        self.lines += [*second, f"{inside}{name} = {no}"]
        return name

    def apart(self, part: Callable[[], str]) -> tuple[str, list[str]]:
        """The text of a part, and the lines that it needs, one level further in; they are not added."""
        mark = len(self.lines)
        self._depth += 1
        text = part()
        self._depth -= 1
        inner = self.lines[mark:]
        del self.lines[mark:]
        return text, inner
