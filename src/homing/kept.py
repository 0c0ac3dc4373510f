"""Where compiled code is kept on disk: under a digest of all that it was made of."""

from __future__ import annotations

import hashlib
import os
import shutil
from functools import cache
from pathlib import Path

PREFIX = "compiled-"
COMPILING = tuple(Path(__file__).with_name(name) for name in ("compiled.py", "kept.py", "ready.py"))
"""What kernels of all folders depend on: some of it is inlined into them, the rest says how code is kept."""


@cache
def place(folder: Path) -> Path:
    """Of the kernels of a folder: beside the source, or in the user's cache where that cannot be written; older ones
    are removed."""
    digest = hashlib.blake2b(digest_size=12)
    for file in (*COMPILING, *sorted(folder.glob("*.py"))):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    beside = folder / "__pycache__"
    place = beside if _writable(beside) else _user_cache() / hashlib.blake2b(bytes(folder), digest_size=8).hexdigest()
    current = place / f"{PREFIX}{digest.hexdigest()}"
    if not current.exists():
        for old in place.glob(f"{PREFIX}*"):
            shutil.rmtree(old, ignore_errors=True)
    return current


def is_compiled(file: str) -> bool:
    """Whether the kernels of the folder that the file is in were compiled before, at least in part."""
    return place(Path(file).resolve().parent).exists()


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def _user_cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "homing"
