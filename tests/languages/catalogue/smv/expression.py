"""Expressions of NuSMV with their types, and the variables that they speak of."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

VARIABLES = {
    "b": ("boolean", "init(b) := FALSE; next(b) := !b;"),
    "c": ("boolean", ""),
    "n": ("-2..3", "init(n) := 0; next(n) := case n < 3 : n + 1; TRUE : -2; esac;"),
    "m": ("0..2", ""),
    "k": ("1..2", "next(k) := k;"),
    "e": ("{1, 3, 5}", "init(e) := 1; next(e) := case e = 1 : {3, 5}; TRUE : 1; esac;"),
    "s": ("{red, green, blue}", "init(s) := red; next(s) := case s = red : {green, blue}; TRUE : red; esac;"),
    "t": ("{green, red}", ""),
    "x": ("{red, 1, 2}", "init(x) := 1; next(x) := case x = 1 : red; TRUE : {1, 2}; esac;"),
    "y": ("{2, red}", ""),
    "u": ("word[3]", "init(u) := 0ud3_6; next(u) := u + 0ud3_1;"),
    "v": ("unsigned word[2]", ""),
    "p": ("signed word[3]", "init(p) := -0sd3_4; next(p) := p + 0sd3_1;"),
    "q": ("signed word[2]", ""),
    "f": ("word[1]", ""),
    "a": ("array 0..2 of 0..2", "init(a[0]) := 1; next(a[0]) := a[1]; next(a[2]) := (a[2] + 1) mod 3;"),
    "g": ("array 1..2 of array 0..1 of boolean", "next(g[1][0]) := g[2][1]; next(g[1][1]) := FALSE;"),
}
"""By name the type of a variable and its assignments; the others are free."""
LETTERS = "".join(VARIABLES)


@dataclass(frozen=True)
class Expression:
    """A text, the type of a variable that can have its value, and some of these values."""

    text: str
    type: str
    values: tuple[str, ...]
    is_set: bool = False
    declared: str = ""
    """Lines that the text needs in its module."""
    modules: str = ""
    """Modules that these lines need."""

    @property
    def is_boolean(self) -> bool:
        return self.type == "boolean"

    @property
    def is_integer(self) -> bool:
        return ".." in self.type and "array" not in self.type

    @property
    def condition(self) -> str:
        """A truth value that depends on the expression."""
        if self.is_set:
            return f"({self.values[0]} in ({self.text}))"
        return f"({self.text})" if self.is_boolean else f"(({self.text}) = {self.values[0]})"

    def wrapped(self, text: str, **changes: object) -> Expression:
        """The expression inside of another one: `@` is its text, `#` its condition, and $0, $1 … are its values."""
        values = {f"${number}": value for number, value in enumerate(self.values)}
        found = text.replace("#", self.condition).replace("@", f"({self.text})")
        for sign, value in values.items():
            found = found.replace(sign, value)
        return replace(self, text=found, **changes)  # type: ignore[arg-type]

    def names(self) -> list[str]:
        """The variables of `VARIABLES` that it speaks of."""
        found = set(re.findall(r"(?<![\w.])[a-z](?![\w(])", f"{self.text} {self.declared}"))
        return [name for name in VARIABLES if name in found]


def declarations(names: list[str], kind: str = "VAR") -> str:
    """The variables with what is assigned to them; inputs and frozen variables have no assignments here."""
    lines = [f"{kind} {name} : {VARIABLES[name][0]};" for name in names]
    if kind == "VAR":
        lines += [f"ASSIGN {VARIABLES[name][1]}" for name in names if VARIABLES[name][1]]
    return "\n".join(lines)
