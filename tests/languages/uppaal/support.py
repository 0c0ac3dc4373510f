"""Small models in UPPAAL's XML, and what can be seen of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import escape

from homing.core.errors import HomingError
from homing.core.interpreter import label, successors
from homing.core.model import Model
from homing.core.values import State, Value
from homing.languages import uppaal
from homing.languages.uppaal.system import Automata
from homing.timed.property import Forever, Inevitable, Invariant, Reachable
from homing.timed.system import Action, Cell, Part

HEAD = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.1//EN' 'http://www.it.uu.se/research/group/darts/uppaal/flat-1_1.dtd'>
"""
KINDS = {"select": "select", "guard": "guard", "sync": "synchronisation", "update": "assignment"}


@dataclass
class Template:
    """`locations` are names, with `!` behind committed and `?` behind urgent ones, and `: invariant`; the first is the
    initial one. Edges are `(source, target, labels)`."""

    name: str
    locations: Iterable[str] = ("A",)
    edges: Iterable[tuple[str, str, dict[str, str]]] = ()
    declarations: str = ""
    parameters: str = ""

    def xml(self) -> str:
        """On several lines, so that places can be told apart."""
        places = [_location(text) for text in self.locations]
        first = next(iter(self.locations)).partition(":")[0].strip().rstrip("!?")
        return "\n".join(
            [
                f"<template><name>{self.name}</name><parameter>{escape(self.parameters)}</parameter>",
                f"<declaration>{escape(self.declarations)}</declaration>",
                *places,
                f'<init ref="{first}"/>',
                *(_edge(*edge) for edge in self.edges),
                "</template>",
            ]
        )


def _location(text: str) -> str:
    name, _, invariant = text.partition(":")
    name = name.strip()
    kind = {"!": "<committed/>", "?": "<urgent/>"}.get(name[-1], "")
    name = name.rstrip("!?")
    label_ = f'<label kind="invariant">{escape(invariant.strip())}</label>' if invariant else ""
    return f'<location id="{name}"><name>{name}</name>{label_}{kind}</location>'


def _edge(source: str, target: str, labels: dict[str, str]) -> str:
    inside = "".join(f'<label kind="{KINDS.get(kind, kind)}">{escape(text)}</label>' for kind, text in labels.items())
    return f'<transition><source ref="{source}"/><target ref="{target}"/>{inside}</transition>'


@dataclass
class Source:
    """A whole model."""

    templates: list[Template] = field(default_factory=list)
    declarations: str = ""
    system: str = ""
    queries: Iterable[str] = ()

    def xml(self) -> str:
        """As a file has it."""
        system = self.system or f"system {', '.join(template.name for template in self.templates)};"
        asked = "".join(f"<query><formula>{escape(text)}</formula><comment/></query>" for text in self.queries)
        return "\n".join(
            [
                f"{HEAD}<nta><declaration>{escape(self.declarations)}</declaration>",
                *(template.xml() for template in self.templates),
                f"<system>{escape(system)}</system>",
                f"<queries>{asked}</queries></nta>" if asked else "</nta>",
            ]
        )

    def load(self, folder: Path) -> Loaded:
        """The model."""
        file = folder / "model.xml"
        file.write_text(self.xml(), encoding="utf-8")
        return Loaded(uppaal.load(file)[0])

    def mistake(self, folder: Path) -> str:
        """What is told about it, without its folder."""
        try:
            self.load(folder)
        except HomingError as error:
            return str(error).replace(f"{folder}/", "")
        raise AssertionError("the model was read")


class Loaded:
    """A model, to be looked at."""

    def __init__(self, model: Model) -> None:
        assert isinstance(model.system, Automata)
        self.model = model
        self.system = model.system
        (self.first,) = self.system.initial()

    def actions(self, state: State | None = None) -> list[tuple[Action, State]]:
        """What can be done, as far as clocks do not forbid it."""
        found = []
        for move, after in successors(self.system, self.first if state is None else state):
            assert isinstance(move.event, Action)
            found.append((move.event, after))
        return found

    def events(self, state: State | None = None) -> list[str]:
        """The same in words."""
        return [str(action) for action, _ in self.actions(state)]

    def values(self, state: State | None = None) -> dict[str, Value]:
        """By name."""
        return dict(zip(map(str, self.system.shape.slots), self.first if state is None else state))

    def after(self, *events: str) -> dict[str, Value]:
        """The values after the only actions of these names."""
        return self.values(self.state(*events))

    def state(self, *events: str) -> State:
        """The state after them."""
        state = self.first
        for event in events:
            (state,) = [after for action, after in self.actions(state) if str(action) == event]
        return state

    def part(self, process: str, state: State | None = None) -> Part:
        """What a process says about time."""
        names = [each.name for each in self.system.labels]
        number = label(self.system, names.index(f"time of {process}"), self.first if state is None else state)
        return self.system.part(int(number))

    def cells(self, number: int = 0, state: State | None = None) -> tuple[Cell, ...]:
        """Where the condition of a property holds."""
        where = label(self.system, self.where(number), self.first if state is None else state)
        return self.system.cells(int(where))

    def where(self, number: int) -> int:
        """The label of that condition."""
        asked = self.model.properties[number]
        assert isinstance(asked, Reachable | Invariant | Forever | Inevitable)
        return asked.where
