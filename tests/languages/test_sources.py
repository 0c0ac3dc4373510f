"""A model that is built again elsewhere is the same one."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from homing import languages
from homing.core.errors import HomingError

TEXT = "MODULE main\nVAR x : 0..{most};\nASSIGN init(x) := 0;\nINVARSPEC x < 3\n"


def test_a_model_is_built_from_the_texts_that_travel(tmp_path: Path) -> None:
    file = tmp_path / "counter.smv"
    file.write_text(TEXT.format(most=5))
    (model,) = languages.load(file)
    assert model.portable is not None
    sent = pickle.dumps(model.portable())
    file.unlink()
    assert pickle.loads(sent)().digest == model.digest


def test_a_model_that_has_become_another_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "counter.smv"
    file.write_text(TEXT.format(most=5))
    (model,) = languages.load(file)
    file.write_text(TEXT.format(most=2))
    assert model.portable is not None
    with pytest.raises(HomingError, match=r"counter\.smv: is another model where it is built again"):
        model.portable()()
