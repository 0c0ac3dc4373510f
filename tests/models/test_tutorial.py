"""The tutorial's models: the same protocol in five notations, with the same faults."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from models.tutorial._source.channel import FILES
from tools.uppaal_xml import xml

import homing
from homing.expect import Expectations

FOLDER = Path(__file__).parents[2] / "models" / "tutorial"
# Those in CSP# and TLA+ are checked by test_papers.py.
CHECKED = sorted(
    file for suffix in ("xml", "smv", "py") for file in FOLDER.rglob(f"*.{suffix}") if "_source" not in file.parts
)
PAGES = FOLDER.parents[1] / "docs" / "tutorial"


def facts(folder: Path) -> dict[str, Any]:
    return tomllib.loads((folder / "expect.toml").read_text())


@pytest.mark.parametrize("file", CHECKED, ids=lambda file: str(file.relative_to(FOLDER)))
def test_verdicts_are_as_expected(file: Path) -> None:
    checked = homing.load(file, python=True)
    names = [prop.name for prop in checked.properties]
    assert Expectations().compare(file, names, checked.check()) == ()


@pytest.mark.parametrize("fault", ["", "takes_all", "takes_any_ack", "loses_all"])
def test_three_notations_have_the_same_states(fault: str) -> None:
    """In TLA+, NuSMV and Python a state is the same, so there are as many; depths agree, too."""
    name = f"faults/channel_{fault}" if fault else "channel"
    python = f"python/faults/{fault}.py" if fault else "python/channel.py"
    found = [facts((FOLDER / file).parent)[Path(file).name] for file in (f"{name}.cfg", f"{name}.smv", python)]
    assert len({(each["distinct"], each["depth"]) for each in found}) == 1


@pytest.mark.parametrize("folder", [FOLDER, FOLDER / "python"], ids=["files", "python"])
def test_every_property_has_a_fault_that_shows(folder: Path) -> None:
    """In verdict, or in value."""
    faults = facts(folder / "faults")
    for model, table in facts(folder).items():
        suffix = Path(model).suffix
        for name, fact in table["properties"].items():
            others = [each["properties"].get(name, fact) for file, each in faults.items() if file.endswith(suffix)]
            assert any(judged(other) != judged(fact) for other in others), (model, name)


def judged(fact: Any) -> tuple[str, Any]:
    return (fact, None) if isinstance(fact, str) else (fact["verdict"], fact.get("value"))


@pytest.mark.parametrize("name", FILES)
def test_the_automata_are_as_they_are_drawn(name: str) -> None:
    assert (FOLDER / name).read_text("utf-8") == xml(FILES[name])


@pytest.mark.parametrize("page", ["csp.md", "tla.md", "smv.md", "python.md"])
def test_pages_quote_the_files(page: str) -> None:
    """Each line of code on a page is one of a model, or of a fault."""
    files = [file for file in FOLDER.rglob("*") if file.suffix in (".csp", ".tla", ".cfg", ".toml", ".smv")]
    known = {line.strip() for file in files for line in [*file.read_text().splitlines(), *plain_python()]}
    blocks = re.findall(r"^```(\w*)\n(.*?)^```", (PAGES / page).read_text(), re.MULTILINE | re.DOTALL)
    quoted = [line.strip() for language, block in blocks if language != "console" for line in block.splitlines()]
    assert len(quoted) > 20
    assert not [line for line in quoted if line not in known]


def plain_python() -> list[str]:
    """The model in Python without types and without its faults, as the page has it."""
    text = (FOLDER / "python/channel.py").read_text().replace(" -> Iterator[Step]", "")
    text = text.replace("count < 4 if takes_all else ", "").replace("kind(", "Strong(")
    return re.sub(r"(\w+): int( \| None)?", r"\1", text).splitlines()
