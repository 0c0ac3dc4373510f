"""`homing overlay export NETWORK --smv FILE`: a network, its tables and what is asked of them as NuSMV text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from homing.core.errors import HomingError
from homing.overlay.colours import NORMAL, Failure, Scenarios, describe
from homing.overlay.edits import Edits
from homing.overlay.export import smv_text
from homing.overlay.export.smv_text import Down, Entry, Spec
from homing.overlay.export.subpaths import Cover, Pair, Shortcut, cover, shortcut
from homing.overlay.network import Network
from homing.overlay.tables import condense, plan
from homing.overlay.trees import NO_BROKER, State, prepare

MOST_ENTRIES = 20_000_000  # colours x brokers x brokers: a text of about 100 MB


@dataclass(frozen=True)
class Asked:
    """What the text is to hold."""

    subpaths: bool = True
    loops: bool = True
    hops: bool = False  # also every link by itself, both ways: what the thesis checks again to locate a failure
    each_colour: bool = False
    down: Failure = ()  # has failed, and no table has been changed yet


@dataclass(frozen=True)
class Export:
    """A network to be written; its tables are read once."""

    scenarios: Scenarios
    asked: Asked = Asked()
    edits: Edits | None = None
    given: State | None = field(default=None, compare=False)

    @property
    def network(self) -> Network:
        return self.scenarios.network

    @property
    def coloured(self) -> bool:
        return len(self.scenarios) > 1

    @cached_property
    def state(self) -> State:
        # What has to be delivered is of no account to the tables, and takes its time with many topics.
        return self.given or prepare(replace(self.network, topics=()))

    @cached_property
    def tables(self) -> npt.NDArray[np.uint16]:
        """Next hops [colour - 1, destination, broker], edited entries included."""
        n, colours = self.state.size, len(self.scenarios)
        if colours * n * n > MOST_ENTRIES:
            raise HomingError(
                f"tables of {n} brokers for {colours} colours are too long for a text: at most {MOST_ENTRIES} entries"
            )
        if self.coloured:
            planned = plan(self.scenarios, self.state)
            cube = np.stack([planned.hops(colour) for colour in range(NORMAL, colours + 1)])
        else:
            cube = self.state.hops.reshape(1, n, n).copy()
        for (colour, d, u), hop in (self.edits.hops if self.edits else {}).items():
            if colour == 0:
                cube[:, d, u] = hop
        for (colour, d, u), hop in (self.edits.hops if self.edits else {}).items():
            if colour:
                cube[colour - NORMAL, d, u] = hop
        return cube

    @cached_property
    def hops(self) -> list[list[int]]:
        """The normal tables as lists, [destination][broker]."""
        found: list[list[int]] = self.tables[0].tolist()
        return found

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Publisher and subscriber of every topic, as often as topics have them; in the order of the thesis."""
        return tuple(pair for _, pair in self._asked_for) if self.network.topics else self.distinct

    @cached_property
    def distinct(self) -> tuple[Pair, ...]:
        """Each pair once, by subscriber."""
        topics = self.network.topics
        found = {pair for topic in topics for pair in topic.pairs()} if topics else set(self.network.pairs())
        return tuple(sorted(found, key=lambda pair: pair[::-1]))

    @cached_property
    def _asked_for(self) -> list[tuple[int, Pair]]:
        """Topics by number, with their pairs: by subscriber, then topic, then publisher."""
        found = [(number, pair) for number, topic in enumerate(self.network.topics, 1) for pair in topic.pairs()]
        return sorted(found, key=lambda item: (item[1][1], item[0], item[1][0]))

    @cached_property
    def cover(self) -> Cover:
        """What sub-path detection leaves."""
        return cover(self.hops, self.distinct)

    @cached_property
    def shortcut(self) -> Shortcut:
        """What the thesis's pseudo-code would leave."""
        return shortcut(self.hops, self.pairs)

    @cached_property
    def specs(self) -> tuple[Spec, ...]:
        """The deliveries that are asked about."""
        if self.coloured:
            found = tuple(self._coloured())
        elif self.asked.subpaths:
            found = tuple(self._covering())
        elif not self.network.topics:
            found = tuple(Spec(_name(pair), pair) for pair in self.pairs)
        else:
            names = self.network.topics
            found = tuple(
                Spec(f"topic_{number}_{_name(pair)}", pair, None, f"topic {smv_text.quoted(names[number - 1].name)}")
                for number, pair in self._asked_for
            )
        return (*found, *self._single_hops(found)) if self.asked.hops else found

    def _covering(self) -> Iterator[Spec]:
        parts: dict[Pair, list[Pair]] = {}
        for part, whole in self.cover.part_of.items():
            parts.setdefault(whole, []).append(part)
        for pair in self.cover.checked:
            listed = ", ".join(f"{u + 1} to {v + 1}" for u, v in sorted(parts.get(pair, [])))
            yield Spec(_name(pair), pair, None, f"and with it {listed}" if listed else "")

    def _coloured(self) -> Iterator[Spec]:
        """One a pair, for the colours under which both its brokers are up; or one for each of these."""
        down = [self._brokers_down(colour) for colour in range(NORMAL, len(self.scenarios) + 1)]
        for pair in self.distinct:
            up = tuple(colour for colour, brokers in enumerate(down, NORMAL) if not brokers & set(pair))
            if self.asked.each_colour:
                for colour in up:
                    yield Spec(f"{_name(pair)}_colour_{colour}", pair, (colour,))
            elif up:
                yield Spec(_name(pair), pair, None if len(up) == len(down) else up)

    def _brokers_down(self, colour: int) -> set[int]:
        links = len(self.network.links)
        return {element - links for element in self.scenarios.failure(colour) if element >= links}

    def _single_hops(self, others: Sequence[Spec]) -> Iterator[Spec]:
        """Neighbours whose route is the link between them."""
        known = {spec.name for spec in others}
        for link in self.network.links:
            ways = [(link.source, link.target), *([] if link.directed else [(link.target, link.source)])]
            for pair in ways:
                if self.hops[pair[1]][pair[0]] == pair[1] and _name(pair) not in known:
                    known.add(_name(pair))
                    yield Spec(_name(pair), pair)

    # The text

    def lines(self) -> Iterator[str]:
        """The whole text, line by line."""
        yield from self._head()
        colours = len(self.scenarios) if self.coloured else 0
        yield from smv_text.model(self.network, self._entries(), colours, tuple(self._down()))
        yield ""
        yield "-- Every message arrives (5-10)."
        yield from smv_text.deliveries(self.specs)
        if self.asked.loops:
            yield ""
            yield "-- No message comes to a broker twice (what 5-12 means)."
            yield from smv_text.loops(self.network)

    def _head(self) -> Iterator[str]:
        network = self.network
        yield from smv_text.comment(
            f"{smv_text.quoted(network.name)}: {len(network.brokers)} brokers, {len(network.links)} links, "
            f"{len(network.topics)} topics; written by homing overlay export."
        )
        yield "-- src, dest, loc: where a message was published, where it has to go, where it is; 0: lost."
        if network.broker_names != tuple(str(number) for number in range(1, len(network.brokers) + 1)):
            for number, name in enumerate(network.broker_names, start=1):
                yield f"-- {number} is {smv_text.quoted(name)}"
        if any(topic.deadline_ms is not None for topic in network.topics):
            yield "-- Deadlines are not part of this text."
        if self.coloured:
            yield "-- colour: which failure the brokers have switched to."

    def _entries(self) -> list[list[Entry]]:
        return [self._condensed(u) if self.coloured else self._plain(u) for u in range(self.state.size)]

    def _plain(self, broker: int) -> list[Entry]:
        """One line a next hop, as in Table 5-7."""
        by_hop: dict[int, list[int]] = {}
        for destination, row in enumerate(self.hops):
            if row[broker] != NO_BROKER and destination != broker:
                by_hop.setdefault(row[broker], []).append(destination)
        return [Entry(tuple(destinations), hop) for hop, destinations in sorted(by_hop.items())]

    def _condensed(self, broker: int) -> list[Entry]:
        """One line an entry of the super routing table."""
        number = self.network.broker_number
        table = condense(self.network, broker, self.tables[:, :, broker].T, "destination")
        return [Entry((number[e.destination],), number[e.next_hop], e.colours) for e in table.entries]

    def _down(self) -> Iterator[Down]:
        if self.asked.down:
            arcs = self._arcs(self.asked.down)
            yield Down(arcs, None, smv_text.quoted(describe(self.network, self.asked.down)))
        elif self.coloured:
            for colour in range(NORMAL + 1, len(self.scenarios) + 1):
                yield Down(self._arcs(self.scenarios.failure(colour)), colour)

    def _arcs(self, failure: Failure) -> tuple[Pair, ...]:
        """Ways between neighbours that are not there any more; a parallel link may still carry them."""
        graph, links = self.state.graph, len(self.network.links)
        down = set(failure)
        lost: dict[Pair, bool] = {}
        for u, v, link in zip(graph.source.tolist(), graph.target.tolist(), graph.link.tolist()):
            gone = bool(down & {link, links + u, links + v})
            lost[u, v] = lost.get((u, v), True) and gone
        return tuple(pair for pair, gone in lost.items() if gone)


def _name(pair: Pair) -> str:
    return f"from_{pair[0] + 1}_to_{pair[1] + 1}"
