"""How often heartbeats are sent, and how long silence is borne: fixed, or by load."""

from __future__ import annotations

import math
from typing import Protocol

from homing.overlay.simulation.ports import Port
from homing.overlay.simulation.settings import Settings

# Adaptive: an interval between these multiples of the fixed one, and so many of them before a link counts as dead. Busy
# links could do with still rarer heartbeats, but their failures would be noticed later by as much.
SHORTEST, LONGEST = 0.5, 1.0
FEWEST, MOST = 3, 16
RISK = 1e-4  # the chance of a false alarm at each heartbeat that is aimed at
GAIN = 1 / 16  # of a new sample, in what is remembered of losses
GAIN_MEAN, GAIN_DEVIATION = 1 / 8, 1 / 4  # Jacobson's, as in TCP's timers
DEVIATIONS = 4
AGAIN = 0.5  # how often a loss follows a loss, before anything is known


class Pace(Protocol):
    """One per interface: of the heartbeats that it sends, and of those that it hears."""

    def next(self, port: Port, now: float) -> float:
        """Seconds until the next heartbeat, decided when one is sent."""

    def count(self) -> int:
        """The number of the heartbeat that is sent."""

    def hear(self, number: int, wait: float, now: float) -> None:
        """A heartbeat came, which says when the next one is sent."""

    def patience(self) -> float:
        """The dead interval, from the last message heard."""


def of_settings(settings: Settings) -> Pace:
    return Adaptive(settings) if settings.heartbeat == "adaptive" else Fixed(settings)


class Fixed:
    """As the thesis and OSPF have it: an interval, and some of them without a word."""

    def __init__(self, settings: Settings) -> None:
        self._interval, self._dead = settings.interval, settings.interval * settings.dead

    def next(self, port: Port, now: float) -> float:
        return self._interval

    def count(self) -> int:
        return 0

    def hear(self, number: int, wait: float, now: float) -> None:
        pass

    def patience(self) -> float:
        return self._dead


class Adaptive:
    """The busier a link, the rarer its heartbeats; the more of them are lost or late, the longer silence is borne.

    The sender measures how busy its own port is and says in each heartbeat when the next one follows. The receiver
    counts gaps in their numbers, which gives the share that is lost, and how far they come from when they were
    announced. Losses come in runs, since a full queue stays full for a while; so it also remembers how often a loss
    follows a loss (Gilbert's model). It waits until so many are missing that losing them all has a chance of `RISK`,
    plus four deviations.
    """

    def __init__(self, settings: Settings) -> None:
        self._shortest, self._longest = SHORTEST * settings.interval, LONGEST * settings.interval
        self._first = settings.dead * settings.interval
        self._sent, self._bits, self._at, self._load = 0, 0.0, 0.0, 0.0
        self._number, self._heard, self._wait = 0, 0.0, settings.interval
        self._lost, self._again = 0.0, AGAIN
        self._mean, self._deviation = 0.0, 0.0

    def next(self, port: Port, now: float) -> float:
        if now > self._at:
            busy = min((port.bits - self._bits) / (port.rate * (now - self._at)), 1.0)
            self._load += (busy - self._load) / 4
            self._bits, self._at = port.bits, now
        return self._shortest + (self._longest - self._shortest) * self._load

    def count(self) -> int:
        self._sent += 1
        return self._sent

    def hear(self, number: int, wait: float, now: float) -> None:
        missing = number - self._number - 1 if self._number else 0
        if 0 < missing <= MOST:  # more than that was no loss but a failure
            for _ in range(missing):
                self._lost += GAIN * (1 - self._lost)
            for _ in range(missing - 1):
                self._again += GAIN * (1 - self._again)
            self._again -= GAIN * self._again
        self._lost -= GAIN * self._lost
        if self._number and not missing:
            self._learn(now - self._heard - self._wait)
        self._number, self._heard, self._wait = number, now, wait

    def _learn(self, late: float) -> None:
        """How much later than announced: Jacobson's mean and deviation."""
        error = late - self._mean
        self._mean += GAIN_MEAN * error
        self._deviation += GAIN_DEVIATION * (abs(error) - self._deviation)

    def patience(self) -> float:
        if not self._number:
            return self._first
        misses = FEWEST
        if self._lost > RISK:
            run = 1 + math.ceil(math.log(RISK / self._lost) / math.log(self._again))
            misses = min(max(run, FEWEST), MOST)
        return misses * self._wait + max(self._mean, 0.0) + DEVIATIONS * self._deviation
