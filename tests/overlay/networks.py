"""Small random networks of every sort, for hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from homing.core.errors import Place
from homing.overlay.draft import Draft
from homing.overlay.network import Network

HERE = Place("generated")


@st.composite
def networks(draw: st.DrawFn, *, timed: bool = False, uniform: bool | None = None, most: int = 8) -> Network:
    """Islands, parallel and directed links, links that cost nothing: all are allowed."""
    n = draw(st.integers(2, most))
    costs = (
        st.just(2.5)
        if (uniform if uniform is not None else draw(st.booleans()))
        else st.sampled_from([0, 0.5, 1, 2, 3])
    )
    draft = Draft("generated", HERE)
    for number in range(1, n + 1):
        draft.broker(number, HERE)
    for number in range(draw(st.integers(1, 2 * n))):  # one at least: asking for failures of none is refused
        a, b = draw(st.integers(1, n)), draw(st.integers(1, n - 1))
        latency = draw(st.integers(0, 9)) if timed else 0
        directed = draw(st.integers(0, 4)) == 0
        # A name of its own makes a link parallel to another.
        cost, name = draw(costs), f"link {number}"
        draft.link(a, b + (b >= a), HERE, cost=cost, latency_ms=latency, directed=directed, name=name)
    if timed or draw(st.booleans()):
        for number in range(draw(st.integers(1, 4))):
            ends = st.lists(st.integers(1, n), max_size=3, unique=True)
            deadline = draw(st.integers(0, 30)) if timed else None
            draft.topic(number + 1, draw(ends), draw(ends), HERE, deadline)
    return draft.build()
