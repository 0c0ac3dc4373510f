from __future__ import annotations

import inspect

from homing.languages.tla.modules import STANDARD
from homing.languages.tla.scope import Builtin


def test_operators_take_what_their_functions_take() -> None:
    for module in STANDARD.values():
        for symbol in module.values():
            if not isinstance(symbol, Builtin) or symbol.function is None:
                continue
            parameters = inspect.signature(symbol.function).parameters.values()
            if all(each.kind is not each.VAR_POSITIONAL for each in parameters):  # one that refuses takes anything
                assert symbol.arity == len(parameters), symbol.name
