"""Rounds: partitions work side by side, then what they sent is exchanged. On Spark, or in this process for tests."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from homing.core.errors import HomingError, Place
from homing.core.stop import Stopped
from homing.engines.spark.exchange import Outbox, joined
from homing.engines.spark.folder import FAULTS, Folder, NotShared, unusable

if TYPE_CHECKING:
    from pyspark import SparkContext

POLL_SECONDS = 0.2
ATTEMPTS = 4
"""At a task, as on a cluster: on one machine Spark would give up a run with the first process that is killed."""
LOST = ("Python worker exited unexpectedly", "ExecutorLostFailure")
ELSEWHERE = r"ModuleNotFoundError: [^\n]*|\[PYTHON_VERSION_MISMATCH\] [^\n]*"
SHORT = "where memory is short, a smaller --memory-limit makes smaller partitions"
LANE = "HOMING_LANE"
Work: TypeAlias = Callable[[Any], Iterator[tuple[int, Any]]]
"""From an assignment, which is picklable, messages (bytes) by partition and, under -1, one outcome."""


@dataclass(frozen=True)
class Trouble:
    """Instead of an outcome: why a task could not be done, though nothing is wrong with it. A disk is full."""

    what: str
    place: str = ""
    """Where something has to be set up in another way before it makes sense to try again."""


class Rounds(Protocol):
    """How a round is run: outcomes, and by partition the name of what was sent to it (see exchange.py)."""

    @property
    def lanes(self) -> int:
        """How many tasks run side by side."""

    def expect(self, weight: int) -> None:
        """Told how many states the partitions have that are about to work: `lanes` may change."""

    def run(self, work: Work, todo: Sequence[Any], partitions: int) -> tuple[list[Any], dict[int, str]]: ...


class Here:
    """In this process, one partition after the other."""

    lanes = 1

    def __init__(self, folder: Folder) -> None:
        self.folder = folder

    def expect(self, weight: int) -> None:
        """It goes on here."""

    def run(self, work: Work, todo: Sequence[Any], partitions: int) -> tuple[list[Any], dict[int, str]]:
        found = list(sorted_out(work, todo, self.folder))
        return [outcome for part, outcome in found if part < 0], joined(each for each in found if each[0] >= 0)


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

    def expect(self, weight: int) -> None:
        """From so many states on, it is Spark's."""
        if self._spark is None and weight >= self._small:
            self._spark = self._make()

    def run(self, work: Work, todo: Sequence[Any], partitions: int) -> tuple[list[Any], dict[int, str]]:
        self.expect(sum(assignment.weight for assignment in todo))
        if self._spark is None:
            return self._here.run(work, [replace(assignment, seconds=1.0) for assignment in todo], partitions)
        return self._spark.run(work, todo, partitions)


def on_spark(master: str | None, folder: Folder, stopped: Callable[[], str | None]) -> OnSpark:
    """Rounds in a session of Spark, which is started unless there is one."""
    from homing import spark

    master = master or (None if spark.submitted() else spark.LOCAL)
    found = re.fullmatch(r"local(\[([^,]+)\])?", master or "")
    session = spark.session(f"local[{found[2] or 1},{ATTEMPTS}]" if found else master)
    return OnSpark(session.sparkContext, folder, stopped)


class OnSpark:
    """As one job: each task writes what its partitions send to a file, and the names of places in it come back."""

    def __init__(self, context: SparkContext, folder: Folder, stopped: Callable[[], str | None] = lambda: None) -> None:
        self.context = context
        self.folder = folder
        self.stopped = stopped
        self._homes: dict[Any, int] = {}
        """By partition the lane that has it in memory."""

    @property
    def lanes(self) -> int:
        return int(self.context.defaultParallelism)

    def expect(self, weight: int) -> None:
        """It is here already."""

    def run(self, work: Work, todo: Sequence[Any], partitions: int) -> tuple[list[Any], dict[int, str]]:
        folder = self.folder

        def worked(task: list[Any]) -> Iterator[tuple[int, Any]]:
            try:
                folder.check_shared()
                yield from sorted_out(work, task, folder)
            except NotShared as error:
                yield -1, Trouble(error.message, folder.shown)
            except FAULTS as error:
                yield -1, Trouble(unusable(error))
            except MemoryError:
                yield -1, Trouble("a worker had no memory left")

        with _Breakable(self.context, self.stopped), complained():
            collected = self._tasks(todo, worked).collect()
        outcomes = [found for part, found in collected if part < 0]
        for found in outcomes:
            if isinstance(found, Trouble):
                raise HomingError(found.what, Place(found.place)) if found.place else Stopped(found.what)
        return outcomes, joined(each for each in collected if each[0] >= 0)

    def _tasks(self, todo: Sequence[Any], worked: Callable[[list[Any]], Iterator[tuple[int, Any]]]) -> Any:
        """An RDD of what tasks yield.

        Spark keeps Python processes by their environment. In one executor, an environment for each lane has a lane's
        tasks run in the process that has its partitions in memory; in several, Spark would choose among them anyway.
        """
        context = self.context
        if not context.master.startswith("local") or context.master.startswith("local-cluster"):
            tasks = shared(todo, self.lanes)
            return context.parallelize(tasks, len(tasks)).flatMap(worked)
        plain, parts = context.environment, []
        try:
            for lane, task in at_home(todo, self.lanes, self._homes).items():
                context.environment = plain | {LANE: str(lane)}
                parts.append(context.parallelize([task], 1).flatMap(worked))
                _ = parts[-1]._jrdd  # is made now, with this environment
        finally:
            context.environment = plain
        return context.union(parts)


