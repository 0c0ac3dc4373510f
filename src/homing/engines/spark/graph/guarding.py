"""Errors on their way from a worker: Spark would make a page of Java of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeAlias

from homing.core.errors import HomingError
from homing.engines.local.evaluator import Failed
from homing.engines.spark.work import Job

Work: TypeAlias = Callable[[Job, Any], Iterator[tuple[int, Any]]]


@dataclass(frozen=True)
class Mistake:
    """Instead of an outcome: what is wrong with the model or the property."""

    what: str


def guarded(work: Work) -> Work:
    """The same, but errors that can be explained are its outcome."""

    @wraps(work)
    def guard(job: Job, todo: Any) -> Iterator[tuple[int, Any]]:
        try:
            yield from work(job, todo)
        except Failed as failed:
            yield -1, Mistake(str(failed.error))
        except HomingError as error:
            yield -1, Mistake(str(error))

    return guard


def told(outcomes: Sequence[Any]) -> Sequence[Any]:
    """The outcomes; raises what was wrong with one of them."""
    for outcome in outcomes:
        if isinstance(outcome, Mistake):
            raise HomingError(outcome.what)
    return outcomes
