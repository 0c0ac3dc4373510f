"""Modules of the community that reach out of a specification: to files, programs, pictures. The environment is read."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from homing.languages.tla.modules import exchange, json
from homing.languages.tla.modules.build import refused, strict
from homing.languages.tla.scope import Builtin, Symbol
from homing.languages.tla.values import Fault, Value, record, show


def environment(names: Iterable[str]) -> Value:
    """Those of these variables that the environment has, as a record of strings: it may hold secrets."""
    found = {name: os.environ[name] for name in sorted(set(names)) if name in os.environ}
    return record(found.keys(), found.values()) if found else ()  # the empty function is the empty sequence


def _number(text: Value) -> int:
    try:
        return int(text)
    except (TypeError, ValueError):
        raise Fault(f"atoi is applied to {show(text)}, which is no number in a string") from None


def _padded(number: Value, width: Value) -> str:
    if type(number) is not int or type(width) is not int:
        raise Fault(f"zeroPadN is applied to {show(number)} and {show(width)}, not to numbers")
    return str(number).rjust(width, "0")


IO_UTILS: dict[str, Builtin] = {
    "IOEnv": Builtin("IOEnv", 0, lambda: environment(())),
    **dict([strict("atoi", _number), strict("zeroPadN", _padded)]),
    **refused(
        "it runs a program", IOExec=1, IOEnvExec=2, IOExecTemplate=2, IOEnvExecTemplate=3
    ),
    **refused("its files are in a format of Java", IOSerialize=3, IODeserialize=2),
    **refused("it is the environment of a program that is run", IOEnvPermissive=0),
    **exchange.MODULES["IOUtils"],
}  # fmt: skip


def visible(names: Iterable[str]) -> dict[Symbol, Any]:
    """What `IOEnv` stands for where these variables may be seen."""
    symbol = IO_UTILS["IOEnv"]
    return {symbol: replace(symbol, function=lambda: environment(names))}


JSON: dict[str, Builtin] = {
    **dict(
        [
            strict("ToJson", lambda value: json.text(json.plain(value))),
            strict("ToJsonArray", json.to_array),
            strict("ToJsonObject", json.to_object),
        ]
    ),
    **exchange.MODULES["Json"],
}
CSV: dict[str, Builtin] = dict(exchange.MODULES["CSV"])

SVG = refused(
    "it draws", SVGElem=4, SVGElemToString=1, SVGDoc=6, Line=5, Circle=4, Rect=5, Text=4, Image=6, Group=2, Svg=2,
    SVGSerialize=3, NodesOfDirectedMultiGraph=3, PointOnLine=3, NodeOfRingNetwork=5,
)  # fmt: skip
GRAPH_VIZ = {"DotDiGraph": replace(refused("it draws", DotDiGraph=3)["DotDiGraph"], operators=(0, 1, 1))}
SHI_VIZ = refused("it needs a trace of the Toolbox", Host=0, Clock=0)
DIFFERENTIAL_EQUATIONS = refused("it needs real numbers", Integrate=4)
STATISTICS = refused("it needs real numbers", ChiSquare=3)
