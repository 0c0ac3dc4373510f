"""Declarations and assertions out of lark's tree, and with them a whole source."""

from __future__ import annotations

import re

from lark import Token, Tree, v_args
from lark.exceptions import VisitError
from lark.tree import Meta

from homing.core.errors import HomingError
from homing.languages.csp import syntax as s
from homing.languages.csp.building_processes import ProcessBuilder
from homing.languages.csp.building_terms import Parts

COMMENT = re.compile(r"//[^\n]*|/\*[\s\S]*?\*/")
FAIRNESS: dict[str, s.Fairness] = {
    "none": "none",
    "process-weak": "process-weak",
    "process-strong": "process-strong",
    "strong-global": "strong-global",
}
REFINEMENTS = {"<F>": "F", "<FD>": "FD"}


@v_args(meta=True)
class Builder(ProcessBuilder):
    """One method a rule; a declaration that stands for several gives a list."""

    def __init__(self, text: str, file: str, states: frozenset[str]) -> None:
        super().__init__(file, states)
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

    def parameter(self, _meta: Meta, parts: Parts) -> str:
        """`x`."""
        name, bounds = parts
        if bounds is not None:
            raise HomingError(f"a range of a process parameter, '{name}', is not supported", self.place(name))
        return str(name)

    def parameters(self, _meta: Meta, parts: Parts) -> tuple[str, ...]:
        """`(x, y)`."""
        return tuple(parts)

    def definition(self, meta: Meta, parts: Parts) -> s.Definition:
        """`P(x) = …;`."""
        return s.Definition(self.place(meta), str(parts[0]), parts[1] or (), parts[2])

    # Assertions

    def written(self, meta: Meta) -> str:
        """An assertion as it stands in the file, on one line and without `#assert` and `;`."""
        lines = COMMENT.sub(" ", self.text[meta.start_pos : meta.end_pos])
        return " ".join(lines.replace("#", "", 1).split()).removeprefix("assert").removesuffix(";").strip()

    def asks(self, meta: Meta, parts: Parts) -> s.Asks:
        """`#assert P deadlockfree;`."""
        return s.Asks(self.place(meta), self.written(meta), parts[0], parts[1].value)

    def extreme(self, _meta: Meta, parts: Parts) -> tuple[Token, s.Expression]:
        """`with min(e)`."""
        if parts[0] not in {"min", "max"}:
            raise HomingError(f"'with {parts[0]}(…)' is unknown", self.place(parts[0]), ("min", "max"))
        return parts[0].value, parts[1]

    def reaches(self, meta: Meta, parts: Parts) -> s.Reaches:
        """`#assert P reaches goal;`."""
        sense, measure = parts[2] or (None, None)
        return s.Reaches(self.place(meta), self.written(meta), parts[0], parts[1], sense, measure)

    def satisfies(self, meta: Meta, parts: Parts) -> s.Satisfies:
        """`#assert P |= formula;`."""
        pragma, process, formula = parts
        fairness = None
        if pragma is not None:
            word = " ".join(pragma.removeprefix("//@fairness").split())
            if word not in FAIRNESS:
                raise HomingError(f"unknown fairness '{word}'", self.place(pragma), FAIRNESS)
            fairness = FAIRNESS[word]
        return s.Satisfies(process.place, self.written(meta), process, formula, fairness)

    def refines(self, meta: Meta, parts: Parts) -> s.RefinesAssertion:
        """`#assert P refines<FD> Q;`."""
        process, opening, sense, closing, specification = parts
        if opening is not None and f"{opening}{sense}{closing}" not in REFINEMENTS:
            raise HomingError(f"unknown refinement '{opening}{sense}{closing}'", self.place(opening), REFINEMENTS)
        sense = "T" if sense is None else str(sense)
        return s.RefinesAssertion(self.place(meta), self.written(meta), process, specification, sense)

    def source(self, _meta: Meta, parts: Parts) -> s.Source:
        """The declarations, by kind."""
        found: list[s.Declaration] = []
        for part in parts:
            found.extend(part if isinstance(part, list) else [part])
        return s.Source(
            self.file,
            tuple(one for one in found if isinstance(one, s.Macro)),
            tuple(one for one in found if isinstance(one, s.Variable)),
            tuple(one for one in found if isinstance(one, s.Channel)),
            tuple(one for one in found if isinstance(one, s.Definition)),
            tuple(one for one in found if isinstance(one, s.Alphabet)),
            tuple(one for one in found if isinstance(one, s.Asks | s.Reaches | s.Satisfies | s.RefinesAssertion)),
        )


def build(tree: Tree[Token], text: str, file: str) -> s.Source:
    """The syntax tree of a file."""
    states = {str(token) for child in tree.children if isinstance(child, Tree) for token in _state_names(child)}
    try:
        return Builder(text, file, frozenset(states)).transform(tree)
    except VisitError as error:
        raise error.orig_exc from None


def _state_names(declaration: Tree[Token]) -> list[Token]:
    names = [child for child in declaration.children if isinstance(child, Token) and child.type == "NAME"]
    return names if declaration.data in {"macro", "variable", "enum"} else []
