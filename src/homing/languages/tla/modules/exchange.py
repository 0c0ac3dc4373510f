"""Operators of Json, CSV and IOUtils that read and write files, for the folders where they may."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from homing.languages.tla.modules import json
from homing.languages.tla.modules.folders import Folders
from homing.languages.tla.modules.sequences import sequence
from homing.languages.tla.scope import Builtin, Symbol
from homing.languages.tla.values import Fault, Value, apply, is_function, kind, record, show

FORMAT = re.compile(r"%(?:(\d+)\$)?s|%%|%n")
OPTIONS = frozenset({"WRITE", "CREATE", "CREATE_NEW", "APPEND", "TRUNCATE_EXISTING"})
"""Of those that Java has, what `Serialize` may be told."""
TXT = "'Serialize' and 'Deserialize' know the format TXT only"


def _written(path: Path, text: str, how: str = "w") -> bool:
    try:
        with path.open(how, encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as error:
        raise Fault(f"{path.name} cannot be written: {error.strerror or error}") from None
    return True


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, ValueError) as error:
        raise Fault(f"{path.name} cannot be read: {getattr(error, 'strerror', None) or error}") from None


class Exchange:
    """The operators, by their names."""

    def __init__(self, folders: Folders) -> None:
        self.folders = folders

    def JsonSerialize(self, name: Value, value: Value) -> bool:  # noqa: N802 (called as the module calls it)
        if type(value) is not tuple:
            raise Fault(f"JsonSerialize is given {show(value)}, {kind(value)}, not a sequence or a record")
        return _written(self.folders.to_write(name, "JsonSerialize"), json.text(json.plain(value)))

    def ndJsonSerialize(self, name: Value, value: Value) -> bool:  # noqa: N802
        lines = [json.text(json.plain(item)) + "\n" for item in sequence(value, "ndJsonSerialize")]
        return _written(self.folders.to_write(name, "ndJsonSerialize"), "".join(lines))

    def JsonDeserialize(self, name: Value) -> Value:  # noqa: N802
        path = self.folders.to_read(name, "JsonDeserialize")
        return json.parsed(_read(path), path.name)

    def ndJsonDeserialize(self, name: Value) -> Value:  # noqa: N802
        path = self.folders.to_read(name, "ndJsonDeserialize")
        lines = _read(path).splitlines()
        return tuple(json.parsed(line, f"{path.name}:{n}") for n, line in enumerate(lines, 1) if line.strip())

    def CSVWrite(self, template: Value, value: Value, name: Value) -> bool:  # noqa: N802
        items = [show(item) for item in sequence(value, "CSVWrite")]
        return _written(self.folders.to_write(name, "CSVWrite"), _formatted(template, items) + "\n", "a")

    def CSVWriteRecord(self, value: Value, delimiter: Value, headers: Value, name: Value) -> bool:  # noqa: N802
        if not is_function(value) or not all(isinstance(key, str) for key in value[1]):
            raise Fault(f"CSVWriteRecord is given {show(value)}, {kind(value)}, not a record")
        lines = ([value[1]] if headers is True else []) + [tuple(map(show, value[2]))]
        text = "".join(str(delimiter).join(line) + "\n" for line in lines)
        return _written(self.folders.to_write(name, "CSVWriteRecord"), text, "a")

    def CSVRead(self, columns: Value, delimiter: Value, name: Value) -> Value:  # noqa: N802
        path, fields = self.folders.to_read(name, "CSVRead"), sequence(columns, "CSVRead")
        lines = _read(path).splitlines() if path.exists() else []
        rows = [line.split(str(delimiter)) for line in lines]
        if any(len(row) != len(fields) for row in rows):
            raise Fault(f"{path.name} has a line that does not have {len(fields)} columns")
        return tuple(record(fields, row) for row in rows)

    def CSVRecords(self, name: Value) -> int:  # noqa: N802
        path = self.folders.to_read(name, "CSVRecords")
        return len(_read(path).splitlines()) if path.exists() else 0

    def Serialize(self, text: Value, name: Value, options: Value) -> Value:  # noqa: N802
        how = frozenset(sequence(apply(options, "openOptions"), "Serialize"))
        if apply(options, "format") != "TXT" or not isinstance(text, str) or not how <= OPTIONS:
            raise Fault(f"{TXT}, strings, and the options {', '.join(sorted(OPTIONS))}")
        path = self.folders.to_write(name, "Serialize")
        if not (path.exists() or how & {"CREATE", "CREATE_NEW"}):
            return _answer(1, "", f"Serialize error writing to the file: {show(name)} does not exist")
        mode = "x" if "CREATE_NEW" in how else "a" if "APPEND" in how else "w" if "TRUNCATE_EXISTING" in how else "r+"
        _written(path, text, mode if path.exists() or mode != "r+" else "w")
        return _answer(0, "Finish writing to the file with success!", "")

    def Deserialize(self, name: Value, options: Value) -> Value:  # noqa: N802
        if apply(options, "format") != "TXT":
            raise Fault(TXT)
        return _answer(0, _read(self.folders.to_read(name, "Deserialize")), "")


def _answer(code: int, out: str, error: str) -> Value:
    return record(("exitValue", "stdout", "stderr"), (code, out, error))


def _formatted(template: Value, items: list[str]) -> str:
    """What Java's String.format makes of `%s` and `%1$s`."""
    rest = iter(items)

    def placed(found: re.Match[str]) -> str:
        if found[0] in ("%%", "%n"):
            return "%" if found[0] == "%%" else "\n"
        return items[int(found[1]) - 1] if found[1] else next(rest)

    text = FORMAT.sub("", str(template))
    try:
        if "%" in text:
            raise IndexError
        return FORMAT.sub(placed, str(template))
    except (IndexError, StopIteration, RuntimeError):
        raise Fault(f"CSVWrite cannot fill in {show(template)} with {len(items)} values") from None


NAMES = {
    "Json": ("JsonSerialize", "ndJsonSerialize", "JsonDeserialize", "ndJsonDeserialize"),
    "CSV": ("CSVWrite", "CSVWriteRecord", "CSVRead", "CSVRecords"),
    "IOUtils": ("Serialize", "Deserialize"),
}


def _nowhere(name: str) -> Callable[..., Any]:
    def refuse(*_: Value) -> Value:
        raise Fault(f"'{name}' is not supported here: there is no folder of a specification")

    return refuse


def _builtin(name: str, function: Callable[..., Any] | None = None) -> Builtin:
    arity = getattr(Exchange, name).__code__.co_argcount - 1
    return Builtin(name, arity, function or _nowhere(name), outside=True)


MODULES = {module: {name: _builtin(name) for name in names} for module, names in NAMES.items()}
"""What stands for the operators until it is known where files may be."""


def bound(folders: Folders) -> dict[Symbol, Any]:
    """The operators for these folders."""
    exchange = Exchange(folders)
    return {
        symbol: _builtin(name, getattr(exchange, name)) for names in MODULES.values() for name, symbol in names.items()
    }
