from __future__ import annotations

import inspect

from homing.languages.tla.modules import STANDARD
from homing.languages.tla.scope import Builtin


def test_operators_take_what_their_functions_take() -> None:
    for module in STANDARD.values():
        for symbol in module.values():
            function = symbol.function if isinstance(symbol, Builtin) else None
            if function is None:
                continue
            parameters = inspect.signature(function).parameters.values()
            if all(each.kind is not each.VAR_POSITIONAL for each in parameters):  # one that refuses takes anything
                assert symbol.arity == len(parameters), symbol.name
