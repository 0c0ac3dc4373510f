"""Reads the configuration files that TLC reads."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from homing.core.errors import HomingError, Place
from homing.core.numerals import whole

_TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<comment>\\\*[^\n]*)|(?P<block>\(\*.*?\*\))|(?P<string>\"(?:[^\"\\\n]|\\.)*\")"
    r"|(?P<number>-?\d+(?![\w]))|(?P<name>[\w!]+)|(?P<sign><-|[={}\[\],<>])",
    re.DOTALL,
)

KEYWORDS = {
    "CONSTANT": "constants", "CONSTANTS": "constants", "INIT": "init", "NEXT": "next", "SPECIFICATION": "specification",
    "INVARIANT": "invariants", "INVARIANTS": "invariants", "PROPERTY": "properties", "PROPERTIES": "properties",
    "CONSTRAINT": "constraints", "CONSTRAINTS": "constraints", "ACTION_CONSTRAINT": "action_constraints",
    "ACTION_CONSTRAINTS": "action_constraints", "SYMMETRY": "symmetry", "VIEW": "view", "ALIAS": "alias",
    "POSTCONDITION": "postcondition", "CHECK_DEADLOCK": "check_deadlock", "_PERIODIC": "periodic",
    "_RL_REWARD": "reward",
}  # fmt: skip
MANY = {"invariants", "properties", "constraints", "action_constraints"}


@dataclass(frozen=True)
class Name:
    """A name that the configuration mentions."""

    text: str
    place: Place


@dataclass(frozen=True)
class Replacement:
    """`name <- by`; in `module` only, if it has one."""

    name: Name
    by: Name
    module: str | None = None


@dataclass
class Config:
    """What a configuration file says."""

    place: Place
    values: list[tuple[Name, Any]] = field(default_factory=list)
    replacements: list[Replacement] = field(default_factory=list)
    init: Name | None = None
    next: Name | None = None
    specification: Name | None = None
    invariants: list[Name] = field(default_factory=list)
    properties: list[Name] = field(default_factory=list)
    constraints: list[Name] = field(default_factory=list)
    action_constraints: list[Name] = field(default_factory=list)
    symmetry: Name | None = None
    view: Name | None = None
    alias: Name | None = None
    postcondition: Name | None = None
    check_deadlock: bool = True


def read(path: Path) -> Config:
    """The configuration in a file."""
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise HomingError(f"cannot be read: {error.strerror or error}", Place(str(path))) from None
    except UnicodeDecodeError:
        raise HomingError("is no text in UTF-8", Place(str(path))) from None
    return _Reader(text, str(path)).config()


class _Reader:
    def __init__(self, text: str, file: str) -> None:
        self.file = file
        self.tokens = list(self._tokens(text))
        self.at = 0

    def _tokens(self, text: str) -> Any:
        position, line, start = 0, 1, 0
        while position < len(text):
            place = Place(self.file, line, position - start + 1)
            found = _TOKEN.match(text, position)
            if found is None:
                raise HomingError(f"'{text[position]}' has no meaning in a configuration", place)
            if found.lastgroup not in ("space", "comment", "block"):
                yield found.lastgroup, found.group(), place
            newlines = found.group().count("\n")
            if newlines:
                line += newlines
                start = position + found.group().rindex("\n") + 1
            position = found.end()

    def config(self) -> Config:
        config = Config(Place(self.file))
        while self.at < len(self.tokens):
            _, text, place = self._take()
            if text not in KEYWORDS:
                raise HomingError(f"'{text}' stands where a section should begin", place, sorted(KEYWORDS))
            self._section(config, KEYWORDS[text], text, place)
        return config

    def _section(self, config: Config, section: str, keyword: str, place: Place) -> None:
        if section in ("periodic", "reward"):
            raise HomingError(f"'{keyword}' is not supported", place)
        if section == "constants":
            while self._is_name():
                self._constant(config)
        elif section in MANY:
            while self._is_name():
                getattr(config, section).append(self._name())
        elif section == "check_deadlock":
            word = self._name()
            if word.text not in ("TRUE", "FALSE"):
                raise HomingError(f"{keyword} is TRUE or FALSE, not '{word.text}'", word.place)
            config.check_deadlock = word.text == "TRUE"
        else:
            if not self._is_name():
                raise HomingError(f"{keyword} is followed by no name", place)
            setattr(config, section, self._name())

    def _is_name(self) -> bool:
        if self.at >= len(self.tokens):
            return False
        kind, text, _ = self.tokens[self.at]
        return kind in ("name", "number") and text not in KEYWORDS

    def _take(self) -> tuple[str, str, Place]:
        if self.at >= len(self.tokens):
            raise HomingError("the configuration ends in the middle of something", Place(self.file))
        self.at += 1
        token: tuple[str, str, Place] = self.tokens[self.at - 1]
        return token

    def _name(self) -> Name:
        kind, text, place = self._take()
        if kind not in ("name", "number"):
            raise HomingError(f"a name is wanted here, not '{text}'", place)
        return Name(text, place)

    def _constant(self, config: Config) -> None:
        name = self._name()
        _, sign, place = self._take()
        if sign == "=":
            config.values.append((name, self._value()))
        elif sign == "<-":
            module = None
            if self.tokens[self.at : self.at + 1] and self.tokens[self.at][1] == "[":
                self._take()
                module = self._name().text
                self._expect("]")
            config.replacements.append(Replacement(name, self._name(), module))
        else:
            raise HomingError(f"'{name.text}' is followed by '{sign}', not by '=' or '<-'", place)

    def _expect(self, sign: str) -> None:
        _, text, place = self._take()
        if text != sign:
            raise HomingError(f"'{sign}' is wanted here, not '{text}'", place)

    def _value(self) -> Any:
        """Numbers, strings, TRUE and FALSE, sets of values; any other name is a model value."""
        kind, text, place = self._take()
        if kind == "number":
            return whole(text, place)
        if kind == "string":
            return text[1:-1].replace('\\"', '"').replace("\\\\", "\\")
        if text == "{":
            return self._set()
        if text == "[":  # the module that it is meant for, as in `C = [M]v`; here a name means the same everywhere
            self._name()
            self._expect("]")
            return self._value()
        if kind != "name" or text in KEYWORDS:
            raise HomingError(f"a value is wanted here, not '{text}'", place)
        if text in ("TRUE", "FALSE"):
            return text == "TRUE"
        return text.encode()

    def _set(self) -> frozenset[Any]:
        items: list[Any] = []
        if self.at < len(self.tokens) and self.tokens[self.at][1] == "}":
            self._take()
            return frozenset()
        while True:
            items.append(self._value())
            _, text, place = self._take()
            if text == "}":
                return frozenset(items)
            if text != ",":
                raise HomingError(f"',' or '}}' is wanted here, not '{text}'", place)
