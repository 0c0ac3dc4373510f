"""Generated networks: `random:50:100:seed=7` has 50 brokers, 100 links and is connected."""

from __future__ import annotations

import random

from homing.core.errors import HomingError, Place
from homing.core.numerals import whole
from homing.overlay.draft import Draft
from homing.overlay.network import Network

OPTIONS = ("seed", "topics", "subscribers", "costs")


def read(text: str) -> Network:
    """Sizes, then options: seed, topics (none: everyone to everyone), subscribers a topic, costs up to a number."""
    place = Place(f"random:{text}")
    words = text.split(":")
    sizes = [_whole(word, "a size", place) for word in words if "=" not in word]
    if len(sizes) != 2:
        raise HomingError("a generated network is random:BROKERS:LINKS[:seed=NUMBER]", place)
    options = {"seed": 0, "topics": 0, "subscribers": 5, "costs": 1}
    for word in words:
        key, equals, value = word.partition("=")
        if equals:
            if key not in options:
                raise HomingError(f"unknown option '{key}'", place, OPTIONS)
            options[key] = _whole(value, key, place)
    return generate(*sizes, place=place, **options)


def _whole(text: str, what: str, place: Place) -> int:
    if not text.isdecimal():
        raise HomingError(f"{what} must be a whole number, got '{text}'", place)
    return whole(text, place)


def generate(
    brokers: int, links: int, *, seed: int = 0, topics: int = 0, subscribers: int = 5, costs: int = 1, place: Place
) -> Network:
    """A random tree, so that all are connected, and random links until there are enough."""
    most = brokers * (brokers - 1) // 2
    if brokers < 1 or not brokers - 1 <= links <= most:
        raise HomingError(f"{brokers} brokers need {max(brokers - 1, 0)} to {most} links, not {links}", place)
    if costs < 1:
        raise HomingError(f"costs are drawn from 1 up to a number, which cannot be {costs}", place)
    rng = random.Random(seed)
    order = list(range(brokers))
    rng.shuffle(order)
    chosen = {tuple(sorted((order[at], order[rng.randrange(at)]))) for at in range(1, brokers)}
    while len(chosen) < links:
        a, b = rng.randrange(brokers), rng.randrange(brokers)
        if a != b:
            chosen.add((min(a, b), max(a, b)))
    draft = Draft(place.file, place)
    for number in range(1, brokers + 1):
        draft.broker(number, place)
    for a, b in sorted(chosen):
        draft.link(a + 1, b + 1, place, cost=rng.randint(1, costs) if costs > 1 else 1)
    for number in range(1, topics + 1):
        ends = rng.sample(range(1, brokers + 1), min(subscribers + 1, brokers))
        draft.topic(f"topic {number}", ends[:1], ends[1:], place, None)
    return draft.build()
