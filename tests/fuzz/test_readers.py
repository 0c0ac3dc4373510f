"""Whatever stands in a file, it is read or refused with one clear sentence; never a traceback, never for ever."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.cases import Became, Hangs, Wrong, became, bounded, judge, told
from tests.fuzz.corpus import HERE, KINDS, Kind
from tests.scale import scaled

PARTS = 4
"""So that several processes share the work."""
CASES = scaled(4000) // PARTS

GOOD = [(kind.name, seed) for kind in KINDS.values() for seed in kind.seeds if seed.parent == HERE]


@pytest.mark.parametrize(("name", "seed"), GOOD, ids=lambda value: getattr(value, "name", value))
def test_the_corpus_is_good(name: str, seed: Path) -> None:
    """Damage to what is refused anyway finds little."""
    assert became(KINDS[name], seed) is Became.READ


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", KINDS)
def test_damaged_files(name: str, part: int, tmp_path: Path) -> None:
    for number in range(part * CASES, (part + 1) * CASES):
        judge(KINDS[name], number, tmp_path)


@pytest.mark.parametrize("name", [name for name in KINDS if name != "q"])  # queries are read where they are a file
def test_a_folder_is_no_file(name: str, tmp_path: Path) -> None:
    kind = KINDS[name]
    path = kind.place(kind.seeds[0], tmp_path)
    path.unlink(missing_ok=True)
    path.mkdir()
    assert became(kind, path) is Became.REFUSED


def _raises(error: BaseException) -> Kind:
    def read(path: Path) -> object:
        raise error

    return Kind("raises", read, ((HERE, "ring.json"),))


def test_what_is_no_refusal_is_noticed(tmp_path: Path) -> None:
    with pytest.raises(Wrong, match=r"raises 7: ValueError: no\nto see it again: python -m tests.fuzz raises 7"):
        judge(_raises(ValueError("no")), 7, tmp_path)


@pytest.mark.parametrize("sentence", ["a.csp: \x1b[31m", "a.csp: one\ntwo", "b.csp: no", "a.csp: " + "x" * 3000])
def test_a_bad_sentence_is_noticed(sentence: str) -> None:
    with pytest.raises(Wrong):
        told(sentence, Path("a.csp"))


def test_what_does_not_end_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fuzz.cases.HANGS", 0.5)

    def endless() -> None:
        while True:
            pass

    with pytest.raises(Hangs), bounded(endless=True):
        endless()


def test_what_takes_all_memory_is_noticed() -> None:
    with pytest.raises(MemoryError), bounded(endless=False):
        bytearray(2**40)
