"""Expressions that are evaluated very often, as Python code.

The code computes what the closures of `closures.py` compute, without a call for each part. It explains nothing: where
anything is not as it expects, it raises, whatever that is, and the closure is asked, which finds the value all the same
or raises what people are told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from homing.languages.tla.code.expressions import Code
from homing.languages.tla.code.helpers import HELPERS
from homing.languages.tla.code.leaves import needed
from homing.languages.tla.frames import READ, Frame, Run
from homing.languages.tla.ir import E
from homing.languages.tla.sorts import sort_of
from homing.languages.tla.values import Fault

if TYPE_CHECKING:
    from homing.languages.tla.closures import Compiler

OFTEN = 300
"""Evaluations after which an expression is worth the time that it takes to compile its code."""
FAILURES = 1000
"""Evaluations that the code may leave to the closure before it is no longer asked."""
LARGE = 20
"""Parts of an expression from which on it pays to look for what it was a moment ago."""
TRIED, WORTH = 500, 4
"""Times that one looks for it in vain before one gives up; finding it makes up for so many of them."""
SMALL = 4
"""Parts of an expression below which code would gain nothing."""
LONGEST = 4000
"""Lines of code; what would need more stays with its closure."""


def coded(compiler: Compiler, e: E, kind: str, read_after: bool) -> Run | None:
    """The code for an expression, as a function of a frame; None where it would be too long, or too deep."""
    code = Code(compiler, read_after)
    try:
        code.add(f"return {getattr(code, kind)(e)}")
        if len(code.first) + len(code.lines) > LONGEST:
            return None
        text = "\n".join(["def run(f):", " r = f[0]", " n = f[1]", *code.first, *code.lines])
        names: dict[str, Any] = {**HELPERS, **code.constants}
        # What is run was written here, out of made-up names; no text of a specification is in it.
        exec(compile(text, "<generated>", "exec"), names)
    except (Fault, RecursionError, SyntaxError, MemoryError):
        return None
    run: Run = names["run"]
    return run


def remembered(run: Run, cells: list[int]) -> Run:
    """What was computed for the same read and the same values of these cells, which loops of an action go through."""
    known: dict[Any, Any] = {}
    read, left = None, TRIED

    def asked(f: Frame) -> Any:
        nonlocal read, left
        if left <= 0:
            return run(f)
        if f[READ] is not read:
            read = f[READ]
            known.clear()
        key = tuple([(sort_of(f[index]), f[index]) for index in cells])
        if key in known:
            left += WORTH
            return known[key]
        left -= 1
        value = known[key] = run(f)
        return value

    return asked if cells else run


def often(compiler: Compiler, e: E, run: Run, kind: str, read_after: bool = False) -> Run:
    """The closure, until it was asked often: then the code."""
    if e.size < SMALL:
        return run
    left, failures, code = OFTEN, FAILURES, run

    def asked(f: Frame) -> Any:
        nonlocal left, failures, code
        if left:
            left -= 1
            if not left:
                code = coded(compiler, e, kind, read_after) or run
                if e.size >= LARGE and not e.has_prime:
                    code = remembered(code, [compiler.index(cell) for cell in needed(e) if cell.definition is None])
            return run(f)
        try:
            return code(f)
        except Exception:  # the closure knows what went wrong, if anything did
            failures -= 1
            if not failures:
                code = run
            return run(f)

    return asked
