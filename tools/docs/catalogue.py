"""The part of a language's page that is made from its catalogue: construct by context, with counts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from tests.languages.catalogue import records
from tests.languages.catalogue.case import Case, Notation
from tests.languages.catalogue.notations import notations

PAIR = " > "


def section(name: str) -> str:
    """Tables of the constructs and of the contexts of a language; empty where there is no catalogue yet."""
    for notation in notations():
        if notation.name == name:
            return "\n".join(_lines(notation))
    return ""


def _lines(notation: Notation) -> Iterator[str]:
    cases = list(notation.cases())
    statuses = Counter(_status(notation, case) for case in cases)
    counts = ", ".join(
        f"{statuses[status]:,} {status}" for status in ("compared", "refused", "chosen") if statuses[status]
    )
    yield "## Construct by context\n"
    yield (
        f"{len(cases):,} cases, each of one construct in one context or in a pair of contexts; the tables say in how "
        f"many each construct stands. The answers were recorded with {records.read(notation.name).tool}; "
        f"every engine is [compared with them](catalogue.md): {counts}. *Refused* cases end in a sentence that names "
        "the construct. *Chosen* cases differ from the tool on purpose.\n"
    )
    yield from _constructs(notation, cases)
    yield from _contexts(notation, cases)
    yield from _exceptions(notation)


def _status(notation: Notation, case: Case) -> str:
    if notation.refusal(case) is not None:
        return "refused"
    return "compared" if notation.choice(case) is None else "chosen"


def _constructs(notation: Notation, cases: list[Case]) -> Iterator[str]:
    for group, within in groupby(sorted(cases, key=lambda case: case.group), lambda case: case.group):
        yield f"### {group}\n"
        yield from _head("construct", "example", "contexts", "pairs of contexts", "refused or chosen in")
        for construct, members in groupby(sorted(within, key=lambda case: case.construct), lambda case: case.construct):
            yield _construct(notation, construct, list(members))
        yield ""


def _construct(notation: Notation, construct: str, cases: list[Case]) -> str:
    pairs = sum(PAIR in case.context for case in cases)
    others = [case.context for case in cases if _status(notation, case) != "compared"]
    shown = ", ".join(others[:6]) + (f" and {len(others) - 6} more" if len(others) > 6 else "")
    example = cases[0].example.strip().split("\n")
    code = "<br>".join(f"`{_cell(line)}`" for line in example if line.strip())
    # A construct that has no other name than its text is shown once.
    named, text = (code, "") if [construct] == example else (_name(construct), code)
    return f"| {named} | {text} | {len(cases) - pairs} | {pairs} | {_name(shown)} |"


def _contexts(notation: Notation, cases: list[Case]) -> Iterator[str]:
    yield "### Contexts\n"
    yield from _head("context", "constructs compared", "refused", "chosen", "in pairs, outside", "in pairs, inside")
    single, outer, inner = Counter[tuple[str, str]](), Counter[str](), Counter[str]()
    for case in cases:
        first, *rest = case.context.split(PAIR)
        if rest:
            outer[first] += 1
            inner[rest[-1]] += 1
        else:
            single[first, _status(notation, case)] += 1
    for context in dict.fromkeys(part for case in cases for part in case.context.split(PAIR)):
        counts = [single[context, status] for status in ("compared", "refused", "chosen")]
        yield f"| {_name(context)} | " + " | ".join(map(str, (*counts, outer[context], inner[context]))) + " |"
    yield ""


def _exceptions(notation: Notation) -> Iterator[str]:
    if notation.refused or notation.choices:
        yield "### Refused and chosen\n"
        yield from _head("cases", "outcome")
        for pattern, sentence in notation.refused.items():
            yield f"| {_name(pattern)} | refused: {_name(sentence)} |"
        for pattern, choice in notation.choices.items():
            yield f"| {_name(pattern)} | {_cell(choice.answer)}: {_name(choice.reason)} |"
        yield ""


def _head(*columns: str) -> Iterator[str]:
    yield f"| {' | '.join(columns)} |"
    yield "|" + " --- |" * len(columns)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _name(text: str) -> str:
    """A name of a construct or context, none of whose characters mean anything to Markdown."""
    return re.sub(r"([\\\[\]<*_`])", r"\\\1", _cell(text)).replace("\\\\|", "\\|")
