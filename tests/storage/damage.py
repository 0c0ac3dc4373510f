"""Systematic damage to the files of a run."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Apply = Callable[[Path], None]


@dataclass(frozen=True)
class Damage:
    """One damage: what it is, which files it touches, and how it is done to a copy of the folder."""

    what: str
    files: tuple[str, ...]
    apply: Apply


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a folder, by name."""
    return {
        file.relative_to(folder).as_posix(): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()
    }


def laid_out(files: dict[str, bytes], folder: Path) -> None:
    """Has a folder hold these files and no others."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def damages(files: dict[str, bytes], older: dict[str, bytes], seed: int, count: int) -> Iterator[Damage]:
    """So many cases: each kind of damage to each file in turn, then again at other places."""
    draw, names = random.Random(seed), sorted(files)
    kinds = [flipped, cut, zeroed, scribbled, longer, missing, swapped, extra, edited]
    # An older manifest names files that are gone.
    both = [name for name in sorted(set(older) & set(files)) if older[name] != files[name]]
    made = [Damage(f"older {name}", (name, *older), _writes(name, older[name])) for name in both]
    number = 0
    while len(made) < count:
        name, kind = names[number % len(names)], kinds[number // len(names) % len(kinds)]
        number += 1
        made += kind(draw, files, name)
    yield from made[:count]


def _writes(name: str, data: bytes) -> Apply:
    def apply(folder: Path) -> None:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)

    return apply


def _case(what: str, name: str, data: bytes, files: dict[str, bytes]) -> list[Damage]:
    return [] if data == files.get(name) else [Damage(f"{what} {name}", (name,), _writes(name, data))]


def flipped(draw: random.Random, files: dict[str, bytes], name: str) -> list[Damage]:
    """One bit is another."""
    data = bytearray(files[name])
    if not data:
        return []
    place = draw.randrange(8 * len(data))
    data[place // 8] ^= 1 << place % 8
    return _case(f"bit {place} flipped in", name, bytes(data), files)


def cut(draw: random.Random, files: dict[str, bytes], name: str) -> list[Damage]:
    """The end is missing."""
    data = files[name]
    length = draw.choice([0, 1, len(data) // 2, max(len(data) - 1, 0), draw.randrange(len(data) + 1)])
    return _case(f"cut to {length}", name, data[:length], files)


def zeroed(draw: random.Random, files: dict[str, bytes], name: str) -> list[Damage]:
    """A block of zeros, as after a crash of the machine."""
    data = bytearray(files[name])
    start, size = draw.randrange(len(data) + 1), draw.choice([1, 8, 64, 512])
    data[start : start + size] = bytes(len(data[start : start + size]))
    return _case(f"{size} zeros at {start} in", name, bytes(data), files)


def scribbled(draw: random.Random, files: dict[str, bytes], name: str) -> list[Damage]:
    """Some other bytes."""
    data = bytearray(files[name])
    start = draw.randrange(len(data) + 1)
    data[start : start + 16] = draw.randbytes(len(data[start : start + 16]))
    return _case(f"noise at {start} in", name, bytes(data), files)


def longer(draw: random.Random, files: dict[str, bytes], name: str) -> list[Damage]:
    """Something follows, or all of it twice."""
    return _case("more at the end of", name, files[name] + draw.choice([b"\0", b"\n", files[name], b"}"]), files)


def missing(draw: random.Random, files: dict[str, bytes], name: str) -> list[Damage]:
    """A file is gone."""
    return [Damage(f"without {name}", (name,), lambda folder: (folder / name).unlink())]


def swapped(draw: random.Random, files: dict[str, bytes], name: str) -> list[Damage]:
    """Two files change places."""
    other = draw.choice(sorted(files))
    if files[other] == files[name]:
        return []

    def apply(folder: Path) -> None:
        _writes(name, files[other])(folder)
        _writes(other, files[name])(folder)

    return [Damage(f"swapped {name} and {other}", (name, other), apply)]


def extra(draw: random.Random, files: dict[str, bytes], name: str) -> list[Damage]:
    """A copy under a name of the same kind, or rubbish."""
    path = Path(name)
    stem = path.stem if len(path.stem) != 32 else f"{draw.getrandbits(128):032x}"
    if path.stem == stem:
        stem = f"{draw.randrange(10**10):010d}" if stem.isdigit() else f"{stem}-2"
    fresh = path.with_name(stem + path.suffix).as_posix()
    return _case("extra", fresh, draw.choice([files[name], b"rubbish", b""]), files)


def edited(draw: random.Random, files: dict[str, bytes], name: str) -> list[Damage]:
    """A document with a value that was another: as who edits it by hand writes it."""
    try:
        document = json.loads(files[name])
    except ValueError:
        return []
    changed(draw, document)
    return _case("edited", name, (json.dumps(document) + "\n").encode(), files)


def changed(draw: random.Random, document: Any) -> None:
    """Changes something somewhere in a document."""
    places = [(inside, key) for inside in _containers(document) for key in _keys(inside)]
    inside, key = draw.choice(places)
    value = inside[key]
    others: list[Any] = [0, 1, -1, 2**31, None, "", [], {}, "0" * 32, not value]
    if type(value) is int:
        others += [value + 1, value - 1, -value] * 3
    kind = draw.randrange(4)
    if kind == 0:
        del inside[key]
    elif kind == 1:
        other, there = draw.choice(places)
        if there in _keys(other):
            inside[key], other[there] = other[there], value
    else:
        inside[key] = draw.choice(others)


def _containers(document: Any) -> Iterator[Any]:
    if isinstance(document, dict | list):
        yield document
        for each in document.values() if isinstance(document, dict) else document:
            yield from _containers(each)


def _keys(inside: Any) -> list[Any]:
    return list(inside) if isinstance(inside, dict) else list(range(len(inside)))
