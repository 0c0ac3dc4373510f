"""Message sequence charts of TLA+: a file beside the specification says which variable is the network.

A specification has no notion of a message; what is in the network after a step and was not before it has been sent, and
what is gone was received. It was lost when the file says so of the action, or when nothing else changed: then nobody
can have noticed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from homing.core.errors import HomingError, Place
from homing.core.system import Event
from homing.core.values import State, encode, same
from homing.languages.tla.values import Fault, Value, elements, is_function, pairs_of, show

ENDING = ".chart.toml"
MOST_KEYS = 100
"""A network is a variable of a specification: nobody nests functions so deep."""
KEYS = ("network", "keys", "received", "lost", "from", "to", "label")

Lines = Callable[[Sequence[State], Sequence[Event]], list[list[Event]]]


@dataclass(frozen=True)
class Sidecar:
    """What the file says. `from` and `to` are fields of a message, or `@1`, `@2`: keys that lead to it."""

    network: int
    keys: int = 0
    """How many keys lead to a collection of messages: 1 when every process has an inbox."""
    received: int | None = None
    """A variable that collects what was received, where the network only grows."""
    sender: str | None = None
    receiver: str | None = None
    label: tuple[str, ...] = ()
    lost: frozenset[str] = frozenset()
    """Actions that lose what they take from the network."""


def find(specification: Iterable[Path], names: Sequence[str]) -> Messages | None:
    """What is beside a specification, or else beside a module that it extends."""
    for module in specification:
        path = module.with_name(module.stem + ENDING)
        if path.is_file():
            return Messages(read(path, names), names)
    return None


def read(path: Path, names: Sequence[str]) -> Sidecar:
    """The file; raises HomingError with what was known."""
    import tomllib

    place = Place(str(path))
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise HomingError(f"no TOML: {error}", place) from None
    return _Reader(table, names, place).sidecar()


class _Reader:
    def __init__(self, table: dict[str, Any], names: Sequence[str], place: Place) -> None:
        self.table, self.names, self.place = table, names, place

    def sidecar(self) -> Sidecar:
        for key in self.table:
            if key not in KEYS:
                raise HomingError(f"unknown key '{key}'", self.place, KEYS)
        network, keys = self._variable("network"), self.table.get("keys", 0)
        if network is None:
            raise HomingError("does not say which variable is the 'network'", self.place, self.names)
        if type(keys) is not int or not 0 <= keys <= MOST_KEYS:
            raise HomingError(f"'keys' is how many there are, from 0 to {MOST_KEYS}, not {keys!r}", self.place)
        sender, receiver = self._text("from"), self._text("to")
        for end in (sender, receiver):
            if end is not None and end.startswith("@") and end not in {f"@{n}" for n in range(1, keys + 1)}:
                raise HomingError(f"'{end}' is no key of the network, which has {keys}: see 'keys'", self.place)
        return Sidecar(
            network,
            keys,
            self._variable("received"),
            sender,
            receiver,
            self._names("label", "fields"),
            frozenset(self._names("lost", "actions")),
        )

    def _text(self, key: str) -> str | None:
        value = self.table.get(key)
        if value is not None and not isinstance(value, str):
            raise HomingError(f"'{key}' is a name, not {value!r}", self.place)
        return value

    def _variable(self, key: str) -> int | None:
        name = self._text(key)
        if name is None:
            return None
        if name not in self.names:
            raise HomingError(f"'{name}' is no variable of the specification", self.place, self.names)
        return self.names.index(name)

    def _names(self, key: str, what: str) -> tuple[str, ...]:
        value = self.table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
            raise HomingError(f"'{key}' is a list of {what}, not {value!r}", self.place)
        return tuple(value)


@dataclass(frozen=True)
class Mail:
    """A message, and the keys of the network that lead to it."""

    keys: tuple[Value, ...]
    message: Value

    @property
    def content(self) -> tuple[Value, ...]:
        return (*self.keys, self.message)


class Messages:
    """Finds the messages that move in a trace."""

    def __init__(self, sidecar: Sidecar, names: Sequence[str]) -> None:
        self.sidecar = sidecar
        self.channel = names[sidecar.network]

    def bound(self, variables: Callable[[State], State]) -> Lines:
        """The lines of a chart, from the states of engines."""
        return lambda states, events: self.lines([*map(variables, states)], events)

    def lines(self, states: Sequence[State], events: Sequence[Event]) -> list[list[Event]]:
        """By step what is drawn: what it receives and sends, or else the action, on the lifeline of its actor."""
        moved = [self._moved(before, after, event) for before, after, event in zip(states, states[1:], events)]
        lifelines = {name for step in moved for line in step for name in (line.sender, line.receiver)}
        return [step or [_local(event, lifelines)] for step, event in zip(moved, events)]

    def _moved(self, before: State, after: State, event: Event) -> list[Event]:
        one, other = self._network(before), self._network(after)
        arrived = self._received(after) - self._received(before)
        gone, sent = (one - other) | arrived, other - one
        if gone and (event.name in self.sidecar.lost or not (sent or arrived or self._noticed(before, after))):
            return [*self._losses(gone, event), *self._events(sent, event, sent=True)]
        return [*self._events(gone, event, sent=False), *self._events(sent, event, sent=True)]

    def _noticed(self, before: State, after: State) -> bool:
        """Whether anything but the network has changed."""
        pairs = enumerate(zip(before, after))
        return any(number != self.sidecar.network and not same(*values) for number, values in pairs)

    def _losses(self, lost: Counter[_Key], event: Event) -> Iterator[Event]:
        for key in sorted(lost.elements(), key=lambda key: key.code):
            yield Event(event.name, key.mail.content, None, None, self.channel, str(event))

    def _network(self, state: State) -> Counter[_Key]:
        return Counter(map(_Key, _mail(state[self.sidecar.network], self.sidecar.keys)))

    def _received(self, state: State) -> Counter[_Key]:
        if self.sidecar.received is None:
            return Counter()
        return Counter(map(_Key, _mail(state[self.sidecar.received], self.sidecar.keys)))

    def _events(self, moved: Counter[_Key], event: Event, sent: bool) -> Iterator[Event]:
        for key in sorted(moved.elements(), key=lambda key: key.code):
            mail, text = key.mail, self._label(key.mail)
            end = self._end(mail, self.sidecar.sender if sent else self.sidecar.receiver) or _actor(event)
            sender, receiver = (end, None) if sent else (None, end)
            yield Event(event.name, mail.content, sender, receiver, self.channel, text)

    def _end(self, mail: Mail, field: str | None) -> str | None:
        if field is None:
            return None
        if field.startswith("@"):
            return _word(mail.keys[int(field[1:]) - 1])
        fields = pairs_of(mail.message) if type(mail.message) is tuple else {}
        return _word(fields[field]) if field in fields else None

    def _label(self, mail: Mail) -> str:
        """`Response(OK)`: the fields that the file names and the message has; without any, the message."""
        fields = pairs_of(mail.message) if type(mail.message) is tuple else {}
        words = [_word(fields[field]) for field in self.sidecar.label if field in fields]
        if not words:
            return show(mail.message)
        return words[0] + (f"({', '.join(words[1:])})" if words[1:] else "")


@dataclass(frozen=True, eq=False)
class _Key:
    """Mail to count: Python's own equality takes True for 1."""

    mail: Mail

    @property
    def code(self) -> bytes:
        return encode(self.mail.content)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.code == other.code

    def __hash__(self) -> int:
        return hash(self.code)


