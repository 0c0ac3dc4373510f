"""Random models against a naive reading of them."""

from __future__ import annotations

import pytest
from tests.languages.smv.oracle import Drawing, key
from tests.scale import scaled

from homing.core.errors import HomingError
from homing.engines.local.graph import explore
from homing.languages.smv import model
from homing.languages.smv.tokens import Source

BATCH = 60


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(4))
def test_states_and_steps(batch: int) -> None:
    size = scaled(BATCH)
    compared = sum(compare(seed) for seed in range(batch * size, (batch + 1) * size))
    assert compared > size // 2


def compare(seed: int) -> bool:
    """Whether the model has a state at all, and then the same states and steps."""
    drawing = Drawing(seed)
    text = drawing.text()
    states, edges = drawing.model.explore()
    system = model(Source("random.smv", text)).system
    if not states:
        with pytest.raises(HomingError, match="no initial state"):
            explore(system)
        return False
    graph = explore(system)
    show = system.shape.notation.state
    names = system.shape.notation.slots
    assert show is not None
    assert names == tuple(drawing.model.kinds)
    found = [key(dict(zip(names, show(graph.state(number)), strict=True))) for number in range(graph.states)]
    assert set(found) == states, (seed, text)
    assert len(found) == len(states)
    pairs = {(found[one], found[other]) for one, other in zip(graph.source, graph.target, strict=True)}
    assert pairs == edges, (seed, text)
    return True
