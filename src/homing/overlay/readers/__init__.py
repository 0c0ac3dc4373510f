"""Networks in: files by their ending, topologies by name, generated ones by their sizes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from homing.core.errors import HomingError, Place
from homing.overlay.network import Network
from homing.overlay.readers import generated, gml, graphml, structured, tables, topologies

FILES: dict[str, Callable[[Path, str], Network]] = {
    ".toml": structured.read_toml,
    ".yaml": structured.read_yaml,
    ".yml": structured.read_yaml,
    ".json": structured.read_json,
    ".csv": tables.read,
    ".graphml": graphml.read,
    ".gml": gml.read,
}
NAMES: dict[str, Callable[[str], Network]] = {"topohub": topologies.read, "random": generated.read}


def load(source: str) -> Network:
    """The network that `source` names: a file, `topohub:topozoo/Abilene` or `random:50:100:seed=7`."""
    kind, colon, rest = source.partition(":")
    if colon and kind in NAMES:
        return NAMES[kind](rest)
    path = Path(source)
    if path.suffix.lower() not in FILES:
        raise HomingError(f"unknown kind of network '{source}'", None, [*FILES, *(f"{name}:" for name in NAMES)])
    return FILES[path.suffix.lower()](path, read_text(path))


def read_text(path: Path) -> str:
    """A user's file as text."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise HomingError(f"cannot read the file: {error.strerror or error}", Place(str(path))) from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise HomingError("the file is not UTF-8 text", Place(str(path), line)) from error
    if "\0" in text:
        raise HomingError("the file has a NUL character", Place(str(path), text.count("\n", 0, text.index("\0")) + 1))
    return text


def expand(source: str) -> list[str]:
    """Several networks by one word: a folder of files, or `topohub:topozoo/*`."""
    kind, colon, rest = source.partition(":")
    if colon and kind == "topohub" and rest.endswith("*"):
        return [f"topohub:{name}" for name in topologies.names(rest.removesuffix("*"))]
    path = Path(source)
    if path.is_dir():
        found = sorted(str(file) for file in path.iterdir() if file.suffix.lower() in FILES)
        return [file for file in found if not file.endswith(tables.TOPICS_ENDING)]
    return [source]
