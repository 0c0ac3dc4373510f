"""Modules of the community that reach out of a specification: to files, programs, pictures. The environment is read."""

from __future__ import annotations

import os

from homing.languages.tla.modules.build import refused, strict
from homing.languages.tla.scope import Builtin
from homing.languages.tla.values import Fault, Value, record, show

_INPUT = "it reads or writes what is not part of the specification"


def environment() -> Value:
    """The variables of the environment, as a record of strings."""
    return record(os.environ.keys(), os.environ.values())


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
    **dict([strict("IOEnv", environment), strict("atoi", _number), strict("zeroPadN", _padded)]),
    **refused(
        _INPUT, IOExec=1, IOEnvExec=2, IOExecTemplate=2, IOEnvExecTemplate=3, IOSerialize=3, IODeserialize=2,
        Serialize=3, Deserialize=2, IOEnvPermissive=0,
    ),
}  # fmt: skip

JSON = refused(
    _INPUT, ToJson=1, ToJsonArray=1, ToJsonObject=1, JsonSerialize=2, JsonDeserialize=1, ndJsonSerialize=2,
    ndJsonDeserialize=1,
)  # fmt: skip
CSV = refused(_INPUT, CSVWrite=3, CSVRead=3, CSVRecords=1, CSVWriteRecord=4)

SVG = refused(
    "it draws", SVGElem=4, SVGElemToString=1, SVGDoc=6, Line=5, Circle=4, Rect=5, Text=4, Image=6, Group=2, Svg=2,
    SVGSerialize=3, NodesOfDirectedMultiGraph=3, PointOnLine=3, NodeOfRingNetwork=5,
)  # fmt: skip
DIFFERENTIAL_EQUATIONS = refused("it needs real numbers", Integrate=4)
STATISTICS = refused("it needs real numbers", ChiSquare=3)
