"""Constructs of UPPAAL, contexts for them, and the model that both make."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from tests.languages.catalogue.case import Case
from tests.languages.uppaal.support import Source, Template

HOLE = "§"
FILE = "model.xml"


@dataclass(frozen=True)
class Construct:
    """A text that stands where a context has its hole, with the declarations that it needs."""

    group: str
    name: str
    text: str
    declare: str = ""
    effects: bool = False
    """It changes variables, so it stands in updates and functions only."""
    constant: bool = True
    """With constants for its variables, it is constant."""


@dataclass(frozen=True)
class Context:
    """A process P with one location and an edge to itself; each of its texts may have a hole."""

    name: str
    update: str = ""
    declare: str = ""
    local: str = ""
    parameters: str = ""
    select: str = ""
    guard: str = ""
    sync: str = ""
    invariant: str = "t <= 3"
    place: str = "A"
    also: tuple[Mapping[str, str], ...] = ()
    """Further edges of P, by the kinds of their labels."""
    others: tuple[Template, ...] = ()
    system: str = ""
    queries: tuple[str, ...] = ("sup{t == 3}: r",)
    effects: bool = False
    """What changes variables may stand here."""
    constant: bool = False
    """Only what is constant may stand here."""

    def with_hole(self, text: str) -> Context:
        """The same with a text instead of its hole; the text may have a hole of its own."""

        def filled(given: str) -> str:
            return given.replace(HOLE, text)

        def template(each: Template) -> Template:
            edges = [(s, t, {kind: filled(label) for kind, label in labels.items()}) for s, t, labels in each.edges]
            places = [filled(place) for place in each.locations]
            return Template(each.name, places, edges, filled(each.declarations), filled(each.parameters))

        return replace(
            self,
            update=filled(self.update),
            declare=filled(self.declare),
            local=filled(self.local),
            parameters=filled(self.parameters),
            select=filled(self.select),
            guard=filled(self.guard),
            sync=filled(self.sync),
            invariant=filled(self.invariant),
            system=filled(self.system),
            also=tuple({kind: filled(label) for kind, label in labels.items()} for labels in self.also),
            others=tuple(map(template, self.others)),
            queries=tuple(map(filled, self.queries)),
        )


VALUES = {
    "n": "int n = 2",
    "m": "int m = 3",
    "b": "bool b = true",
    "a": "int a[3] = {4, 1, 2}",
    "s": "S s = {5, {6, 7}}",
}
TYPES = "const int K = 2; typedef struct { int f; int[0,9] g[2]; } S; typedef int[0,2] id_t;\n"
OWN = "int r, v, t;\n"
STEP = """void step() {
    r = (r * 7 + v) % 1009; n = n == 2 ? -3 : 7; m = m == 3 ? 2 : -2; b = !b; a[1] = n; s.f = m; t++;
}
"""
CONSTANT_STEP = "void step() { r = (r * 7 + v) % 1009; t++; }\n"


def source(construct: Construct, context: Context) -> Source:
    """The whole model: P evaluates the construct, keeps its value in v, and steps on to other values."""
    filled = context.with_hole(construct.text)
    prefix = "const " if context.constant else ""
    values = "".join(f"{prefix}{value};\n" for value in VALUES.values())
    step = CONSTANT_STEP if context.constant else STEP
    update = f"{filled.update}, step()" if filled.update else "step()"
    labels = {"select": filled.select, "guard": filled.guard, "sync": filled.sync, "update": update}
    edges = [labels, *({**labels, **more} for more in filled.also)]
    location = f"{filled.place}: {filled.invariant}" if filled.invariant else filled.place
    name = filled.place.rstrip("?!")
    process = Template("P", [location], [(name, name, _given(each)) for each in edges], filled.local, filled.parameters)
    declarations = TYPES + values + OWN + construct.declare + "\n" + filled.declare + "\n" + step
    return Source([process, *filled.others], declarations, filled.system, filled.queries)


def _given(labels: Mapping[str, str]) -> dict[str, str]:
    return {kind: label for kind, label in labels.items() if label}


def fits(construct: Construct, context: Context) -> bool:
    """May the construct stand in the context?"""
    return (context.effects or not construct.effects) and (construct.constant or not context.constant)


def case(construct: Construct, context: Context) -> Case:
    files = {FILE: source(construct, context).xml()}
    example = construct.text if not construct.declare else f"{construct.declare} … {construct.text}"
    return Case(construct.group, construct.name, context.name, example, files)


def products(constructs: Iterable[Construct], contexts: Iterable[Context]) -> Iterator[Case]:
    """Every construct in every context in which it may stand."""
    kept = list(contexts)
    return (case(construct, context) for construct in constructs for context in kept if fits(construct, context))
