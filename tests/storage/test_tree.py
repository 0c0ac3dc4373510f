"""Folders that Homing manages: links are not followed, and nothing that was there is written to."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from homing.storage.tree import Tree


@pytest.fixture
def treasure(tmp_path: Path) -> Path:
    file = tmp_path / "treasure"
    file.write_text("gold")
    return file


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    found = Tree(tmp_path / "tree")
    found.make()
    return found


def test_files_come_back(tree: Tree) -> None:
    with tree.create("a/b/c") as file:
        file.write(b"one")
    tree.replace("a/d.json", b"two")
    tree.replace("a/d.json", b"three")
    assert sorted(tree.names()) == ["a/b/c", "a/d.json"]
    assert [tree.open(name).read() for name in ("a/b/c", "a/d.json")] == [b"one", b"three"]
    tree.remove("a/b/c")
    tree.remove("a/b/c")
    tree.remove("nowhere/c")
    assert not tree.has("a/b/c")
    tree.clear()
    assert tree.is_empty()


def test_a_file_that_is_there_is_not_created(tree: Tree) -> None:
    tree.create("one").close()
    with pytest.raises(FileExistsError):
        tree.create("one")


def test_nothing_is_written_or_read_through_a_link(tree: Tree, treasure: Path) -> None:
    link = Path(tree.root, "link")
    link.symlink_to(treasure)
    with pytest.raises(OSError, match="symbolic link, which is not followed"):
        tree.open("link")
    with pytest.raises(FileExistsError):
        tree.create("link")
    tree.replace("link", b"mine")  # takes the place of the link
    assert not link.is_symlink()
    assert treasure.read_text() == "gold"


def test_no_folder_is_entered_through_a_link(tree: Tree, treasure: Path) -> None:
    Path(tree.root, "states").symlink_to(treasure.parent)
    for act in (tree.open, tree.create, tree.has, tree.remove):
        with pytest.raises(OSError, match="symbolic link, which is not followed"):
            act("states/treasure")
    assert list(tree.names()) == []
    tree.clear()
    assert treasure.read_text() == "gold"


def test_a_link_is_no_folder_of_ours(tree: Tree, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tree.root)
    with pytest.raises(OSError, match="symbolic link, which is not followed"):
        Tree(tmp_path / "link").make()


@pytest.mark.parametrize("name", ["../treasure", "a/../../treasure", "/etc/passwd", "a//b", ".", "a\0b"])
def test_names_stay_in_the_folder(tree: Tree, treasure: Path, name: str) -> None:
    for act in (tree.open, tree.create, tree.remove):
        with pytest.raises(OSError, match="leads out of the folder"):
            act(name)
    assert treasure.read_text() == "gold"


def test_a_pipe_is_not_waited_for(tree: Tree) -> None:
    os.mkfifo(Path(tree.root, "pipe"))
    with pytest.raises(OSError, match="is no regular file"):
        tree.open("pipe")


def test_a_write_that_fails_leaves_the_old_file(tree: Tree) -> None:
    tree.replace("one", b"old")

    def interrupted() -> None:
        with tree.replacing("one") as file:
            file.write(b"new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert tree.open("one").read() == b"old"
    assert list(tree.names()) == ["one"]


def test_what_killed_processes_left_is_removed(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    with tree.replacing("one") as file:
        (fresh,) = tree.names()
        Path(tree.root, fresh.replace(str(os.getpid()), "4194305")).write_bytes(b"half")
        file.write(b"mine")
    assert len(list(tree.names())) == 2
    tree.replace("one", b"more")
    assert list(tree.names()) == ["one"]
