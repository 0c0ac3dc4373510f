"""Models in Python: a file that defines `model()`. It is executed, with all that Python may do."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from homing.core.errors import HomingError, Place
from homing.core.model import Model


def load(path: Path) -> Model:
    """Executes the file and returns what its `model()` returns."""
    place = Place(str(path))
    try:
        text = path.read_bytes()
    except OSError as error:
        raise HomingError(f"cannot be read: {error.strerror}", place) from None
    module = _execute(path, place)
    make = getattr(module, "model", None)
    if not callable(make):
        raise HomingError("defines no function model() that returns a Model", place)
    try:
        model = make()
    except HomingError:
        raise
    except Exception as error:
        raise _failure("model() failed", error, place) from None
    if not isinstance(model, Model):
        raise HomingError(f"model() returns {model!r}, which is no Model", place)
    return replace(model, name=str(path), digest=hashlib.blake2b(text, digest_size=16).hexdigest(), place=place)


def _execute(path: Path, place: Place) -> ModuleType:
    name = f"homing_model_{hashlib.blake2b(str(path.resolve()).encode(), digest_size=8).hexdigest()}"
    specification = importlib.util.spec_from_file_location(name, path)
    if specification is None or specification.loader is None:
        raise HomingError("cannot be loaded as Python", place)
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module  # dataclasses look their module up by name
    try:
        specification.loader.exec_module(module)
    except SyntaxError as error:
        raise HomingError(f"no Python: {error.msg}", Place(str(path), error.lineno or 0, error.offset or 0)) from None
    except HomingError:
        raise
    except (Exception, SystemExit) as error:
        raise _failure("failed to load", error, place) from None
    return module


def _failure(what: str, error: BaseException, place: Place) -> HomingError:
    """The error with the last line of the file that was running."""
    line, frame = 0, error.__traceback__
    while frame is not None:
        if frame.tb_frame.f_code.co_filename == place.file:
            line = frame.tb_lineno
        frame = frame.tb_next
    return HomingError(f"{what}: {type(error).__name__}: {error}", Place(place.file, line))
