"""On which line each value of a file stands, by the keys and positions that lead to it.

The standard readers of TOML and JSON keep no lines. Both are scanned here once they are known to be valid, so
nothing is checked again: strings, comments and brackets are told apart, and the rest is counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Steps = tuple[str | int, ...]
Lines = dict[Steps, int]

TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}|' + r"'''.*?'{3,5}|" + r'"(?:\\.|[^"\\\n])*"|' + r"'[^'\n]*'|"
    r"#[^\n]*|\n|[\[\]{}=:,.]|[^\s\[\]{}=:,.\"'#]+",
    re.DOTALL,
)
END = ""


MOST_ALIASES = 16
"""Of a YAML file: enough to name a list of subscribers once, too few to make much of little."""


DEEPEST = 64
"""Levels of a YAML file; ours has four."""


class Refused(ValueError):
    """Valid for the format, and not for us."""

    def __init__(self, message: str, line: int) -> None:
        self.line = line
        super().__init__(message)


class Twice(Refused):
    """A key that stands twice in one table: JSON and YAML keep the last, and half a network would be lost."""

    def __init__(self, key: str, line: int) -> None:
        super().__init__(f"the key '{key}' stands twice", line)


def toml_lines(text: str) -> Lines:
    return _Scanner(_tokens(text, comments=True)).document()


def json_lines(text: str) -> Lines:
    scanner = _Scanner(_tokens(text, comments=False))
    scanner.skip()
    scanner.lines[()] = scanner.line()
    scanner.value(())
    return scanner.lines


def yaml_lines(text: str) -> Lines:
    import yaml

    _refuse_expansion(text)
    lines: Lines = {}
    seen: set[int] = set()

    def visit(node: Any, steps: Steps) -> None:
        lines.setdefault(steps, node.start_mark.line + 1)
        if id(node) in seen:  # an alias: its places are those of the first time
            return
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            keys: set[str] = set()
            for key, value in node.value:
                if str(key.value) in keys:
                    raise Twice(str(key.value), key.start_mark.line + 1)
                keys.add(str(key.value))
                lines[(*steps, str(key.value))] = key.start_mark.line + 1
                visit(value, (*steps, str(key.value)))
        elif isinstance(node, yaml.SequenceNode):
            for number, value in enumerate(node.value):
                visit(value, (*steps, number))

    root = yaml.compose(text, Loader=yaml.SafeLoader)
    if root is not None:
        visit(root, ())
    return lines


def _refuse_expansion(text: str) -> None:
    """Aliases of aliases, and merge keys, make gigabytes of a few lines, as entities do in XML; brackets in brackets
    take the parser for ever."""
    import yaml

    aliases = depth = 0
    events: Iterator[Any] = yaml.parse(text, Loader=yaml.SafeLoader)
    for event in events:
        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent):
            aliases += 1
            if aliases > MOST_ALIASES:
                raise Refused(f"more than {MOST_ALIASES} aliases are refused", line)
        elif isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > DEEPEST:
                raise Refused("not valid YAML: nested too deeply", line)
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        elif isinstance(event, yaml.ScalarEvent) and event.value == "<<" and event.style is None:
            raise Refused("merge keys ('<<') are refused", line)


def _tokens(text: str, comments: bool) -> list[tuple[str, int]]:
    found, line, seen = [], 1, 0
    for match in TOKEN.finditer(text):
        line += text.count("\n", seen, match.start())
        seen = match.start()
        if not (comments and match[0].startswith("#")):
            found.append((match[0], line))
    return found


@dataclass
class _Scanner:
    tokens: list[tuple[str, int]]
    at: int = 0
    lines: Lines = field(default_factory=dict)
    _counts: dict[Steps, int] = field(default_factory=dict)  # of arrays of tables

    def document(self) -> Lines:
        """TOML: headers, and keys with values under them."""
        prefix: Steps = ()
        self.lines[()] = 1
        while self._more(END):
            line = self.line()
            if self._word() == "[":
                array = self._word(1) == "["
                self.at += 2 if array else 1
                prefix = self._header(self._key("]"), array)
                for length in range(1, len(prefix) + 1):
                    self.lines.setdefault(prefix[:length], line)
                self.at += 2 if array else 1
            else:
                self._pair(prefix, "=")
        return self.lines

    def value(self, steps: Steps) -> None:
        opened = self._word()
        self.at += 1
        if opened == "[":
            number = 0
            while self._more("]"):
                self.lines.setdefault((*steps, number), self.line())
                self.value((*steps, number))
                number += 1
        elif opened == "{":
            while self._more("}"):
                self._pair(steps, "=:")
        else:  # a date or a number may be more than one token
            while self._word() not in (",", "]", "}", "\n", END):
                self.at += 1

    def skip(self) -> None:
        while self._word() in ("\n", ","):
            self.at += 1

    def _pair(self, steps: Steps, signs: str) -> None:
        line = self.line()
        path = (*steps, *self._key(signs))
        if path in self.lines and ":" in signs:
            raise Twice(str(path[-1]), line)
        for length in range(len(steps) + 1, len(path) + 1):
            self.lines.setdefault(path[:length], line)
        self.at += 1
        while self._word() == "\n":
            self.at += 1
        self.value(path)

    def _key(self, signs: str) -> Steps:
        parts: list[str] = []
        while self._word() != END and self._word() not in signs:
            if self._word() not in (".", "\n"):
                parts.append(self._word().strip("\"'"))
            self.at += 1
        return tuple(parts)

    def _header(self, parts: Steps, array: bool) -> Steps:
        steps: Steps = ()
        for part in parts[:-1]:
            steps = (*steps, part)
            if steps in self._counts:
                steps = (*steps, self._counts[steps] - 1)
        steps = (*steps, *parts[-1:])
        if not array:
            return steps
        self._counts[steps] = self._counts.get(steps, 0) + 1
        return (*steps, self._counts[steps] - 1)

    def _more(self, closing: str) -> bool:
        """Whether another element comes before the end; goes past the end."""
        self.skip()
        if self._word() not in (closing, END):
            return True
        self.at += 1
        return False

    def _word(self, ahead: int = 0) -> str:
        return self.tokens[self.at + ahead][0] if self.at + ahead < len(self.tokens) else END

    def line(self) -> int:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else 0
