from __future__ import annotations

import os
from pathlib import Path

import pytest

from homing.core.errors import HomingError
from homing.report.files import write


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.write_text("old")
    target.chmod(0o640)
    write(str(target), "→ new")
    assert target.read_text(encoding="utf-8") == "→ new"
    assert target.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [target]


def test_a_new_file_has_the_usual_mode(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        write(str(tmp_path / "out"), "new")
    finally:
        os.umask(before)
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o644


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "target")
    write(str(tmp_path / "link"), "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text() == "new"


def test_what_is_no_file_is_written_to() -> None:
    write("/dev/null", "gone")
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize("name", [".", "missing/out"])
def test_an_error_names_the_target(tmp_path: Path, name: str) -> None:
    with pytest.raises(HomingError, match=r"cannot be written: (Is a directory|No such file or directory)"):
        write(str(tmp_path / name), "text")


def test_a_failure_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "out"
    target.write_text("old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(HomingError, match="No space left"):
        write(str(target), "new")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]
