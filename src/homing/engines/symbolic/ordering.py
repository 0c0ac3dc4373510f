"""An order of the slots in which those that depend on each other are near each other."""

from __future__ import annotations

from homing.core.system import Shape

ROUNDS = 60


def order_of(shape: Shape) -> list[int]:
    """After Aloul, Markov and Sakallah, "FORCE: a fast and easy-to-implement variable-ordering heuristic" (2003): every
    group pulls its slots to their centre of gravity, and the order with the least span is kept."""
    edges = [sorted({*(read.slot for read in group.reads), *group.writes}) for group in shape.groups]
    edges = [edge for edge in edges if len(edge) > 1]
    order = list(range(len(shape.slots)))
    best, least = order, _span(edges, order)
    for _ in range(ROUNDS):
        order = _pulled(edges, order)
        span = _span(edges, order)
        if span >= least:
            break
        best, least = order, span
    return best


def _pulled(edges: list[list[int]], order: list[int]) -> list[int]:
    place = {slot: number for number, slot in enumerate(order)}
    pull: dict[int, list[float]] = {slot: [] for slot in order}
    for edge in edges:
        centre = sum(place[slot] for slot in edge) / len(edge)
        for slot in edge:
            pull[slot].append(centre)
    centres = {slot: sum(pulls) / len(pulls) if pulls else place[slot] for slot, pulls in pull.items()}
    return sorted(order, key=lambda slot: (centres[slot], place[slot]))


def _span(edges: list[list[int]], order: list[int]) -> int:
    place = {slot: number for number, slot in enumerate(order)}
    return sum(max(place[slot] for slot in edge) - min(place[slot] for slot in edge) for edge in edges)
