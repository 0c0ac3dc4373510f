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
class Trouble:
    """Why a task could not be done."""

    error: str
    disk: bool


def guarded(work: Work) -> Work:
    """The same, but errors that can be explained are its outcome."""

    @wraps(work)
    def guard(job: Job, todo: Any) -> Iterator[tuple[int, Any]]:
        try:
            yield from work(job, todo)
        except OSError as error:
            yield -1, Trouble(f"{error.strerror or error}: {job.folder.uri}", True)
        except Failed as failed:
            yield -1, Trouble(str(failed.error), False)
        except HomingError as error:
            yield -1, Trouble(str(error), False)

    return guard


def told(outcomes: Sequence[Any]) -> Sequence[Any]:
    """The outcomes; raises what troubled one of them."""
    for outcome in outcomes:
        if isinstance(outcome, Trouble):
            raise OSError(outcome.error) if outcome.disk else HomingError(outcome.error)
    return outcomes
