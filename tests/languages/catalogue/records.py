"""The recorded answers of independent tools: one file per notation, one line per case."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from tests.languages.catalogue.case import Case

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Records:
    """What a tool answered, by the keys of cases."""

    tool: str
    """The tool's name and version."""
    answers: Mapping[str, str]


def path(notation: str) -> Path:
    return FOLDER / f"{notation}.records"


def read(notation: str) -> Records:
    """Reads the records of a notation: the tool, then for each construct the lines `context<TAB>answer`."""
    first, *lines = path(notation).read_text("utf-8").splitlines()
    answers, construct = {}, ""
    for line in lines:
        if line.startswith("= "):
            construct = line[2:]
        elif line:
            context, answer = line.split("\t")
            answers[f"{construct} @ {context}"] = answer
    return Records(first.removeprefix("# "), answers)


def write(notation: str, cases: Iterable[Case], records: Records) -> None:
    """Writes the answers to cases, in their order."""
    lines = [f"# {records.tool}"]
    for construct, group in groupby(cases, lambda case: case.construct):
        lines += ["", f"= {construct}"]
        lines += [f"{case.context}\t{records.answers[case.key]}" for case in group]
    path(notation).write_text("\n".join(lines) + "\n", "utf-8")
