"""Rounds: partitions work side by side, then what they sent is exchanged. On Spark, or in this process for tests."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import pyarrow as pa

from homing.engines.local.watch import Stopped
from homing.engines.spark.folder import Folder
from homing.engines.spark.work import MESSAGE

if TYPE_CHECKING:
    from pyspark import SparkContext

INBOX = "inbox"
POLL_SECONDS = 0.2
GROUP = 64 << 20
"""Bytes of messages in a row group, which is what a reader has in memory at once."""
Work: TypeAlias = Callable[[Any], Iterator[tuple[int, Any]]]
"""From an assignment, which is picklable, messages (bytes) by partition and, under -1, one outcome."""


@dataclass(frozen=True)
class Trouble:
    """Instead of an outcome: why a task could not be done, though nothing is wrong with it. A disk is full."""

    what: str


class Rounds(Protocol):
    """How a round is run: outcomes, and by partition the file with what was sent to it."""

    @property
    def lanes(self) -> int:
        """How many tasks run side by side."""

    def run(self, work: Work, todo: Sequence[Any], partitions: int) -> tuple[list[Any], dict[int, str]]: ...


class Here:
    """In this process, one partition after the other."""

    lanes = 1

    def __init__(self, folder: Folder) -> None:
        self.folder = folder

    def run(self, work: Work, todo: Sequence[Any], partitions: int) -> tuple[list[Any], dict[int, str]]:
        outcomes, boxes = [], Boxes(self.folder)
        for assignment in todo:
            for part, message in work(assignment):
                if part < 0:
                    outcomes.append(message)
                else:
                    boxes.add(part, message)
        return outcomes, dict(boxes.close())


class Growing:
    """Here as long as there is little to do, then on Spark, whose session is started only then."""

    def __init__(self, folder: Folder, small: int, spark: Callable[[], Rounds]) -> None:
        self._here = Here(folder)
        self._small = small
        self._make = spark
        self._spark: Rounds | None = None

    @property
    def lanes(self) -> int:
        return 1 if self._spark is None else self._spark.lanes

    def run(self, work: Work, todo: Sequence[Any], partitions: int) -> tuple[list[Any], dict[int, str]]:
        if self._spark is None:
            if sum(assignment.weight for assignment in todo) < self._small:
                return self._here.run(work, [replace(assignment, seconds=1.0) for assignment in todo], partitions)
            self._spark = self._make()
        return self._spark.run(work, todo, partitions)


class OnSpark:
    """As one job of two stages: partitions work, and what they sent is stored by those that it was sent to."""

    def __init__(self, context: SparkContext, folder: Folder, stopped: Callable[[], str | None] = lambda: None) -> None:
        self.context = context
        self.folder = folder
        self.stopped = stopped

    @property
    def lanes(self) -> int:
        return int(self.context.defaultParallelism)

    def run(self, work: Work, todo: Sequence[Any], partitions: int) -> tuple[list[Any], dict[int, str]]:
        folder = self.folder
        receivers = min(partitions, 2 * self.context.defaultParallelism)

        def worked(task: list[Any]) -> Iterator[tuple[int, Any]]:
            try:
                for assignment in task:
                    yield from work(assignment)
            except OSError as error:
                yield -1, Trouble(str(error))

        def of(part: int) -> int:
            return int(max(part, 0) % receivers)

        def stored(records: Iterable[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
            boxes = Boxes(folder)
            try:
                for part, message in records:
                    if part < 0:
                        yield part, message
                    else:
                        boxes.add(part, message)
                yield from boxes.close()
            except OSError as error:
                yield -1, Trouble(str(error))

        tasks = shared(todo, self.context.defaultParallelism)
        sent = self.context.parallelize(tasks, len(tasks)).flatMap(worked).partitionBy(receivers, of)
        outcomes, inboxes = [], {}
        with _Breakable(self.context, self.stopped):
            collected = sent.mapPartitions(stored).collect()
        for part, found in collected:
            if part < 0:
                outcomes.append(found)
            else:
                inboxes[part] = found
        for found in outcomes:
            if isinstance(found, Trouble):
                raise OSError(found.what)
        return outcomes, inboxes


class _Breakable:
    """While Spark works, a thread watches for a reason to stop, and then cancels what runs."""

    def __init__(self, context: SparkContext, stopped: Callable[[], str | None]) -> None:
        self._context = context
        self._stopped = stopped
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._reason: str | None = None

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._over.set()
        self._thread.join()
        if error is not None and self._reason is not None:
            raise Stopped(self._reason) from None

    def _watch(self) -> None:
        while not self._over.wait(POLL_SECONDS):
            self._reason = self._stopped()
            if self._reason is not None:
                self._context.cancelAllJobs()
                return


SMALL = 100_000
"""States of partitions that are put together in one task."""


def shared(todo: Sequence[Any], cores: int) -> list[list[Any]]:
    """Assignments by task: large ones alone, small ones together, as a task costs more than they do."""
    rest = sorted(todo, key=lambda assignment: -assignment.weight)
    large = [[assignment] for assignment in rest if assignment.weight >= SMALL]
    small = rest[len(large) :]
    tasks: list[list[Any]] = [[] for _ in range(min(cores, len(small)))]
    for number, assignment in enumerate(small):
        tasks[number % len(tasks)].append(assignment)
    return large + tasks


class Boxes:
    """Files of messages, one a partition that got any."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self._waiting: dict[int, list[bytes]] = {}
        self._files: dict[int, Any] = {}
        self._size = 0

    def add(self, part: int, message: bytes) -> None:
        """Takes a message; many are not kept in memory."""
        self._waiting.setdefault(part, []).append(message)
        self._size += len(message)
        if self._size > GROUP:
            self._flush()

    def _flush(self) -> None:
        for part, messages in self._waiting.items():
            if part not in self._files:
                self._files[part] = self.folder.writer(f"{INBOX}/part={part:05d}")
            self._files[part].write(pa.table({MESSAGE: pa.array(messages, pa.large_binary())}))
        self._waiting, self._size = {}, 0

    def close(self) -> Iterator[tuple[int, str]]:
        """By partition the name of its file, which is then whole."""
        self._flush()
        for part, file in self._files.items():
            yield part, file.close()
