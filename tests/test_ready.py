from __future__ import annotations

import json
import subprocess
import sys
from collections import namedtuple
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import typeof

from homing import kept, ready
from homing.engines.local.kernels import hashing
from homing.engines.local.kernels.arrays import Store
from homing.ready import Kernel

One = namedtuple("One", "rows tables size capacity table_size")  # with the fields of another class


def _readonly(array: Any) -> Any:
    array.flags.writeable = False
    return array


def _arrays(dtype: str) -> list[Any]:
    square = np.zeros((4, 4), dtype)
    return [
        *(square, square.T, square[:, ::2], square[::2], square[0], square[:, 0], square[:1], square[:1, :1]),
        *(np.asfortranarray(np.zeros((3, 4), dtype)), np.zeros((2, 2, 2), dtype), np.zeros((), dtype)),
        *(_readonly(np.zeros(3, dtype)), _readonly(np.zeros((3, 2), dtype).T), np.zeros(0, dtype)),
    ]


VALUES = [
    *(array for dtype in ("u4", "i4", "u8", "i8", "u1", "?", "f8", "f4") for array in _arrays(dtype)),
    *(0, -1, 2**63 - 1, 2**63, 2**64 - 1, -(2**63), True, 1.5, None, "a", b"a", 1j),
    *(dtype(1) for dtype in (np.uint8, np.int32, np.uint32, np.int64, np.uint64, np.float32, np.float64, np.bool_)),
    *(np.timedelta64(1, "s"), np.timedelta64(1, "ms"), np.datetime64(1, "s"), np.datetime64(1, "ms")),
    *((), (1,), (1, 2), (1, True), ((1,), 2), (np.zeros(2), 1), (np.zeros(2, "f4"), 1)),
    *(kind(*5 * [np.zeros(2, dtype)]) for kind in (Store, One) for dtype in ("u4", "u8")),
]


def test_values_of_one_kind_have_one_type() -> None:
    for one, other in product(VALUES, repeat=2):
        kinds = ready._kind(one), ready._kind(other)
        names = ready._kind_name(kinds[0]), ready._kind_name(kinds[1])
        assert kinds[0] != kinds[1] or names[0] == names[1]
        if names[0] == names[1] and names[0] is not None:  # else Numba looks at each
            assert typeof(one) == typeof(other), (one, other)


@pytest.mark.parametrize("value", [2**63, -(2**63), np.zeros(2, "M8[s]"), np.zeros(2, "u4,u4"), "a", None, (1, "a")])
def test_what_numba_has_to_look_at_has_no_name(value: Any) -> None:
    assert ready._kind_name(ready._kind(value)) is None


def test_other_bytes_are_of_another_kind() -> None:
    little, big = (np.zeros(2, order + "u4") for order in "<>")
    assert ready._kind_name(ready._kind(little)) != ready._kind_name(ready._kind(big))


def _tabulated(tabulate: Callable[..., None], step: int = 1) -> list[int]:
    seed, table = np.arange(5, 11, dtype=np.uint64)[::step], np.zeros(16, np.uint64)
    shift, mask = np.arange(len(seed), dtype=np.uint32), np.full(len(seed), 3, np.uint32)
    tabulate(seed, shift, mask, table)
    return [int(number) for number in table]


class Numba(Exception):
    """It was asked to compile or load."""


def _refusing(monkeypatch: pytest.MonkeyPatch) -> None:
    def made(*_: Any) -> Any:
        raise Numba

    monkeypatch.setattr(Kernel, "_made", made)


def _fresh() -> Kernel:
    return Kernel(hashing.__name__, "tabulate")


def test_what_is_kept_does_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "place", lambda folder: tmp_path)
    expected = [_tabulated(hashing.tabulate, step) for step in (1, 2)]
    for step, table in zip((1, 2), expected):
        assert _tabulated(_fresh(), step) == table
        assert len(list(tmp_path.glob("*.ready"))) == step  # an array with gaps is another kind
    _refusing(monkeypatch)
    kernel = _fresh()
    assert [_tabulated(kernel, step) for step in (1, 2)] == expected
    with pytest.raises(Numba):
        kernel(1)


def _unknown(text: bytes) -> bytes:
    head, code = text.split(b"\n", 1)
    entry, environments, needed, digest = json.loads(head)
    return json.dumps([entry, environments, [*needed, "no_such_function"], digest]).encode() + b"\n" + code


def _altered(text: bytes) -> bytes:
    return text[:-9] + bytes([text[-9] ^ 1]) + text[-8:]


@pytest.mark.parametrize(
    "spoilt", [lambda text: b"", lambda text: text[:-99], lambda text: b"[1]\n" + text, _unknown, _altered]
)
def test_what_cannot_be_used_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoilt: Callable[[bytes], bytes]
) -> None:
    monkeypatch.setattr(kept, "place", lambda folder: tmp_path)
    expected = _tabulated(_fresh())
    (file,) = tmp_path.glob("*.ready")
    good = file.read_bytes()
    file.write_bytes(spoilt(good))
    assert _tabulated(_fresh()) == expected
    assert file.read_bytes() == good


def test_settings_of_numba_are_for_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ready._machine.__wrapped__()
    monkeypatch.setenv("NUMBA_OPT", "0")
    assert ready._machine.__wrapped__() is None


def test_a_numba_of_other_parts_runs_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise ImportError

    monkeypatch.setattr(ready, "_runtime", broken)
    assert ready._machine.__wrapped__() is None


def test_folders_that_cannot_be_written_are_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(kept, "place", lambda folder: tmp_path / "file")
    assert _tabulated(_fresh()) == _tabulated(hashing.tabulate)


LATER = """
import sys
from pathlib import Path
from homing import kept
kept.place = lambda folder: Path(sys.argv[1])
from homing.ready import Kernel
import numpy as np

kernel = Kernel("homing.engines.local.kernels.hashing", "tabulate")

def tabulated(step):
    seed, table = np.arange(5, 11, dtype=np.uint64)[::step], np.zeros(16, np.uint64)
    kernel(seed, np.arange(len(seed), dtype=np.uint32), np.full(len(seed), 3, np.uint32), table)
    return [int(number) for number in table]

found = [(tabulated(step), "numba" in sys.modules) for step in (1, 2, 1)]
print(found)
"""


def test_numba_may_come_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "place", lambda folder: tmp_path)
    once, twice = _tabulated(_fresh()), _tabulated(hashing.tabulate, 2)
    command = [sys.executable, "-c", LATER, str(tmp_path)]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    assert shown.stdout.strip() == str([(once, False), (twice, True), (once, True)])
