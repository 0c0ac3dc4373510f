"""Failure scenarios, called colours: which elements are down.

Colour 1 is the normal state. The blocks that the user asks for follow in their order, each in lexicographic
order of its elements' numbers, so a colour is found from its failure, and the failure from its colour,
by counting (Table 6-3 of the thesis) and nothing is stored for millions of them.

An element is a link (numbers from 0) or a broker (numbers after the links).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np
import numpy.typing as npt

from homing.core.errors import HomingError, Place
from homing.core.numerals import whole
from homing.overlay.network import Link, Network

NORMAL = 1
MOST_SCENARIOS = 2**31 - 2  # colours are 32-bit in the results
KINDS = ("none", "links", "brokers", "any", "groups")
Failure = tuple[int, ...]
Elements = npt.NDArray[np.uint32]


@dataclass(frozen=True)
class Combinations:
    """All ways to choose `size` of the elements `first` to `first + count - 1`."""

    first: int
    count: int
    size: int

    def __len__(self) -> int:
        return comb(self.count, self.size)

    def unrank(self, rank: int) -> Failure:
        chosen, low = [], 0
        for left in range(self.size, 0, -1):
            while (step := comb(self.count - low - 1, left - 1)) <= rank:
                rank -= step
                low += 1
            chosen.append(self.first + low)
            low += 1
        return tuple(chosen)

    def rank(self, failure: Failure) -> int | None:
        last = self.first + self.count - 1
        if len(failure) != self.size or not all(self.first <= element <= last for element in failure):
            return None
        rank, low = 0, 0
        for left, element in zip(range(self.size, 0, -1), sorted(failure)):
            high = element - self.first
            # The combinations whose next element is smaller, summed by the hockey-stick identity.
            rank += comb(self.count - low, left) - comb(self.count - high, left)
            low = high + 1
        return rank

    def ranks_within(self, failure: Failure) -> Iterator[int]:
        """The combinations of elements of a failure."""
        inside = [element for element in failure if self.first <= element < self.first + self.count]
        for chosen in itertools.combinations(inside, self.size):
            rank = self.rank(chosen)
            assert rank is not None
            yield rank

    def between(self, start: int, stop: int) -> Iterator[Failure]:
        """The combinations of ranks start to stop - 1."""
        if start >= stop:
            return
        current = [element - self.first for element in self.unrank(start)]
        for _ in range(start, stop):
            yield tuple(self.first + element for element in current)
            at = self.size - 1
            while at >= 0 and current[at] == self.count - self.size + at:
                at -= 1
            if at < 0:
                return
            current[at] += 1
            current[at + 1 :] = range(current[at] + 1, current[at] + self.size - at)


@dataclass(frozen=True)
class Listed:
    """Failures one by one: risk groups, or the user's own list."""

    failures: tuple[Failure, ...]

    def __len__(self) -> int:
        return len(self.failures)

    def unrank(self, rank: int) -> Failure:
        return self.failures[rank]

    @cached_property
    def _ranks(self) -> dict[Failure, int]:
        return {failure: rank for rank, failure in enumerate(self.failures)}

    def rank(self, failure: Failure) -> int | None:
        return self._ranks.get(tuple(sorted(failure)))

    def ranks_within(self, failure: Failure) -> Iterator[int]:
        """The listed failures of which all elements are among these."""
        if 2 ** len(failure) > len(self.failures):
            whole = set(failure)
            yield from (rank for rank, listed in enumerate(self.failures) if whole.issuperset(listed))
            return
        for size in range(1, len(failure) + 1):
            for chosen in itertools.combinations(sorted(failure), size):
                if chosen in self._ranks:
                    yield self._ranks[chosen]

    def between(self, start: int, stop: int) -> Iterator[Failure]:
        return iter(self.failures[start:stop])


Block = Combinations | Listed


