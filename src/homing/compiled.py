"""Numba's compiled code on disk, kept true to its source.

Numba looks at the file of a function to see whether its cached code is stale, but not at the files of the functions
that were inlined into it. After an update that changes only one of them, old and new code would meet and give wrong
verdicts. So kernels that call one another lie in one folder, and their code is cached under a digest of that folder.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import numpy as np

from homing import kept
from homing.ready import Machine


@contextmanager
def _without(absent: tuple[str, ...], empty: tuple[str, ...]) -> Iterator[None]:
    """As if some modules were not installed, and as if there were nothing in others."""
    present = {name: sys.modules.get(name) for name in (*absent, *empty)}
    sys.modules.update(dict.fromkeys(absent))  # type: ignore[arg-type]
    sys.modules.update({name: ModuleType(name) for name in empty})
    try:
        yield
    finally:
        for name, module in present.items():
            del sys.modules[name]
            if module is not None:
                sys.modules[name] = module


# Numba looks whether SciPy is new enough, which no kernel needs, for settings in whatever folder it is started in and
# for colours, no concern of ours either, and for extensions, see below: a twentieth of a second.
with _without(("colorama", "scipy", "yaml"), ("importlib.metadata",)), warnings.catch_warnings(action="ignore"):
    from llvmlite import binding, ir
    from numba import config, njit, types
    from numba.core import entrypoints, environment
    from numba.core.caching import CompileResultCacheImpl, FunctionCache
    from numba.core.codegen import JITCodeLibrary
    from numba.core.runtime import rtsys
    from numba.extending import intrinsic, typeof_impl
    from numba.np import numpy_support

Function = TypeVar("Function", bound=Callable[..., Any])


def compiler(file: str) -> Callable[..., Callable[[Function], Function]]:
    """A decorator like `njit` for the kernels of the folder that the file is in."""
    folder = str(kept.place(Path(file).resolve().parent))

    def kernel(**options: Any) -> Callable[[Function], Function]:
        def decorate(function: Function) -> Function:
            before, config.CACHE_DIR = config.CACHE_DIR, folder
            try:
                compiled: Any = njit(cache=True, **options)(function)
                if hasattr(compiled, "_cache"):  # not where Numba is told to leave functions as they are
                    compiled._cache = _Cache(function)
                return compiled  # type: ignore[no-any-return]
            finally:
                config.CACHE_DIR = before

        return decorate

    return kernel


def _environment(module: str, constants: list[Any], name: str) -> Any:
    """What code that was cached finds Python's objects in, for what was inlined from Numba itself without its module:
    compiled code looks up nothing there, and importing how arrays are compiled takes as long as loading all kernels."""
    found = environment.lookup_environment(name)
    if found is not None or not module.startswith("numba."):
        return found or _rebuild(module, constants, name)
    made = environment.Environment({"__name__": module})
    made.consts[:] = constants
    made.env_name = name
    environment.Environment._memo[name] = made
    return made


_rebuild, environment._rebuild_env = environment._rebuild_env, _environment


entrypoints._already_initialized = True
"""No kernel needs what others add to Numba; to look for it, it would read what is known of every installed package."""


@typeof_impl.register(np.ndarray)
def _array_type(array: Any, _context: Any) -> Any:
    """Numba's own asks whether the array is masked first, and imports masked arrays for that: longer than all kernels
    take to load."""
    dtype, layout = numpy_support.from_dtype(array.dtype), numpy_support.map_layout(array)
    return types.Array(dtype, array.ndim, layout, readonly=not array.flags.writeable)


class _Code(CompileResultCacheImpl):  # type: ignore[misc]
    """Keeps beside machine code the names that it defines, and what it needs to run without Numba."""

    def reduce(self, compiled: Any) -> Any:
        (name, kind, (code, bitcode)), *rest = super().reduce(compiled)
        module = binding.parse_bitcode(bitcode)
        items = (*module.functions, *module.global_variables)
        defined = {item.name for item in items if not item.is_declaration}
        needed = sorted({item.name for item in items if not item.name.startswith("llvm.")} - defined)
        machine = compiled.library.machine = _machine(compiled, rest[-1], needed, code)
        return (name, kind, (code, bitcode, defined, machine and tuple(machine[:-1]))), *rest


def _machine(compiled: Any, environments: Any, needed: list[str], code: bytes) -> Machine | None:
    """What runs without Numba, if it does: code that uses an object of Python's does not."""
    own = compiled.target_context.get_env_name(compiled.fndesc)
    if compiled.objectmode or compiled.lifted or compiled.reload_init or compiled.environment.consts:
        return None
    if any(environment.consts for environment in environments):
        return None
    names = sorted({own, *(environment.env_name for environment in environments)})
    return Machine(compiled.fndesc.llvm_cpython_wrapper_name, names, needed, code)


def machine_of(kernel: Any, arguments: tuple[Any, ...]) -> Machine | None:
    """The machine code of a kernel for such arguments, compiled where it was not; none if it needs Numba to run."""
    types = tuple(map(kernel.typeof_pyval, arguments))
    kernel.compile(types)
    return getattr(kernel.overloads[types].library, "machine", None)


def _loaded(codegen: Any, stored: Any) -> Any:
    """A library that is ready to run. Numba would also read its bitcode, for the names alone unless another kernel is
    compiled that calls it, and that takes longer than to load the code."""
    name, kind, data = stored
    if kind != "object" or len(data) != 4:
        return _unserialize(codegen, stored)
    code, bitcode, defined, how = data
    library = codegen.create_library(name)
    library.enable_object_caching()
    library._set_compiled_object(code)
    library._finalize_final_module()
    library.machine = how and Machine(how[0], how[1], how[2], code)
    codegen._engine._defined_symbols |= defined
    library._get_module_for_linking = cache(lambda: binding.parse_bitcode(bitcode))
    return library


_unserialize, JITCodeLibrary._unserialize = JITCodeLibrary._unserialize, _loaded


class _Cache(FunctionCache):  # type: ignore[misc]
    """Loads code without the compiler: all that it needs is the runtime that it allocates with.

    Numba would import everything that it can compile first, SciPy too, which takes longer than loading all kernels.
    """

    _impl_class = _Code

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)


def inner(**options: Any) -> Callable[[Function], Function]:
    """A decorator for functions that only kernels call: without what Python would need to call them."""
    decorate: Callable[[Function], Function] = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **options)
    return decorate


@intrinsic
def prefetch(_typing: Any, _address: Any) -> Any:
    """Asks for the memory at an address before it is needed: what is larger than a cache is mostly waited for."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
        pointer = builder.inttoptr(arguments[0], byte)
        builder.call(function, [pointer, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(types.uint64), generate
