"""What the papers claim, and what was found beyond them: the contents of `papers.toml`, checked as they are read."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from homing.core.errors import HomingError

FILE = Path(__file__).parent / "papers.toml"
Facts = Mapping[str, Any]


@dataclass(frozen=True)
class Paper:
    """Where results come from."""

    name: str
    title: str
    authors: str
    year: int


@dataclass(frozen=True)
class Question:
    """What to measure: the name of a measure, and what it is to be applied to."""

    by: str
    about: Facts


@dataclass(frozen=True)
class Claim:
    """A result of a paper; `published` is None of what the paper should have asked, and did not."""

    paper: str
    text: str
    source: str
    published: Facts | None
    question: Question
    because: str
    """Why ours differs, where it does."""
    beside: str = ""
    """What else the paper reports, for comparison by eye: times, counts of its tool."""


@dataclass(frozen=True)
class Evidence:
    """A measurement, and the facts that it has to show."""

    question: Question
    facts: Facts


@dataclass(frozen=True)
class Finding:
    """What a paper does not say, or says wrongly."""

    paper: str
    text: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True)
class Record:
    """All that is to be reproduced."""

    papers: tuple[Paper, ...]
    claims: tuple[Claim, ...]
    findings: tuple[Finding, ...]

    def only(self, names: Iterable[str]) -> Record:
        """Of the papers named; of all when none is."""
        wanted = tuple(names) or tuple(paper.name for paper in self.papers)
        known = [paper.name for paper in self.papers]
        for name in wanted:
            if name not in known:
                raise HomingError(f"unknown paper '{name}'", None, known)
        return Record(
            tuple(paper for paper in self.papers if paper.name in wanted),
            tuple(claim for claim in self.claims if claim.paper in wanted),
            tuple(finding for finding in self.findings if finding.paper in wanted),
        )

    def questions(self) -> list[Question]:
        """Everything that has to be measured."""
        evidence = (each for finding in self.findings for each in finding.evidence)
        return [*(claim.question for claim in self.claims), *(each.question for each in evidence)]


@cache
def read() -> Record:
    """The record that comes with Homing."""
    document = tomllib.loads(FILE.read_text(encoding="utf-8"))
    papers = tuple(Paper(name, **facts) for name, facts in document["papers"].items())
    claims = tuple(_claim(paper, entry) for paper, entries in document["claims"].items() for entry in entries)
    findings = tuple(_finding(paper, entry) for paper, entries in document["findings"].items() for entry in entries)
    return Record(papers, claims, findings)


def _claim(paper: str, entry: dict[str, Any]) -> Claim:
    text, source = entry.pop("claim"), entry.pop("source")
    published, because = entry.pop("published", None), entry.pop("because", "")
    beside = entry.pop("beside", "")
    if isinstance(published, str):
        published = {"verdict": published}
    return Claim(paper, text, source, published, _question(entry), because, beside)


def _finding(paper: str, entry: dict[str, Any]) -> Finding:
    return Finding(paper, entry["found"], tuple(_evidence(each) for each in entry["evidence"]))


def _evidence(entry: dict[str, Any]) -> Evidence:
    return Evidence(_question({key: value for key, value in entry.items() if key != "shows"}), entry["shows"])


def _question(entry: dict[str, Any]) -> Question:
    by = entry.pop("by", "replay" if "trace" in entry else "check")
    return Question(by, entry)