@dataclass(frozen=True)
class Scenarios:
    """The colours of a network, in order; colour `NORMAL` first."""

    network: Network
    blocks: tuple[Block, ...]
    own: tuple[Failure, ...] = ()  # the user's list, also what a block has already

    @cached_property
    def at_once(self) -> frozenset[Failure]:
        """Failures of several elements that one event causes: risk groups, and the user's own scenarios."""
        return frozenset(failure for failure in (*_group_failures(self.network), *self.own) if len(failure) > 1)

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        return tuple(itertools.accumulate((len(block) for block in self.blocks), initial=NORMAL + 1))

    def __len__(self) -> int:
        return self._starts[-1] - 1

    def failure(self, colour: int) -> Failure:
        """The elements that are down under a colour."""
        if colour == NORMAL:
            return ()
        for start, block in zip(self._starts, self.blocks):
            if start <= colour < start + len(block):
                return block.unrank(colour - start)
        raise HomingError(f"unknown colour {colour}; colours are 1 to {len(self)}")

    def colour(self, failure: Iterable[int]) -> int | None:
        """The colour of a failure, if it is among the scenarios."""
        wanted = tuple(sorted(set(failure)))
        if not wanted:
            return NORMAL
        for start, block in zip(self._starts, self.blocks):
            rank = block.rank(wanted)
            if rank is not None:
                return start + rank
        return None

    def parts(self, colour: int) -> list[int]:
        """The colours, this one and the normal state among them, whose failed elements all fail under this one."""
        failure = self.failure(colour)
        found = {NORMAL}
        for start, block in zip(self._starts, self.blocks):
            found.update(start + rank for rank in block.ranks_within(failure))
        return sorted(found)

    def failures(self, first: int, last: int) -> Iterator[Failure]:
        """The failures of colours first to last, in order."""
        if first == NORMAL and last >= NORMAL:
            yield ()
        for start, block in zip(self._starts, self.blocks):
            low, high = max(first - start, 0), min(last + 1 - start, len(block))
            if low < high:
                yield from block.between(low, high)

    def arrays(self, first: int, last: int) -> tuple[npt.NDArray[np.int64], Elements]:
        """The same, flat for the kernels: where each failure starts, and the elements."""
        failures = list(self.failures(first, last))
        starts = np.zeros(len(failures) + 1, np.int64)
        np.cumsum([len(failure) for failure in failures], out=starts[1:])
        flat = np.fromiter(itertools.chain.from_iterable(failures), np.uint32, int(starts[-1]))
        return starts, flat

    def text(self, colour: int) -> str:
        """A failure as the thesis writes it: None, F(1, 2), F(1, 2) F(3)."""
        return describe(self.network, self.failure(colour))


def element_name(network: Network, element: int) -> str:
    if element >= len(network.links):
        return f"F({network.brokers[element - len(network.links)].name})"
    link = network.links[element]
    plain = _plain_name(network, link)
    own = "" if link.name == plain else f" {link.name}"
    return f"F({network.brokers[link.source].name}, {network.brokers[link.target].name}{own})"


def _plain_name(network: Network, link: Link) -> str:
    ends = (network.brokers[link.source].name, network.brokers[link.target].name)
    return f"{ends[0]}{'>' if link.directed else '-'}{ends[1]}"


def describe(network: Network, failure: Failure) -> str:
    return " ".join(element_name(network, element) for element in failure) or "None"


def scenarios(network: Network, wanted: str = "links", own: Sequence[Failure] = ()) -> Scenarios:
    """The scenarios that words ask for: `links`, `links:2`, `links:1-2,brokers`, `any:2`, `groups`, `none`."""
    blocks: list[Block] = []
    for word in wanted.split(","):
        sizes = _sizes(word.strip())
        asked = [block for kind, size in sizes for block in _block(network, kind, size)]
        if sizes[0][0] != "none" and not any(len(block) for block in asked):
            raise HomingError(_empty(network, word.strip(), *sizes[0]))
        for block in asked:
            _add(blocks, block)
    listed = tuple(dict.fromkeys(tuple(sorted(set(failure))) for failure in own if failure))
    _add(blocks, Listed(listed))
    found = Scenarios(network, tuple(blocks), listed)
    if len(found) > MOST_SCENARIOS:
        raise HomingError(f"{len(found)} scenarios are too many: at most {MOST_SCENARIOS}")
    return found


