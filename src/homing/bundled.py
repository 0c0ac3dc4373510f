"""Where the models and networks are that come with Homing: in a clone beside `src`, else inside the package."""

from __future__ import annotations

from pathlib import Path

from homing.core.errors import HomingError

PACKAGE = Path(__file__).parent
FOLDERS = ("models", "networks")


def shown(name: str) -> str:
    """The same as one would type it here: relative where it lies below the current folder."""
    found = path(name)
    return str(found.relative_to(Path.cwd())) if found.is_relative_to(Path.cwd()) else str(found)


def path(name: str) -> Path:
    """The file `models/…` or `networks/…`; raises HomingError when it did not come along."""
    for root in (PACKAGE / "bundle", PACKAGE.parent.parent):
        if (root / name).exists():
            return root / name
    raise HomingError(f"'{name}' did not come along with this installation of Homing")
