from __future__ import annotations

from pathlib import Path

from homing.commands.checkpoints import DEFAULT, file_for, keep_out_of_git


def test_one_file_a_model_and_question(tmp_path: Path) -> None:
    names = {
        file_for(DEFAULT, tmp_path / model, engine, properties)
        for model in ("a/m.py", "b/m.py")
        for engine in ("local", "spark")
        for properties in ((), ("p",), ("q",), ("p", "q"))
    }
    assert len(names) == 16
    assert all(name.parent == DEFAULT and name.name.startswith("m-") for name in names)


def test_the_same_model_by_another_path_has_the_same_file(tmp_path: Path, monkeypatch: object) -> None:
    (tmp_path / "a").mkdir()
    one = file_for(DEFAULT, tmp_path / "m.py", "local", ())
    assert file_for(DEFAULT, tmp_path / "a" / ".." / "m.py", "local", ()) == one


def test_a_chosen_folder_is_left_as_it_is(tmp_path: Path) -> None:
    keep_out_of_git(tmp_path)
    assert list(tmp_path.iterdir()) == []
