"""UPPAAL: timed automata as XML, and queries about them."""

from __future__ import annotations

import hashlib
from pathlib import Path

from homing.core.errors import HomingError, Place
from homing.core.model import Model
from homing.languages.common.files import data_of
from homing.languages.uppaal.document import read
from homing.languages.uppaal.network import network
from homing.languages.uppaal.queries import queries, split
from homing.languages.uppaal.reading import source
from homing.languages.uppaal.system import Automata, timing
from homing.languages.uppaal.text import Text

MOST_BYTES = 10_000_000


def load(path: Path) -> tuple[Model, ...]:
    """The model in a file; its queries are in it, or in a file of its name that ends in `.q`."""
    data = _bytes(path)
    found = source(read(data, str(path)))
    asked = found.queries or ()
    beside, files = path.with_suffix(".q"), [str(path)]
    if not asked and beside.is_file():
        text = _bytes(beside)
        data += text
        files.append(str(beside))
        asked = tuple(split(_decoded(text, beside)))
    digest = hashlib.blake2b(data, digest_size=16).hexdigest()
    try:
        automata = network(found)
        ranges = automata.store.ranges()
        labels = timing(automata, ranges)
        properties = queries(automata, ranges, labels, asked)
    except RecursionError:
        raise HomingError("an expression nests too deeply", Place(str(path))) from None
    system = Automata(automata, ranges, labels)
    return (Model(str(path), system, properties, digest, Place(str(path)), files=tuple(files)),)


def _bytes(path: Path) -> bytes:
    data = data_of(path)
    if len(data) > MOST_BYTES:
        raise HomingError(f"has more than {MOST_BYTES} bytes, which is too much for a model", Place(str(path)))
    return data


def _decoded(data: bytes, path: Path) -> Text:
    try:
        value = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        value = data.decode("latin-1").replace("\r\n", "\n")
    return Text(str(path), "the query", value, ((0, 1, 1),))
