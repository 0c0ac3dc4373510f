"""The catalogue of NuSMV; the answers are those of NuSMV itself."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle

from tests.languages.catalogue.case import Case, Choice, Notation
from tests.languages.catalogue.smv.constructs import Construct, constructs
from tests.languages.catalogue.smv.contexts import pairs, singles
from tests.languages.catalogue.smv.refusals import refusals

from homing.core.result import Report

SHARE = 7
"""Constructs outside of the core stand in every seventh context, each in others than the one before."""
EACH = 2
"""Constructs of the core in each pair of contexts."""
LETTERS = {"HOLDS": "H", "VIOLATED": "V", "UNKNOWN": "U"}

REFUSED: dict[str, str] = {
    "* @ COMPUTE": "'COMPUTE' is not supported",
    "COMPUTE @ a whole model": "'COMPUTE' is not supported",
    "process @ *": "'process' is asynchronous",
    "ISA @ *": "'ISA' is not supported",
    "PSLSPEC @ *": "'PSLSPEC' is not supported",
    "no initial state @ a whole model": "the model has no initial state",
    "no state @ a whole model": "the model has no initial state",
    "an empty array @ *": "an array of 0 elements",
    "n in {b, 1} or not @ *": "a truth value is wanted here, not a number",
    "n in 2..1 or not @ *": "the range 2..1 is empty",
    "u >> -1 = u or not @ *": "a shift by -1",
    "a = a or not @ *": "an array stands where a value is wanted",
    "g[1] = g[1] or not @ *": "an array stands where a value is wanted",
    "a[b] = 1 or not @ *": "a number is wanted here, not a truth value",
    "FALSE ? a[7] = 1 : b or not @ *": "index 7 is not in 0..2",
    "next(b) or not @ INVARSPEC": "'next' has no meaning in a specification",
    "next(n) in {next(m)} or not @ INVARSPEC": "'next' has no meaning in a specification",
    "* @ LTL of a next value": "'next' has no meaning in a specification",
    "* @ INVARSPEC of a next value": "'next' has no meaning in a specification",
}
TRUTH = "0 and 1 stand for truth values, as they did before NuSMV 2.5"
CRASH = "NuSMV 2.6.0 ends without an answer"
CHOICES = {
    "b in {0, 1} or not @ CTLSPEC": Choice("HH 2/2", TRUTH),
    "b in {0, 1} or not @ INVARSPEC": Choice("HH 2/2", TRUTH),
    "b in {0, 1} or not @ *": Choice("H 2/2", TRUTH),
    "b = 1 or not @ CTLSPEC": Choice("HH 2/2", TRUTH),
    "b = 1 or not @ INVARSPEC": Choice("VH 2/2", TRUTH),
    "b = 1 or not @ *": Choice("H 2/2", TRUTH),
    "count(1, b) = 1 or not @ CTLSPEC": Choice("HH 2/2", TRUTH),
    "count(1, b) = 1 or not @ INVARSPEC": Choice("VH 2/2", TRUTH),
    "count(1, b) = 1 or not @ *": Choice("H 2/2", TRUTH),
    "n / 0 = 1 or not @ CTLSPEC": Choice("UH 6/6", "a condition that fails makes a formula UNKNOWN, with the reason"),
    "n mod 0 = 1 or not @ CTLSPEC": Choice("UH 6/6", "a condition that fails makes a formula UNKNOWN, with the reason"),
    "sizeof(u) = 3 or not @ DEFINE": Choice("H 8/8", CRASH),
    "next(b) or not @ DEFINE": Choice("H 2/2", "'| TRUE' makes the condition one that has no next value"),
    "next(n) in {next(m)} or not @ DEFINE": Choice("H 18/6", "'| TRUE' makes the condition one that has no next value"),
    "an array of modules @ *": Choice("H 4/1", "an array of instances is read, as it was before NuSMV 2.5"),
    "LTL H with bounds @ *": Choice("HH 3/3", "'H' with bounds asks for no time before the first state"),
    "CTL with COMPASSION @ *": Choice("H 4/1", "CTL speaks of paths that satisfy COMPASSION, too"),
}


def cases() -> Iterator[Case]:
    """Each construct in each context; those of the core in pairs of contexts, too."""
    known = list(constructs())
    for number, construct in enumerate(known):
        for position, (context, model) in enumerate(singles(construct.expression)):
            if construct.core or (number + position) % SHARE == 0:
                yield _case(construct, context, model)
    yield from _pairs([construct for construct in known if construct.core])
    for group, name, context, example, model in refusals():
        yield Case(group, name, context, example, {"model.smv": model})


def _case(construct: Construct, context: str, model: str) -> Case:
    return Case(construct.group, construct.name, context, construct.expression.text, {"model.smv": model})


def _pairs(core: list[Construct]) -> Iterator[Case]:
    """Every pair of contexts, with constructs of the core in turn."""
    models = {construct.name: dict(pairs(construct.expression)) for construct in core}
    contexts = dict.fromkeys(context for found in models.values() for context in found)
    turn = cycle(core)
    for context in contexts:
        fitting = [construct for construct in (next(turn) for _ in core) if context in models[construct.name]]
        for construct in fitting[:EACH]:
            yield _case(construct, context, models[construct.name][context])
        next(turn)


def answer(report: Report) -> str:
    """A letter per specification, the reachable states and the diameter; `dead` where a state has no successor."""
    verdicts = "".join(LETTERS[result.verdict.name] for result in report.results)
    counts = report.results[0].counts
    return f"{verdicts} {counts.distinct}/{counts.depth}{' dead' if counts.deadlocks else ''}"


NOTATION = Notation("smv", "NuSMV", cases, answer, REFUSED, CHOICES)
