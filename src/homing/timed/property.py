"""What is asked of systems with clocks, as UPPAAL asks it; each has the label of a condition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from homing.core.property import OnGraph


@dataclass(frozen=True)
class Reachable(OnGraph):
    """`E<> p`: p holds somewhere. `where` is p."""

    where: int


@dataclass(frozen=True)
class Invariant(OnGraph):
    """`A[] p`: p holds everywhere. `where` is **not p**.

    For `A[] (p imply q)`, `trigger` is p: where it never holds, nothing was asked.
    """

    where: int
    trigger: int | None = None


@dataclass(frozen=True)
class Forever(OnGraph):
    """`E[] p`: on some maximal run p holds throughout. `where` is p."""

    where: int


@dataclass(frozen=True)
class Inevitable(OnGraph):
    """`A<> p`: on every maximal run p holds at some time. `where` is **not p**."""

    where: int


@dataclass(frozen=True)
class LeadsTo(OnGraph):
    """`p --> q`: whenever p holds, q is inevitable. `where` is p, `until` is **not q**."""

    where: int
    until: int


@dataclass(frozen=True)
class Bound(OnGraph):
    """`sup{p}: e` or `inf{p}: e`: e is a clock's number, or an int label where `clock` is False."""

    where: int
    of: int
    clock: bool
    sense: Literal["sup", "inf"]
    sources: frozenset[int] = frozenset()
    """The clocks that this one may get its value from, also through others."""


@dataclass(frozen=True)
class Refused(OnGraph):
    """What cannot be decided here, and why; it does not keep the others from being asked."""

    why: str
