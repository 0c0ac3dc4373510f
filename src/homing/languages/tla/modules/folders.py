"""Files that a specification reads and writes: those beside it, and those in the folder that `--allow-write` names."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from homing.languages.tla.values import Fault, Value, show


@dataclass(frozen=True)
class Folders:
    """Where files may be: `home` has the specification, `open` is what may be written to, if anything."""

    home: Path
    open: Path | None = None

    def to_write(self, name: Value, operator: str) -> Path:
        """The file of a name, inside the folder that may be written to; links that lead out of it are refused."""
        if self.open is None:
            raise Fault(f"'{operator}' writes to {show(name)}, which needs --allow-write FOLDER")
        path = self._placed(name, operator, self.open)
        if not path.is_relative_to(self.open.resolve()):
            raise Fault(f"'{operator}' writes to {show(name)}, which is outside the folder of --allow-write")
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def to_read(self, name: Value, operator: str) -> Path:
        """The file of a name, beside the specification or in the folder that may be written to."""
        places = [self.home] if self.open is None else [self.open, self.home]
        found = [(place.resolve(), self._placed(name, operator, place)) for place in places]
        inside = [path for place, path in found if path.is_relative_to(place)]
        if not inside:
            raise Fault(f"'{operator}' reads {show(name)}, which is not in the folder of the specification")
        return next((path for path in inside if path.exists()), inside[0])

    def _placed(self, name: Value, operator: str, folder: Path) -> Path:
        if not isinstance(name, str) or not name or "\0" in name:
            raise Fault(f"'{operator}' is given {show(name)}, which is no name of a file")
        return (folder / name).resolve()
