"""A network under construction: readers add what they find, and every mistake is told where it stands."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from reprlib import repr as short

from homing.core.errors import HomingError, Place
from homing.core.numerals import MOST_BITS
from homing.overlay.network import COST_DECIMALS, Broker, Link, Network, RiskGroup, Topic, sort_links

# Next hops are stored as 16-bit numbers of arcs, two an undirected link.
MOST_ARCS = 65_000
MOST_BROKERS = 8_000
HIGHEST_COST = 1e9


@dataclass
class Draft:
    """Collects brokers first, then links, topics and groups, which name them."""

    name: str
    place: Place
    tolerant: bool = False  # imported maps: merge parallel links and drop self-loops, with a note
    brokers: dict[str, Broker] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)
    topics: dict[str, Topic] = field(default_factory=dict)
    groups: dict[str, RiskGroup] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=dict)
    _names: list[str] = field(default_factory=list)
    _link_names: dict[str, int] = field(default_factory=dict)
    _ends: dict[tuple[int, int, bool], int] = field(default_factory=dict)  # the unnamed link between two brokers
    _merged: int = 0
    _again: int = 0
    _loops: int = 0

    def broker(self, name: object, place: Place, x: float | None = None, y: float | None = None) -> None:
        text = as_name(name, "broker", place)
        if text in self.brokers:
            raise HomingError(f"duplicate broker '{text}'", place)
        self._numbers[text] = len(self.brokers)
        self._names.append(text)
        self.brokers[text] = Broker(text, x, y)

    def number(self, name: object, what: str, place: Place) -> int:
        text = as_name(name, "broker", place)
        if text not in self._numbers:
            raise HomingError(f"unknown broker '{text}' in {what}", place, self.brokers)
        return self._numbers[text]

    def link(
        self,
        source: object,
        target: object,
        place: Place,
        *,
        cost: object = None,
        latency_ms: object = None,
        directed: bool = False,
        name: object = None,
    ) -> None:
        a, b = self.number(source, "a link", place), self.number(target, "a link", place)
        if not directed:
            a, b = min(a, b), max(a, b)
        price = 1.0 if cost is None else as_number(cost, "cost", place)
        latency = 0.0 if latency_ms is None else as_number(latency_ms, "latency_ms", place)
        if a == b:
            if not self.tolerant:
                raise HomingError(f"a link from '{source}' to itself carries nothing", place)
            self._loops += 1
            return
        own = self._own_name(a, b, directed, name, place)
        known = self._link_names.get(own) if own else self._ends.get((a, b, directed))
        text = own or (self.links[known].name if known is not None else self._free_name(a, b, directed))
        link = Link(text, a, b, round(price, COST_DECIMALS), latency, directed)
        if known is not None:
            self._repeat(known, link, place)
            return
        if not own:
            self._ends[a, b, directed] = len(self.links)
        self._link_names[text] = len(self.links)
        self.links.append(link)

    def _own_name(self, a: int, b: int, directed: bool, name: object, place: Place) -> str | None:
        """A link's name, unless it only says which brokers are connected."""
        if name is None:
            return None
        text = as_name(name, "link", place)
        one, other = self._names[a], self._names[b]
        plain = (f"{one}>{other}",) if directed else (f"{one}-{other}", f"{other}-{one}")
        return None if text in plain else text

    def _free_name(self, a: int, b: int, directed: bool) -> str:
        """What a link without a name is called; counted, where a dash in a broker's name makes two of them alike."""
        text = first = f"{self._names[a]}{'>' if directed else '-'}{self._names[b]}"
        copy = 1
        while text in self._link_names:
            copy += 1
            text = f"{first}#{copy}"
        return text

    def _repeat(self, number: int, link: Link, place: Place) -> None:
        """A link listed once more, as from its other end: it is the same one, unless it has a name of its own."""
        known = self.links[number]
        if self.tolerant:  # a map: the cheaper one stays
            if link.cost < known.cost:
                self.links[number] = link
            self._merged += 1
        elif link == known:
            self._again += 1
        elif (link.source, link.target, link.directed) != (known.source, known.target, known.directed):
            raise HomingError(f"duplicate link '{link.name}'", place)
        else:
            raise HomingError(
                f"link '{link.name}' is listed again with another cost or latency; a parallel link needs its own name",
                place,
            )

    def topic(
        self, name: object, publishers: Sequence[object], subscribers: Sequence[object], place: Place, deadline: object
    ) -> None:
        text = as_name(name, "topic", place)
        if text in self.topics:
            raise HomingError(f"duplicate topic '{text}'", place)
        what = f"topic '{text}'"
        limit = None if deadline is None else as_number(deadline, "deadline_ms", place)
        sources = self._distinct(publishers, f"publishers of {what}", place)
        targets = self._distinct(subscribers, f"subscribers of {what}", place)
        self.topics[text] = Topic(text, sources, targets, limit)
        if not self.topics[text].is_silent and not self.topics[text].pairs():
            self.notes.append(f"{what} has no publisher and subscriber at different brokers: nothing to check")

    def _distinct(self, names: Iterable[object], what: str, place: Place) -> tuple[int, ...]:
        return tuple(dict.fromkeys(self.number(name, what, place) for name in names))

    def group(self, name: object, links: Sequence[object], brokers: Sequence[object], place: Place) -> None:
        text = as_name(name, "risk group", place)
        if text in self.groups:
            raise HomingError(f"duplicate risk group '{text}'", place)
        what = f"risk group '{text}'"
        if not links and not brokers:
            raise HomingError(f"{what} is empty", place)
        numbers = [self._link_number(link, what, place) for link in links]
        self.groups[text] = RiskGroup(text, tuple(numbers), self._distinct(brokers, what, place))

    def _link_number(self, name: object, what: str, place: Place) -> int:
        text = as_name(name, "link", place)
        # "b-a" means "a-b"; a dash may also be part of a broker's name.
        cuts = [at for at, sign in enumerate(text) if sign == "-"]
        for candidate in (text, *(f"{text[at + 1 :]}-{text[:at]}" for at in cuts)):
            if candidate in self._link_names:
                return self._link_names[candidate]
        raise HomingError(f"unknown link '{text}' in {what}", place, self._link_names)

    def build(self) -> Network:
        """The network, or the first thing that is wrong with it as a whole."""
        if not self.brokers:
            raise HomingError("the network is empty: it has no brokers", self.place)
        arcs = sum(1 if link.directed else 2 for link in self.links)
        if len(self.brokers) > MOST_BROKERS or arcs > MOST_ARCS:
            raise HomingError(
                f"{len(self.brokers)} brokers and {arcs} directed links are too many: "
                f"at most {MOST_BROKERS} and {MOST_ARCS}",
                self.place,
            )
        links, numbers = sort_links(tuple(self.links))
        groups = tuple(RiskGroup(g.name, tuple(numbers[n] for n in g.links), g.brokers) for g in self.groups.values())
        if self._merged:
            self.notes.append(f"merged {plural(self._merged, 'parallel link')}")
        if self._again:
            self.notes.append(f"{plural(self._again, 'link')} listed again, as from the other end, taken as one")
        if self._loops:
            self.notes.append(f"dropped {plural(self._loops, 'link')} from a broker to itself")
        return Network(
            self.name, tuple(self.brokers.values()), links, tuple(self.topics.values()), groups, tuple(self.notes)
        )


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("" if count == 1 else "s")


def as_name(value: object, what: str, place: Place) -> str:
    """A name; numbers are taken as their digits, since many networks just count their brokers."""
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        raise HomingError(f"the name of a {what} is a number of too many digits", place)
    if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
        raise HomingError(f"a {what} needs a name, got {short(value)}", place)
    text = str(value).strip()
    if "\0" in text:
        raise HomingError(f"the name of a {what} has a NUL character: {short(text)}", place)
    return text


def as_number(value: object, what: str, place: Place) -> float:
    try:
        number = math.nan if isinstance(value, bool) else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        number = math.nan
    except OverflowError:
        raise HomingError(f"{what} is too large: at most {HIGHEST_COST:.0f}", place) from None
    if math.isnan(number):
        raise HomingError(f"{what} must be a number, got {short(value)}", place)
    if number < 0:
        raise HomingError(f"negative {what}: {value}", place)
    if number > HIGHEST_COST:
        raise HomingError(f"{what} {short(value)} is too large: at most {HIGHEST_COST:.0f}", place)
    return number
