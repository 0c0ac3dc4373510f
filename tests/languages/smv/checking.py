"""Short ways to ask about a text."""

from __future__ import annotations

from homing import checking
from homing.core.errors import HomingError
from homing.core.result import Options, Report
from homing.engines.local.graph import explore
from homing.languages.smv import model
from homing.languages.smv.tokens import Source


def report(text: str) -> Report:
    found = checking.check(model(Source("x.smv", text)), options=Options(threads=1))
    if found.error is not None:
        raise found.error
    return found


def verdicts(text: str) -> str:
    """Of each property a letter: H, V or U."""
    return "".join(result.verdict.name[0] for result in report(text).results)


def states(text: str) -> set[tuple[object, ...]]:
    """The values of all variables in each reachable state."""
    system = model(Source("x.smv", text)).system
    graph, show = explore(system), system.shape.notation.state
    assert show is not None
    return {show(graph.state(number)) for number in range(graph.states)}


def refusal(text: str) -> str:
    """The sentence that a text is refused with, while it is read or while it runs."""
    try:
        report(text)
    except HomingError as error:
        return str(error)
    raise AssertionError("it is accepted")
