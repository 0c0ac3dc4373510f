"""Transition groups: which components take part together, and the little of the state that decides it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal, TypeAlias

from homing.core.errors import ModelError
from homing.core.system import Read
from homing.languages.csp.actions import Action, Rules, channel_of
from homing.languages.csp.alphabets import Alphabet, Label
from homing.languages.csp.components import Offer, Skeleton
from homing.languages.csp.expressions import offset
from homing.languages.csp.steps import Footprint, footprint
from homing.languages.csp.syntax import Input, Output
from homing.languages.csp.terms import OPERANDS, Terms
from homing.languages.csp.values import Term

Surveys: TypeAlias = Sequence[set[Offer]]


@dataclass(frozen=True)
class Grouping:
    """A group: `alone` has one component and a footprint, the others are told apart by event or channel."""

    kind: Literal["alone", "comm", "event", "tick"]
    components: tuple[int, ...]
    label: Label | str | None
    reads: tuple[Read, ...]
    writes: frozenset[int]

    def holds(self, found: Footprint) -> bool:
        """Whether all that an action reads and writes is declared here."""
        return found.reads.issubset(self.reads) and found.writes <= self.writes


def groupings(terms: Terms, skeleton: Skeleton, surveys: Surveys) -> list[Grouping]:
    """The groups of a system: what a component does alone, then handshakes, shared events, and termination."""
    shared = list(_shared(terms, skeleton, surveys))
    together = {(number, grouping.label) for grouping in shared for number in grouping.components}
    found: list[Grouping] = []
    for number, offers in enumerate(surveys):
        found += _alone(number, offers, len(surveys) > 1, together)
    return [*found, *_handshakes(terms, surveys), *shared, *_termination(surveys)]


def _make(
    kind: Literal["alone", "comm", "event", "tick"],
    components: Sequence[int],
    label: Label | str | None,
    footprints: Sequence[Footprint],
) -> Grouping:
    reads: frozenset[Read] = frozenset().union(*(each.reads for each in footprints))
    writes: frozenset[int] = frozenset().union(*(each.writes for each in footprints))
    return Grouping(kind, tuple(components), label, tuple(sorted(reads, key=_order)), writes)


def _order(read: Read) -> tuple[int, str]:
    return read.slot, str(read.through)


def _alone(
    number: int, offers: set[Offer], several: bool, together: set[tuple[int, Label | str | None]]
) -> list[Grouping]:
    """One group for each set of reads, so that each is as small as what it needs; small ones come first."""
    by_reads: dict[frozenset[Read], list[Footprint]] = {}
    for offer in offers:
        if offer.what in ("in", "out") or (several and offer.what == "tick"):
            continue
        if offer.what == "event" and (number, offer.label) in together and isinstance(offer.label, tuple):
            continue
        by_reads.setdefault(offer.footprint.reads, []).append(offer.footprint)
    found = [_make("alone", (number,), None, footprints) for footprints in by_reads.values()]
    return sorted(found, key=lambda grouping: (len(grouping.reads), list(map(_order, grouping.reads))))


def _handshakes(terms: Terms, surveys: Surveys) -> Iterator[Grouping]:
    for name, layout in terms.names.channels.items():
        if layout.capacity:
            continue
        ends = [
            {kind: [o for o in offers if o.what == kind and _channel(o) == name] for kind in ("out", "in")}
            for offers in surveys
        ]
        known = all(isinstance(offer.label, tuple) for each in ends for found in each.values() for offer in found)
        labels: Sequence[Label | str] = [(name, (n,)) for n in range(layout.count)] if known else [name]
        for label, (sender, output), (receiver, receiving) in product(labels, enumerate(ends), enumerate(ends)):
            out = [offer.footprint for offer in output["out"] if not known or offer.label == label]
            into = [offer.footprint for offer in receiving["in"] if not known or offer.label == label]
            if sender != receiver and out and into:
                yield _make("comm", (sender, receiver), label, out + into)


def _channel(offer: Offer) -> str | None:
    return offer.label[0] if isinstance(offer.label, tuple) else offer.label


def _shared(terms: Terms, skeleton: Skeleton, surveys: Surveys) -> Iterator[Grouping]:
    """Events that several components do together, in each way that the alphabets allow."""
    for label in sorted(_alphabet(terms, skeleton.tree), key=repr):
        offering: dict[int, list[Footprint]] = {}
        for number, offers in enumerate(surveys):
            fitting = [o.footprint for o in offers if o.what == "event" and o.label in (label, label[0])]
            if fitting:
                offering[number] = fitting
        inside, outside = _ways(terms, skeleton.tree, label, offering)
        for components in sorted(inside | outside):
            if len(components) > 1:
                yield _make("event", components, label, [each for number in components for each in offering[number]])


def _alphabet(terms: Terms, tree: Term) -> Alphabet:
    """Every event in an alphabet of some `||`."""
    if tree[0] == "component":
        return frozenset()
    own = terms.alphabets(tree[1], tree[2]) if tree[0] == "||" else ()
    return frozenset().union(*own, *(_alphabet(terms, part) for part in tree[OPERANDS[tree[0]] :]))


Ways: TypeAlias = set[tuple[int, ...]]


def _ways(terms: Terms, tree: Term, label: Label, offering: Mapping[int, list[Footprint]]) -> tuple[Ways, Ways]:
    """The sets of components that may do an event together: those who show it to the outside, and those who hide it."""
    if tree[0] == "component":
        return ({(tree[1],)} if tree[1] in offering else set()), set()
    operands = [_ways(terms, part, label, offering) for part in tree[OPERANDS[tree[0]] :]]
    shown, hidden = [ways[0] for ways in operands], set().union(*(ways[1] for ways in operands))
    if tree[0] == "\\" and label in terms.hidden(tree[1], tree[2]):
        return set(), hidden | shown[0]
    if tree[0] != "||":
        return set().union(*shown), hidden
    needed = [number for number, alphabet in enumerate(terms.alphabets(tree[1], tree[2])) if label in alphabet]
    found = _joined([shown[number] for number in needed]) if needed else set()
    for number, ways in enumerate(shown):
        if number not in needed:
            found |= ways
    return found, hidden


def _joined(choices: list[Ways]) -> Ways:
    return {tuple(sorted(set().union(*chosen))) for chosen in product(*choices)}


def _termination(surveys: Surveys) -> Iterator[Grouping]:
    ticks = [[offer.footprint for offer in offers if offer.what == "tick"] for offers in surveys]
    if len(surveys) > 1 and all(ticks):
        yield _make("tick", range(len(surveys)), None, [each for found in ticks for each in found])


class Sorter:
    """Says which group an action belongs to; each belongs to exactly one."""

    def __init__(self, rules: Rules, found: Sequence[Grouping]) -> None:
        self.rules = rules
        self.groupings = found
        self._alone: dict[int, list[int]] = {}
        self._together: dict[tuple[str, tuple[int, ...], Label | str | None], int] = {}
        for number, grouping in enumerate(found):
            if grouping.kind == "alone":
                self._alone.setdefault(grouping.components[0], []).append(number)
            else:
                self._together[grouping.kind, grouping.components, grouping.label] = number

    def group(self, action: Action) -> int:
        """The number of the group; -1 for half a handshake, which is none."""
        components = tuple(dict.fromkeys(part.component for part in action.parts))
        if action.kind in ("in", "out"):
            return -1
        if len(components) == 1:
            found = footprint(self.rules, action)
            return next(number for number in self._alone[components[0]] if self.groupings[number].holds(found))
        if action.kind == "comm" or (action.kind == "tau" and isinstance(action.moves[0].node, Output)):
            return self._handshake(components, action)
        kind = "tick" if action.kind == "tick" else "event"
        return self._together[kind, tuple(sorted(components)), action.shared]

    def _handshake(self, components: tuple[int, ...], action: Action) -> int:
        channel = channel_of(action)
        whole = self._together.get(("comm", components, channel))
        if whole is not None:
            return whole
        try:
            elements = {self._element(action, 0), self._element(action, 1)}
        except ModelError:  # out of range: whoever is found to do it says so
            elements = {0}
        label = (channel, (min(elements),))
        return self._together.get(("comm", components, label), -1) if len(elements) == 1 else -1

    def concerns(self, number: int, component: int, alone: Sequence[Action], halves: Sequence[Action]) -> bool:
        """Whether what a component may do now, alone and with others, matters to a group."""
        grouping = self.groupings[number]
        if grouping.kind == "alone":
            return any(self.group(action) == number for action in alone if _single(action))
        if grouping.kind == "tick":
            return any(action.kind == "tick" for action in halves)
        if grouping.kind == "comm":
            wanted = "out" if grouping.components[0] == component else "in"
            return any(action.kind == wanted and self.on(grouping, action) for action in halves)
        return any(action.kind == "event" and self._may_show(action, grouping.label) for action in halves)

    def on(self, grouping: Grouping, half: Action) -> bool:
        """Whether half a handshake is on the group's channel."""
        if isinstance(grouping.label, str):
            return channel_of(half) == grouping.label
        assert grouping.label is not None
        return channel_of(half) == grouping.label[0] and self._element(half, 0) == grouping.label[1][0]

    def _element(self, action: Action, move: int) -> int:
        node, env = action.moves[move].node, action.moves[move].env
        assert isinstance(node, Output | Input)
        return offset(self.rules.names, self.rules.names.channels[node.channel], node, env)

    def _may_show(self, action: Action, label: Label | str | None) -> bool:
        found = self.rules.label(action)
        return True if found is None else found == label


def _single(action: Action) -> bool:
    return len({part.component for part in action.parts}) == 1
