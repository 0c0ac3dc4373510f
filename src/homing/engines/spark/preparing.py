"""What a run needs before its first round: where it is kept, who owns what, and the session."""

from __future__ import annotations

import pickle
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from homing.core.errors import HomingError, Place
from homing.core.model import Model
from homing.core.property import OnGraph
from homing.core.result import Options
from homing.core.system import TransitionSystem
from homing.engines.local.checkpoint import identity
from homing.engines.local.engine import cores
from homing.engines.local.search import Search
from homing.engines.local.watch import Watch
from homing.engines.spark import ownership
from homing.engines.spark.exploring import MANIFEST
from homing.engines.spark.folder import FAULTS, MARK, Folder, unusable
from homing.engines.spark.machine import Machine
from homing.engines.spark.memory import share, too_little, tuning
from homing.engines.spark.rounds import Growing, Rounds, on_spark
from homing.engines.spark.running import Run, check_sound, restored
from homing.engines.spark.work import Job
from homing.storage.damage import Damaged
from homing.storage.lock import NAME as LOCK
from homing.storage.lock import Lock
from homing.storage.uri import is_uri

CELLS_A_CORE = 4
"""What the slots that decide the owner are to tell apart at least: there may be more lanes than cores here."""
TIGHT, FINER = 256 << 20, 4
"""Where partitions may have fewer bytes than this there will be many, and so many times as much is to be told apart:
what the fingerprint has to split crosses with nearly every step."""
MOST_PARTITIONS = 1 << 16
SEARCHES = "/search.json"
"""How manifests of searches end where there are several in a run."""


@dataclass(frozen=True)
class Same:
    """A system that was made in Python and can be pickled as it is."""

    system: TransitionSystem

    def __call__(self) -> Model:
        return Model("", self.system, ())


@dataclass
class Prepared:
    """A run about to begin, or to go on."""

    job: Job
    run: Run
    machine: Machine
    constrained: bool
    resumed: bool
    lock: Lock


def growing(folder: Folder, options: Options, stopped: Callable[[], str | None], say: Callable[[str], None]) -> Growing:
    """Rounds here, then on Spark; what is to be said of its memory is said when it starts."""

    def start() -> Rounds:
        warning = too_little(options)
        if warning is not None:
            say(warning)
        return on_spark(options.distribution.master, folder, stopped)

    return Growing(folder, options.distribution.small, start)


def prepare(model: Model, options: Options, watch: Watch) -> Prepared:
    """Chooses what is left open; with `resume`, takes over what an earlier run had chosen."""
    with opened(model, options, lambda said: options.show(watch.progress(said))) as site:
        return _prepared(model, options, watch, site)


def _prepared(model: Model, options: Options, watch: Watch, site: Site) -> Prepared:
    folder, document = site.folder, site.document
    distribution, system = options.distribution, model.system
    partitions, memory = _partitions(options), share(options)
    if document is not None:
        options.show(watch.progress(f"resuming from {folder.shown}"))
        owning, run = _restored(folder, document, model)
        watch.resumed(run.states)
    else:
        named = ownership.named(system.shape, distribution.by)
        told_apart = CELLS_A_CORE * cores() * (FINER if memory < TIGHT else 1)
        owning, cells = ownership.chosen(Search(system), max(partitions, told_apart), named)
        run = Run(cells.divided(partitions))
    job = Job(
        identity(model),
        uuid.uuid4().hex,
        portable(model),
        owning,
        folder,
        tuple(prop for prop in model.properties if not isinstance(prop, OnGraph)),
        not any(isinstance(prop, OnGraph) for prop in model.properties),
        memory,
        memory,
        spreading=distribution.partitions is None,
    )
    return Prepared(
        job,
        run,
        Machine(system, owning, tuning(memory)),
        bool(system.shape.constraints),
        document is not None,
        site.lock,
    )


def _restored(folder: Folder, document: dict[str, Any], model: Model) -> tuple[tuple[int, ...], Run]:
    try:
        owning, run = tuple(document["owning"]), restored(document)
        check_sound(run, owning, model)
        return owning, run
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError) as error:
        what = f"cannot be resumed from: {MANIFEST} is of another version of Homing ({error})"
        raise HomingError(what, Place(folder.shown)) from None


