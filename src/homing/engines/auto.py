"""Chooses an engine: the local one first; where states are too many to list, another one is used or named."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from homing.core.errors import TooWide
from homing.core.model import Model
from homing.core.result import Exploration, Options, Progress
from homing.engines.local.watch import available_mb

if TYPE_CHECKING:
    from homing.engines.local.engine import Check

FAR_MORE = 100
"""States for each value in a slot: with so many, states are combinations of few parts, and sets of them are small."""
LONG, MANY = 60.0, 1_000_000
"""Seconds and states from which another engine is worth a thought, even if the local one gets there."""
MUCH = 0.5
"""Of the machine's memory."""


def check(model: Model, options: Options) -> Exploration:
    """What the local engine finds; the symbolic one, where states cannot even be listed."""
    # Compiled code takes a while to load, so an engine is imported when it is used.
    from homing.engines.local.engine import Check

    options = replace(options, limits=options.limits.started())
    adviser = Adviser(options)
    try:
        run = adviser.run = Check(model, replace(options, show=adviser.show))
        found = run.run()
    except TooWide as why:
        return _symbolic(model, options, why)
    if isinstance(found.report.error, TooWide):
        return _symbolic(model, options, found.report.error)
    if found.report.error is not None:
        return found
    note = _further(run) if found.reason is not None else _better(run)
    return found if note is None else _noted(found, note)


def _symbolic(model: Model, options: Options, why: TooWide) -> Exploration:
    from homing.engines.symbolic.engine import check as check_symbolically

    return _noted(check_symbolically(model, options), f"the symbolic engine was chosen, since {why.message}")


def _noted(found: Exploration, note: str) -> Exploration:
    engine = dict(found.report.engine)
    engine["notes"] = [note, *engine.get("notes", ())]
    return replace(found, report=replace(found.report, engine=engine))


@dataclass
class Adviser:
    """Says once, while a run is long, that another engine may be better."""

    options: Options
    run: Check | None = None
    said: bool = False

    def show(self, progress: Progress) -> None:
        """Shows progress, with the advice as soon as there is one."""
        if not self.said and not progress.note and self.run is not None and progress.seconds >= LONG:
            note = _better(self.run)
            if note is not None:
                self.said, progress = True, replace(progress, note=note)
        self.options.show(progress)


def _size(run: Check) -> tuple[int, int, str]:
    """States, values, and a sentence about them."""
    values = sum(len(slot) for slot in run.search.evaluator.numbering.slots)
    states, slots = len(run.search.visited), len(run.model.system.shape.slots)
    return states, values, f"{states:,} states were found, with {values:,} different values in {slots} slots"


def _combines(run: Check, states: int, values: int) -> bool:
    """Whether sets of states may be small, and the symbolic engine finds more of them without listing any: under a
    symmetry it lists what is new."""
    return states >= FAR_MORE * values and not run.model.system.shape.symmetry


def _better(run: Check) -> str | None:
    """Which engine may do better than this run, long as it is, and what speaks for it."""
    states, values, evidence = _size(run)
    if run.watch.seconds < LONG or states < MANY:
        return None
    if _combines(run, states, values):
        return f"--engine symbolic may be faster: {evidence}, so states combine few parts"
    whole = available_mb()
    if run.watch.memory_mb >= MUCH * whole:
        share = f"{run.watch.memory_mb:,.0f} of this machine's {whole:,.0f} MB are in use"
        return f"--engine spark has room for more, with more machines or disk: {evidence}, and {share}"
    return None


def _further(run: Check) -> str:
    """Which engine may get further than this run, which reached a limit, and what speaks for it."""
    states, values, evidence = _size(run)
    sizes = [len(level) for level in run.search.visited.forwards()]
    growth = [later / earlier for earlier, later in pairwise(sizes) if earlier]
    if growth:
        evidence += f", the last level {growth[-1]:.2g} times as large as the one before"
    if _combines(run, states, values):
        return f"--engine symbolic may get further: {evidence}, so states combine few parts"
    return f"--engine spark may get further, with more machines or disk: {evidence}, so sets of them may not be small"
