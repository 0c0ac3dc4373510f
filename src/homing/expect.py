"""Facts beside the model: `expect.toml` holds the verdicts and counts that a check must find (docs/expect.md)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from homing import languages
from homing.core.errors import HomingError, Place
from homing.core.numerals import too_long
from homing.core.result import Report, Result
from homing.core.verdict import Verdict
from homing.report.outcome import Difference

FILE = "expect.toml"
COUNTS = ("distinct", "generated", "depth")
DETAILS = ("value", "steps", "vacuous")
VERDICTS = tuple(verdict.name for verdict in Verdict)


@dataclass(frozen=True)
class Expected:
    """What is expected of one property; only what the file mentions is compared."""

    verdict: str
    facts: Mapping[str, int | bool] = field(default_factory=dict)

    def differences(self, result: Result) -> Iterator[Difference]:
        """How a result differs."""
        found = result.verdict.name
        if found != self.verdict:
            because = f" ({result.reason})" if result.reason else ""
            yield Difference(result.property, f"expected {self.verdict}, found {found}{because}")
        for name, value in self.facts.items():
            actual = _fact(result, name)
            if actual != value:
                yield Difference(result.property, f"expected {name} {_shown(value)}, found {_shown(actual)}")


@dataclass(frozen=True)
class ExpectedModel:
    """What is expected of one model."""

    properties: Mapping[str, Expected]
    counts: Mapping[str, int] = field(default_factory=dict)

    def differences(self, report: Report, source: Path) -> Iterator[Difference]:
        """How a report differs; properties that were not asked about are not compared."""
        for result in report.results:
            if result.property in self.properties:
                yield from self.properties[result.property].differences(result)
            else:
                yield Difference(result.property, f"expected nothing in {source}, found {result.verdict.name}")
        for name, count in self.counts.items():
            found = dict.fromkeys(_fact(result, name) for result in report.results)
            for value in found:
                if value != count:
                    yield Difference(None, f"expected {name} {_shown(count)}, found {_shown(value)}")


class Expectations:
    """The files `expect.toml` beside the models, each read once."""

    def __init__(self) -> None:
        self._files: dict[Path, Mapping[str, ExpectedModel]] = {}

    def compare(self, model: Path, declared: Iterable[str], report: Report) -> tuple[Difference, ...]:
        """How the report on a model differs; raises HomingError when the file is at fault."""
        source = model.parent / FILE
        if source not in self._files:
            self._files[source] = read(source) if source.exists() else {}
        expected = self._files[source].get(model.name)
        if expected is None:
            return (Difference(None, f"expected nothing in {source}, found {report.verdict.name}"),)
        declared = tuple(declared)
        for name in expected.properties:
            if name not in declared:
                raise HomingError(f"'{model.name}' has no property '{name}'", Place(str(source)), declared)
        return tuple(expected.differences(report, source))

    def unchecked(self, checked: Iterable[Path], folders: Iterable[Path]) -> Iterator[Path]:
        """Models that something is expected of and that a folder given should have brought in, but did not."""
        seen, whole = {path.resolve() for path in checked}, [folder.resolve() for folder in folders]
        for source, models in self._files.items():
            if any(source.resolve().is_relative_to(folder) for folder in whole):
                yield from (source.parent / name for name in models if (source.parent / name).resolve() not in seen)


def read(path: Path) -> dict[str, ExpectedModel]:
    """The expectations in a file; raises HomingError with what was known."""
    import tomllib

    place = Place(str(path))
    try:
        text = path.read_text(encoding="utf-8")
        document = tomllib.loads(text)
    except OSError as error:
        raise HomingError(f"cannot be read: {error.strerror or error}", place) from None
    except UnicodeDecodeError as error:
        raise HomingError(f"is not UTF-8 at byte {error.start}", place) from None
    except tomllib.TOMLDecodeError as error:
        raise _no_toml(str(error), place) from None
    except RecursionError:
        raise HomingError("no TOML to be read here: nested too deeply", place) from None
    except ValueError:
        raise too_long(text, str(path)) from None
    known = [file.name for file in sorted(path.parent.iterdir()) if file.suffix in languages.SUFFIXES]
    for name in document:
        if name not in known:
            raise HomingError(f"expects something of '{name}', which is no model beside it", place, known)
    return {name: _model(table, f"'{name}'", place) for name, table in document.items()}


def _no_toml(message: str, place: Place) -> HomingError:
    at = re.search(r" \(at line (\d+), column (\d+)\)$", message)
    if at is None:
        return HomingError(f"no TOML: {message}", place)
    return HomingError(f"no TOML: {message[: at.start()]}", Place(place.file, int(at[1]), int(at[2])))


def _model(table: Any, what: str, place: Place) -> ExpectedModel:
    entries = _table(table, what, place, (*COUNTS, "properties"))
    properties = _table(entries.get("properties", {}), f"the properties of {what}", place)
    counts = {name: _fact_of(entries[name], name, what, place) for name in COUNTS if name in entries}
    return ExpectedModel(
        {name: _property(entry, f"'{name}' of {what}", place) for name, entry in properties.items()}, counts
    )


def _property(entry: Any, what: str, place: Place) -> Expected:
    """`"HOLDS"` is short for `{ verdict = "HOLDS" }`."""
    if isinstance(entry, str):
        entry = {"verdict": entry}
    table = _table(entry, what, place, ("verdict", *DETAILS, *COUNTS))
    verdict = table.pop("verdict", None)
    if verdict not in VERDICTS:
        shown = "no verdict" if verdict is None else f"the verdict {verdict!r}"
        raise HomingError(f"{what} expects {shown}", place, VERDICTS)
    return Expected(verdict, {name: _fact_of(value, name, what, place) for name, value in table.items()})


def _table(entry: Any, what: str, place: Place, known: tuple[str, ...] = ()) -> dict[str, Any]:
    if not isinstance(entry, dict):
        raise HomingError(f"{what} is {entry!r}, where a table is wanted", place)
    for key in entry:
        if known and key not in known:
            raise HomingError(f"{what} has an unknown key '{key}'", place, known)
    return dict(entry)


def _fact_of(value: Any, name: str, what: str, place: Place) -> Any:
    wanted = bool if name == "vacuous" else int
    if type(value) is not wanted:
        kind = "true or false" if wanted is bool else "a whole number"
        raise HomingError(f"{name} of {what} is {value!r}, where {kind} is wanted", place)
    return value


def _fact(result: Result, name: str) -> int | bool | None:
    if name in COUNTS:
        return int(getattr(result.counts, name))
    if name == "steps":
        return None if result.trace is None else len(result.trace)
    return result.vacuous is not None if name == "vacuous" else result.value


def _shown(value: int | bool | None) -> str:
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else f"{value:,}"
