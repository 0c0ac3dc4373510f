"""One case: damaged bytes, and what became of them."""

from __future__ import annotations

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from functools import cache
from pathlib import Path
from random import Random
from types import FrameType

from homing.core.errors import HomingError
from homing.core.stop import Stopped, leave, settle
from tests.fuzz.corpus import Kind
from tests.fuzz.mutation import damaged

ENOUGH = 0.4
"""Seconds of processor time after which a model that is computed is told to end."""
HANGS = 20.0
"""Seconds of processor time after which whatever still runs is taken to run for ever."""
AGAIN = 0.2
ROOM = 3 * 2**30
"""Bytes that a case may take more than the process has."""
LONGEST = 2000
"""Characters of a sentence that people read."""


class Became(Enum):
    """What may become of a file."""

    READ = "read"
    REFUSED = "refused"
    STOPPED = "stopped"


class Wrong(AssertionError):
    """Something else became of it."""


class Hangs(BaseException):
    """No `Exception`, so that nobody handles it on the way."""


@cache
def _content(path: Path) -> bytes:
    return path.read_bytes()


def prepared(kind: Kind, number: int, folder: Path) -> Path:
    """The file of a case, written into a folder."""
    random = Random(f"{kind.name} {number}")
    seed, other = random.choices(kind.seeds, kind.weights, k=2)
    path = kind.place(seed, folder)
    path.write_bytes(damaged(random, _content(seed), _content(other)))
    return path


def judge(kind: Kind, number: int, folder: Path) -> Became:
    """Reads one case; raises Wrong, with how to see it again, if anything else becomes of it than what may."""
    path = prepared(kind, number, folder)
    try:
        return became(kind, path)
    except Wrong as wrong:
        how = f"python -m tests.fuzz {kind.name} {number}"
        raise Wrong(f"{kind.name} {number}: {wrong}\nto see it again: {how}\n{path.read_bytes()[:2000]!r}") from wrong
    finally:
        path.unlink(missing_ok=True)


def became(kind: Kind, path: Path) -> Became:
    """What becomes of a file."""
    try:
        with bounded(kind.endless):
            kind.read(path)
    except HomingError as error:
        told(str(error), path)
        return Became.REFUSED
    except Stopped:
        return Became.STOPPED
    except (Exception, Hangs) as error:
        raise Wrong(f"{type(error).__name__}: {str(error)[:300]}") from error
    return Became.READ


def told(sentence: str, path: Path) -> None:
    """A refusal is one printable sentence of a bearable length that names the file."""
    if not sentence.isprintable():
        raise Wrong(f"not printable: {sentence[:300]!r}")
    if path.stem not in sentence:
        raise Wrong(f"does not name the file: {sentence[:300]}")
    if len(sentence) > LONGEST:
        raise Wrong(f"{len(sentence)} characters: {sentence[:300]}…")


@contextmanager
def bounded(endless: bool) -> Iterator[None]:
    """Ends what takes more processor time or memory than it should; what may be endless is first asked to end."""
    spent = 0.0

    def expire(number: int, frame: FrameType | None) -> None:
        nonlocal spent
        spent += ENOUGH if spent == 0 else AGAIN
        if spent > HANGS:
            raise Hangs(f"does not end within {HANGS} seconds of processor time")
        if endless:
            leave(frame, "limit" if spent == ENOUGH else None)

    before = signal.signal(signal.SIGPROF, expire)
    memory = resource.getrlimit(resource.RLIMIT_AS)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + ROOM, memory[1]))
    signal.setitimer(signal.ITIMER_PROF, ENOUGH, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        settle()
        signal.signal(signal.SIGPROF, before)
        resource.setrlimit(resource.RLIMIT_AS, memory)
