"""One direction of a link: a queue that drops what does not fit, a transmitter with a rate, a wire with a delay."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

from homing.overlay.simulation.clock import Call, Clock
from homing.overlay.simulation.packets import LINK_DOWN, QUEUE_FULL, Message, Packet

Item = Packet | Message


class Port:
    """Holds one item in the transmitter, up to `buffer` waiting ones, and any number on the wire."""

    __slots__ = (
        "_busy", "_clock", "_deliver", "_epoch", "_flying", "_lose", "_lose_message", "_queue", "_urgent", "bits",
        "buffer", "delay", "entered", "left", "link", "priority", "rate", "source", "target", "up",
    )  # fmt: skip

    def __init__(
        self,
        clock: Clock,
        ends: tuple[int, int, int],
        speed: tuple[float, float, int, bool],
        lose: tuple[Callable[[Packet, int], None], Callable[[Message, Port], None]],
    ) -> None:
        self.link, self.source, self.target = ends
        self.rate, self.delay, self.buffer, self.priority = speed
        self.up = True
        self.bits = 0.0  # transmitted, or begun to be
        self.entered = self.left = 0  # how many items came to the queue, and left the transmitter
        self._clock = clock
        self._lose, self._lose_message = lose
        self._deliver: Callable[[Item, Port], None] = lambda item, port: None
        self._queue: deque[Item] = deque()
        self._urgent: deque[Item] = deque()  # messages of protocols, where they go first
        self._flying: deque[Item] = deque()
        self._busy: Item | None = None
        self._epoch = 0  # calls scheduled before a failure are not for the link that came back

    def connect(self, deliver: Callable[[Item, Port], None]) -> None:
        self._deliver = deliver

    def send(self, item: Item) -> None:
        """Takes an item, or loses it."""
        self.entered += 1
        if not self.up:
            self._drop(item, LINK_DOWN)
        elif self._busy is None:
            self._begin(item)
        else:
            lane = self._urgent if self.priority and type(item) is Message else self._queue
            if len(lane) < self.buffer:
                lane.append(item)
            else:
                self._drop(item, QUEUE_FULL)

    def waiting(self) -> int:
        return len(self._queue) + len(self._urgent)

    def holds(self) -> Iterator[Item]:
        """Everything in the queue, in the transmitter and on the wire."""
        yield from self._flying
        if self._busy is not None:
            yield self._busy
        yield from self._urgent
        yield from self._queue

    def fail(self) -> None:
        """What is on the link and in its queue is lost."""
        self.up = False
        self._epoch += 1
        lost = list(self.holds())
        for lane in (self._flying, self._urgent, self._queue):
            lane.clear()
        self._busy = None
        for item in lost:
            self._drop(item, LINK_DOWN)

    def repair(self) -> None:
        self.up = True

    def _begin(self, item: Item) -> None:
        self._busy = item
        self.bits += item.bits
        self._clock.after(item.bits / self.rate, self._transmitted, self._epoch)

    def _transmitted(self, call: Call) -> None:
        if call.about != self._epoch:
            return
        item = self._busy
        assert item is not None
        self.left += 1
        self._flying.append(item)
        self._clock.after(self.delay, self._arrived, self._epoch)
        if self._urgent:
            self._begin(self._urgent.popleft())
        elif self._queue:
            self._begin(self._queue.popleft())
        else:
            self._busy = None

    def _arrived(self, call: Call) -> None:
        if call.about == self._epoch:
            self._deliver(self._flying.popleft(), self)

    def _drop(self, item: Item, reason: int) -> None:
        if type(item) is Packet:
            self._lose(item, reason)
        elif reason == QUEUE_FULL:
            assert type(item) is Message
            self._lose_message(item, self)
