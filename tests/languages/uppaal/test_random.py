"""Random systems: what is said about them against their region graphs."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
from tests.languages.uppaal.drawing import MOST
from tests.languages.uppaal.model import Expr, System
from tests.languages.uppaal.regions import FAR, Network, Node, TooLarge
from tests.languages.uppaal.systems import Systems
from tests.languages.uppaal.writing import expression, xml
from tests.scale import scaled

import homing
from homing.core.result import Result
from homing.core.verdict import Verdict

COUNT = 4
"""Of each kind, and each is asked several queries."""
MOST_STATES = 20
"""A query that lists all discrete states lists no more than these."""
Query = tuple[str, Callable[[Network, Result], bool]]
"""How it is asked, and whether the answer is right."""


def said(verdict: Callable[[Network], bool]) -> Callable[[Network, Result], bool]:
    return lambda network, result: (result.verdict is Verdict.HOLDS) == verdict(network)


def measured(kind: str, of: Expr, where: Expr) -> Callable[[Network, Result], bool]:
    def right(network: Network, result: Result) -> bool:
        values = [network.measured(of, node) for node in network.nodes if network.holds(where, node)]
        if not values:
            return result.verdict is Verdict.VIOLATED
        value = max(values) if kind == "sup" else min(values)
        return attained(kind, value, result) if isinstance(value, tuple) else result.value == value

    return right


def attained(kind: str, value: tuple[int, int], result: Result) -> bool:
    """A clock; how far one goes that passes the greatest constant is not known."""
    if value == FAR:
        return result.value is None or result.value > MOST
    whole, rank = value
    near = "near" in (result.reason or "")
    return near == bool(rank) and result.value == whole + (bool(rank) and kind == "sup")


def queries(drawn: Systems, system: System) -> list[Query]:
    names = drawn.asked(system)
    p, q, r, s, t, u = (drawn.condition(system, names) for _ in range(6))
    number = drawn.integer(names, 2)
    found: list[Query] = [
        ("A[] true", said(lambda _: True)),
        reached(p),
        reached(q),
        (f"A[] {expression(r)}", said(lambda network: not network.reachable(("!", r)))),
        ("A[] not deadlock", said(lambda network: not network.deadlock())),
        (f"E[] {expression(s)}", said(lambda network: network.stays(s))),
        (f"A<> {expression(t)}", said(lambda network: not network.stays(("!", t)))),
        (f"{expression(u)} --> {expression(s)}", said(lambda network: network.leads(u, s))),
        (f"inf{{{expression(u)}}}: {expression(number)}", measured("inf", number, u)),
    ]
    clock = drawn.single_clock(system, names)
    if clock is not None:
        found.append((f"inf{{{expression(t)}}}: {expression(clock)}", measured("inf", clock, t)))
    return found


def states(drawn: Systems, network: Network) -> list[Query]:
    """Whether some states can be reached, and no others."""
    different = dict.fromkeys(map(network.discrete, network.nodes))
    found: list[Query] = []
    if len(different) <= MOST_STATES:
        every = reduce(lambda one, other: ("||", one, other), different)
        found.append((f"A[] {expression(every)}", said(lambda _: True)))
    for one, other in zip(*(drawn.random.choices(network.nodes, k=3) for _ in range(2)), strict=True):
        mixed = Node((one.state[0], other.state[1]))
        found += [reached(network.exact(one)), reached(network.exact(mixed))]
    return found


def reached(condition: Expr) -> Query:
    return f"E<> {expression(condition)}", said(lambda network: network.reachable(condition))


def compare(folder: Path, seed: int, kind: dict[str, bool]) -> int:
    """Checks one system; how many states it has."""
    drawn = Systems(seed, **kind)
    system = drawn.system()
    drawn.risky = False
    asked = queries(drawn, system)
    network = Network(system, 2 * MOST + 3 if drawn.diagonal else MOST + 1, limit=600)
    try:
        if not network.explore():
            return 0
    except TooLarge:
        return 0
    if not network.errors:
        asked += states(drawn, network)
    text = xml(system, [query for query, _ in asked])
    file = folder / "model.xml"
    file.write_text(text, encoding="utf-8")
    report = homing.load(file).check()
    assert (report.error is not None) == bool(network.errors), (seed, report.error, network.errors, text)
    if network.errors:
        return len(network.nodes)
    results = {result.property: result for result in report.results}
    for query, right in asked:
        assert right(network, results[" ".join(query.split())]), (seed, query, results[query], text)
    return len(network.nodes)


KINDS: list[Any] = [{}, {"risky": True}, {"ranked": True}, {"diagonal": True}]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: " ".join(kind) or "plain")
def test_random_systems(tmp_path: Path, kind: dict[str, bool]) -> None:
    assert sum(compare(tmp_path, seed, kind) for seed in range(scaled(COUNT)))
