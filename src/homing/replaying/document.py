"""Traces as JSON: the document that `--json` writes, or one trace of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from homing.core.errors import HomingError, Place
from homing.core.numerals import MOST_DIGITS, too_long
from homing.core.system import Notation
from homing.core.values import Value
from homing.replaying.story import Given, Mention, Offshoot, Stage, Story

HEXADECIMAL = re.compile("([0-9a-fA-F]{2})*")
INTEGER = re.compile("-?[0-9]+")
TAGS = ("set", "bytes")
ENDS = ("sender", "receiver", "channel")


def parse(content: str, file: str, name: str | None = None) -> Story:
    """The first trace in a document, or that of the property `name`; or the trace that it is."""
    try:
        document = json.loads(content)
    except json.JSONDecodeError as error:
        raise HomingError(f"no JSON: {error.msg}", Place(file, error.lineno, error.colno)) from None
    except RecursionError:
        raise HomingError("no JSON to be read here: nested too deeply", Place(file)) from None
    except ValueError:
        raise too_long(content, file) from None
    reader = _Reader(file)
    if "moves" in document:
        if name is not None:
            raise HomingError(f"is a single trace, not results with one of a property '{name}'", Place(file))
        return reader.story(document, "the trace")
    return _chosen(reader, document, name)


def _chosen(reader: _Reader, document: dict[str, Any], name: str | None) -> Story:
    if "results" not in document:
        raise reader.error("the document", "has neither 'moves', as a trace has, nor 'results'")
    results = reader.dicts(document["results"], "'results'")
    if name is not None:
        known = dict.fromkeys(str(result.get("property")) for result in results)
        if name not in known:
            raise HomingError(f"no result on a property '{name}'", Place(reader.file), known)
        results = [result for result in results if result.get("property") == name]
    for result in results:
        if result.get("trace") is not None:
            where = f"the trace of '{result.get('property')}'"
            system = reader.text(result.get("system") or "", f"'system' beside {where}")
            return reader.story(result["trace"], where, system)
    of = "" if name is None else f" of '{name}'"
    raise HomingError(f"holds no trace{of}", Place(reader.file))


class _Reader:
    def __init__(self, file: str) -> None:
        self.file = file

    def error(self, where: str, what: str) -> HomingError:
        return HomingError(f"{where} {what}", Place(self.file))

    def story(self, given: Any, where: str, system: str = "") -> Story:
        if not isinstance(given, dict) or "moves" not in given:
            raise self.error(where, "is no object with 'moves'")
        moves = self.dicts(given["moves"], f"'moves' of {where}")
        stages = tuple(self._stage(move, f"move {number} of {where}") for number, move in enumerate(moves, 1))
        states, slots = given.get("states"), given.get("slots")
        story = Story(
            stages,
            None if states is None else tuple(self._states(states, len(stages), where)),
            None
            if slots is None
            else tuple(self.text(slot, f"a slot of {where}") for slot in self._list(slots, where)),
            self._position(given.get("loop"), len(stages), f"'loop' of {where}"),
            tuple(self._branches(given.get("branches") or [], len(stages), where)),
            system,
        )
        if story.states is None and (story.loop is not None or story.branches):
            raise self.error(where, "has a loop or branches, but no 'states' that they could start in")
        return story

    def _branches(self, branches: Any, steps: int, where: str) -> Iterator[Offshoot]:
        for number, branch in enumerate(self.dicts(branches, f"'branches' of {where}"), 1):
            here = f"branch {number} of {where}"
            inner = self.story(branch.get("trace"), here)
            if inner.states is None:
                raise self.error(here, "has no 'states'")
            at = self._position(branch.get("at"), steps, f"'at' of {here}")
            yield Offshoot(at, self.text(branch.get("why", ""), f"'why' of {here}"), inner)

    def _stage(self, move: dict[str, Any], where: str) -> Stage:
        place = Place(self.file)
        group = None if "group" not in move else self.text(move["group"], f"'group' of {where}")
        text = self.text(move.get("text", ""), f"'text' of {where}")
        if "event" not in move:
            if not text:
                raise self.error(where, "has neither 'event' nor 'text'")
            return Stage(Mention(text, place), group)
        name = self.text(move["event"], f"'event' of {where}")
        arguments = None if "arguments" not in move else self._values(move["arguments"], f"'arguments' of {where}")
        ends = {end: self._end(move[end], f"'{end}' of {where}") for end in ENDS if end in move}
        return Stage(Given(name, place, arguments, ends, text), group)

    def _states(self, states: Any, steps: int, where: str) -> Iterable[tuple[Value, ...]]:
        listed = self._list(states, f"'states' of {where}")
        if len(listed) != steps + 1:
            raise self.error(where, f"has {len(listed)} states for {steps} moves, where one more than moves is wanted")
        return (self._values(state, f"state {number} of {where}") for number, state in enumerate(listed))

    def _position(self, given: Any, last: int, where: str) -> int | None:
        if given is None:
            return None
        if type(given) is not int or not 0 <= given <= last:
            raise self.error(where, f"is {json.dumps(given)}, no number of a state from 0 to {last}")
        return given

    def _end(self, given: Any, where: str) -> str | None:
        return None if given is None else self.text(given, where)

    def dicts(self, given: Any, where: str) -> list[dict[str, Any]]:
        listed = self._list(given, where)
        for item in listed:
            if not isinstance(item, dict):
                raise self.error(where, f"has {json.dumps(item)[:40]} in it, which is no object")
        return listed

    def text(self, given: Any, where: str) -> str:
        if not isinstance(given, str):
            raise self.error(where, f"is {json.dumps(given)[:40]}, which is no text")
        return given

    def _list(self, given: Any, where: str) -> list[Any]:
        if not isinstance(given, list):
            raise self.error(where, "is no list")
        return given

    def _values(self, given: Any, where: str) -> tuple[Value, ...]:
        return tuple(self._value(item, where) for item in self._list(given, where))

    def _value(self, given: Any, where: str) -> Value:
        try:
            return value(given)
        except ValueError as error:
            raise self.error(where, f"holds {error}, which stands for no value") from None


def value(given: Any) -> Value:
    """What a part of a document stands for; equal for two that say the same.

    Of what `report.json_format.plain` writes it is the value itself. Maps and records, which notations write, have no
    counterpart in the core: they are tagged tuples here.
    """
    match given:
        case list() | {"#tup": list()}:
            return tuple(map(value, given if isinstance(given, list) else given["#tup"]))
        case {"set": list() as items} | {"#set": list() as items}:
            return frozenset(map(value, items))
        case {"#map": list() as pairs} if all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
            return ("#map", frozenset(map(value, pairs)))
        case {"bytes": str(digits)} if HEXADECIMAL.fullmatch(digits):
            return bytes.fromhex(digits)
        case {"#bigint": str(digits)} if INTEGER.fullmatch(digits) and len(digits) <= MOST_DIGITS:
            return int(digits)
        case dict() if not any(key.startswith("#") or key in TAGS for key in given):
            return ("#record", frozenset((key, value(item)) for key, item in given.items()))
        case None | bool() | int() | str():
            return given
    raise ValueError(json.dumps(given)[:40])


def told(notation: Notation, values: Iterable[Value]) -> tuple[Value, ...]:
    """Values of a model as a document tells them."""
    if notation.plain is None:
        return tuple(values)
    return tuple(value(notation.plain(one)) for one in values)
