"""Kinds of input, the files of each that are damaged, and who reads them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from pathlib import Path

from homing import expect, languages
from homing.languages.tla import charts
from homing.overlay import readers
from homing.overlay.colours import Scenarios, read_list, scenarios
from homing.overlay.edits import read_edits
from homing.overlay.localisation import read_observed
from homing.overlay.network import Network
from homing.overlay.verdicts import read_verdicts
from homing.replaying import reading

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent / "corpus"
BAD = ROOT / "tests/languages/csp/bad"


@dataclass(frozen=True)
class Kind:
    """One kind of input: how it is read, and good files of it."""

    name: str
    read: Callable[[Path], object]
    patterns: tuple[tuple[Path, str], ...]
    """Folders, and which of their files are of this kind."""
    endless: bool = False
    """May reading take as long as it likes, as long as a limit ends it? So it is with models, which are computed."""
    beside: tuple[str, ...] = ()
    """Endings of further files that are needed; they have the same stem."""
    namesakes: bool = False
    """Must there be files of the same names as beside the seed? Nothing need be in them."""

    @cached_property
    def seeds(self) -> tuple[Path, ...]:
        """The good files."""
        found = chain.from_iterable(folder.rglob(pattern) for folder, pattern in self.patterns)
        return tuple(sorted(file for file in found if file.is_file() and self._complete(file)))

    @cached_property
    def weights(self) -> tuple[float, ...]:
        """How often each is taken: small ones more often, so that many cases take little time."""
        sizes = [sum(file.stat().st_size for file in (seed, *self._beside(seed))) for seed in self.seeds]
        return tuple(1 / (1000 + size) ** 2 for size in sizes)

    def place(self, seed: Path, folder: Path) -> Path:
        """Puts what the seed needs into a folder; the file that the damaged bytes go to."""
        for file in self._beside(seed):
            shutil.copyfile(file, folder / file.name)
        for file in seed.parent.iterdir() if self.namesakes else ():
            (folder / file.name).touch()
        return folder / seed.name

    def _beside(self, seed: Path) -> list[Path]:
        return [seed.with_suffix(ending) for ending in self.beside]

    def _complete(self, seed: Path) -> bool:
        return all(file.is_file() for file in self._beside(seed))


def _kinds() -> Iterator[Kind]:
    models, networks, demos = ROOT / "models", ROOT / "networks", ROOT / "models/tutorial"
    yield Kind("csp", languages.load, ((HERE, "*.csp"), (models, "*.csp")), endless=True)
    yield Kind("bad-csp", languages.load, ((BAD, "*.csp"),), endless=True)
    yield Kind("smv", languages.load, ((HERE, "*.smv"), (models, "*.smv")), endless=True)
    yield Kind("tla", languages.load, ((HERE, "*.tla"), (demos, "channel.tla")), endless=True, beside=(".cfg",))
    yield Kind("cfg", languages.load, ((HERE, "*.cfg"), (demos, "channel.cfg")), endless=True, beside=(".tla",))
    yield Kind("xml", languages.load, ((HERE, "*.xml"), (models, "*.xml")), endless=True)
    yield Kind("q", _queries, ((HERE, "*.q"),), endless=True, beside=(".xml",))
    yield Kind("toml", _network, ((networks, "*.toml"),))
    for ending in ("yaml", "json", "csv", "graphml", "gml"):
        yield Kind(ending, _network, ((HERE, f"ring.{ending}"),))
    yield Kind("scenarios", lambda path: read_list(_ring(), str(path), _text(path)), ((HERE, "*.scenarios"),))
    yield Kind("tables", lambda path: read_edits(path, _text(path), _failures()), ((HERE, "*.tables.csv"),))
    yield Kind("observed", lambda path: read_observed(path, _text(path), _ring()), ((HERE, "*.observed.csv"),))
    yield Kind("verdicts", lambda path: read_verdicts(path, _text(path), _ring()), ((HERE, "*.verdicts.*"),))
    yield Kind("expect", expect.read, ((models, "expect.toml"),), namesakes=True)
    yield Kind(
        "chart", lambda path: charts.read(path, ("network", "received", "messages", "got")), ((models, "*.chart.toml"),)
    )
    yield Kind("trace", lambda path: reading.read(str(path)), ((models, "*.trace"), (models, "*.log")))
    yield Kind("trace-json", lambda path: reading.read(str(path)), ((HERE, "*.trace.json"),))


@cache
def _ring() -> Network:
    return readers.load(str(ROOT / "networks/ring.toml"))


@cache
def _failures() -> Scenarios:
    return scenarios(_ring(), "links")


def _text(path: Path) -> str:
    return readers.read_text(path)


def _network(path: Path) -> Network:
    return readers.load(str(path))


def _queries(path: Path) -> object:
    return languages.load(path.with_suffix(".xml"))


KINDS = {kind.name: kind for kind in _kinds()}
