"""The pieces that a worker keeps from one superstep to the next: as many as its memory is to hold."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from homing.engines.spark.graph.catalog import Filed
from homing.engines.spark.graph.piece import Piece
from homing.engines.spark.graph.weighing import bytes_of, held
from homing.engines.spark.kernels import Array
from homing.engines.spark.work import Job, _kept


class Nobody:
    """No rows that would have to follow a layout."""

    def repack(self, old: Any, new: Any, words: int, pool: Any = None) -> None: ...


class Shelf:
    """Pieces of one run; those that were used least recently are dropped, since what they are is in files."""

    def __init__(self) -> None:
        self._run = ""
        self._pieces: OrderedDict[int, Piece] = OrderedDict()

    def piece(self, job: Job, filed: Filed, bases: Array) -> Piece:
        """The piece, kept from an earlier superstep or from disk."""
        if self._run != job.key:
            self._run = job.key
            self._pieces.clear()
        if filed.part not in self._pieces:
            self.fit(job.cache - bytes_of(filed))
            machine = _kept(job).machine
            machine.holding(Nobody())
            _kept(job).partitions.clear()
            self._pieces[filed.part] = Piece(machine, job.folder, filed, bases)
        self._pieces.move_to_end(filed.part)
        return self._pieces[filed.part]

    def fit(self, room: int) -> None:
        """Drops pieces until the rest takes no more than so many bytes; they grow as programs work on them."""
        sizes = {part: held(piece) for part, piece in self._pieces.items()}
        while self._pieces and sum(sizes.values()) > room:
            part, _ = self._pieces.popitem(last=False)
            del sizes[part]
