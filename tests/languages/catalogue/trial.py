"""Trials of cases on an engine: what Homing answers, and how that differs from the record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch
from zlib import crc32

from tests.languages.catalogue.case import ERROR, Case, Notation
from tests.languages.catalogue.records import Records
from tests.scale import SCALE

import homing
from homing.api import CheckedModel
from homing.core.errors import HomingError
from homing.core.result import Distribution, Options, Report
from homing.engines.spark import preparing
from homing.engines.spark.rounds import Here

ALONE = Options(threads=1)
ENGINES = {"local": 1, "symbolic": 12, "spark": 24}
"""Each engine, and of how many cases one is tried on it in a normal run; at scale 5 all are."""


@dataclass(frozen=True)
class Answer:
    """What Homing answered; `sentence` says why a case was refused or failed."""

    text: str
    sentence: str = ""


def is_tried(notation: Notation, case: Case, engine: str) -> bool:
    """Is the case in the part of the catalogue that a run of this scale tries on the engine?"""
    return SCALE >= 5 or crc32(case.key.encode()) % (ENGINES[engine] * notation.share) == 0


def answer(notation: Notation, case: Case, engine: str) -> Answer:
    """Loads and checks the files of a case."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in case.files.items():
            (folder / file).write_text(text, "utf-8")
        try:
            model = homing.load(folder / next(iter(case.files)), **case.options)
            report = _spread(model, folder) if engine == "spark" else model.check(engine=engine, options=ALONE)
        except HomingError as error:
            return Answer(ERROR, str(error))
        if report.error is not None:
            return Answer(ERROR, str(report.error))
        return Answer(notation.answer(report))


def _spread(model: CheckedModel, folder: Path) -> Report:
    """Checks with Spark's engine, in partitions from the first state on; their rounds run in this process."""
    spread = Distribution(partitions=3, folder=str(folder / "run"), small=0, most_edges=0)
    with patch.object(preparing, "on_spark", lambda master, folder, stopped: Here(folder)):
        return model.check(engine="spark", options=replace(ALONE, distribution=spread))


def differences(notation: Notation, cases: Iterable[Case], records: Records, engine: str) -> Iterator[str]:
    """One line for each case in which the engine does not answer as it must."""
    for case in cases:
        found = answer(notation, case, engine)
        refusal, choice = notation.refusal(case), notation.choice(case)
        if refusal is not None:
            if found.text != ERROR or refusal not in found.sentence:
                yield f"{case.key}: not refused with '{refusal}' but {_shown(found)}"
        else:
            expected = choice.answer if choice is not None else records.answers[case.key]
            if found.text != expected:
                yield f"{case.key}: expected {expected}, {engine} answered {_shown(found)}"


def _shown(found: Answer) -> str:
    return f"{found.text} ({found.sentence})" if found.sentence else found.text
