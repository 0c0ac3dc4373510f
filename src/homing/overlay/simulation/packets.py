"""What travels: packets of data, and messages of protocols."""

from __future__ import annotations

from typing import Any

IN_FLIGHT, DELIVERED, QUEUE_FULL, LINK_DOWN, NO_ROUTE, TTL = range(6)
OUTCOMES = ("in flight", "delivered", "queue full", "link down", "no route", "ttl")
LOSSES = OUTCOMES[QUEUE_FULL:]


class Packet:
    """One message of a publisher on its way to one subscriber."""

    __slots__ = ("bits", "destination", "ended", "layer", "outcome", "path", "sent")

    def __init__(self, source: int, destination: int, sent: float, bits: float) -> None:
        self.destination = destination
        self.sent = sent
        self.bits = bits
        self.path = [source]
        self.layer = 0  # of Resilient Routing Layers
        self.outcome = IN_FLIGHT
        self.ended = float("nan")


class Message:
    """One message of a protocol to a neighbour."""

    __slots__ = ("bits", "content", "kind")

    def __init__(self, kind: str, bits: float, content: Any = None) -> None:
        self.kind = kind
        self.bits = bits
        self.content = content
