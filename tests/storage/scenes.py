"""Runs of each kind that were stopped, and what they come to when they go on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol
from unittest.mock import patch

import homing
from homing.core.builder import Builder, step
from homing.core.formula import Holds, always, eventually
from homing.core.model import Model
from homing.core.result import Counts, Distribution, Exploration, Limits, Options, Result
from homing.core.system import Step
from homing.core.verdict import Verdict
from homing.engines.local.engine import check as check_locally
from homing.engines.spark.engine import check as check_on_spark
from homing.engines.spark.graph.supersteps import Supersteps
from homing.engines.spark.preparing import Prepared
from homing.engines.spark.rounds import Here, Rounds
from homing.engines.spark.timed.engine import check as check_timed
from homing.overlay import pipeline, store
from homing.overlay.chunks import Job
from homing.overlay.readers import load

CHANNEL = Path(__file__).parents[2] / "models" / "tutorial" / "channel.xml"


class Scene(Protocol):
    """A run in a folder: stopped halfway, stopped before that, and gone on with."""

    def stop(self, folder: Path, early: bool) -> None: ...

    def resume(self, folder: Path) -> tuple[Any, list[str]]:
        """What is decided, and sentences why something is not."""

    def right(self) -> Any:
        """What is decided where all is well."""


def counters(number: int = 3, most: int = 4) -> Model:
    """Two properties hold; one is violated far from the beginning."""
    b = Builder("counters")
    slots = [b.slot(f"c{n}", 0) for n in range(number)]
    for slot in slots:

        @b.group(f"count {slot}", [slot], [slot])
        def count(value: int, slot: int = slot) -> Iterator[Step]:
            if value < most:
                yield step("count", {slot: value + 1})

    b.always("small", [slots[0]], lambda value: value <= most)
    b.always("not the end", slots, lambda *values: sum(values) < number * most - 1)
    b.extreme("most", "max", slots, lambda *values: sum(values))
    return b.model()


def decided(results: tuple[Result, ...], counts: Counts) -> tuple[dict[str, Any], list[str]]:
    """Verdicts with counts, and the reasons of those that are unknown."""
    found = {
        result.property: (result.verdict, result.value, None if result.trace is None else len(result.trace))
        for result in results
        if result.verdict is not Verdict.UNKNOWN
    }
    reasons = [str(result.reason) for result in results if result.verdict is Verdict.UNKNOWN]
    return found | ({} if reasons else {"counts": replace(counts, evaluations=0)}), reasons


def _of(found: Exploration) -> tuple[dict[str, Any], list[str]]:
    known, reasons = decided(found.report.results, found.counts)
    if found.report.error is not None:
        reasons.append(str(found.report.error))
    found.done()
    return known, reasons


@dataclass(frozen=True)
class Local:
    """A checkpoint of a search on one machine."""

    states: int = 80
    every: float = 600.0

    def _options(self, folder: Path, **given: Any) -> Options:
        return replace(Options(threads=1, checkpoint=folder / "run.checkpoint", checkpoint_every=self.every), **given)

    def stop(self, folder: Path, early: bool) -> None:
        states = self.states // 2 if early else self.states
        check_locally(counters(), self._options(folder, limits=Limits(states=states), restart=True))

    def resume(self, folder: Path) -> tuple[Any, list[str]]:
        return _of(check_locally(counters(), self._options(folder, resume=True)))

    @cache  # noqa: B019  # a scene is a constant
    def right(self) -> Any:
        return _of(check_locally(counters(), Options(threads=1)))[0]


def here(prepared: Prepared) -> Rounds:
    return Here(prepared.job.folder)


@dataclass(frozen=True)
class Spread:
    """The folder of a run in partitions."""

    def _options(self, folder: Path, **given: Any) -> Options:
        spread = Distribution(partitions=8, folder=str(folder), by=("c0", "c1"))
        return replace(Options(distribution=spread, limits=Limits(seconds=60)), **given)

    def stop(self, folder: Path, early: bool) -> None:
        limits = Limits(states=20 if early else 80)
        check_on_spark(counters(), self._options(folder, limits=limits, restart=True), here).done()

    def resume(self, folder: Path) -> tuple[Any, list[str]]:
        return _of(check_on_spark(counters(), self._options(folder, resume=True), here))

    @cache  # noqa: B019
    def right(self) -> Any:
        return Local().right()


class Killed(BaseException):
    """Nothing is done any more."""


@dataclass(frozen=True)
class Pieces:
    """The folder of a run that was killed while a property of its graph, in pieces, was decided."""

    def _model(self) -> Model:
        b = Builder("ring")
        place = b.slot("place", 0)

        @b.group("walk", [place], [place])
        def walk(now: int) -> Iterator[Step]:
            yield step("on", {place: (now + 1) % 30})
            if now == 7:
                yield step("back", {place: 3})

        b.label("home", [place], lambda now: now == 0)
        b.temporal("comes home", always(eventually(Holds(0))))
        return b.model()

    def _options(self, folder: Path, **given: Any) -> Options:
        spread = Distribution(partitions=2, folder=str(folder), most_edges=0)
        return replace(Options(distribution=spread, limits=Limits(seconds=60)), **given)

    def _checked(self, options: Options, rounds: int | None = None) -> tuple[Any, list[str]]:
        found = check_on_spark(self._model(), options, here)
        if found.decider is None:
            return {}, [str(found.reason)]
        left, true = iter(range(rounds or 10**6)), Supersteps._step

        def dying(self: Supersteps, *given: Any, **named: Any) -> Any:
            if next(left, None) is None:
                raise Killed
            return true(self, *given, **named)

        prop = self._model().properties[0]
        with patch.object(Supersteps, "_step", dying):
            answer = found.decider(True, lambda: None).check(prop)  # type: ignore[arg-type]
        trace = None if answer.trace is None else len(answer.trace)
        found.done()
        return {"comes home": (answer.verdict, trace), "states": found.counts.distinct}, []

    def stop(self, folder: Path, early: bool) -> None:
        try:
            self._checked(self._options(folder, restart=True), 1 if early else 3)
        except Killed:
            (folder / "lock.json").unlink()  # as after a kill
        else:
            raise AssertionError("it was not killed")

    def resume(self, folder: Path) -> tuple[Any, list[str]]:
        return self._checked(self._options(folder, resume=True))

    @cache  # noqa: B019
    def right(self) -> Any:
        with TemporaryDirectory() as folder:
            return self._checked(self._options(Path(folder, "run")))[0]


@cache
def channel() -> Model:
    (found,) = homing.load(CHANNEL).models
    return replace(found, properties=found.properties[:1])


@dataclass(frozen=True)
class Timed:
    """The folder of searches through zones in partitions."""

    def _options(self, folder: Path, **given: Any) -> Options:
        spread = Distribution(partitions=2, folder=str(folder), small=0)
        return replace(Options(distribution=spread, limits=Limits(seconds=60)), **given)

    def stop(self, folder: Path, early: bool) -> None:
        limits = Limits(states=5 if early else 20)
        check_timed(channel(), self._options(folder, limits=limits, restart=True), Here).done()

    def resume(self, folder: Path) -> tuple[Any, list[str]]:
        return _of(check_timed(channel(), self._options(folder, resume=True), Here))

    @cache  # noqa: B019
    def right(self) -> Any:
        with TemporaryDirectory() as folder:
            return _of(check_timed(channel(), self._options(Path(folder, "run")), Here))[0]


@dataclass(frozen=True)
class Swept:
    """The folder of a network's results, half of them done."""

    def _job(self, folder: Path) -> Job:
        return Job("n", load("random:6:9:seed=3").to_json(), "links:1-2", out=str(folder))

    def _pieces(self, job: Job) -> list[pipeline.Piece]:
        colours = len(job.scenarios())
        return [pipeline.Piece(job, low, min(low + 9, colours)) for low in range(1, colours + 1, 10)]

    def stop(self, folder: Path, early: bool) -> None:
        job = self._job(folder)
        store.begin(job)
        pipeline.run_here(self._pieces(job)[: 1 if early else 3])

    def resume(self, folder: Path) -> tuple[Any, list[str]]:
        job = self._job(folder)
        totals = store.finished(job)
        if totals is None:
            store.begin(job)
            run = pipeline.run_here(self._pieces(job))
            if run.errors:
                return {}, list(run.errors.values())
            totals = store.finish(job, list(run.summaries))
        return replace(totals, kernel_seconds=0.0, write_seconds=0.0), []

    @cache  # noqa: B019
    def right(self) -> Any:
        with TemporaryDirectory() as folder:
            return self.resume(Path(folder, "run"))[0]


@dataclass(frozen=True)
class Finished(Swept):
    """The same when all is done."""

    def stop(self, folder: Path, early: bool) -> None:
        if not early:
            self.resume(folder)
        else:
            super().stop(folder, early)


SCENES: dict[str, Scene] = {
    "local": Local(),
    "spark": Spread(),
    "pieces": Pieces(),
    "timed": Timed(),
    "sweep": Swept(),
    "finished sweep": Finished(),
}