def _empty(network: Network, word: str, kind: str, size: int) -> str:
    """Why words ask for no scenario: a verdict on none would hold whatever the network."""
    links, brokers = len(network.links), len(network.brokers)
    there = f"the network has {_many(links, 'link')} and {_many(brokers, 'broker')}"
    if kind == "groups":
        return f"scenarios '{word}': no risk group is declared; {there}"
    count, what = {"links": (links, "links"), "brokers": (brokers, "brokers")}.get(
        kind, (links + brokers, "links and brokers")
    )
    return f"scenarios '{word}': {size} of {count} {what} cannot fail; {there}"


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _add(blocks: list[Block], block: Block) -> None:
    """Colours and failures map one to one, so what an earlier block has is left out."""
    if isinstance(block, Listed):
        new = [failure for failure in block.failures if all(b.rank(failure) is None for b in blocks)]
        block = Listed(tuple(new))
    elif block in blocks:
        return
    if len(block):
        blocks.append(block)


def _block(network: Network, kind: str, size: int) -> tuple[Block, ...]:
    links, brokers = len(network.links), len(network.brokers)
    if kind == "links":
        return (Combinations(0, links, size),)
    if kind == "brokers":
        return (Combinations(links, brokers, size),)
    if kind == "any":
        if size == 1:
            return (Combinations(0, links, 1), Combinations(links, brokers, 1))
        return (Combinations(0, links, size), Combinations(links, brokers, size), *_mixed(network, size))
    if kind == "groups":
        return (Listed(tuple(dict.fromkeys(_group_failures(network)))),)
    return ()


def _group_failures(network: Network) -> list[Failure]:
    links = len(network.links)
    return [tuple(sorted({*g.links, *(links + broker for broker in g.brokers)})) for g in network.groups]


def _mixed(network: Network, size: int) -> tuple[Block, ...]:
    """Links and brokers together; listed, so kept to what a list can hold."""
    links, brokers = len(network.links), len(network.brokers)
    count = comb(links + brokers, size)
    if count > 5_000_000:
        raise HomingError(f"any:{size} means {count} scenarios, too many to list; ask for links and brokers apart")
    chosen = itertools.combinations(range(links + brokers), size)
    return (Listed(tuple(failure for failure in chosen if failure[0] < links <= failure[-1])),)


def _sizes(word: str) -> list[tuple[str, int]]:
    match = re.fullmatch(r"(\w+)(?::(\d+)(?:-(\d+))?)?", word)
    if not match or match[1] not in KINDS:
        raise HomingError(f"unknown scenarios '{word}'", None, [*KINDS, "links:2", "links:1-2"])
    low = whole(match[2] or "1")
    high = whole(match[3]) if match[3] else low
    if low < 1 or high < low:
        raise HomingError(f"scenarios '{word}' fail nothing: sizes count from 1")
    return [(match[1], size) for size in range(low, high + 1)]


def link_names(network: Network) -> dict[str, int]:
    """Links by name; an undirected one without a name of its own also by its ends the other way round."""
    found: dict[str, int] = {}
    for number, link in enumerate(network.links):
        plain = _plain_name(network, link)
        if not link.directed and link.name.startswith(plain) and re.fullmatch(r"(#\d+)?", link.name[len(plain) :]):
            ends = (network.brokers[link.target].name, network.brokers[link.source].name)
            found.setdefault("-".join(ends) + link.name[len(plain) :], number)
    return found | network.link_number


def read_list(network: Network, source: str, text: str) -> tuple[Failure, ...]:
    """The user's own scenarios: one a line, names of links and brokers separated by commas, # for comments."""
    links, brokers = link_names(network), network.broker_number
    found: dict[Failure, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        # The second of two links that would be called a-b is a-b#2, so a comment starts at a # after a blank.
        words = [word.strip() for word in re.split(r"(?:^|\s)#", line)[0].split(",")]
        if not any(words):
            continue
        place = Place(source, number)
        failure = []
        for word in filter(None, words):
            if word in links:
                failure.append(links[word])
            elif word in brokers:
                failure.append(len(network.links) + brokers[word])
            else:
                raise HomingError(f"no link or broker is called '{word}'", place, [*network.link_number, *brokers])
        key = tuple(sorted(set(failure)))
        if key in found:
            raise HomingError(f"the same scenario as on line {found[key]}", place)
        found[key] = number
    if not found:
        raise HomingError("no scenario is listed in the file", Place(source))
    return tuple(found)
