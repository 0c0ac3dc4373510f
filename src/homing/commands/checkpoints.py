"""Which file a run is saved to."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path

from homing.core.errors import HomingError, Place

DEFAULT = Path(".homing")


def keep_out_of_git(folder: Path) -> None:
    """Marks our own folder as nothing to commit; a folder that the user chose is left as it is."""
    mark = folder / ".gitignore"
    if folder == DEFAULT and not mark.exists():
        with suppress(OSError):
            mark.write_text("*\n")


def file_for(folder: Path, model: Path, engine: str, properties: tuple[str, ...]) -> Path:
    """One file a model and question: runs about other properties do not overwrite each other.

    The text of the model is not part of the name, so that resuming after an edit is refused, not ignored.
    """
    if folder == DEFAULT and folder.is_symlink():
        raise HomingError(
            "is a symbolic link, which is not followed: name the folder with --checkpoint", Place(str(folder))
        )
    question = "\0".join([str(model.resolve()), engine, *properties])
    digest = hashlib.blake2b(os.fsencode(question), digest_size=4).hexdigest()
    # On Spark it is a folder.
    return folder / f"{model.stem}-{digest}{'.spark' if engine == 'spark' else '.checkpoint'}"
