"""A case of the catalogue, and what a notation has to say about its cases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from homing.core.result import Report


@dataclass(frozen=True)
class Case:
    """One construct in one context, as the files of a small model."""

    group: str
    """The heading on the page of the notation: `Sets`, `Channels`."""
    construct: str
    context: str
    """`guard`, or for a pair of contexts, the outer one first, `guard > LET`."""
    example: str
    """The text of the construct alone."""
    files: Mapping[str, str]
    """Texts by file name; the first file is the one that is loaded."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Arguments for `homing.load`."""

    @property
    def key(self) -> str:
        return f"{self.construct} @ {self.context}"


@dataclass(frozen=True)
class Choice:
    """A documented difference: the tool and its manual disagree, and Homing follows the manual."""

    answer: str
    reason: str


@dataclass(frozen=True)
class Notation:
    """The catalogue of one notation."""

    name: str
    title: str
    cases: Callable[[], Iterable[Case]]
    answer: Callable[[Report], str]
    """The part of a report that is compared with the record, as one line of text."""
    refused: Mapping[str, str] = field(default_factory=dict)
    """Cases that Homing refuses by name: a pattern of keys, and a part of the sentence that says so.

    `[` has no special meaning in patterns: only `*` and `?` have.
    """
    choices: Mapping[str, Choice] = field(default_factory=dict)
    """Cases in which Homing differs on purpose, by a pattern of keys."""
    share: int = 1
    """Of how many cases one is tried in a normal run; an engine may take fewer, and at scale 5 all are tried."""

    def refusal(self, case: Case) -> str | None:
        """The part of a sentence with which Homing must refuse this case."""
        return next((sentence for pattern, sentence in self.refused.items() if _matches(case, pattern)), None)

    def choice(self, case: Case) -> Choice | None:
        """The documented difference that applies to this case."""
        return next((choice for pattern, choice in self.choices.items() if _matches(case, pattern)), None)


def _matches(case: Case, pattern: str) -> bool:
    return fnmatchcase(case.key, pattern.replace("[", "[[]"))


ERROR = "error"
"""The answer to a model that the tool refuses, or in which an evaluation fails."""
