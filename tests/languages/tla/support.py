"""Evaluates expressions, and checks specifications that are written in a test."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import Any

from homing import checking
from homing.core.errors import HomingError
from homing.core.result import Counts, Options, Report
from homing.languages.tla import load_one
from homing.languages.tla.access import error_of
from homing.languages.tla.evaluate import value_of
from homing.languages.tla.free import Free
from homing.languages.tla.resolve import resolve
from homing.languages.tla.sets import is_endless
from homing.languages.tla.slots import whole
from homing.languages.tla.specialise import Specialiser
from homing.languages.tla.values import Fault, force, show

EXTENDS = "Integers, Sequences, FiniteSets, Bags, TLC, SequencesExt, FiniteSetsExt, BagsExt"


def value(folder: Path, expression: str, definitions: str = "") -> str:
    """The value of an expression, as TLA+ writes it."""
    return evaluated(folder, f"EXTENDS {EXTENDS}\n{dedent(definitions)}", expression)


def evaluated(folder: Path, head: str, expression: str) -> str:
    """The value of an expression in a module that begins like this."""
    path = folder / "Expression.tla"
    path.write_text(f"---- MODULE Expression ----\n{head}\nresult ==\n  {expression}\n====\n", "utf-8")
    spec = resolve(path)
    definition: Any = spec.scope.find("result")
    e = Specialiser({}, whole(()), Free({})).expression(definition.body, {})
    try:
        found = e.data if e.is_const else value_of(e)
        return show(found if is_endless(found) else force(found))
    except Fault as fault:
        raise error_of(fault) from None


def write(folder: Path, spec: str, config: str, name: str = "Spec") -> Path:
    """Writes a module and its configuration; returns the path of the configuration."""
    (folder / f"{name}.tla").write_text(f"---- MODULE {name} ----\n{dedent(spec)}\n====\n", "utf-8")
    path = folder / f"{name}.cfg"
    path.write_text(dedent(config), "utf-8")
    return path


def check(folder: Path, spec: str, config: str) -> Report:
    """The report on a specification."""
    model = load_one(write(folder, spec, config))
    return checking.check(model, options=Options(threads=1))


def verdicts(report: Report) -> dict[str, str]:
    """By property its verdict."""
    if report.error is not None:
        raise report.error
    return {result.property: result.verdict.name for result in report.results}


def counts(report: Report) -> tuple[int, int, int]:
    """Distinct and generated states, and depth."""
    found: Counts = report.results[0].counts
    return found.distinct, found.generated, found.depth


def complaint(folder: Path, spec: str, config: str) -> str:
    """The error that a specification leads to, with the folder left out."""
    try:
        report = check(folder, spec, config)
        if report.error is not None:
            raise report.error
    except HomingError as error:
        return str(error).replace(f"{folder}/", "")
    raise AssertionError("there is no error")
