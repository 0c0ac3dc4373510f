"""Which pages are written, and from what."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.docs import command_line, coverage, decisions, notebook, parquet, python_api
from tools.docs.screens import FENCE, ROOT, Workshop, renewed

DOCS = ROOT / "docs"
WRITTEN: dict[str, Callable[[], str]] = {
    "reference/command-line.md": command_line.page,
    "reference/python.md": python_api.page,
    "reference/parquet.md": parquet.page,
    "decisions/index.md": decisions.page,
    "tutorial/notebook.md": lambda: notebook.page(notebook.read()),
    **{f"languages/coverage-{name}.md": partial(coverage.page, name) for name in coverage.TITLES},
}


def with_screens() -> list[Path]:
    """Pages that show what commands print."""
    return [page for page in sorted(DOCS.rglob("*.md")) if FENCE.search(page.read_text("utf-8"))]


def write() -> list[Path]:
    """Writes all of it; the files that are other than before."""
    changed = [notebook.FILE] if _renew_notebook() else []
    changed += [path for name, make in WRITTEN.items() if _put(path := DOCS / name, make().encode())]
    for page in with_screens():
        with TemporaryDirectory(prefix="homing-docs-") as folder:
            workshop = Workshop(Path(folder))
            if _put(page, renewed(page.read_text("utf-8"), workshop).encode()):
                changed.append(page)
            for picture in sorted(workshop.pictures.iterdir()):
                kept = DOCS / "pictures" / picture.name
                if not kept.exists() or kept.read_bytes() != picture.read_bytes():
                    shutil.copy(picture, kept)
                    changed.append(kept)
    return changed


def _renew_notebook() -> bool:
    kept = notebook.read()
    fresh = notebook.executed(kept)
    return not notebook.same(kept, fresh) and _put(notebook.FILE, notebook.text(fresh).encode())


def _put(path: Path, content: bytes) -> bool:
    if path.exists() and path.read_bytes() == content:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return True
