"""UPPAAL's catalogue; the answers come from region graphs (`tests/languages/uppaal/verdicts.py`)."""

from __future__ import annotations

from collections.abc import Iterator

from tests.languages.catalogue.case import Case, Notation
from tests.languages.catalogue.uppaal import networks, timed
from tests.languages.catalogue.uppaal.construct import products
from tests.languages.catalogue.uppaal.contexts import contexts, pairs
from tests.languages.catalogue.uppaal.expressions import constructs
from tests.languages.uppaal.verdicts import COUNTED

from homing.core.result import Report, Result
from homing.core.verdict import Verdict

MAIN = ("update", "guard", "function: return", "sup and inf", "constant", "update of a receiver")
"""Contexts in which every expression stands; those of the core stand in all."""
CORE = (
    *("a boolean variable", "an element", "/", "&& stops", "?:", "< before ==", "a function in its own argument"),
    *("for over a named type", "++ behind", "a function that changes a reference"),
)
PAIRED = ("an element", "a function in its own argument")
"""Expressions that stand in all pairs of contexts."""
OUTER = (
    *("update", "guard", "invariant", "function: return", "index that is assigned", "body of sum", "argument"),
    *("index of a channel that sends", "guard of a listener", "sup and inf", "A[]", "constant", "end of a range"),
)


def cases() -> Iterator[Case]:
    """Expressions in their contexts and pairs of these, clocks, channels and processes."""
    known, every = {each.name: each for each in contexts()}, list(constructs())
    assert {*MAIN, *OUTER} <= set(known)
    core = [each for each in every if each.name in CORE]
    yield from products(core, known.values())
    yield from products([each for each in every if each not in core], [known[name] for name in MAIN])
    for name in OUTER:
        yield from products([each for each in every if each.name in PAIRED], pairs(known[name]))
    yield from timed.cases()
    yield from networks.cases()


def answer(report: Report) -> str:
    """The verdict of each query, and of `sup` and `inf` the value, with the number of states where it is counted."""
    return ", ".join(map(_told, report.results))


def _told(result: Result) -> str:
    kind = result.property[:3]
    if kind not in ("sup", "inf") or result.verdict is Verdict.UNKNOWN:
        return result.verdict.name
    counted = f" of {result.counts.distinct} states" if result.property.startswith(COUNTED) else ""
    if result.verdict is Verdict.VIOLATED:
        return f"none{counted}"
    value = "unbounded" if result.value is None else result.value
    near = "near " if "as near to" in (result.reason or "") else ""
    return f"{kind} {near}{value}{counted}"


REFUSED = {"* @ guard of an urgent channel": "is urgent, so no clock may be in the guard"}
NOTATION = Notation("uppaal", "UPPAAL", cases, answer, REFUSED)
