"""What a run needs before its first round: where it is kept, who owns what, and the session."""

from __future__ import annotations

import pickle
import uuid
from collections.abc import Callable
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
from homing.engines.spark.folder import FAULTS, Folder
from homing.engines.spark.machine import Machine
from homing.engines.spark.memory import share, too_little, tuning
from homing.engines.spark.rounds import Growing, Rounds, on_spark
from homing.engines.spark.running import Run, restored
from homing.engines.spark.work import Job

CELLS_A_CORE = 4
"""What the slots that decide the owner are to tell apart at least: there may be more lanes than cores here."""
TIGHT, FINER = 256 << 20, 4
"""Where partitions may have fewer bytes than this there will be many, and so many times as much is to be told apart:
what the fingerprint has to split crosses with nearly every step."""
MOST_PARTITIONS = 1 << 16
MARK = "homing.json"
"""Says that a folder is one of ours, and may be removed."""


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
    folder = run_folder(options)
    document = resumed(folder, model, options)
    distribution, system = options.distribution, model.system
    partitions, memory = _partitions(options), share(options)
    if document is not None:
        options.show(watch.progress(f"resuming from {folder.uri}"))
        owning, run = _restored(folder, document)
        watch.resumed(run.states)
    else:
        emptied(folder)
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
    )


def _restored(folder: Folder, document: dict[str, Any]) -> tuple[tuple[int, ...], Run]:
    try:
        return tuple(document["owning"]), restored(document)
    except (KeyError, TypeError) as error:
        what = f"cannot be resumed from: it is of another version of Homing ({error})"
        raise HomingError(what, Place(folder.uri)) from None


def _bits(options: Options) -> int:
    """For those who have a power of two of partitions from the beginning."""
    return (_partitions(options, CELLS_A_CORE * cores()) - 1).bit_length()


def _partitions(options: Options, default: int = 1) -> int:
    wanted = options.distribution.partitions or default
    if not 1 <= wanted <= MOST_PARTITIONS:
        raise HomingError(f"{wanted} partitions are too many; at most {MOST_PARTITIONS}")
    return wanted


def run_folder(options: Options) -> Folder:
    """Where a run is kept; it is there afterwards."""
    folder = _chosen(options)
    try:
        folder.make()
    except (*FAULTS, ImportError) as error:  # some file systems need libraries of their own
        raise HomingError(f"cannot be a run folder: {error}", Place(folder.uri)) from None
    return folder


def _chosen(options: Options) -> Folder:
    given = options.distribution.folder
    if given is not None and "://" in given:
        return Folder(given.rstrip("/"))
    if given is not None:
        return Folder(str(Path(given).absolute()))
    if options.checkpoint is not None:
        return Folder(str(options.checkpoint.absolute()))
    import tempfile

    return Folder(tempfile.mkdtemp(prefix="homing-run-"))


def emptied(folder: Folder) -> None:
    """Removes what an earlier run left; a folder with anything else in it is not ours to remove."""
    if not folder.is_empty and not folder.has(MARK):
        raise HomingError("holds other files, which a run would remove: name a folder of its own", Place(folder.uri))
    folder.clear()
    folder.save(MARK, {})


def resumed(folder: Folder, model: Model, options: Options) -> dict[str, Any] | None:
    """What an earlier run of the model left to go on from, if that is wanted."""
    if not options.resume or not folder.has(MANIFEST):
        return None
    place = Place(folder.uri)
    try:
        document = folder.document(MANIFEST)
        known = document["identity"]
    except (OSError, ValueError, KeyError) as error:
        raise HomingError(f"cannot be resumed from: {error}", place) from None
    if known != identity(model):
        raise HomingError(f"is a run of another model than '{model.name}', or of other properties", place)
    folder.sweep()
    return document


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
