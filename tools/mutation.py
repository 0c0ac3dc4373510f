"""`python -m tools.mutation COUNT [--seed N] [--within PREFIX] [--out FILE]`: changes Homing itself, place by place.

Each change is made in a copy of the tree, and the tests of that part are run until one fails. What no test notices is
listed: either the change alters nothing, or a test is missing. Results are added to FILE line by line, so that a
campaign can be stopped and goes on where it was.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = Path("src/homing")
CATALOGUE = "tests/languages/catalogue"


def _language(name: str) -> tuple[tuple[str, ...], ...]:
    return (CATALOGUE, "-k", f"{name} and local"), (f"tests/languages/{name}", "tests/languages/coverage")


PARTS = {
    **{f"languages/{name}": _language(name) for name in ("csp", "tla", "smv", "uppaal")},
    "engines/local": (
        ("tests/engines", "--ignore-glob=*/spark/*", "--ignore-glob=*/symbolic/*"),
        ("tests/properties",),
    ),
    "engines/symbolic": (("tests/engines/symbolic",), (CATALOGUE, "-k", "symbolic")),
    "engines/spark": (("tests/engines/spark",), (CATALOGUE, "-k", "spark")),
    "engines/zones": (("tests/timed",), ("tests/languages/uppaal",)),
    "timed": (("tests/timed",), ("tests/languages/uppaal",)),
    "properties": (("tests/properties",), ("tests/languages/csp",)),
    "core": (("tests/core", "tests/engines/test_local.py"), ("tests/properties", "tests/report")),
}
"""For each part of the source, the tests that must notice a change, the quick ones first."""
SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
SECONDS = 600
"""A change that makes the tests run longer than this counts as noticed."""


@dataclass(frozen=True)
class Change:
    """One place of one file, and what stands there instead."""

    file: str
    line: int
    before: str
    after: str


class _Places(ast.NodeTransformer):
    """Finds every place that can be changed, or changes the one with a given number."""

    def __init__(self, wanted: int = -1) -> None:
        self.wanted = wanted
        self.found = 0
        self.change: tuple[int, str, str] | None = None

    def _offer(self, node: ast.AST, other: ast.AST) -> ast.AST:
        self.found += 1
        if self.found - 1 != self.wanted:
            return node
        self.change = (getattr(node, "lineno", 0), ast.unparse(node), ast.unparse(other))
        return ast.copy_location(other, node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        swapped = SWAPS.get(type(node.ops[0]))
        if swapped is None:
            return node
        other = copy.copy(node)
        other.ops = [swapped(), *node.ops[1:]]  # type: ignore[list-item]
        return self._offer(node, other)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        other = copy.copy(node)
        other.op = SWAPS[type(node.op)]()  # type: ignore[assignment]
        return self._offer(node, other)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        swapped = SWAPS.get(type(node.op))
        if swapped is None or _is_type(node):
            return node
        other = copy.copy(node)
        other.op = swapped()  # type: ignore[assignment]
        return self._offer(node, other)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        return self._offer(node, node.operand) if isinstance(node.op, ast.Not) else node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, bool):
            return self._offer(node, ast.Constant(not node.value))
        if isinstance(node.value, int):
            return self._offer(node, ast.Constant(node.value + 1))
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        if isinstance(node.value, ast.Constant):
            return node  # a docstring
        self.generic_visit(node)
        return self._offer(node, ast.Pass())

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        return self._offer(node, ast.Pass())

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_arguments(self, node: ast.arguments) -> ast.AST:
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.body = [each for stat in node.body for each in [self.visit(stat)]]
        return node


def _is_type(node: ast.BinOp) -> bool:
    """`int | str` inside isinstance or a type alias."""
    return isinstance(node.op, ast.BitOr) and all(
        isinstance(side, ast.Name | ast.Attribute | ast.BinOp) for side in (node.left, node.right)
    )


def places(within: str) -> Iterator[tuple[Path, int]]:
    """Every place that can be changed: a file, and the number of the place in it.

    Kernels are left out: they take minutes to compile anew.
    """
    for part in PARTS:
        for file in sorted((ROOT / SOURCES / part).rglob("*.py")):
            name = str(file.relative_to(ROOT))
            if "kernels" not in name and name.startswith(within):
                finder = _Places()
                finder.visit(ast.parse(file.read_text("utf-8")))
                yield from ((file.relative_to(ROOT), number) for number in range(finder.found))


def changed(file: Path, number: int) -> tuple[str, Change]:
    """The text of a file after a change."""
    maker = _Places(number)
    tree = ast.fix_missing_locations(maker.visit(ast.parse((ROOT / file).read_text("utf-8"))))
    assert maker.change is not None
    return ast.unparse(tree) + "\n", Change(str(file), *maker.change)


def tests_of(file: str) -> tuple[tuple[str, ...], ...]:
    """The arguments for pytest, run by run."""
    return next(tests for part, tests in PARTS.items() if file.startswith(f"{SOURCES}/{part}/"))


def verdict(tree: Path, file: str) -> str:
    """The name of what noticed the change, or `survived`."""
    for tests in tests_of(file):
        command = [sys.executable, "-P", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
        environment = os.environ | {"PYTHONPATH": f"{tree / 'src'}{os.pathsep}{tree}", "HOMING_TEST_SCALE": "0.2"}
        try:
            done = subprocess.run(
                command, cwd=tree, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            return "timeout"
        if done.returncode:
            failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR", "E "))]
            return failed[-1][:160] if failed else f"exit code {done.returncode}"
    return "survived"


def main(arguments: list[str]) -> int:
    """Returns the exit code: 1 if a change survived."""
    parser = argparse.ArgumentParser(prog="tools.mutation", description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--within", default="src/homing")
    parser.add_argument("--out", type=Path, default=Path("mutation.jsonl"))
    asked = parser.parse_args(arguments)
    every = list(places(asked.within))
    chosen = random.Random(asked.seed).sample(every, min(asked.count, len(every)))
    done = [json.loads(line) for line in asked.out.read_text().splitlines()] if asked.out.exists() else []
    with tempfile.TemporaryDirectory() as name:
        tree = Path(name) / "homing"
        shutil.copytree(ROOT, tree, symlinks=True, ignore=shutil.ignore_patterns(".venv", ".git", "site"))
        for number, (file, place) in enumerate(chosen[len(done) :], len(done) + 1):
            text, change = changed(file, place)
            original = (tree / file).read_text("utf-8")
            (tree / file).write_text(text, "utf-8")
            row = asdict(change) | {"noticed": verdict(tree, change.file)}
            (tree / file).write_text(original, "utf-8")
            done.append(row)
            with asked.out.open("a") as out:
                print(json.dumps(row), file=out)
            print(f"{number} of {len(chosen)}: {change.file}:{change.line}: {row['noticed']}", flush=True)
    survivors = [row for row in done if row["noticed"] == "survived"]
    print(f"{len(done)} changes, {len(survivors)} survived")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
