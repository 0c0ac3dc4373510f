"""SYMMETRY together with VIEW: states are one when views of their images are, on every engine and in every run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest
from tests.languages.tla.support import write

from homing import checking
from homing.core.result import Distribution, Options
from homing.languages.tla import load_one

# `hist`, which views leave out, is declared first: what is compared first once decided which image stands for all.
SPEC = """
EXTENDS Naturals, FiniteSets, TLC
CONSTANTS C, N
VARIABLES hist, owner, sent
Init == hist = {} /\\ owner = [c \\in C |-> "none"] /\\ sent = {}
Take(c, n) ==
    /\\ owner[c] = "none"
    /\\ owner' = [owner EXCEPT ![c] = n]
    /\\ sent' = sent \\cup {[to |-> c, about |-> n]}
    /\\ hist' = hist \\cup {<<c, n, Cardinality(sent)>>}
Give(c) == owner[c] /= "none" /\\ owner' = [owner EXCEPT ![c] = "none"] /\\ UNCHANGED <<sent, hist>>
Next == \\E c \\in C : Give(c) \\/ \\E n \\in N : Take(c, n)
Symmetry == Permutations(C) \\cup Permutations(N)
sub == <<sent>>
About(c) == {m.about : m \\in {k \\in sent : k.to = c}}
"""
CONFIG = "CONSTANTS C = {c1, c2, c3} N = {n1, n2} INIT Init NEXT Next SYMMETRY Symmetry VIEW View CHECK_DEADLOCK FALSE"

CLIENTS, NAMES = range(3), range(2)
State = tuple[tuple[int, ...], frozenset[tuple[int, int]]]
"""Owners (-1 for none) and what was sent; what happens does not depend on `hist`."""

VIEWS: dict[str, Callable[[State], Any]] = {
    "<<owner, sub>>": lambda state: (state[0], sorted(state[1])),
    "owner": lambda state: state[0],
    "[of |-> sub, at |-> owner]": lambda state: (state[0], sorted(state[1])),
    "{<<c, owner[c]>> : c \\in C}": lambda state: state[0],
    "[c \\in C |-> <<owner[c], About(c)>>]": lambda state: (state[0], sorted(state[1])),
    'Cardinality({c \\in C : owner[c] # "none"})': lambda state: sum(owner >= 0 for owner in state[0]),
    "<<Cardinality(sent), sent, owner>>": lambda state: (state[0], sorted(state[1])),
}
"""Views of which each tells all that decides how the view goes on, so that all orders of search count the same."""


def _after(state: State) -> Iterator[State]:
    owner, sent = state
    for client in CLIENTS:
        for name in NAMES if owner[client] < 0 else (-1,):
            new = (*owner[:client], name, *owner[client + 1 :])
            yield new, sent if name < 0 else sent | {(client, name)}


def _images(state: State) -> Iterator[State]:
    owner, sent = state
    for clients, names in product(permutations(CLIENTS), permutations(NAMES)):
        moved = [-1] * len(CLIENTS)
        for client in CLIENTS:
            moved[clients[client]] = -1 if owner[client] < 0 else names[owner[client]]
        yield tuple(moved), frozenset((clients[client], names[name]) for client, name in sent)


def _quotient(view: Callable[[State], Any]) -> tuple[int, int]:
    """By brute force: how many different views there are up to symmetry, and on how many levels."""
    start: State = ((-1, -1, -1), frozenset())
    known, level, depth = {repr(min(map(view, _images(start))))}, [start], 0
    while level:
        depth += 1
        found = []
        for state in (after for before in level for after in _after(before)):
            seen = repr(min(map(view, _images(state))))
            if seen not in known:
                known.add(seen)
                found.append(state)
        level = found
    return len(known), depth


def _options(engine: str, threads: int, folder: Path) -> Options:
    spread = Distribution(partitions=3, folder=str(folder / "run"), most_edges=0) if engine == "spark" else None
    return Options(threads=threads, distribution=spread) if spread else Options(threads=threads)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize(("engine", "threads"), [("local", 1), ("local", 3), ("symbolic", 1), ("spark", 1)])
def test_every_engine_counts_the_exact_quotient(view: str, engine: str, threads: int, tmp_path: Path) -> None:
    model = load_one(write(tmp_path, f"{SPEC}View == {view}\n", CONFIG))
    counts = checking.check(model, engine, _options(engine, threads, tmp_path)).results[0].counts
    assert (counts.distinct, counts.depth) == _quotient(VIEWS[view])


def test_a_symmetry_that_moves_parts_of_different_keys(tmp_path: Path) -> None:
    """Init chooses who has what, so one client's function has keys that another's has not."""
    spec = """
    EXTENDS Naturals, TLC
    CONSTANTS C, N
    VARIABLES has
    Init == has = [c \\in C |-> [n \\in (IF c = CHOOSE k \\in C : TRUE THEN {} ELSE N) |-> 0]]
    Next == \\E c \\in C, n \\in N : n \\in DOMAIN has[c] /\\ has' = [has EXCEPT ![c][n] = 1 - @]
    Symmetry == Permutations(C) \\cup Permutations(N)
    """
    config = "CONSTANTS C = {c1, c2, c3} N = {n1, n2} INIT Init NEXT Next SYMMETRY Symmetry CHECK_DEADLOCK FALSE"
    counts = checking.check(load_one(write(tmp_path, spec, config))).results[0].counts
    # As TLC counts. Two clients with two names each, of which some are up; 7 up to both symmetries.
    assert (counts.distinct, counts.depth) == (7, 5)
