"""ALIAS: expressions that traces show in place of the variables."""

from __future__ import annotations

from homing.core.errors import HomingError
from homing.core.values import State
from homing.languages.tla.access import Library, Slots
from homing.languages.tla.closures import Compiler
from homing.languages.tla.config import Name
from homing.languages.tla.frames import READ, Frame, Run
from homing.languages.tla.ir import E
from homing.languages.tla.modules.tlc import OVERRIDE
from homing.languages.tla.values import Fault, Value, is_function


class Alias:
    """A record: its fields are shown, each under its name."""

    def __init__(self, e: E, name: Name, library: Library) -> None:
        self.names, parts = _fields(e, name)
        access = Slots(library)
        compiler = Compiler(access, library.enabling)
        self._runs = [compiler.plain(part) for part in parts]
        self._template = compiler.frame()
        self._reads = access.reads

    def __call__(self, state: State) -> State:
        """The values of the fields in a state."""
        frame = self._template[:]
        frame[READ] = tuple(
            state[read.slot] if read.through is None else read.through(state[read.slot]) for read in self._reads
        )
        return tuple(_value(run, frame[:]) for run in self._runs)


def _value(run: Run, frame: Frame) -> Value:
    try:
        return run(frame)
    except Fault as fault:
        # A trace is found by then, and the rest of it is worth seeing. Model values are shown as they are.
        return f"no value: {fault.message}".encode()


def _fields(e: E, name: Name) -> tuple[tuple[str, ...], tuple[E, ...]]:
    """What is shown must be known before there is a state: the fields of a record that is written out, or of two."""
    if e.op == "call" and e.data is OVERRIDE:
        (first, one), (second, other) = (_fields(arg, name) for arg in e.args)
        found = dict(zip(first, one))
        found |= {field: part for field, part in zip(second, other) if field not in found}
        return tuple(found), tuple(found.values())
    if e.op == "record" and len(set(e.data)) == len(e.data):
        return tuple(e.data), e.args
    if e.is_const and is_function(e.data) and all(isinstance(key, str) for key in e.data[1]):
        return e.data[1], tuple(E("const", (), value, e.place) for value in e.data[2])
    raise HomingError(f"ALIAS '{name.text}' is not supported: it is no record [name |-> …]", name.place)
