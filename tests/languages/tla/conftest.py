"""What is evaluated twice is code here, so that every test of the language is one of the code, too."""

from __future__ import annotations

import pytest

from homing.languages.tla import code


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code, "OFTEN", 1)
    monkeypatch.setattr(code, "SMALL", 1)
