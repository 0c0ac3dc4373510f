"""Chooses an engine: the local one first; where states are too many to list, another one is used or named."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from homing.core.errors import TooWide
from homing.core.model import Model
from homing.core.result import Exploration, Options

if TYPE_CHECKING:
    from homing.engines.local.engine import Check

FAR_MORE = 100
"""States for each value in a slot: with so many, states are combinations of few parts, and sets of them are small."""


def check(model: Model, options: Options) -> Exploration:
    """What the local engine finds; the symbolic one, where states cannot even be listed."""
    # Compiled code takes a while to load, so an engine is imported when it is used.
    from homing.engines.local.engine import Check

    try:
        run = Check(model, options)
        found = run.run()
    except TooWide as why:
        return _symbolic(model, options, why)
    if isinstance(found.report.error, TooWide):
        return _symbolic(model, options, found.report.error)
    if found.reason is None or found.report.error is not None:
        return found
    return _noted(found, _advice(run))


def _symbolic(model: Model, options: Options, why: TooWide) -> Exploration:
    from homing.engines.symbolic.engine import check as check_symbolically

    return _noted(check_symbolically(model, options), f"the symbolic engine was chosen, since {why.message}")


def _noted(found: Exploration, note: str) -> Exploration:
    engine = dict(found.report.engine)
    engine["notes"] = [note, *engine.get("notes", ())]
    return replace(found, report=replace(found.report, engine=engine))


def _advice(run: Check) -> str:
    """Which engine may get further, and what speaks for it."""
    search = run.search
    values = sum(len(slot) for slot in search.evaluator.numbering.slots)
    states, slots = len(search.visited), len(run.model.system.shape.slots)
    sizes = [len(level) for level in search.visited.forwards()]
    growth = [later / earlier for earlier, later in pairwise(sizes) if earlier]
    evidence = f"{states:,} states were found, with {values:,} different values in {slots} slots"
    if growth:
        evidence += f", the last level {growth[-1]:.2g} times as large as the one before"
    if states >= FAR_MORE * values:
        return f"--engine symbolic may get further: {evidence}, so states combine few parts"
    return f"--engine spark may get further, with more machines or disk: {evidence}, so sets of them are not small"
