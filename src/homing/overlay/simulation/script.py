"""When links fail and come back: as asked for, and at random."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from homing.core.errors import HomingError
from homing.overlay.colours import link_names
from homing.overlay.network import Network
from homing.overlay.simulation.settings import Settings
from homing.overlay.simulation.streams import FAILURES, stream

AFTERWARDS = 50.0  # seconds that a run goes on after the last change, unless told how long


@dataclass(frozen=True)
class Change:
    """A link goes down or comes up."""

    time: float
    link: int
    up: bool
    asked: str = ""  # the words that asked for it


def read(network: Network, fail: Sequence[str], repair: Sequence[str]) -> tuple[Change, ...]:
    """The changes of `--fail 2-3@50 --repair 2-3@100`, in order, checked."""
    changes = [change for text in fail for change in _read(network, text, "--fail", False)]
    changes += [change for text in repair for change in _read(network, text, "--repair", True)]
    changes.sort(key=lambda change: change.time)  # stable: at one moment failures come first
    down: dict[int, float] = {}
    for change in changes:
        name, since = network.links[change.link].name, down.get(change.link)
        if not change.up and since is not None:
            raise HomingError(f"{change.asked}: the link {name} is down already, since {since:g}")
        if change.up and since is None:
            raise HomingError(f"{change.asked}: the link {name} is not down then, so it cannot be repaired")
        if change.up:
            del down[change.link]
        else:
            down[change.link] = change.time
    return tuple(changes)


def _read(network: Network, text: str, option: str, up: bool) -> list[Change]:
    found = []
    for word in filter(None, (part.strip() for part in text.split(","))):
        asked = f"{option} {word}"
        name, at, moment = word.rpartition("@")
        if not at:
            raise HomingError(f"{asked}: write it as LINK@TIME, for example 2-3@50")
        links = _links(network, name, asked)
        found += [Change(_time(moment, asked), link, up, asked) for link in links]
    if not found:
        raise HomingError(f"{option} '{text}' names no link; write it as LINK@TIME, for example 2-3@50")
    return found


def _links(network: Network, name: str, asked: str) -> tuple[int, ...]:
    """A link, the links of a broker, or of a risk group."""
    names = link_names(network)
    if name in names:
        return (names[name],)
    brokers = {network.broker_number[name]} if name in network.broker_number else set()
    links: set[int] = set()
    for group in network.groups:
        if group.name == name:
            brokers |= set(group.brokers)
            links |= set(group.links)
    links |= {at for at, link in enumerate(network.links) if {link.source, link.target} & brokers}
    if not links:
        raise HomingError(f"{asked}: no link is called '{name}'", None, network.link_number)
    return tuple(sorted(links))


def _time(text: str, asked: str) -> float:
    try:
        time = float(text)
    except ValueError:
        raise HomingError(f"{asked}: '{text}' is no time in seconds") from None
    if not math.isfinite(time) or time < 0:
        raise HomingError(f"{asked}: a time cannot be {text}")
    return time


def length(changes: Sequence[Change], until: float | None) -> float:
    """How long to run: as told, or some time after the last change."""
    last = max(changes, key=lambda change: change.time, default=None)
    if until is None:
        return (last.time if last else 100.0) + AFTERWARDS
    if last and last.time >= until:
        raise HomingError(f"{last.asked}: the run ends before, at {until:g}")
    return until


def complete(network: Network, settings: Settings, asked: Sequence[Change]) -> tuple[Change, ...]:
    """The changes asked for, and those at random of all other links."""
    changes = list(asked)
    if settings.failure_rate is not None:
        others = set(range(len(network.links))) - {change.link for change in asked}
        for link in sorted(others):
            changes += _drawn(link, 1 / settings.failure_rate, settings)
    return tuple(sorted(changes, key=lambda change: change.time))


def _drawn(link: int, mean_up: float, settings: Settings) -> Iterator[Change]:
    """Down and up again at random, in turn, until the end."""
    random = stream(settings.seed, FAILURES, link)
    up, time = True, 0.0
    while True:
        time += float(random.exponential(mean_up if up else settings.mean_repair))
        if time >= settings.until:
            return
        up = not up
        yield Change(time, link, up)
