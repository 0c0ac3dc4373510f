"""NuSMV text of routing tables: one DEFINE a broker, one CTL specification a pair (thesis, 5.2.6, 5.4.1 and 6.4).

Brokers are numbered from 1 in their declared order. A message has a source, a destination and a location; at 0 it is
lost. Only what NuSMV 2.5 knows is used: no ranges inside sets, no names of the network's own outside comments.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from homing.overlay.export.subpaths import Pair
from homing.overlay.network import Network
from homing.report.wording import printable

LOST = 0
WIDTH = 118


@dataclass(frozen=True)
class Entry:
    """A line of a broker's table: these destinations, under these colours (all when None), go to the next hop."""

    destinations: tuple[int, ...]
    hop: int
    colours: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Down:
    """What carries nothing under a colour (under all when None): directed links, as pairs of brokers."""

    arcs: tuple[Pair, ...]
    colour: int | None = None
    about: str = ""


@dataclass(frozen=True)
class Spec:
    """Messages of a pair arrive; `colours` restricts it to some, `about` is said in a comment before it."""

    name: str
    pair: Pair
    colours: tuple[int, ...] | None = None
    about: str = ""


def model(
    network: Network, tables: Sequence[Sequence[Entry]], colours: int = 0, down: Sequence[Down] = ()
) -> Iterator[str]:
    """The lines of the module `main`; the number of colours is 0 where there is only the normal state."""
    size = len(network.brokers)
    yield "MODULE main"
    if colours:
        yield "FROZENVAR"
        yield f"  colour : 1..{colours};"
    yield "VAR"
    yield f"  src  : 1..{size};"
    yield f"  dest : 1..{size};"
    yield f"  loc  : {LOST}..{size};"
    yield "ASSIGN"
    yield "  init(loc)  := src;"
    yield "  next(src)  := src;"
    yield "  next(dest) := dest;"
    yield "  next(loc)  := case"
    yield "      loc = dest : loc;"
    if down:
        yield f"      lost : {LOST};"
    yield "      TRUE : hop;"
    yield "    esac;"
    yield "DEFINE"
    for number, entries in enumerate(tables, start=1):
        yield from _table(number, entries)
    yield "  -- What the broker that has the message does with it."
    yield "  hop := case"
    yield from (f"      loc = {number} : hop_{number};" for number in range(1, size + 1))
    yield f"      TRUE : {LOST};"
    yield "    esac;"
    if down:
        yield from _lost(down)


def _table(number: int, entries: Iterable[Entry]) -> Iterator[str]:
    yield f"  hop_{number} := case"
    for entry in entries:
        colours = "" if entry.colours is None else f" & {_among('colour', entry.colours)}"
        destinations = [destination + 1 for destination in entry.destinations]
        yield from _wrapped(f"      {_among('dest', destinations)}{colours} : {entry.hop + 1};")
    yield f"      TRUE : {LOST};"
    yield "    esac;"


def _lost(down: Iterable[Down]) -> Iterator[str]:
    yield "  -- Sent over something that is down."
    yield "  lost := case"
    for part in down:
        if part.about:
            yield f"      -- {part.about}"
        sent = " | ".join(f"(loc = {u + 1} & hop = {v + 1})" for u, v in part.arcs) or "FALSE"
        yield from _wrapped(f"      {'TRUE' if part.colour is None else f'colour = {part.colour}'} : {sent};")
    if all(part.colour is not None for part in down):
        yield "      TRUE : FALSE;"
    yield "    esac;"


def _among(variable: str, values: Sequence[int]) -> str:
    if len(values) == 1:
        return f"{variable} = {values[0]}"
    return f"{variable} in {{{', '.join(map(str, values))}}}"


def _wrapped(line: str) -> Iterator[str]:
    """Long lines cut at blanks: sets and disjunctions can name every broker."""
    while len(line) > WIDTH:
        cut = line.rfind(" ", 10, WIDTH)
        yield line[:cut]
        line = "        " + line[cut + 1 :]
    yield line


def deliveries(specs: Iterable[Spec]) -> Iterator[str]:
    """Formula 5-10 for each: whoever starts on the way arrives."""
    for spec in specs:
        if spec.about:
            yield from comment(spec.about)
        u, v = spec.pair[0] + 1, spec.pair[1] + 1
        under = "" if spec.colours is None else f" & {_among('colour', spec.colours)}"
        yield f"CTLSPEC NAME {spec.name} :="
        ends = f"src = {u} & dest = {v}"
        yield from _wrapped(f"  ({ends} & loc = {u}{under}) -> AF ({ends} & loc = {v});")


def loops(network: Network) -> Iterator[str]:
    """No message comes to a broker twice: what formula 5-12 means.

    As printed it asks whether `src` changes, which it never does. With `loc` in its place it asks whether the message
    leaves once more, which it does in a loop, too.
    """
    for b in range(1, len(network.brokers) + 1):
        yield f"CTLSPEC NAME no_loop_at_{b} := AG ((loc = {b} & dest != {b}) -> AX AG (loc != {b}));"


def comment(text: str) -> Iterator[str]:
    """Comment lines; whatever a name holds, it stays inside them."""
    line = "--"
    for word in text.split(" "):
        if len(line) + len(word) + 1 > WIDTH and line != "--":
            yield line
            line = "--  "
        line += " " + word
    yield line


def quoted(name: str) -> str:
    """A name for a comment: plain ASCII on one line, in quotes unless it is a number."""
    return name if name.isascii() and name.isdecimal() else printable(json.dumps(name))
