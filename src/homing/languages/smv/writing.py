"""A transition system as NuSMV text: what its groups do, tabulated for the values that they read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from homing.core import evaluate, interpreter
from homing.core.errors import HomingError
from homing.core.system import QUIET, Event, Pure, Read, Step, TransitionSystem
from homing.core.values import Short, State, Value, encode
from homing.languages.smv.tokens import KEYWORDS

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
EVENT = "event"
MOST_STATES = 20_000


def write(system: TransitionSystem, most: int = MOST_STATES) -> str:
    """A module main with the same states and steps; the event of a step is an input, labels are definitions.

    Raises HomingError for more than `most` states, and for what NuSMV has not: constraints, views, symmetry.
    """
    shape = system.shape
    for name, there in (("constraints", shape.constraints), ("a view", shape.hidden), ("a symmetry", shape.symmetry)):
        if there:
            raise HomingError(f"a system with {name} cannot be written as NuSMV", shape.place)
    return "\n".join(_Writer(system, most).lines()) + "\n"


@dataclass
class _Column:
    """A slot: its name in the text, and the text of each of its values."""

    name: str
    texts: dict[bytes, str] = field(default_factory=dict)
    values: list[Value] = field(default_factory=list)

    def add(self, value: Value, taken: set[str]) -> None:
        key = encode(value)
        if key not in self.texts:
            self.texts[key] = _text(value, len(self.values), taken)
            self.values.append(value)

    @property
    def type(self) -> str:
        """An enumeration; one of truth values is `boolean`."""
        if all(isinstance(value, bool) for value in self.values):
            return "boolean"
        return "{" + ", ".join(self.texts.values()) + "}"

    def settle(self) -> None:
        """NuSMV does not mix truth values with others, so they get names then."""
        if not all(isinstance(value, bool) for value in self.values):
            for value in self.values:
                if isinstance(value, bool):
                    self.texts[encode(value)] = "is_true" if value else "is_false"

    def among(self, values: Iterable[Value]) -> str:
        """The condition that it is one of some values."""
        texts = [self.texts[encode(value)] for value in values]
        if len(texts) == (2 if self.type == "boolean" else len(self.values)):
            return "TRUE"
        return f"{self.name} = {texts[0]}" if len(texts) == 1 else f"{self.name} in {{{', '.join(texts)}}}"

    def becomes(self, value: Value) -> str:
        return f"next({self.name}) = {self.texts[encode(value)]}"


def _text(value: Value, number: int, taken: set[str]) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str) and NAME.fullmatch(value) and value not in KEYWORDS and value not in taken:
        return value
    return f"value_{number}"


class _Writer:
    """Looks at every reachable state first: the values of the slots, and what groups and labels are asked."""

    def __init__(self, system: TransitionSystem, most: int) -> None:
        self.system = system
        self.shape = system.shape
        names = _unique([str(slot) for slot in self.shape.slots])
        self.taken = {*names, *(_plain(label.name) for label in self.shape.labels), EVENT, "main"}
        self.columns = [_Column(name) for name in names]
        self.events: dict[object, str] = {}
        self.states = list(self._explore(most))
        for column in self.columns:
            column.settle()

    def _explore(self, most: int) -> Iterator[State]:
        waiting = evaluate.initial(self.system)
        seen = {encode(state) for state in waiting}
        while waiting:
            state = waiting.pop()
            yield state
            for slot, value in enumerate(state):
                self.columns[slot].add(value, self.taken)
            for _, after in interpreter.successors(self.system, state):
                if encode(after) not in seen:
                    seen.add(encode(after))
                    waiting.append(after)
            if len(seen) > most:
                raise HomingError(f"a system with more than {most} states is not written out", self.shape.place)

    def lines(self) -> Iterator[str]:
        """The text."""
        tables = [list(self._group(number)) for number in range(len(self.shape.groups))]
        yield "MODULE main"
        yield "VAR"
        yield from (f"  {column.name} : {column.type};" for column in self.columns)
        if self.events:
            yield f"IVAR {EVENT} : {{{', '.join(dict.fromkeys(self.events.values()))}}};"
        starts = dict.fromkeys(self._at(state) for state in evaluate.initial(self.system))
        yield "INIT " + " | ".join(starts)
        if self.shape.joint:
            written = {slot for group in self.shape.groups for slot in group.writes}
            for slot, column in enumerate(self.columns):
                if slot not in written:
                    yield f"TRANS next({column.name}) = {column.name}"
            for table in tables:
                yield "TRANS"
                yield "  " + "\n  | ".join(table or ["FALSE"])
        else:
            yield "TRANS"
            yield "  " + "\n  | ".join([line for table in tables for line in table] or ["FALSE"])
        yield from self._labels()

    def _at(self, state: State) -> str:
        parts = [column.among([value]) for column, value in zip(self.columns, state, strict=True)]
        return "(" + " & ".join(parts) + ")"

    # Groups

    def _asked(self, reads: tuple[Read, ...]) -> dict[bytes, Short]:
        shorts = (interpreter.short(self.shape, reads, state) for state in self.states)
        return {encode(short): short for short in shorts}

    def _group(self, number: int) -> Iterator[str]:
        group = self.shape.groups[number]
        for read in self._asked(group.reads).values():
            guard = self._guard(group.reads, read)
            for step in evaluate.steps(self.system, number, read):
                yield "(" + " & ".join([*guard, *self._step(step, group.writes)]) + ")"

    def _guard(self, reads: tuple[Read, ...], read: Short) -> list[str]:
        parts = []
        for each, wanted in zip(reads, read, strict=True):
            column = self.columns[each.slot]
            fitting = [value for value in column.values if encode(self._read(each, value)) == encode(wanted)]
            parts.append(column.among(fitting))
        return [part for part in parts if part != "TRUE"]

    def _read(self, read: Read, value: Value) -> Value:
        state: list[Value] = [None] * len(self.columns)
        state[read.slot] = value
        return interpreter.short(self.shape, (read,), tuple(state))[0]

    def _step(self, step: Step, declared: tuple[int, ...]) -> Iterator[str]:
        """What becomes of each slot: in a joint system the others are the other groups' affair."""
        own = declared if self.shape.joint else range(len(self.columns))
        event = self._event(step.event)
        if event:
            yield f"{EVENT} = {event}"
        parts = [self._write(slot, step) for slot in own]
        yield from parts or ["TRUE"]

    def _write(self, slot: int, step: Step) -> str:
        column = self.columns[slot]
        if slot not in step.writes:
            return f"next({column.name}) = {column.name}"
        written = step.writes[slot]
        if not isinstance(written, Pure):
            return column.becomes(written) if encode(written) in column.texts else "FALSE"
        moved = [(value, evaluate.pure(written, value, "written", self.shape.place)) for value in column.values]
        ways = [f"({column.among([old])} & {column.becomes(new)})" for old, new in moved if encode(new) in column.texts]
        return "(" + " | ".join(ways or ["FALSE"]) + ")"

    def _event(self, event: Event) -> str:
        """Its name; in a joint system one that goes with any other has none."""
        if self.shape.joint and event.key == QUIET.key:
            return ""
        return self.events.setdefault(event.key, f"event_{len(self.events)}")

    # Labels

    def _labels(self) -> Iterator[str]:
        for number, label in enumerate(self.shape.labels):
            branches = []
            for read in self._asked(label.reads).values():
                value = evaluate.label(self.system, number, read)
                shown = ("TRUE" if value else "FALSE") if isinstance(value, bool) else str(value)
                branches.append(f"{' & '.join(self._guard(label.reads, read)) or 'TRUE'} : {shown};")
            yield f"DEFINE {_plain(label.name)} := case {' '.join(branches)} esac;"


def _plain(name: str) -> str:
    found = re.sub(r"[^A-Za-z0-9_]", "_", name)
    return found if NAME.fullmatch(found) and found not in KEYWORDS else f"the_{found}"


def _unique(names: list[str]) -> list[str]:
    found: list[str] = []
    for name in map(_plain, names):
        while name in found:
            name += "_"
        found.append(name)
    return found
