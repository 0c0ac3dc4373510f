"""Declarations and assertions out of lark's tree, and with them a whole source."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from lark import Token, Tree
from lark.tree import Meta

from homing.core.errors import HomingError, Place
from homing.languages.csp import syntax as s
from homing.languages.csp.building_processes import ProcessBuilder
from homing.languages.csp.building_terms import Parts

COMMENT = re.compile(r"//[^\n]*|/\*[\s\S]*?\*/")
FAIRNESS: dict[str, s.Fairness] = {
    "none": "none",
    "event-weak": "event-weak",
    "event-strong": "event-strong",
    "process-weak": "process-weak",
    "process-strong": "process-strong",
    "strong-global": "strong-global",
}
REFINEMENTS: dict[str, Literal["T", "F", "FD"]] = {"": "T", "<F>": "F", "<FD>": "FD"}


class Builder(ProcessBuilder):
    """One method a rule; a declaration that stands for several gives a list."""

    def __init__(self, text: str, file: str, states: frozenset[str], blocks: Mapping[str, Tree[Token]]) -> None:
        super().__init__(file, states, blocks)
        self.text = text

    def macro(self, meta: Meta, parts: Parts) -> s.Macro:
        """`#define N 3;`."""
        return s.Macro(self.place(meta), str(parts[0]), parts[1] or (), parts[2])

    def macro_parameters(self, _meta: Meta, parts: Parts) -> tuple[str, ...]:
        """`(x, y)`."""
        return tuple(str(part) for part in parts if part is not None)

    def enum(self, _meta: Meta, parts: Parts) -> list[s.Macro]:
        """`enum {a, b};`: the names are 0, 1, …."""
        places = [self.place(part) for part in parts]
        return [s.Macro(places[i], str(part), (), s.Number(places[i], i)) for i, part in enumerate(parts)]

    def bounds(self, _meta: Meta, parts: Parts) -> tuple[s.Expression | None, s.Expression | None]:
        """`:{lo..hi}`."""
        return parts[0], parts[1]

    def variable(self, meta: Meta, parts: Parts) -> s.Variable:
        """`var x:{0..3} = 1;`."""
        kind, name, sizes, bounds, value = parts
        low, high = bounds or (None, None)
        return s.Variable(self.place(meta), str(name), sizes or (), low, high, value, kind == "hvar")

    def channel(self, meta: Meta, parts: Parts) -> s.Channel:
        """`channel c 3;`."""
        return s.Channel(self.place(meta), str(parts[0]), parts[1] or (), parts[2])

    def alphabet(self, meta: Meta, parts: Parts) -> s.Alphabet:
        """`#alphabet P {e};`."""
        return s.Alphabet(self.place(meta), str(parts[0]), parts[1])

    def parameter(self, _meta: Meta, parts: Parts) -> Parts:
        """`x` or `x:{0..3}`."""
        return parts

    def parameters(self, _meta: Meta, parts: Parts) -> Parts:
        """`(x, y)`."""
        return parts

    def definition(self, meta: Meta, parts: Parts) -> s.Definition:
        """`P(x) = …;`."""
        name, parameters, body = parts
        names = tuple(str(parameter) for parameter, _ in parameters or ())
        bounds = tuple(bounds or (None, None) for _, bounds in parameters or ())
        limited = any(bound is not None for pair in bounds for bound in pair)
        return s.Definition(self.place(meta), str(name), names, body, bounds if limited else ())

    # Assertions

    def as_written(self, meta: Meta) -> str:
        """An assertion as it stands in the file, on one line and without `#assert` and `;`."""
        lines = COMMENT.sub(" ", self.text[meta.start_pos : meta.end_pos])
        return " ".join(lines.replace("#", "", 1).split()).removeprefix("assert").removesuffix(";").strip()

    def asks(self, meta: Meta, parts: Parts) -> s.Asks:
        """`#assert P deadlockfree;`."""
        return s.Asks(self.place(meta), self.as_written(meta), parts[0], parts[1].value)

    def extreme(self, _meta: Meta, parts: Parts) -> tuple[Token, s.Expression]:
        """`with min(e)`."""
        if parts[0] not in {"min", "max"}:
            raise HomingError(f"'with {parts[0]}(…)' is unknown", self.place(parts[0]), ("min", "max"))
        return parts[0].value, parts[1]

    def reaches(self, meta: Meta, parts: Parts) -> s.Reaches:
        """`#assert P reaches goal;`."""
        sense, measure = parts[2] or (None, None)
        return s.Reaches(self.place(meta), self.as_written(meta), parts[0], parts[1], sense, measure)

    def satisfies(self, meta: Meta, parts: Parts) -> s.Satisfies:
        """`#assert P |= formula;`."""
        pragma, process, formula = parts
        fairness = None
        if pragma is not None:
            word = " ".join(pragma.removeprefix("//@fairness").split())
            if word not in FAIRNESS:
                raise HomingError(f"unknown fairness '{word}'", self.place(pragma), FAIRNESS)
            fairness = FAIRNESS[word]
        place = self.place(meta) if pragma is None else process.place
        return s.Satisfies(place, self.as_written(meta), process, formula, fairness)

    def refines(self, meta: Meta, parts: Parts) -> s.RefinesAssertion:
        """`#assert P refines<FD> Q;`."""
        process, opening, sense, closing, specification = parts
        asked = "" if opening is None else f"{opening}{sense}{closing}"
        if asked not in REFINEMENTS:
            raise HomingError(
                f"unknown refinement '{asked}'", self.place(opening), [kind for kind in REFINEMENTS if kind]
            )
        return s.RefinesAssertion(self.place(meta), self.as_written(meta), process, specification, REFINEMENTS[asked])

    def source(self, _meta: Meta, parts: Parts) -> s.Source:
        """The declarations, by kind."""
        found: list[s.Declaration] = []
        for part in parts:
            found.extend(part if isinstance(part, list) else [part])
        return s.Source(
            self.file,
            tuple(one for one in found if isinstance(one, s.Macro) and not isinstance(one.body, tuple)),
            tuple(one for one in found if isinstance(one, s.Variable)),
            tuple(one for one in found if isinstance(one, s.Channel)),
            tuple(one for one in found if isinstance(one, s.Definition)),
            tuple(one for one in found if isinstance(one, s.Alphabet)),
            tuple(one for one in found if isinstance(one, s.Asks | s.Reaches | s.Satisfies | s.RefinesAssertion)),
        )


def build(tree: Tree[Token], text: str, file: str) -> s.Source:
    """The syntax tree of a file."""
    states: set[str] = set()
    blocks: dict[str, Tree[Token]] = {}
    for declaration in tree.children:
        assert isinstance(declaration, Tree)
        names = _names(declaration)
        for name in names:
            if name in blocks or (name in states and _is_block(declaration)):
                message = f"'{name}' is declared twice: it is a constant, macro or variable already"
                raise HomingError(message, Place(file, name.line or 0, name.column or 0))
        if _is_block(declaration):
            blocks[names[0]] = declaration
        else:
            states.update(names)
    source: s.Source = Builder(text, file, frozenset(states), blocks).build(tree)
    return source


def _names(declaration: Tree[Token]) -> list[Token]:
    names = [child for child in declaration.children if isinstance(child, Token) and child.type == "NAME"]
    return names if declaration.data in {"macro", "variable", "enum"} else []


def _is_block(declaration: Tree[Token]) -> bool:
    last = declaration.children[-1]
    return declaration.data == "macro" and isinstance(last, Tree) and last.data == "block"
