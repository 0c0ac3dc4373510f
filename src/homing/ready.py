"""Kernels that were compiled before run without Numba: importing it takes ten times as long as loading their code.

An argument is told apart by its *kind*, which says at least as much as Numba's type of it. Where kinds are new, Numba
compiles, or loads what it has, and runs the kernel; the object file that it made is kept once more, under the kinds.
The next process has LLVM link it, with the parts of Numba that are written in C: all that it calls.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import sys
import threading
from collections.abc import Callable, Hashable
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from homing import kept

ROWS, COLUMNS = 0x1, 0x2
"""NumPy's flags for what is contiguous."""
OTHERS = 0x100 | 0x400
"""NumPy's flags for what is aligned, and for what may be written."""
NUMBERS = {bool, int, float, *(np.dtype(code).type for code in "?bhilqBHILQfd")}
"""Types whose values all have one type of Numba's; a difference of times has a unit, too."""
LARGE = "large"
"""The kind of integers of which some have another type."""

_lock = threading.RLock()


class Machine(NamedTuple):
    """Machine code of one kernel, for arguments of certain kinds."""

    entry: str
    """The function that Python calls."""
    environments: list[str]
    """Variables that point to Python's objects, of which it uses none."""
    needed: list[str]
    """What it calls."""
    code: bytes
    """An object file."""


class Kernel:
    """A compiled function, by the module that has its source."""

    def __init__(self, module: str, name: str) -> None:
        self._module = module
        self._name = name
        self._compiled: dict[tuple[Hashable, ...], Callable[..., Any]] = {}

    def __call__(self, *arguments: Any) -> Any:
        kinds = tuple(map(_kind, arguments))
        compiled = self._compiled.get(kinds)
        return (compiled or self._found(kinds, arguments))(*arguments)

    def _found(self, kinds: tuple[Hashable, ...], arguments: tuple[Any, ...]) -> Callable[..., Any]:
        with _lock:
            if kinds not in self._compiled:
                file = self._file(kinds)
                machine = None if file is None else _read(file)
                self._compiled[kinds] = _linked(self._name, machine) if machine else self._made(file, arguments)
            return self._compiled[kinds]

    def _made(self, file: Path | None, arguments: tuple[Any, ...]) -> Callable[..., Any]:
        """By Numba, and kept for next time."""
        kernel: Callable[..., Any] = getattr(import_module(self._module), self._name)
        if file is not None:
            from homing.compiled import machine_of

            machine = machine_of(kernel, arguments)
            if machine is not None:
                _write(file, machine)
        return kernel

    def _file(self, kinds: tuple[Hashable, ...]) -> Path | None:
        """Where the code is; none where Numba itself has to run it."""
        names, machine, spec = [_kind_name(kind) for kind in kinds], _machine(), find_spec(self._module)
        if None in names or machine is None or spec is None or spec.origin is None:
            return None
        digest = _digest(json.dumps([names, machine]).encode())
        folder = kept.place(Path(spec.origin).resolve().parent)
        return folder / f"{self._module}.{self._name}-{digest}.ready"


# Kinds of arguments


def _kind(value: Any) -> Any:
    kind: type[Any] = type(value)
    if kind is np.ndarray:
        flags = value.flags.num
        # Numba, too, takes for rows what may be rows or columns.
        return value.dtype, value.ndim, flags & (ROWS | OTHERS if flags & ROWS else COLUMNS | OTHERS)
    if issubclass(kind, tuple):
        return (kind, *map(_kind, value))
    if kind is int and value.bit_length() > 63:
        return LARGE
    return kind


def _kind_name(kind: Any) -> str | None:
    """A name that another process gives to the same kind only; none where Numba has to look at the value."""
    if isinstance(kind, type):
        return f"{kind.__module__}.{kind.__qualname__}" if kind in NUMBERS else None
    if not isinstance(kind, tuple):
        return None
    first, *rest = kind
    if isinstance(first, np.dtype):
        return f"{first.str} {rest}" if first.kind in "biuf" else None
    names = [_kind_name(each) for each in rest]
    fields = getattr(first, "_fields", ())
    return None if None in names else f"{first.__module__}.{first.__qualname__} {fields} {names}"


