"""The Python API: what the documentation shows works, in whatever order it is imported."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from homing.overlay.readers import load

PAGE = (Path(__file__).parents[2] / "docs" / "overlay.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def test_the_documented_example_runs() -> None:
    (code,) = blocks("python")
    names: dict[str, object] = {}
    exec(code, names)
    assert names["table"].lookup(1, 1) == "Chicago"  # type: ignore[attr-defined]


def test_the_documented_network_loads(tmp_path: Path) -> None:
    (text,) = blocks("toml")
    (tmp_path / "n.toml").write_text(text)
    network = load(str(tmp_path / "n.toml"))
    assert [link.name for link in network.links] == ["feed-core", "feed-risk", "one way"]
    assert network.groups[0].links == (0, 2)


def test_names_of_the_package_are_functions() -> None:
    import homing.overlay.sweeping
    import homing.overlay.verification  # loads nearly every module

    assert all(callable(getattr(homing.overlay, name)) for name in homing.overlay.__all__)
    assert doctest.testmod(homing.overlay).failed == 0
