"""The page on the Python API, from signatures and docstrings as they stand in the source.

The source is read, not run: what Python makes of a signature differs from version to version.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src"
MODULES = (
    "homing.api",
    "homing.core.result",
    "homing.core.verdict",
    "homing.core.witness",
    "homing.core.errors",
    "homing.core.builder",
    "homing.core.functions",
    "homing.core.system",
    "homing.core.property",
    "homing.core.formula",
    "homing.core.temporal",
    "homing.core.wrappers",
    "homing.core.model",
    "homing.overlay.readers",
    "homing.overlay.network",
    "homing.overlay.colours",
    "homing.overlay.verification",
    "homing.overlay.tables",
    "homing.overlay.sweeping",
    "homing.overlay.simulation.routes",
    "homing.overlay.simulation.script",
    "homing.overlay.simulation.settings",
    "homing.overlay.simulation.run",
    "homing.report.plots",
)
INNER = {"Decided", "GraphChecker", "Exploration"}
"""Between engines and properties: not for programs."""
WIDEST = 100
UNSAID = {"Shown", "Protocol", "Exception"}
HEAD = """# Modules, classes, functions

<!-- Written by `./homing docs` from signatures and docstrings. -->

What a program may use, by module; [The Python API](../python-api.md) has examples. `homing` itself has `load`,
`CheckedModel`, `Report`, `Result`, `Counts`, `Limits`, `Options`, `Verdict`, `HomingError`; `homing.overlay` has
`load`, `scenarios`, `verify`, `plan`, `sweep`. All data are frozen dataclasses.
"""
Function = ast.FunctionDef | ast.AsyncFunctionDef


def page() -> str:
    """All modules."""
    return "\n".join([HEAD, *(line for name in MODULES for line in _module(name))])


def _module(name: str) -> Iterator[str]:
    path = SOURCE / name.replace(".", "/")
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    text = file.read_text("utf-8")
    tree = ast.parse(text)
    lines = text.splitlines()
    yield f"## {name}\n"
    yield f"{_paragraph(tree)}\n"
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and _public(node.name) and node.name not in INNER:
            yield from _class(node, lines)
        elif isinstance(node, Function) and _public(node.name) and _paragraph(node):
            yield f"### {node.name}\n"
            yield f"```python\n{_broken(_signature(node), node)}\n```\n"
            yield f"{_paragraph(node)}\n"


def _class(node: ast.ClassDef, lines: list[str]) -> Iterator[str]:
    bases = [ast.unparse(base) for base in node.bases if ast.unparse(base) not in UNSAID]
    yield f"### {node.name}\n"
    yield f"A {' and '.join(f'`{base}`' for base in bases)}.\n" if bases else ""
    yield f"{_paragraph(node)}\n"
    rows = [*_fields(node, lines), *_methods(node)]
    if rows:
        yield "| | |\n| --- | --- |"
        yield from (f"| `{_cell(name)}` | {_cell(meaning)} |" for name, meaning in rows)
        yield ""


def _fields(node: ast.ClassDef, lines: list[str]) -> Iterator[tuple[str, str]]:
    """Fields, each with the string below it, or the comment behind it."""
    for number, part in enumerate(node.body):
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name) and _public(part.target.id):
            default = "" if part.value is None or isinstance(part.value, ast.Call) else f" = {ast.unparse(part.value)}"
            after = node.body[number + 1] if number + 1 < len(node.body) else None
            yield f"{part.target.id}: {ast.unparse(part.annotation)}{default}", _string(after) or _comment(part, lines)


def _methods(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for part in node.body:
        if isinstance(part, Function) and _public(part.name):
            named = {ast.unparse(each) for each in part.decorator_list}
            is_field = bool(named & {"property", "cached_property"})
            returns = f": {ast.unparse(part.returns)}" if part.returns else ""
            yield f"{part.name}{returns}" if is_field else _signature(part, method=True), _paragraph(part)


def _signature(node: Function, method: bool = False) -> str:
    arguments = ast.unparse(node.args)
    if method:
        arguments = arguments.removeprefix("self").removeprefix("cls").removeprefix(", ")
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}({arguments}){returns}"


def _broken(signature: str, node: Function) -> str:
    """A signature that is too long for a line has one for each argument."""
    if len(signature) <= WIDEST:
        return signature
    defaults = [None] * (len(node.args.args) - len(node.args.defaults)) + list(node.args.defaults)
    named = [*zip(node.args.args, defaults), None, *zip(node.args.kwonlyargs, node.args.kw_defaults)]
    lines = ["*" if each is None else _argument(*each) for each in named if each or node.args.kwonlyargs]
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}(\n" + "".join(f"    {line},\n" for line in lines) + f"){returns}"


def _argument(argument: ast.arg, default: ast.expr | None) -> str:
    return ast.unparse(argument) + (f" = {ast.unparse(default)}" if default is not None else "")


def _string(node: ast.stmt | None) -> str:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return _text(node.value.value)
    return ""


def _comment(node: ast.stmt, lines: list[str]) -> str:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    rest = lines[node.end_lineno - 1].encode()[node.end_col_offset :].decode()
    text = _text(rest.partition("#")[2])
    return "" if text.startswith(("type:", "noqa")) else text  # for other readers


def _paragraph(node: ast.Module | ast.ClassDef | Function) -> str:
    """The first paragraph of a docstring."""
    return _text((ast.get_docstring(node) or "").split("\n\n")[0])


def _text(text: str) -> str:
    return " ".join(text.split()).replace("<", "&lt;") if "`" not in text else " ".join(text.split())


def _public(name: str) -> bool:
    return not name.startswith("_")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
