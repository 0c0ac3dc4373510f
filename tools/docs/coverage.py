"""Pages on what is read of each language, from the rows that the tests run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from tests.languages.coverage.rows import Row, rows
from tools.docs import catalogue

TITLES = {"csp": "CSP#", "tla": "TLA+", "uppaal": "UPPAAL", "smv": "NuSMV"}
FRAMES = {
    "csp": "`P()` is the process shown, and what is asked of it is asked of `P()`; `deadlockfree` where nothing is.",
    "tla": "An expression has the value shown; a specification comes with the lines of its configuration.",
    "uppaal": "There is a process `P` with an edge from `A` to `B`, which has what is shown; `E<> P.B` is asked where "
    "nothing else is. `Q` is another process that takes part.",
    "smv": "What is shown stands in `MODULE main`, unless it has one.",
}
PLACES = {
    "local": "declarations of P",
    "parameter": "parameters of P",
    "system": "system",
    "invariant": "invariant of A",
    "partner": "edge of Q",
    "query": "query",
    "guard": "guard",
    "sync": "synchronisation",
    "update": "update",
    "select": "select",
}
KINDS = {"!": "committed", "?": "urgent"}
NO_BREAK = "\N{NO-BREAK SPACE}"
ORDER = ("declare", "define", "local", "parameter", "system")
"""What stands first in an example."""


def page(language: str) -> str:
    """The page on a language."""
    found = rows(language)
    title = TITLES[language]
    head = f"""# What is read of {title.replace("#", chr(92) + "#")}

<!-- Written by `./homing docs` from tests/languages/coverage/{language}.toml. -->

Each row is run by the tests, and comes to what it says. [{title}]({language}.md) has the rest. {FRAMES[language]}
"""
    tables = [line for name, few in groupby(found, _group) for line in _table(name, list(few))]
    return "\n".join([head, *tables, catalogue.section(language)]).rstrip("\n") + "\n"


def _group(row: Row) -> str:
    return row.group


def _table(name: str, found: list[Row]) -> Iterator[str]:
    yield f"## {name}\n"
    yield f"| construct | example | {'told' if found[0].refused else 'comes to'} |\n| --- | --- | --- |"
    for row in found:
        told = _code(row.gives) if _is_value(row) else _plain(row.gives)
        yield f"| {_cell(row.construct)} | {_example(row)} | {told} |"
    yield ""


def _is_value(row: Row) -> bool:
    return "expression" in row.fields and not row.refused


def _example(row: Row) -> str:
    """Its parts in code, one after the other; what they are, where that is not plain."""
    parts = sorted(row.fields.items(), key=lambda part: part[0] not in ORDER)
    shown = [_part(row.language, name, str(text)) for name, text in parts if name != "fairness"]
    return "<br>".join(shown)


def _part(language: str, name: str, text: str) -> str:
    if name == "kind":
        return f"A is {KINDS[text]}"
    if language == "csp" and name == "ask":
        return "<br>".join(_code(f"#assert P() {each.strip()};") for each in text.split(";"))
    if language == "csp" and name == "process":
        return _code(f"P() = {text};")
    if language == "uppaal" and name != "declare":
        return f"{PLACES[name]}: {_code(text)}"
    return "<br>".join(_code(line) for line in text.strip().splitlines())


def _code(text: str) -> str:
    """In code, indented as it is, without a bar that would end a cell."""
    inner = text.lstrip()
    return f"`{NO_BREAK * (len(text) - len(inner))}{_cell(inner)}`"


def _plain(text: str) -> str:
    """A sentence, none of whose characters mean anything to Markdown."""
    return re.sub(r"([*_<])", r"\\\1", _cell(text))


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
