"""The texts that a model was made from, so that it can be built again in other processes, on other machines."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from homing.core.errors import HomingError, Place
from homing.core.model import Model
from homing.languages import Reading, load


@dataclass(frozen=True)
class Recipe:
    """Which files, how to read them, and which of the models in them it is."""

    path: str
    reading: Reading
    number: int
    digest: str
    files: tuple[str, ...]

    def packed(self) -> Packed:
        """With the texts of the files, as they are now."""
        files = dict.fromkeys([*self.files, *([] if self.reading.config is None else [str(self.reading.config)])])
        try:
            return Packed(self, tuple((file, Path(file).read_bytes()) for file in files))
        except OSError as error:
            raise HomingError(f"cannot be read: {error.strerror or error}", Place(str(error.filename))) from None


@dataclass(frozen=True)
class Packed:
    """Builds the model from the texts that it carries."""

    recipe: Recipe
    texts: tuple[tuple[str, bytes], ...]

    def __call__(self) -> Model:
        root = _unpacked(self.texts)
        recipe = self.recipe
        config = None if recipe.reading.config is None else root / _below(str(recipe.reading.config))
        model = load(root / _below(recipe.path), replace(recipe.reading, config=config))[recipe.number]
        if model.digest != recipe.digest:
            what = "its files were changed, or the environment that it reads is another"
            raise HomingError(f"is another model where it is built again: {what}", Place(recipe.path))
        return model


@cache
def _unpacked(texts: tuple[tuple[str, bytes], ...]) -> Path:
    """A folder of this process with the files, at the same places below it."""
    root = Path(tempfile.mkdtemp(prefix="homing-model-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    for name, text in texts:
        file = root / _below(name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text)
    return root


def _below(name: str) -> str:
    """Where below the root: as the file lies in the whole tree, so that what looks beside or above itself finds it."""
    return os.path.abspath(name).lstrip("/")  # noqa: PTH100  # links are not to be followed
