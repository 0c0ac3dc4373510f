"""Writes timed automata as XML that UPPAAL's editor opens: locations on a grid, labels beside what they label.

The models in `models/rabbitmq` and `benchmarks/uppaal` are written with it; `_source` beside them has the descriptions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

DOCTYPE = (
    "<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.1//EN' "
    "'http://www.it.uu.se/research/group/darts/uppaal/flat-1_2.dtd'>"
)
ACROSS, DOWN, LINE = 204, 136, 17
"""Pixels: a column, a row, a line of text."""
KINDS = ("select", "guard", "synchronisation", "assignment", "comments")
Point = tuple[float, float]


@dataclass(frozen=True)
class Location:
    """A location at a column and a row of the grid; `kind` is "", "urgent" or "committed"."""

    name: str
    at: Point
    kind: str = ""
    invariant: str = ""
    comment: str = ""


@dataclass(frozen=True)
class Edge:
    """An edge, `path` from one location to another ("Init -> Open"), bent at `nails`; all labels are optional.

    Its labels stand in the middle, moved by `shift` columns and rows.
    """

    path: str
    sync: str = ""
    guard: str = ""
    update: str = ""
    select: str = ""
    nails: tuple[Point, ...] = ()
    shift: Point = (0, 0)
    comment: str = ""

    @property
    def ends(self) -> tuple[str, str]:
        source, _, target = self.path.partition(" -> ")
        return source, target


@dataclass(frozen=True)
class Template:
    """A template; its first location is the initial one unless `initial` names another."""

    name: str
    parameter: str
    declaration: str
    locations: tuple[Location, ...]
    edges: tuple[Edge, ...]
    initial: str = ""


@dataclass(frozen=True)
class Query:
    """A formula, and what it is about."""

    formula: str
    comment: str = ""


@dataclass(frozen=True)
class Model:
    """A file: `title` is the comment at its beginning."""

    title: str
    declaration: str
    templates: tuple[Template, ...]
    system: str
    queries: tuple[Query, ...]

    def noting(self, remark: str) -> Model:
        """The same with a line more in its title."""
        return replace(self, title=f"{self.title.rstrip()}\n\n{remark}")

    def asking(self, *formulas: str) -> Model:
        """The same with these queries, by their formulas."""
        by_formula = {query.formula: query for query in self.queries}
        return replace(self, queries=tuple(by_formula[formula] for formula in formulas))

    def declaring(self, old: str, new: str) -> Model:
        """The same with a text that occurs in one declaration, and there once, replaced."""
        count = sum(text.count(old) for text in (self.declaration, *(part.declaration for part in self.templates)))
        if count != 1:
            raise ValueError(f"{old!r} is declared {count} times")
        parts = tuple(replace(part, declaration=part.declaration.replace(old, new)) for part in self.templates)
        return replace(self, declaration=self.declaration.replace(old, new), templates=parts)

    def labelling(self, template: str, path: str, **labels: str) -> Model:
        """The same with other labels of an edge, which is named by its path, or path and sync: "Init -> Init add?"."""
        return self._edges(template, path, lambda edge: (replace(edge, **labels),))  # type: ignore[arg-type]

    def without(self, template: str, path: str) -> Model:
        """The same without an edge."""
        return self._edges(template, path, lambda edge: ())

    def _edges(self, template: str, path: str, change: Callable[[Edge], tuple[Edge, ...]]) -> Model:
        part = self.template(template)
        meant = [path in (edge.path, f"{edge.path} {edge.sync}") for edge in part.edges]
        if sum(meant) != 1:
            raise ValueError(f"{template} has {sum(meant)} edges {path}")
        edges = [change(edge) if this else (edge,) for edge, this in zip(part.edges, meant)]
        return self.having(replace(part, edges=tuple(edge for few in edges for edge in few)))

    def locating(self, template: str, name: str, **changes: str) -> Model:
        """The same with a location changed: its kind or its invariant."""
        part = self.template(template)
        if name not in (location.name for location in part.locations):
            raise ValueError(f"{template} has no location {name}")
        locations = tuple(
            replace(location, **changes) if location.name == name else location  # type: ignore[arg-type]
            for location in part.locations
        )
        return self.having(replace(part, locations=locations))

    def template(self, name: str) -> Template:
        """A template by its name."""
        (part,) = (part for part in self.templates if part.name == name)
        return part

    def having(self, template: Template) -> Model:
        """The same with a template in place of the one of its name."""
        parts = tuple(template if part.name == template.name else part for part in self.templates)
        return replace(self, templates=parts)


def write(path: Path, model: Model) -> None:
    """Writes a model to a file."""
    path.write_text(xml(model), encoding="utf-8")


def xml(model: Model) -> str:
    """A model as XML."""
    # Two hyphens would end an XML comment too early, so the title stands in the declaration.
    title = "".join(f"// {line}".rstrip() + "\n" for line in model.title.strip().splitlines())
    lines = ['<?xml version="1.0" encoding="utf-8"?>', DOCTYPE, "<nta>"]
    lines.append(f"<declaration>{escape(title + chr(10) + model.declaration.strip())}\n</declaration>")
    for template in model.templates:
        lines += _template(template)
    lines.append(f"<system>{escape(model.system.strip())}\n</system>")
    lines.append("<queries>")
    for query in model.queries:
        lines += ["\t<query>", f"\t\t<formula>{escape(query.formula)}</formula>"]
        lines += [f"\t\t<comment>{escape(query.comment)}</comment>", "\t</query>"]
    return "\n".join([*lines, "</queries>", "</nta>", ""])


def _template(template: Template) -> list[str]:
    numbers = {location.name: f"{template.name}_{i}" for i, location in enumerate(template.locations)}
    if len(numbers) != len(template.locations):
        raise ValueError(f"{template.name} has two locations of one name")
    lines = ["<template>", f"\t<name>{template.name}</name>"]
    if template.parameter:
        lines.append(f"\t<parameter>{escape(template.parameter)}</parameter>")
    if template.declaration.strip():
        lines.append(f"\t<declaration>{escape(template.declaration.strip())}\n</declaration>")
    for location in template.locations:
        lines += _location(location, numbers[location.name])
    initial = template.initial or template.locations[0].name
    lines.append(f'\t<init ref="{numbers[initial]}"/>')
    places = {location.name: location.at for location in template.locations}
    for edge in template.edges:
        lines += _edge(edge, numbers, places)
    return [*lines, "</template>"]


def _location(location: Location, number: str) -> list[str]:
    x, y = _pixels(location.at)
    lines = [f'\t<location id="{number}" x="{x}" y="{y}">']
    lines.append(f'\t\t<name x="{x + 12}" y="{y - 26}">{location.name}</name>')
    for i, (kind, text) in enumerate((("invariant", location.invariant), ("comments", location.comment))):
        if text:
            lines.append(_label(kind, text, x + 12, y + 10 + LINE * i))
    if location.kind:
        lines.append(f"\t\t<{location.kind}/>")
    return [*lines, "\t</location>"]


def _edge(edge: Edge, numbers: dict[str, str], places: dict[str, Point]) -> list[str]:
    source, target = edge.ends
    lines = ["\t<transition>", f'\t\t<source ref="{numbers[source]}"/>', f'\t\t<target ref="{numbers[target]}"/>']
    x, y = _pixels(_middle((places[source], *edge.nails, places[target]), edge.shift))
    labels = (edge.select, edge.guard, edge.sync, edge.update, edge.comment)
    for kind, text in zip(KINDS, labels):
        if text:
            lines.append(_label(kind, text, x + 8, y))
            y += LINE * (1 + text.count("\n"))
    for nail in edge.nails:
        across, down = _pixels(nail)
        lines.append(f'\t\t<nail x="{across}" y="{down}"/>')
    return [*lines, "\t</transition>"]


def _middle(points: tuple[Point, ...], shift: Point) -> Point:
    before, after = points[(len(points) - 1) // 2], points[len(points) // 2]
    return (before[0] + after[0]) / 2 + shift[0], (before[1] + after[1]) / 2 + shift[1]


def _label(kind: str, text: str, x: int, y: int) -> str:
    return f'\t\t<label kind={quoteattr(kind)} x="{x}" y="{y}">{escape(text)}</label>'


def _pixels(at: Point) -> tuple[int, int]:
    return round(at[0] * ACROSS), round(at[1] * DOWN)