def _mail(value: Value, keys: int) -> Iterator[Mail]:
    """What is in a network: a set, a bag or a sequence of messages, or a function to such."""
    if keys:
        for key, inner in _pairs(value):
            yield from (Mail((key, *mail.keys), mail.message) for mail in _mail(inner, keys - 1))
    elif is_function(value):
        for message, count in _pairs(value):
            yield from [Mail((), message)] * (count if type(count) is int else 1)
    else:
        yield from (Mail((), message) for message in _collection(value))


def _pairs(value: Value) -> Iterable[tuple[Value, Value]]:
    """None where the value is no function: a chart with fewer arrows is better than none."""
    try:
        return pairs_of(value).items()
    except Fault:
        return ()


def _collection(value: Value) -> Iterable[Value]:
    if type(value) is tuple:
        return value
    try:
        return elements(value)
    except Fault:
        return ()


def _local(event: Event, lifelines: set[str | None]) -> Event:
    """The action on the lifeline of the first argument that has one."""
    on = next((_word(value) for value in event.arguments if _word(value) in lifelines), None)
    return Event(event.name, event.arguments, on, None, None, str(event))


def _actor(event: Event) -> str:
    """Who acts, where messages do not say: by custom the first argument of the action that is no message."""
    return next((_word(value) for value in event.arguments if not isinstance(value, tuple | frozenset)), "others")


def _word(value: Value) -> str:
    return value if isinstance(value, str) else show(value)
