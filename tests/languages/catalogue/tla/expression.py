"""An expression over the variables of a small specification, with all that it needs around it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

NAME = re.compile(r"(?<![\w.!\"\\])[a-z](?![\w\"]|\s*\|->|:(?![:>]))")


@dataclass(frozen=True)
class Variable:
    """A variable: its first value, and its next one in the steps of every specification."""

    first: str
    then: str
    module: str = "Integers"


VARIABLES = {
    "x": Variable("0", "(x + 1) % 3"),
    "y": Variable("0", "IF x = 1 THEN 1 - y ELSE y"),
    "s": Variable("{}", r"IF x = 2 THEN {} ELSE s \cup {x}"),
    "q": Variable("<<>>", "IF x = 2 THEN <<>> ELSE Append(q, x)", "Sequences"),
    "f": Variable("<<1, 2>>", "[f EXCEPT ![1] = x, ![2] = @ + x - 1]"),
    "r": Variable('[a |-> 0, b |-> "s"]', '[r EXCEPT !.a = x, !.b = IF x = 1 THEN "t" ELSE "s"]'),
    "t": Variable("FALSE", "~t"),
    "c": Variable("c1", "IF c = c1 THEN c2 ELSE c1"),
}
MODEL_VALUES = re.compile(r"\b(c1|c2|C)\b")


@dataclass(frozen=True)
class Expression:
    """An expression, and its value in the second state; a condition has no value."""

    text: str
    value: str = ""
    modules: tuple[str, ...] = ()
    definitions: tuple[str, ...] = ()
    """Definitions that it uses, in their order."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Modules beside the specification."""
    config: tuple[str, ...] = ()
    """Lines of the configuration that it needs."""

    @property
    def condition(self) -> str:
        """The expression itself, or that it has its value."""
        return f"(({self.text}) = {self.value})" if self.value else f"({self.text})"

    @property
    def all_text(self) -> str:
        return "\n".join([self.text, self.value, *self.definitions, *self.files.values()])

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables that it reads, and x."""
        found = set(NAME.findall(self.all_text)) | {"x"}
        if MODEL_VALUES.search(self.all_text):
            found.add("c")
        return tuple(name for name in VARIABLES if name in found)

    def with_x(self, replacement: str) -> str:
        """The text with something else for x."""
        return re.sub(r"(?<![\w.!\"\\])x(?![\w\"])", replacement, self.text)
