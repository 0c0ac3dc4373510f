"""Damage: a file that is not what was written."""

from __future__ import annotations


class Damaged(OSError):
    """A file that is not what was written, or not there; says which."""

    def __init__(self, file: str, what: str) -> None:
        super().__init__(f"{file} is damaged: {what}")
        self.file = file
