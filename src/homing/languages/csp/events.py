"""Events as people write them in traces."""

from __future__ import annotations

import re

from homing.core.errors import HomingError
from homing.core.formula import Happens
from homing.core.numerals import whole
from homing.languages.csp.expressions import evaluate
from homing.languages.csp.program import Program
from homing.languages.csp.syntax import Name
from homing.languages.csp.values import NeedsState, Scalar

EVENT = re.compile(r"(?P<name>[A-Za-z_]\w*(\[\d+\])*)(?P<end>[!?.]?)(?P<rest>.*)", re.DOTALL)


def pattern(program: Program, text: str) -> Happens:
    """`ComSD.msg_req.S.D.0`, `c!1.2`, `terminate`: constants stand for their values."""
    found = EVENT.fullmatch(text.strip())
    if found is None:
        raise HomingError(f"'{text}' is no event")
    fields = found["rest"].split(".") if found["end"] else []
    end = found["end"] if found["end"] in ("!", "?") else ""
    return Happens(found["name"] + end, tuple(_field(program, each.strip(), text) for each in fields))


def _field(program: Program, text: str, event: str) -> Scalar:
    if re.fullmatch(r"-?\d+", text):
        return whole(text)
    if text in ("true", "false"):
        return text == "true"
    macro = program.names.macros.get(text)
    if macro is not None and not macro.parameters:
        try:
            return evaluate(program.names, Name(macro.place, text), {})
        except NeedsState:
            pass
    known = [name for name, each in program.names.macros.items() if not each.parameters]
    raise HomingError(f"'{text}' in event '{event}' is no number and no constant", known=known)
