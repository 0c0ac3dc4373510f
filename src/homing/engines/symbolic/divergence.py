"""Divergence: a behaviour that does internal steps only from some point on."""

from __future__ import annotations

from homing.core.formula import Formula, Happens, Operation
from homing.core.temporal import DivergenceFree
from homing.core.verdict import Verdict
from homing.engines.symbolic.arena import Arena, step_atoms
from homing.engines.symbolic.paths import Walker, trace_of
from homing.engines.symbolic.play import Link, Play
from homing.engines.symbolic.temporal import Finding


def check(prop: DivergenceFree, arena: Arena) -> Finding:
    """Looks for a cycle of internal steps."""
    internal: Formula = Operation("or", tuple(Happens(name) for name in sorted(prop.hidden)))
    atoms = step_atoms([internal])
    kinds = arena.classes(atoms)
    links = [Link(0, 0, number, arena.states, inside=kind.true != 0) for number, kind in enumerate(kinds)]
    play = Play(arena, kinds, 1, links)
    found = play.fair([arena.states], ())
    if not play.any(found[0]):
        some = any(arena.before(kind, arena.states).satisfiable() for kind in kinds if kind.true)
        return Finding(Verdict.HOLDS, vacuous=None if some else "there are no internal steps")
    walker = Walker(play, atoms)
    first, way, cycle = walker.lasso([arena.initial], found, ())
    path = walker.path(first, [*way, *cycle], len(way))
    shown = (str(move.event) for move in path.moves[: len(way)] if move.event.name not in prop.hidden)
    path.notes.append(f"diverges after ⟨{', '.join(shown)}⟩")
    return Finding(Verdict.VIOLATED, trace_of(arena.search, path))
