"""Models in Python: a file that defines `model()`. It is executed, with all that Python may do."""

from __future__ import annotations

import hashlib
import os
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from homing.core.errors import HomingError, Place
from homing.core.model import Model


def load(path: Path) -> Model:
    """Executes the file and returns what its `model()` returns."""
    place = Place(str(path))
    make = getattr(execute(path), "model", None)
    if not callable(make):
        raise HomingError("defines no function model() that returns a Model", place)
    try:
        model = make()
    except HomingError:
        raise
    except (Exception, SystemExit) as error:
        raise _failure("model() failed", error, place) from None
    if not isinstance(model, Model):
        raise HomingError(f"model() returns {model!r}, which is no Model", place)
    files = _files(path, model)
    return replace(model, name=str(path), digest=_digest(files), place=place, files=tuple(map(str, files)))


def execute(path: Path) -> ModuleType:
    """The module that a Python file defines: for a model, and for one that varies another."""
    place = Place(str(path))
    try:
        text = path.read_bytes()
    except OSError as error:
        raise HomingError(f"cannot be read: {error.strerror or error}", place) from None
    name = f"homing_model_{hashlib.blake2b(os.fsencode(path.resolve()), digest_size=8).hexdigest()}"
    module = ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module  # dataclasses look their module up by name
    try:
        # Not through importlib: it would name places by absolute paths and leave __pycache__ beside the model.
        exec(compile(text, str(path), "exec"), module.__dict__)
    except SyntaxError as error:
        where = Place(error.filename or str(path), error.lineno or 0, error.offset or 0)
        raise HomingError(f"no Python: {error.msg}", where) from None
    except HomingError:
        raise
    except (Exception, SystemExit) as error:
        raise _failure("failed to load", error, place) from None
    return module


def _files(path: Path, model: Model) -> list[Path]:
    """The file and every other that a group or label of the model stands in."""
    shape = model.system.shape
    places = [*(group.place for group in shape.groups), *(label.place for label in shape.labels)]
    others = sorted({place.file for place in places if place is not None} - {str(path)})
    return [path, *(Path(file) for file in others if Path(file).is_file())]


def _digest(files: list[Path]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for file in files:
        with suppress(OSError):
            digest.update(hashlib.blake2b(file.read_bytes()).digest())
    return digest.hexdigest()


def _failure(what: str, error: BaseException, place: Place) -> HomingError:
    """The error with the last line of the file that was running."""
    line, frame = 0, error.__traceback__
    while frame is not None:
        if frame.tb_frame.f_code.co_filename == place.file:
            line = frame.tb_lineno
        frame = frame.tb_next
    detail = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return HomingError(f"{what}: {detail}", Place(place.file, line))