def sorted_out(work: Work, todo: Sequence[Any], folder: Folder) -> Iterator[tuple[int, Any]]:
    """The outcomes of assignments and, by partition, the name of what they sent to it.

    Where assignments are `onward`, what is for one that is yet to come gets there at once: that saves a round.
    """
    outbox, ahead = Outbox(folder), dict[int, list[str]]()
    later = {each.part for each in todo if getattr(each, "onward", False)}
    for assignment in todo:
        if later:
            later.discard(assignment.part)
            assignment = replace(assignment, inbox=assignment.inbox + tuple(ahead.get(assignment.part, ())))
        near = Outbox(folder)
        for part, message in work(assignment):
            if part < 0:
                yield part, message
            else:
                (near if part in later else outbox).add(part, message)
        for part, name in near.close():
            ahead.setdefault(part, []).append(name)
    folder.remove(name for names in ahead.values() for name in names)
    yield from outbox.close()


@contextmanager
def complained() -> Iterator[None]:
    """What ends a job though nothing is wrong with it, in a sentence: Spark has a page of Java for each."""
    from py4j.protocol import Py4JError, Py4JJavaError  # type: ignore[import-untyped]
    from pyspark.errors import PythonException

    try:
        yield
    except PythonException as error:
        found = re.search(ELSEWHERE, str(error))
        if found is None:
            raise
        raise HomingError(f"a worker cannot run Homing, which has to be in the Python of each: {found[0]}") from None
    except Py4JJavaError as error:
        if not any(sign in str(error) for sign in LOST):
            raise
        raise Stopped(f"a worker was killed {ATTEMPTS} times: {SHORT}") from None
    except (Py4JError, ConnectionError):
        raise Stopped(f"Spark was killed: {SHORT}") from None


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
UNEVEN = 1.3
"""A lane takes its own partitions up to so many times its share."""


def shared(todo: Sequence[Any], cores: int) -> list[list[Any]]:
    """Assignments by task: large ones alone, small ones together, as a task costs more than they do."""
    rest = sorted(todo, key=lambda assignment: -assignment.weight)
    large = [[assignment] for assignment in rest if assignment.weight >= SMALL]
    small = rest[len(large) :]
    tasks: list[list[Any]] = [[] for _ in range(min(cores, len(small)))]
    for number, assignment in enumerate(small):
        tasks[number % len(tasks)].append(assignment)
    return large + tasks


def at_home(todo: Sequence[Any], lanes: int, homes: dict[Any, int]) -> dict[int, list[Any]]:
    """Assignments by lane: each where it was before, unless that lane would have far too much; notes where it is."""
    tasks: dict[int, list[Any]] = {}
    loads = [0] * lanes
    share = UNEVEN * sum(assignment.weight for assignment in todo) / lanes
    for number, assignment in sorted(enumerate(todo), key=lambda each: -each[1].weight):
        part = getattr(assignment, "part", number)
        lane = homes.get(part)
        if lane is None or loads[lane] + assignment.weight > max(share, assignment.weight):
            lane = loads.index(min(loads))
        homes[part] = lane
        loads[lane] += assignment.weight + 1
        tasks.setdefault(lane, []).append((number, assignment))
    return {lane: [assignment for _, assignment in sorted(found)] for lane, found in tasks.items()}