# Files


@cache
def _machine() -> list[str] | None:
    """What code depends on beside its source; none where it was not tried, or Numba was told what to do."""
    found = find_spec("numba")
    if (sys.platform, os.uname().machine) != ("linux", "x86_64") or found is None or found.origin is None:
        return None
    if any(name.startswith("NUMBA_") for name in os.environ):
        return None
    from llvmlite import __version__, binding

    try:
        _runtime()
    except (AttributeError, ImportError):  # another Numba, with other parts
        return None
    numba = Path(found.origin).with_name("_version.py").read_text()
    host = [binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()]
    return [sys.version, np.__version__, __version__, numba, *host]


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _read(file: Path) -> Machine | None:
    try:
        head, code = file.read_bytes().split(b"\n", 1)
        entry, environments, needed, digest = json.loads(head)
    except (OSError, ValueError, TypeError):
        return None
    if digest != _digest(code):  # LLVM would end the process, at best
        return None
    return Machine(entry, environments, needed, code) if _runtime().has(needed) else None


def _write(file: Path, machine: Machine) -> None:
    """The whole file or none: others may read it."""
    fresh = file.with_name(f"{file.name}.{os.getpid()}")
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        head = json.dumps([*machine[:-1], _digest(machine.code)])
        fresh.write_bytes(head.encode() + b"\n" + machine.code)
        fresh.replace(file)


# Linking


class _Runtime:
    """LLVM, and what compiled code calls of Numba."""

    def __init__(self) -> None:
        from llvmlite import binding

        self.binding: Any = binding
        self.functions = _extension("numba._dynfunc")
        memory, helpers = _extension("numba.core.runtime._nrt_python"), _extension("numba._helperlib")
        memory.memsys_use_cpython_allocator()
        for name, address in memory.c_helpers.items():
            binding.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)
        for name, address in helpers.c_helpers.items():
            binding.add_symbol(f"numba_{name}", address)
        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
        self._target = binding.Target.from_default_triple()
        self._empty = self._engine()  # with the first one, LLVM comes to know the names of this process
        self._known: set[str] = set()

    def has(self, names: list[str]) -> bool:
        """Whether all of them are there: where one is not, LLVM would end the process."""
        missing = [name for name in names if name not in self._known and not self.binding.address_of_symbol(name)]
        self._known.update(set(names) - set(missing))
        return not missing

    def engine(self, code: bytes) -> Any:
        """What has the code in memory, for as long as it is there."""
        engine = self._engine()
        engine.add_object_file(self.binding.ObjectFileRef.from_data(code))
        engine.finalize_object()
        return engine

    def _engine(self) -> Any:
        target = self._target.create_target_machine(codemodel="jitdefault", reloc="static", jit=True)
        module = self.binding.parse_assembly("")
        engine = self.binding.create_mcjit_compiler(module, target)
        engine.remove_module(module)  # empty as it is, to compile it takes longer than to link a kernel
        return engine


@cache
def _runtime() -> _Runtime:
    return _Runtime()


def _extension(name: str) -> Any:
    """A part of Numba in C, without the package that it is in; where that is imported later, it finds it there."""
    if name in sys.modules:
        return sys.modules[name]
    package = find_spec("numba")
    assert package is not None
    assert package.origin is not None
    path = Path(package.origin).parent.joinpath(*name.split(".")[1:])
    spec = spec_from_file_location(name, f"{path}{EXTENSION_SUFFIXES[0]}")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules[name] = module
    return module


def _linked(name: str, machine: Machine) -> Callable[..., Any]:
    runtime = _runtime()
    engine = runtime.engine(machine.code)
    environment = runtime.functions.Environment({"__name__": __name__})
    for variable in machine.environments:
        ctypes.c_void_p.from_address(engine.get_global_value_address(variable)).value = id(environment)
    entry, alive = engine.get_function_address(machine.entry), (engine,)
    made: Callable[..., Any] = runtime.functions.make_function(
        sys.modules[__name__], name, "", entry, environment, alive
    )
    return made
