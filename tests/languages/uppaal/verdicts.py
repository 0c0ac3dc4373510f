"""Answers of region graphs to the queries of a model in UPPAAL's XML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from tests.languages.uppaal.model import Expr
from tests.languages.uppaal.oracle import Fault
from tests.languages.uppaal.reader import Reader, Unreadable
from tests.languages.uppaal.reading import Forbidden, Reading
from tests.languages.uppaal.regions import FAR

ERROR = "error"
COUNTED = "sup{t == 3}"
"""Queries that begin so are in models without clocks, and are answered with the number of states, too."""
KIND = re.compile(r"(?P<path>[AE]\s*(\[\s*\]|<\s*>))|(?P<bound>sup|inf)\s*(\{(?P<where>.*?)\})?\s*:", re.DOTALL)


def answer(text: str, most: int) -> str:
    """One line: the answer to each query of a model, or `error`; `most` is at least its greatest constant."""
    try:
        network = Reading(text, most)
        if not network.explore():
            raise Forbidden
        if network.errors:
            return ERROR
        asked = [(each.text or "").strip() for each in network.root.iter("formula")]
        return ", ".join(each for query in asked for each in Asking(network).query(query))
    except (Fault, Forbidden):
        return ERROR


class Asking:
    """Queries about a network whose nodes are all known."""

    def __init__(self, network: Reading) -> None:
        self.network = network
        self.stuck = {number for number, node in enumerate(network.nodes) if not network._acts(node)}

    def expression(self, text: str) -> Expr:
        reader = Reader(text, self.network.types)
        found = reader.expression()
        if reader.now:
            raise Unreadable(f"{reader.now!r} in {text!r}")
        return found

    def query(self, text: str) -> Iterator[str]:
        """What it is answered; several expressions have an answer each."""
        found = KIND.match(text)
        if found is None:
            left, right = map(self.expression, text.split("-->"))
            yield self._verdict(not self._stays(("!", right), self._where(left)))
            return
        rest = text[found.end() :]
        if found["bound"]:
            where = self._where(self.expression(found["where"] or "true"))
            reader = Reader(rest, self.network.types)
            counted = f" of {self._discrete()} states" if text.startswith(COUNTED) else ""
            for each in reader.all(reader.expression):
                yield self._bound(found["bound"], each, where) + counted
            return
        condition = self.expression(rest)
        match re.sub(r"\s", "", found["path"]):
            case "E<>":
                yield self._verdict(bool(self._where(condition)))
            case "A[]":
                yield self._verdict(not self._where(("!", condition)))
            case "E[]":
                yield self._verdict(self._stays(condition, {0}))
            case "A<>":
                yield self._verdict(not self._stays(("!", condition), {0}))

    def _verdict(self, holds: bool) -> str:
        return "HOLDS" if holds else "VIOLATED"

    def _discrete(self) -> int:
        """How many states differ in locations or variables."""
        clocks = set(self.network.clocks)
        return len(
            {
                (where, tuple(value for number, value in enumerate(values) if number not in clocks))
                for where, values in (node.state for node in self.network.nodes)
            }
        )

    def _where(self, condition: Expr) -> set[int]:
        network, found = self.network, set()
        for number, node in enumerate(network.nodes):
            network.load(node.state)
            network.stuck = number in self.stuck
            if network.value(condition, network.around):
                found.add(number)
        return found

    def _stays(self, condition: Expr, start: set[int]) -> bool:
        """Does the condition hold throughout some maximal run from one of these?"""
        alive = self._where(condition)
        while True:
            dead = {number for number in alive if not self.network._goes_on(number, alive)}
            if not dead:
                return bool(alive & start)
            alive -= dead

    def _bound(self, kind: str, of: Expr, where: set[int]) -> str:
        if not where:
            return "none"
        measured = {number: self._measured(of, number) for number in where}
        value = max(measured.values()) if kind == "sup" else min(measured.values())
        if not isinstance(value, tuple):
            return f"{kind} {value}"
        if value == FAR:
            return f"{kind} {self._unbounded(number for number in measured if measured[number] == FAR)}"
        whole, rank = value
        return f"{kind} {'near ' if rank else ''}{whole + (1 if rank and kind == 'sup' else 0)}"

    def _unbounded(self, numbers: Iterator[int]) -> str:
        """A clock that passes the greatest constant has no bound where time may pass for ever."""
        if any(self.network.nodes[number].delay == number for number in numbers):
            return "unbounded"
        raise Unreadable("the greatest constant is too small to know a bound of a clock")

    def _measured(self, of: Expr, number: int) -> Any:
        self.network.load(self.network.nodes[number].state)
        return self.network.value(of, self.network.around)
