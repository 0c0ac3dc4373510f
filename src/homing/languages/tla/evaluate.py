"""Evaluates expressions in which there is nothing but constants."""

from __future__ import annotations

from typing import Any

from homing.languages.tla.closures import Compiler
from homing.languages.tla.frames import Nothing
from homing.languages.tla.ir import E
from homing.languages.tla.values import Fault


def value_of(e: E) -> Any:
    """The value, perhaps a set that is not listed; raises Fault when there is none."""
    compiler = Compiler(Nothing())
    run = compiler.run(e)
    try:
        return run(compiler.frame())
    except RecursionError:
        raise Fault("it is nested too deeply, or recurses without end", e.place) from None
