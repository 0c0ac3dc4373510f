"""How data show themselves in a notebook: somebody further out, who can draw, says how."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar


class Shown:
    """What Jupyter asks for its HTML; without anybody who can draw, it shows `repr`."""

    draw: ClassVar[Callable[[Any], str] | None] = None

    def _repr_html_(self) -> str | None:
        return None if Shown.draw is None else Shown.draw(self)
