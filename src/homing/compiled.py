"""Numba's compiled code on disk, kept true to its source.

Numba looks at the file of a function to see whether its cached code is stale, but not at the files of the functions
that were inlined into it. After an update that changes only one of them, old and new code would meet and give wrong
verdicts. So kernels that call one another lie in one folder, and their code is cached under a digest of that folder.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from llvmlite import ir
from numba import config, njit, types
from numba.core import environment
from numba.core.caching import FunctionCache
from numba.core.runtime import rtsys
from numba.extending import intrinsic

Function = TypeVar("Function", bound=Callable[..., Any])
PREFIX = "compiled-"


def compiler(file: str) -> Callable[..., Callable[[Function], Function]]:
    """A decorator like `njit` for the kernels of the folder that the file is in."""
    cache = str(_cache(Path(file).resolve().parent))

    def kernel(**options: Any) -> Callable[[Function], Function]:
        def decorate(function: Function) -> Function:
            before, config.CACHE_DIR = config.CACHE_DIR, cache
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


class _Cache(FunctionCache):  # type: ignore[misc]
    """Loads code without the compiler: all that it needs is the runtime that it allocates with.

    Numba would import everything that it can compile first, SciPy too, which takes longer than loading all kernels.
    """

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)


def is_compiled(file: str) -> bool:
    """Whether the kernels of the folder that the file is in were compiled before, at least in part."""
    return _cache(Path(file).resolve().parent).exists()


def inner(**options: Any) -> Callable[[Function], Function]:
    """A decorator for functions that only kernels call: without what Python would need to call them."""
    decorate: Callable[[Function], Function] = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **options)
    return decorate


def _cache(folder: Path) -> Path:
    """Beside the source, or in the user's cache where that cannot be written; older ones are removed."""
    digest = hashlib.blake2b(digest_size=12)
    # This file too: what stands here is inlined into kernels.
    for file in (Path(__file__), *sorted(folder.glob("*.py"))):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    beside = folder / "__pycache__"
    place = beside if _writable(beside) else _user_cache() / hashlib.blake2b(bytes(folder), digest_size=8).hexdigest()
    cache = place / f"{PREFIX}{digest.hexdigest()}"
    if not cache.exists():
        for old in place.glob(f"{PREFIX}*"):
            shutil.rmtree(old, ignore_errors=True)
    return cache


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def _user_cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "homing"


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
