"""The elements of a document as templates, locations and edges; what is not read is refused by name."""

from __future__ import annotations

from dataclasses import dataclass

from homing.core.errors import HomingError, Place
from homing.languages.uppaal.document import Element
from homing.languages.uppaal.text import Text

IGNORED = ("comments", "testcode", "testcodeEnter", "testcodeExit", "description")
"""Kinds of labels that say nothing about behaviour."""


@dataclass(frozen=True, eq=False)
class LocationText:
    id: str
    name: str
    place: Place
    invariant: Text | None
    urgent: bool
    committed: bool


@dataclass(frozen=True, eq=False)
class EdgeText:
    source: LocationText
    target: LocationText
    place: Place
    select: Text | None
    guard: Text | None
    sync: Text | None
    update: Text | None


@dataclass(frozen=True, eq=False)
class TemplateText:
    name: str
    place: Place
    parameters: Text
    declarations: Text
    locations: tuple[LocationText, ...]
    initial: LocationText
    edges: tuple[EdgeText, ...]


@dataclass(frozen=True, eq=False)
class Source:
    """A whole file; `queries` is None where it has no such element."""

    file: str
    declarations: Text
    templates: tuple[TemplateText, ...]
    system: Text
    queries: tuple[Text, ...] | None


def source(root: Element) -> Source:
    """What a document says."""
    file = root.place.file
    templates = tuple(_template(element) for element in root.all("template"))
    names: set[str] = set()
    for template in templates:
        if template.name in names:
            raise HomingError(f"template '{template.name}' is declared twice", template.place)
        names.add(template.name)
    for refused, why in (("lsc", "live sequence charts are not supported"), ("imports", "imports are not supported")):
        element = root.first(refused)
        if element is not None and (element.children or element.value):
            raise HomingError(why, element.place)
    declaration = root.first("declaration")
    return Source(
        file,
        Text(file, "the declarations") if declaration is None else declaration.text("the declarations"),
        templates,
        _system(root),
        _queries(root),
    )


def _system(root: Element) -> Text:
    """The system section; older files have instantiations in an element before it."""
    system = root.first("system")
    if system is None:
        raise HomingError("the model has no system section", root.place)
    text = system.text("the system section")
    instantiation = root.first("instantiation")
    if instantiation is None or not instantiation.value:
        return text
    before = instantiation.text("the system section")
    offset = len(before.value) + 1
    marks = (*before.marks, *((offset + at, line, column) for at, line, column in text.marks))
    return Text(text.file, text.element, f"{before.value}\n{text.value}", marks)


def _queries(root: Element) -> tuple[Text, ...] | None:
    queries = root.first("queries")
    if queries is None:
        return None
    formulas = [formula for query in queries.all("query") for formula in query.all("formula")]
    return tuple(formula.text("the query") for formula in formulas if formula.value)


def _template(element: Element) -> TemplateText:
    name = element.first("name")
    if name is None or not name.value:
        raise HomingError("a template has no name", element.place)
    called = f"template {name.value}"
    refused = element.first("branchpoint")
    if refused is not None:
        raise HomingError(f"{called}: branch points are probabilistic, which is not supported", refused.place)
    locations = {each.attributes.get("id", ""): _location(each, called) for each in element.all("location")}
    _unique(locations, called)
    initial = element.first("init")
    if not locations or initial is None:
        raise HomingError(f"{called} has no {'initial location' if locations else 'location'}", element.place)
    return TemplateText(
        name.value,
        name.place,
        _text(element, "parameter", f"the parameters of {called}"),
        _text(element, "declaration", f"the declarations of {called}"),
        tuple(locations.values()),
        _referred(initial, locations, called),
        tuple(_edge(each, locations, called) for each in element.all("transition")),
    )


def _unique(locations: dict[str, LocationText], called: str) -> None:
    names: set[str] = set()
    for location in locations.values():
        if location.name in names:
            raise HomingError(f"{called}: the location '{location.name}' is there twice", location.place)
        names.add(location.name)


def _text(element: Element, name: str, called: str) -> Text:
    found = element.first(name)
    return Text(element.place.file, called) if found is None else found.text(called)


def _location(element: Element, called: str) -> LocationText:
    identity = element.attributes.get("id", "")
    name = element.first("name")
    shown = name.value if name is not None and name.value else identity
    labels = _labels(element, f"the location {shown} of {called}")
    rate = labels.get("exponentialrate")
    if rate is not None:
        raise rate.error(_first(rate), "exponential rates are stochastic, which is not supported")
    return LocationText(
        identity,
        shown,
        element.place,
        labels.get("invariant"),
        element.first("urgent") is not None,
        element.first("committed") is not None,
    )


def _labels(element: Element, of: str) -> dict[str, Text]:
    """By kind those that say something."""
    found: dict[str, Text] = {}
    for label in element.all("label"):
        kind = label.attributes.get("kind", "")
        if kind in IGNORED or not label.value:
            continue
        word = {"assignment": "update", "synchronisation": "synchronisation"}.get(kind, kind)
        if kind in found:
            raise HomingError(f"{of} has two labels of the kind '{kind}'", label.place)
        found[kind] = label.text(f"the {word} of {of}")
    return found


def _edge(element: Element, locations: dict[str, LocationText], called: str) -> EdgeText:
    ends = [_referred(element.first(end), locations, called, element) for end in ("source", "target")]
    source, target = ends
    labels = _labels(element, f"the edge {source.name} → {target.name} of {called}")
    weight = labels.get("probability")
    if weight is not None:
        raise weight.error(_first(weight), "probabilities are stochastic, which is not supported")
    return EdgeText(
        source,
        target,
        element.place,
        labels.get("select"),
        labels.get("guard"),
        labels.get("synchronisation"),
        labels.get("assignment"),
    )


def _first(text: Text) -> int:
    """Where it begins to say something."""
    return len(text.value) - len(text.value.lstrip())


def _referred(
    element: Element | None, locations: dict[str, LocationText], called: str, around: Element | None = None
) -> LocationText:
    if element is None:
        assert around is not None
        raise HomingError(f"an edge of {called} has no source or no target", around.place)
    reference = element.attributes.get("ref", "")
    if reference not in locations:
        raise HomingError(f"{called}: there is no location '{reference}'", element.place, locations)
    return locations[reference]
