"""What the program imports is what an installation of it has."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "homing"
OWN = {"homing", "tests"}


def imports(tree: ast.AST) -> Iterator[str]:
    """The modules that code imports, at its top, in functions, or by name with `import_module`."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(name), level=0):
                yield name
            case ast.Call(
                func=ast.Name(id="import_module" | "find_spec" | "__import__") | ast.Attribute(attr="import_module"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                yield name


def third_party(text: str) -> set[str]:
    """The packages among them that come from elsewhere."""
    names = {name.partition(".")[0] for name in imports(ast.parse(text))}
    return names - set(sys.stdlib_module_names) - OWN


def normal(name: str) -> str:
    """A distribution's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def locked(lock: str) -> set[str]:
    return {normal(name) for name in re.findall(r"^([\w.-]+)==", (ROOT / lock).read_text(), re.MULTILINE)}


USED = {name for file in SOURCE.rglob("*.py") for name in third_party(file.read_text())}


def test_imports_are_found_wherever_they_stand() -> None:
    text = """
import numpy.linalg as la, os
from scipy.sparse import coo_matrix
from . import here
def f():
    import lazy
    from homing.core import values
    import_module("named.one")
"""
    assert third_party(text) == {"numpy", "scipy", "lazy", "named"}


@pytest.mark.parametrize("name", sorted(USED))
def test_what_is_imported_is_locked(name: str) -> None:
    given = {normal(distribution) for distribution in packages_distributions().get(name, [])}
    assert given & locked("requirements.lock"), f"{name} is imported, and requirements.lock does not have it"
