"""The random systems of the core's tests, written out and read back."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests import reference
from tests.scale import scaled
from tests.systems import joint, plain, walks

from homing.core.errors import HomingError
from homing.core.system import TransitionSystem
from homing.core.wrappers import Constrained
from homing.engines.local.graph import explore
from homing.languages.smv import model
from homing.languages.smv.tokens import Source
from homing.languages.smv.writing import write


@pytest.mark.slow
@settings(max_examples=scaled(40), deadline=None, suppress_health_check=list(HealthCheck))
@given(system=st.one_of(plain, joint, walks))
def test_a_system_written_and_read_back(system: TransitionSystem) -> None:
    """As many states, steps, ends and initial states; the labels' values are definitions of the text."""
    expected = reference.explore(system, most=120)
    assume(expected is not None and len(expected.edges) < 600)
    assert expected is not None
    again = model(Source("again.smv", write(system))).system
    found = reference.explore(again, most=200)
    assert found is not None
    assert (found.distinct, found.depth, found.deadlocks) == (expected.distinct, expected.depth, expected.deadlocks)
    assert len({(a, b) for a, _, b in found.edges}) == len({(a, b) for a, _, b in expected.edges})
    graph = explore(again)
    assert graph.states == expected.distinct
    assert len(set(zip(graph.source.tolist(), graph.target.tolist(), strict=True))) == len(
        {(a, b) for a, _, b in expected.edges}
    )


def test_what_nusmv_has_not() -> None:
    from tests.systems import RandomSystem

    system = RandomSystem(1, 2, 2, 1, 3, 1)
    with pytest.raises(HomingError, match="a system with constraints cannot be written as NuSMV"):
        write(Constrained(system, ["l0"]))
    with pytest.raises(HomingError, match="a system with more than 1 states is not written out"):
        write(RandomSystem(7, 3, 4, 1, 12, 2), most=1)
