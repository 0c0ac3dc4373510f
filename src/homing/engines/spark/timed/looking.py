"""What is looked for in the new states of a partition, and what is known of all partitions together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from homing.core.result import Limits
from homing.engines.local.evaluator import Failed
from homing.engines.local.watch import Watch
from homing.engines.spark.kernels import Array
from homing.engines.spark.timed.partition import Partition
from homing.engines.zones.reaching import Extent, Question, Reaching
from homing.engines.zones.staying import Staying


@dataclass(frozen=True)
class Look:
    """Conditions that are asked for, what is measured, or how runs end."""

    questions: tuple[int, ...] = ()
    extents: tuple[tuple[int, int, bool], ...] = ()
    """Where, of what, and whether that is a clock."""
    endings: bool = False

    @property
    def labels(self) -> tuple[int, ...]:
        """What is looked at in a state, but for what takes its place where it is a clock."""
        where = (label for label, _, _ in self.extents)
        return (*self.questions, *where, *(of for _, of, clock in self.extents if not clock))


@dataclass(frozen=True)
class Seen:
    """What was found in a level, states by what they are called everywhere."""

    questions: tuple[Question, ...] = ()
    extents: tuple[Extent, ...] = ()
    waiting: tuple[int, int] | None = None
    """How far the search had come where the run begins, and the state."""
    stuck: tuple[int, int] | None = None
    asked: int = 1 << 30
    """How many questions there were before one on which the model failed."""


def looked(partition: Partition, look: Look, known: frozenset[int], wave: Array) -> tuple[Seen, Failed | None]:
    """What there is in new states of a partition; some questions have been answered. And how the model failed."""
    if not len(wave):
        return Seen(), None
    watch = Watch("", Limits(), lambda progress: None, lambda: False)
    if look.endings:
        staying = Staying(partition.symbolic, watch)
        staying.see(wave)
        return Seen(waiting=_ending(partition, staying.waiting), stuck=_ending(partition, staying.stuck)), None
    questions = [Question(label, -1 if n in known else None) for n, label in enumerate(look.questions)]
    reaching = Reaching(partition.symbolic, watch, questions, [Extent(*extent) for extent in look.extents])
    try:
        reaching.see(wave)
    except Failed as failed:
        return _seen(partition, reaching, reaching.asked), failed
    return _seen(partition, reaching), None


def _ending(partition: Partition, state: int | None) -> tuple[int, int] | None:
    return None if state is None else (partition.stem(state), partition.called(state))


def _seen(partition: Partition, reaching: Reaching, asked: int = 1 << 30) -> Seen:
    for question in reaching.questions:
        if question.state is not None:
            question.state = partition.called(question.state) if question.state >= 0 else None
    for extent in reaching.extents:
        extent.endless = []  # whether one of them waits is asked later, if at all
        if extent.least is not None:
            extent.least_at, extent.most_at = partition.called(extent.least_at), partition.called(extent.most_at)
    return Seen(tuple(reaching.questions), tuple(reaching.extents), asked=asked)


def take_in(found: Seen, asked: int, questions: Sequence[Question], extents: Sequence[Extent]) -> None:
    """Takes over what a partition found to the first questions; what is known already stays."""
    for known, question in zip(questions, found.questions[:asked]):
        if known.state is None and question.state is not None:
            known.state, known.goal, known.deadlock = question.state, question.goal, question.deadlock
    for measured, extent in zip(extents, found.extents):
        if extent.least is not None and extent.most is not None:
            measured.take(extent.least, extent.least_at, extent.most, extent.most_at)
