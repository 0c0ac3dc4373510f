"""VIEW: an expression by which states are told apart, where it is more than a choice of variables."""

from __future__ import annotations

from homing.core.values import Short
from homing.languages.tla.access import Library, Slots, error_of
from homing.languages.tla.closures import Compiler
from homing.languages.tla.config import Name
from homing.languages.tla.frames import READ
from homing.languages.tla.ir import E
from homing.languages.tla.values import Fault, Value


class Seen:
    """What is seen of a state, given the values of some slots."""

    def __init__(self, e: E, name: Name, library: Library) -> None:
        access = Slots(library)
        compiler = Compiler(access, library.enabling)
        self._run = compiler.plain(e)
        self._template = compiler.frame()
        self._what = f"VIEW '{name.text}'"
        self.slots = tuple(sorted({read.slot for read in access.reads}))
        self._reads = [(self.slots.index(read.slot), read.through) for read in access.reads]

    def __call__(self, values: Short) -> Value:
        frame = self._template[:]
        frame[READ] = tuple(values[at] if through is None else through(values[at]) for at, through in self._reads)
        try:
            return self._run(frame)
        except Fault as fault:
            raise error_of(fault, self._what) from None
