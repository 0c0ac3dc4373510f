"""One run per folder: a file says who works in it."""

from __future__ import annotations

import os
import socket
import threading
import time
import uuid
import weakref
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

import psutil

from homing.core.errors import HomingError
from homing.core.errors import Place as Where
from homing.storage.damage import Damaged
from homing.storage.seal import sealed, unsealed

NAME = "lock.json"
BEAT_SECONDS = 30.0
SILENT_SECONDS = 600.0
"""An owner on another machine that gave no sign of life for so long is gone; some clocks differ by minutes."""


class Place(Protocol):
    """Where files are: a tree on this machine, or a folder elsewhere."""

    def create(self, name: str) -> Any: ...
    def open(self, name: str) -> Any: ...
    def replace(self, name: str, data: bytes) -> None: ...
    def move(self, name: str, to: str) -> None: ...
    def remove(self, name: str) -> None: ...
    def has(self, name: str) -> bool: ...


_held: weakref.WeakValueDictionary[str, Lock] = weakref.WeakValueDictionary()
"""Locks of this very process, by token."""


class Lock:
    """Held from `taken` to `release`; a process that is killed leaves one that others recognise as stale."""

    def __init__(self, place: Place, shown: str) -> None:
        self._place = place
        self._shown = shown
        self.token = uuid.uuid4().hex
        self._over = threading.Event()

    def release(self) -> None:
        """Lets others in; a lock that someone else took over meanwhile stays."""
        self._over.set()
        with suppress(OSError):
            if _read(self._place).get("token") == self.token:
                self._place.remove(NAME)
        _held.pop(self.token, None)

    def _document(self) -> bytes:
        process = psutil.Process()
        return sealed(
            NAME,
            {
                "token": self.token,
                "host": socket.gethostname(),
                "machine": _machine(),
                "process": process.pid,
                "started": process.create_time(),
                "beat": time.time(),
            },
        )

    def _take(self) -> None:
        with self._place.create(NAME) as file:
            file.write(self._document())
        if _read(self._place).get("token") != self.token:  # a store elsewhere does not refuse the second writer
            raise HomingError("is used by another run that began at the same time", Where(self._shown))
        _held[self.token] = self
        threading.Thread(target=_beat, args=(weakref.ref(self), self._over), daemon=True).start()

    def beat(self) -> None:
        """A sign of life."""
        with suppress(OSError):
            if _read(self._place).get("token") == self.token and not self._over.is_set():
                self._place.replace(NAME, self._document())


def _beat(lock: weakref.ref[Lock], over: threading.Event) -> None:
    while not over.wait(BEAT_SECONDS):
        found = lock()
        if found is None:
            return
        found.beat()
        del found


def taken(place: Place, shown: str) -> tuple[Lock, str | None]:
    """The lock of a folder, and what is to be said of the one before; raises HomingError if a run works in it."""
    lock, said = Lock(place, shown), None
    where = Where(shown)
    try:
        if place.has(NAME):
            owner = _read(place)
            said = _stale(owner)
            if said is None:
                raise HomingError(f"is used by another run: {_named(owner)}; it would remove files of that one", where)
            _clear_away(place, owner, lock, where)
        lock._take()
    except FileExistsError:
        raise HomingError("is used by another run that began at the same time", where) from None
    except Damaged as error:
        raise HomingError(f"{error}; remove it if no other run works in this folder", where) from None
    return lock, said


def _clear_away(place: Place, owner: dict[str, Any], lock: Lock, where: Where) -> None:
    """Removes a stale lock, and no other: someone else may have taken it over a moment ago."""
    aside = f"{NAME}.{lock.token}"
    try:
        place.move(NAME, aside)
    except FileNotFoundError:
        return
    with place.open(aside) as file:
        mine = unsealed(NAME, file.read()).get("token") == owner["token"]
    if not mine:
        place.move(aside, NAME)
        raise HomingError("is used by another run that began at the same time", where)
    place.remove(aside)


def _read(place: Place) -> dict[str, Any]:
    with place.open(NAME) as file:
        found: dict[str, Any] = unsealed(NAME, file.read())
    return found


def _named(owner: dict[str, Any]) -> str:
    return f"process {owner['process']} on {owner['host']}"


def _stale(owner: dict[str, Any]) -> str | None:
    """Why nobody holds the lock any more; None if someone may."""
    who, silent = _named(owner), time.time() - owner["beat"]
    if owner["host"] == socket.gethostname() and owner["machine"] == _machine():
        if not _lives(owner):
            return f"the run of {who} ended without saying so"
        if owner["process"] == os.getpid() and owner["token"] not in _held:
            return f"an earlier run of this process, {who}, ended without saying so"
        return None
    if owner["host"] == socket.gethostname() and owner["beat"] < psutil.boot_time():
        return f"the run of {who} ended when the machine was started again"
    if silent > SILENT_SECONDS:
        return f"the run of {who} gave no sign of life for {silent / 60:.0f} minutes"
    return None


def _lives(owner: dict[str, Any]) -> bool:
    """Whether the process is still there; another one may have got its number."""
    try:
        return bool(abs(psutil.Process(owner["process"]).create_time() - owner["started"]) < 2)
    except psutil.AccessDenied:
        return True
    except psutil.NoSuchProcess:
        return False


def _machine() -> str:
    """What tells machines and containers of the same name apart, and one from itself after it was started again."""
    with suppress(OSError):
        return f"{Path('/proc/sys/kernel/random/boot_id').read_text().strip()} {Path('/proc/self/ns/pid').readlink()}"
    return ""
