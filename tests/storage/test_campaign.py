"""Damage to the files of runs: what goes on is right, or ends in one sentence that names the file."""

from __future__ import annotations

import io
import json
import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.scale import scaled
from tests.storage.damage import Damage, changed, contents, damages, laid_out
from tests.storage.scenes import SCENES, Local, Scene, Spread

from homing.core.errors import HomingError
from homing.storage import arrays, seal

CASES = {"local": 1000, "spark": 1000, "pieces": 240, "timed": 120, "sweep": 500, "finished sweep": 1200}
"""By kind, at a scale of 1."""


def stopped(scene: Scene, folder: Path) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """The files of a run that was stopped, and of the same run when it was stopped earlier."""
    scene.stop(folder, early=True)
    older = contents(folder)
    scene.stop(folder, early=False)
    return contents(folder), older


def judged(scene: Scene, folder: Path, damage: Damage) -> str | None:
    """What is wrong with how a damaged run goes on, if anything."""
    try:
        known, said = scene.resume(folder)
    except HomingError as error:
        known, said = {}, [str(error)]
    if not said:
        return None if known == scene.right() else f"wrong: {known}"
    right = scene.right()
    if any(right.get(name) != found for name, found in known.items()):
        return f"wrong: {known}"
    names = [part for file in damage.files for part in (file, Path(file).name)]
    if not all(any(name in sentence for name in names) and "\n" not in sentence for sentence in said):
        return f"does not say which file: {said}"
    return None


@pytest.mark.parametrize("kind", SCENES)
def test_damage_never_ends_in_a_wrong_result(tmp_path: Path, kind: str) -> None:
    scene, folder = SCENES[kind], tmp_path / "run"
    files, older = stopped(scene, folder)
    assert scene.resume(folder) == (scene.right(), [])
    bad = []
    for damage in damages(files, older, 1, scaled(CASES[kind])):
        laid_out(files, folder)
        damage.apply(folder)
        wrong = judged(scene, folder, damage)
        if wrong is not None:
            bad.append((damage.what, wrong))
    assert bad == []


def test_a_checkpoint_whose_digests_were_computed_again_crashes_nothing(tmp_path: Path) -> None:
    """A forger may get a wrong result, but not a crash or a traceback: all arrays are looked at first."""
    scene, draw = Local(), random.Random(2)
    scene.stop(tmp_path, early=False)
    said, true = arrays.read(io.BytesIO((tmp_path / "run.checkpoint").read_bytes()), "")
    ended = 0
    for _ in range(scaled(300)):
        about, forged = json.loads(json.dumps(said)), {name: array.copy() for name, array in true.items()}
        for _ in range(draw.randrange(1, 3)):
            _forge(draw, about, forged)
        file = io.BytesIO()
        arrays.write(file, about, forged)
        (tmp_path / "run.checkpoint").write_bytes(file.getvalue())
        try:
            scene.resume(tmp_path)
        except HomingError as error:
            ended += "cannot be resumed from" in str(error) or "of another model" in str(error)
    assert ended > scaled(300) // 2


def _forge(draw: random.Random, about: dict[str, Any], forged: dict[str, arrays.Array]) -> None:
    name = draw.choice([name for name, array in forged.items() if array.size])
    array = forged[name]
    kind = draw.randrange(6)
    if kind == 0:
        changed(draw, about)
    elif kind == 1:
        flat = array.reshape(-1)
        flat[draw.randrange(len(flat))] = draw.choice([0, 1, 255, np.iinfo(array.dtype).max])
    elif kind == 2:
        forged[name] = array[: draw.randrange(len(array))]
    elif kind == 3:
        forged[name] = np.concatenate([array, array])
    elif kind == 4:
        forged[name] = draw.choice([array.reshape(-1), array.astype(np.uint8), array.astype(np.int64)])
    else:
        del forged[name]


@pytest.mark.parametrize("name", ["run.json", "homing.json"])
def test_a_manifest_whose_digest_was_computed_again_is_no_traceback(tmp_path: Path, name: str) -> None:
    scene, draw, folder = Spread(), random.Random(3), tmp_path / "run"
    files, _ = stopped(scene, folder)
    for _ in range(scaled(300)):
        document = seal.unsealed(name, files[name])
        changed(draw, document)
        laid_out(files, folder)
        (folder / name).write_bytes(seal.sealed(name, document))
        with suppress(HomingError):
            scene.resume(folder)


def test_a_manifest_that_was_emptied_by_hand(tmp_path: Path) -> None:
    """Nothing in the inboxes and nothing waiting: once, this turned VIOLATED into HOLDS."""
    scene, folder = Spread(), tmp_path / "run"
    scene.stop(folder, early=False)
    manifest = json.loads((folder / "run.json").read_text())
    document = manifest["document"]
    document["inboxes"] = {}
    for part in document["parts"].values():
        part["waiting"] = 0xFFFFFFFF
    (folder / "run.json").write_text(json.dumps(manifest) + "\n")
    with pytest.raises(HomingError, match=r"run\.json is damaged: its checksum does not fit; --restart begins anew"):
        scene.resume(folder)
