"""What a run is asked to be; everything that can be set, checked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from homing.core.errors import HomingError

PROTOCOLS = ("pcrt", "ospf", "rrl")
CHOICES = {
    "traffic": ("fixed", "poisson"),
    "heartbeat": ("fixed", "adaptive"),
    "detection": ("dead-interval", "at-once"),
    "flooding": ("links", "strict", "colour"),
    "sequence": ("serial", "plain"),
}
# Without an option of their own.
OTHERS = (
    "packet_bits", "spread", "ttl", "hello_bits", "ack_bits", "retransmit", "sequence_space", "flood_bits",
    "spf_delay", "spf_hold", "spf_hold_most", "lsa_bits", "lsa_link_bits",
)  # fmt: skip


@dataclass(frozen=True)
class Settings:
    """Times are in seconds, which are the thesis's units; rates are by the second."""

    until: float = 150.0
    seed: int = 1
    # Links: the thesis's 10 000 bits a unit and queues of 10 packets. One more is being transmitted.
    rate: float = 10_000.0
    buffer: int = 10
    priority: bool = False  # messages of protocols wait in a queue of their own, which is served first
    # Traffic: every pair sends by itself.
    packets: float = 1.0
    packet_bits: float = 1000.0
    traffic: str = "fixed"
    pairs: int = 20  # of networks without topics
    spread: bool = True  # publishers and heartbeats begin at random moments of their first interval
    ttl: int = 64
    # Failures at random: of each link, a second that it is up.
    failure_rate: float | None = None
    mean_repair: float = 10.0
    # Heartbeats and hellos.
    heartbeat: str = "fixed"
    interval: float = 1.0
    dead: float = 4.0  # intervals
    detection: str = "dead-interval"
    hello_bits: float = 512.0
    ack_bits: float = 512.0
    retransmit: float = 1.0
    # PCRT.
    flooding: str = "links"
    sequence: str = "serial"
    sequence_space: int = 2**16
    flood_bits: float = 512.0
    # OSPF: an LSA has so many bits, and more for each link.
    spf_delay: float = 0.2
    spf_hold: float = 1.0
    spf_hold_most: float = 10.0
    lsa_bits: float = 576.0
    lsa_link_bits: float = 96.0
    # Resilient Routing Layers.
    layers: int = 4

    def __post_init__(self) -> None:
        for name, allowed in CHOICES.items():
            if getattr(self, name) not in allowed:
                raise HomingError(f"unknown {name} '{getattr(self, name)}'", None, allowed)
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, (int, float)) and not math.isfinite(value):
                raise HomingError(f"{said(field.name)} is {value:g}, which is no finite number")
        for name in ("until", "rate", "packets", "packet_bits", "interval", "dead", "retransmit", "mean_repair"):
            if getattr(self, name) <= 0:
                raise HomingError(f"{said(name)} is {getattr(self, name):g}; it has to be more than 0")
        for name in ("hello_bits", "ack_bits", "flood_bits", "lsa_bits", "pairs", "ttl", "layers"):
            if getattr(self, name) <= 0:
                raise HomingError(f"{said(name)} is {getattr(self, name):g}; it has to be more than 0")
        for name in ("seed", "buffer", "spf_delay", "spf_hold", "lsa_link_bits"):
            if getattr(self, name) < 0:
                raise HomingError(f"{said(name)} is {getattr(self, name):g}; it cannot be less than 0")
        if self.failure_rate is not None and self.failure_rate <= 0:
            raise HomingError(f"--failure-rate is {self.failure_rate:g}; it has to be more than 0, or left out")
        if self.spf_hold_most < self.spf_hold:
            raise HomingError(f"{said('spf_hold_most')} is {self.spf_hold_most:g}, less than spf_hold")
        if self.sequence_space < 3:
            raise HomingError(f"{said('sequence_space')} is {self.sequence_space}; numbers need at least 3")


def said(name: str) -> str:
    """A setting as the command line calls it."""
    return f"--set {name}" if name in OTHERS else "--" + name.replace("_", "-")


def read(common: dict[str, Any], others: Sequence[str]) -> Settings:
    """Settings with an option of their own, and others as NAME=VALUE."""
    given = dict(common)
    for text in others:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or name not in OTHERS:
            raise HomingError(f"--set {text}: write it as NAME=VALUE", None, OTHERS)
        default = getattr(Settings, name)
        try:
            given[name] = _switch(value) if isinstance(default, bool) else type(default)(value)
        except ValueError:
            raise HomingError(f"--set {name}: '{value}' is not of the kind of {default}") from None
    return Settings(**given)


def _switch(text: str) -> bool:
    if text not in ("yes", "no"):
        raise ValueError(text)
    return text == "yes"


def protocols(text: str) -> tuple[str, ...]:
    """`pcrt,ospf` as a list, each once."""
    found = tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))
    for word in found:
        if word not in PROTOCOLS:
            raise HomingError(f"unknown protocol '{word}'", None, PROTOCOLS)
    if not found:
        raise HomingError("no protocol is asked for", None, PROTOCOLS)
    return found
