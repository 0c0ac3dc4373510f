"""What of a language is read, row by row: each has a construct, an example, and what comes of it.

The files beside this one hold the rows, `test_coverage.py` runs them all, and `./homing docs` makes a page of them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.languages.smv.checking import report as smv_report
from tests.languages.tla import support as tla
from tests.languages.uppaal.support import Source, Template

import homing
from homing.core.errors import HomingError
from homing.core.result import Options, Report
from homing.report.wording import plural

FOLDER = Path(__file__).parent
LANGUAGES = ("csp", "tla", "uppaal", "smv")
OPTIONS = Options(threads=1)


@dataclass(frozen=True)
class Row:
    """`fields` are what the language's file calls its parts of an example."""

    language: str
    group: str
    construct: str
    fields: dict[str, Any]
    gives: str
    """What it comes to; or the sentence that it is refused with."""
    refused: bool


def rows(language: str) -> list[Row]:
    """All rows of a language, in the order of its page."""
    groups = tomllib.loads((FOLDER / f"{language}.toml").read_text("utf-8"))
    return [_row(language, group, dict(entry)) for group, entries in groups.items() for entry in entries]


def _row(language: str, group: str, entry: dict[str, Any]) -> Row:
    construct, refused = entry.pop("construct"), entry.pop("refused", None)
    gives = entry.pop("gives", "") if refused is None else refused
    return Row(language, group, construct, entry, gives, refused is not None)


def outcome(row: Row) -> str:
    """What comes of it now."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        try:
            return ASKING[row.language](folder, **row.fields)
        except HomingError as error:
            return str(error).replace(f"{folder}/", "")


def _told(report: Report, named: bool = False) -> str:
    """`4 states, HOLDS`; of what is not answered, why."""
    if report.error is not None:
        raise report.error
    unknown = [result.reason for result in report.results if result.verdict is homing.Verdict.UNKNOWN]
    if unknown:
        return f"UNKNOWN: {'; '.join(map(str, unknown))}"
    verdicts = [
        (f"{result.property} " if named else "")
        + result.verdict.name
        + (f" {result.value}" if result.value is not None else "")
        + (" (vacuous)" if result.vacuous else "")
        for result in report.results
    ]
    return f"{plural(report.results[0].counts.distinct, 'state')}, {', '.join(verdicts)}"


def _csp(folder: Path, process: str, declare: str = "", ask: str = "deadlockfree", **options: Any) -> str:
    file = folder / "model.csp"
    asked = "".join(f"#assert P() {each.strip()};\n" for each in ask.split(";") if each.strip())
    file.write_text(f"{declare}\nP() = {process};\n{asked}", "utf-8")
    return _told(homing.load(file, **options).check(options=OPTIONS))


def _tla(folder: Path, expression: str = "", define: str = "", spec: str = "", config: str = "") -> str:
    if expression:
        return tla.value(folder, expression, define)
    return _told(tla.check(folder, spec, config), named=True)


def _smv(folder: Path, text: str) -> str:
    main = "" if "MODULE main" in text else "MODULE main\n"
    return _told(smv_report(main + text))


def _uppaal(
    folder: Path,
    declare: str = "",
    query: str = "E<> P.B",
    invariant: str = "",
    kind: str = "",
    local: str = "",
    parameter: str = "",
    system: str = "",
    partner: str = "",
    **labels: str,
) -> str:
    """One process with an edge from A to B; a partner, where there is one, takes part in it by this synchronisation."""
    first = "A" + kind + (f": {invariant}" if invariant else "")
    templates = [Template("P", (first, "B"), [("A", "B", labels)], local, parameter)]
    if partner:
        templates.append(Template("Q", ("A", "B"), [("A", "B", {"sync": partner})]))
    file = folder / "model.xml"
    file.write_text(Source(templates, declare, system, query.split(";")).xml(), "utf-8")
    return _told(homing.load(file).check(options=OPTIONS))


ASKING: dict[str, Callable[..., str]] = {"csp": _csp, "tla": _tla, "smv": _smv, "uppaal": _uppaal}
