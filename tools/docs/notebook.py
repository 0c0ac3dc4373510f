"""The notebook: executed, and shown as a page of the site with what its cells gave."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tools.docs.screens import ROOT, masked

FILE = ROOT / "docs" / "tutorial" / "homing.ipynb"
HEAD = """<!-- Written by `./homing docs` from homing.ipynb. -->

"""
SECONDS = 120


def read(file: Path = FILE) -> Any:
    """The notebook as it is kept."""
    return json.loads(file.read_text("utf-8"))


def executed(notebook: Any) -> Any:
    """The same with what its cells give now, run in the folder that it lies in."""
    import nbformat
    from nbclient import NotebookClient

    fresh = nbformat.from_dict(notebook)  # type: ignore[no-untyped-call]
    quiet = ["--log-level=ERROR"]  # that it talks to itself without encryption
    NotebookClient(
        fresh, timeout=SECONDS, extra_arguments=quiet, resources={"metadata": {"path": str(FILE.parent)}}
    ).execute()
    return json.loads(json.dumps(notebook | {"cells": [_kept(cell) for cell in fresh.cells]}))


def _kept(cell: Any) -> Any:
    """A cell without what differs from run to run; where there is HTML, nobody wants the other form."""
    cell = {name: value for name, value in cell.items() if name != "metadata"} | {"metadata": {}}
    for output in cell.get("outputs", ()):
        data = output.get("data", {})
        if "text/html" in data:
            data.pop("text/plain", None)
    return cell


def text(notebook: Any) -> str:
    """As it is written to the file."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def same(one: Any, other: Any) -> bool:
    """Whether two differ in nothing but what is measured."""
    return masked(text(one)) == masked(text(other))


def page(notebook: Any) -> str:
    """Its cells one after the other."""
    return HEAD + "\n".join(part for cell in notebook["cells"] for part in _cell(cell))


def _cell(cell: Any) -> Iterator[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield f"{source}\n"
        return
    yield f"```python\n{source}\n```\n"
    for output in cell["outputs"]:
        data = output.get("data", {})
        if "text/html" in data:
            # Markdown takes what stands below a block of HTML without a blank line for more of it.
            lines = "".join(data["text/html"]).splitlines()
            yield "<div>" + "\n".join(line for line in lines if line.strip()) + "</div>\n"
        else:
            plain = data.get("text/plain", output.get("text", ""))
            yield f"```\n{''.join(plain).rstrip()}\n```\n"