def _bits(options: Options) -> int:
    """For those who have a power of two of partitions from the beginning."""
    return (_partitions(options, CELLS_A_CORE * cores()) - 1).bit_length()


def _partitions(options: Options, default: int = 1) -> int:
    wanted = options.distribution.partitions or default
    if not 1 <= wanted <= MOST_PARTITIONS:
        raise HomingError(f"{wanted} partitions are too many; at most {MOST_PARTITIONS}")
    return wanted


@dataclass
class Site:
    """A run folder that is ours: what a run left there to go on from, if that is wanted; else it is empty."""

    folder: Folder
    document: dict[str, Any] | None
    lock: Lock


@contextmanager
def opened(model: Model, options: Options, say: Callable[[str], None]) -> Iterator[Site]:
    """The run folder, locked; if what follows fails, it is let go."""
    folder = _chosen(options)
    place = Place(folder.shown)
    try:
        folder.make()
        _check_ours(folder)
        lock, before = folder.locked()
    except FAULTS as error:
        raise HomingError(f"cannot be a run folder: {error}", place) from None
    if before is not None:
        say(f"{folder.shown}: {before}")
    try:
        document = _resumed(folder, model, options)
        if document is None:
            _check_expendable(folder, model, options)
            _empty(folder)
        yield Site(folder.marked(), document, lock)
    except FAULTS as error:
        lock.release()
        raise HomingError(unusable(error), place) from None
    except BaseException:
        lock.release()
        raise


def _chosen(options: Options) -> Folder:
    given = options.distribution.folder
    if given is not None:
        given = given.removeprefix("file://")
        return Folder(given if is_uri(given) else str(Path(given).absolute()))
    if options.checkpoint is not None:
        return Folder(str(options.checkpoint.absolute()))
    import tempfile

    return Folder(tempfile.mkdtemp(prefix="homing-run-"))


def _check_ours(folder: Folder) -> None:
    """A folder with anything else in it is not ours to remove."""
    if not folder.is_empty and not folder.has(MARK):
        what = f"holds other files and no {MARK}; a run would remove them: name a folder of its own"
        raise HomingError(what, Place(folder.shown))


def _check_expendable(folder: Folder, model: Model, options: Options) -> None:
    """What can be gone on with is not removed unasked."""
    if options.restart:
        return
    try:
        document = folder.document(MANIFEST) if folder.has(MANIFEST) else {}
    except Damaged:
        return
    if document.get("identity") != identity(model):
        return
    states = sum(part["states"] for part in document.get("parts", {}).values())
    if states or any(name.endswith(SEARCHES) for name in folder.place.names()):
        what = f"holds a run of this model with {states:,} states" if states else "holds a run of this model"
        raise HomingError(f"{what}: --resume goes on with it, --restart removes it", Place(folder.shown))


def _empty(folder: Folder) -> None:
    """Removes what an earlier run left, but for the lock."""
    for name in list(folder.place.names()):
        if name not in (MARK, LOCK):
            folder.place.remove(name)


def _resumed(folder: Folder, model: Model, options: Options) -> dict[str, Any] | None:
    """What an earlier run of the model left to go on from, if that is wanted."""
    if not options.resume or not folder.has(MANIFEST):
        return None
    place = Place(folder.shown)
    try:
        document = folder.document(MANIFEST)
        known = document["identity"]
    except (OSError, KeyError, TypeError) as error:
        raise HomingError(f"cannot be resumed from: {error}; --restart begins anew", place) from None
    if known != identity(model):
        raise HomingError(f"is a run of another model than '{model.name}', or of other properties", place)
    folder.sweep()
    return document


def finished(folder: Folder, lock: Lock) -> None:
    """Removes what is needed no more, and lets the folder go."""
    lock.release()
    folder.clear()


def portable(model: Model) -> Callable[[], Model]:
    """Builds the model in a worker."""
    if model.portable is not None:
        return model.portable()
    from pyspark import cloudpickle

    try:
        cloudpickle.dumps(model.system)
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        what = f"the system was made in Python and cannot be sent to workers: {error}"
        raise HomingError(what, model.place) from None
    return Same(model.system)
