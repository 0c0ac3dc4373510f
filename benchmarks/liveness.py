"""What liveness costs, as a multiple of exploring the same graph: with weak and strong fairness, at three sizes.

    ./homing bench liveness          # or: python benchmarks/liveness.py [largest number of transitions]

The system: N processes go round through k phases, and enter the last one only while nobody else is in it. Entering is
strongly fair, the rest weakly, a condition a process: 2 N conditions. The graph is one big component, which is the hard
case: nothing can be left out, and removal for strong fairness splits it again and again.
"""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

from benchmarks import ratios
from homing import engines
from homing.core.builder import Builder, step
from homing.core.formula import Action, Formula, Happens, Holds, always, eventually, leads_to, on_all_paths
from homing.core.model import Model
from homing.core.system import Step
from homing.core.temporal import Fairness, Strong, Temporal, Weak
from homing.engines.local.engine import cores
from homing.engines.local.graph import explore
from homing.properties.checker import Checker

PROCESSES = 5
SIZES = (7, 12, 18)
"""Phases: about 10^5, 10^6 and 10^7 transitions."""

T = TypeVar("T")


def model(phases: int) -> Model:
    """N processes, k phases, one critical section."""
    build = Builder("rounds")
    lock = build.slot("lock", None)
    last = phases - 1
    slots = [build.slot("phase", 0, index=(process,)) for process in range(PROCESSES)]
    for process, slot in enumerate(slots):
        _process(build, process, slot, lock, last)
    build.label("waits", [slots[0]], lambda phase: phase == last - 1)
    build.label("inside", [slots[0]], lambda phase: phase == last)
    build.always("one at a time", slots[:2], lambda *phases: sum(phase == last for phase in phases) <= 1)
    return build.model()


def _process(build: Builder, process: int, slot: int, lock: int, last: int) -> None:
    @build.group(f"walk {process}", reads=[slot], writes=[slot])
    def walk(phase: int) -> Iterator[Step]:
        if phase < last - 1:
            yield step("walk", {slot: phase + 1})

    @build.group(f"enter {process}", reads=[slot, lock], writes=[slot, lock])
    def enter(phase: int, holder: int | None) -> Iterator[Step]:
        if phase == last - 1 and holder is None:
            yield step(f"enter {process}", {slot: last, lock: process})

    @build.group(f"leave {process}", reads=[slot, lock], writes=[slot, lock])
    def leave(phase: int, holder: int | None) -> Iterator[Step]:
        if phase == last:
            yield step("leave", {slot: 0, lock: None})


def fairness(strong: bool) -> tuple[Fairness, ...]:
    """Weak fairness of walking and leaving; of entering, weak or strong."""
    kind = Strong if strong else Weak
    walking = [Weak(Action(frozenset({f"walk {p}", f"leave {p}"}))) for p in range(PROCESSES)]
    return (*walking, *(kind(Action(frozenset({f"enter {p}"}))) for p in range(PROCESSES)))


def questions() -> dict[str, tuple[Formula, tuple[Fairness, ...]]]:
    """By name, a formula and its fairness."""
    response = leads_to(Holds("waits"), Holds("inside"))
    by_event = always(eventually(Happens("enter 0")))
    return {
        "waits ~> inside, weak and strong": (response, fairness(True)),
        "waits ~> inside, weak only": (response, fairness(False)),
        "[]<> enter (event), weak and strong": (by_event, fairness(True)),
        "AG AF inside, weak and strong": (
            on_all_paths(always(on_all_paths(eventually(Holds("inside"))))),
            fairness(True),
        ),
    }


def timed(call: Callable[[], T]) -> tuple[float, T]:
    """How long a call takes, and what it returns."""
    begun = time.perf_counter()
    result = call()
    return time.perf_counter() - begun, result


def measure(phases: int) -> list[str]:
    """One size: each question as a multiple of the exploration."""
    asked = model(phases)
    exploring, _ = timed(lambda: engines.check(asked))
    both, graph = timed(lambda: explore(asked.system, threads=cores()))
    lines = [
        f"{graph.states:,} states, {graph.edges:,} transitions: exploring 1.00 ({exploring:.2f} s), "
        f"exploring and keeping the graph {both / exploring:.2f}"
    ]
    for name, (formula, fair) in questions().items():
        prop = Temporal(name, formula, fair).resolved(asked.system.shape)
        checker = Checker(asked.system, graph)
        seconds, found = timed(functools.partial(checker.check, prop))
        if graph.edges > 1e6:
            what = f"{name}, {graph.edges:,} transitions"
            ratios.add(what, "exploring the same graph", f"{seconds:.2f} s", f"{exploring:.2f} s", exploring / seconds)
        lines.append(
            f"    {name:38} {found.verdict.name:9} {seconds / exploring:5.2f} × exploring,"
            f" {seconds / graph.edges * 1e9:4.0f} ns a transition"
        )
    return lines


def main(largest: float = 2e7) -> None:
    """All sizes up to the largest asked for; a small one first, unseen, for the compiler."""
    seconds, _ = timed(lambda: measure(4))
    print(f"compiled or loaded in {seconds:.0f} s")
    for phases in SIZES:
        if PROCESSES * phases**PROCESSES <= largest:
            print("\n".join(measure(phases)), flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 2e7)
