"""Verdicts on an exported text, as `homing check --json` or NuSMV itself gives them: which pairs fail, which work."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from homing.core.errors import HomingError, Place
from homing.core.numerals import too_long, whole
from homing.overlay.network import Network

Pair = tuple[int, int]
NAME = re.compile(r"(?:topic_\d+_)?from_(\d+)_to_(\d+)(_colour_1)?")
# NuSMV prints formulas with all their parentheses: (((src = 1 & dest = 13) & loc = 1) -> AF ((...
PRINTED = re.compile(r"-- specification \(+src = (\d+) & dest = (\d+)\) & loc = \1\)? -> .* is (true|false)")
WORDS = {"HOLDS": True, "VIOLATED": False, "true": True, "false": False}


def read_verdicts(path: Path, text: str, network: Network) -> tuple[list[Pair], list[Pair]]:
    """Failing and working pairs; what is said about loops, other colours, or UNKNOWN is passed over."""
    place = Place(str(path))
    found = list(_json(text, place) if text.lstrip().startswith("{") else _printed(text, place))
    if not found:
        raise HomingError("holds no verdict on a delivery, as 'homing overlay export' names them", place)
    failing: list[Pair] = []
    working: list[Pair] = []
    size = len(network.brokers)
    for publisher, subscriber, delivered in found:
        for number in (publisher, subscriber):
            if not 1 <= number <= size:
                raise HomingError(f"a verdict is about broker {number}; the network has {size}", place)
        (working if delivered else failing).append((publisher - 1, subscriber - 1))
    return failing, working


def _json(text: str, place: Place) -> Iterator[tuple[int, int, bool]]:
    try:
        results = json.loads(text)["results"]
        named = [(str(result["property"]), str(result["verdict"])) for result in results]
    except RecursionError:
        raise HomingError("no JSON to be read here: nested too deeply", place) from None
    except ValueError as error:
        if isinstance(error, json.JSONDecodeError):
            raise HomingError(f"no JSON: {error.msg}", Place(place.file, error.lineno, error.colno)) from None
        raise too_long(text, place.file) from None
    except (KeyError, TypeError):
        raise HomingError("is not what 'homing check --json' writes", place) from None
    for name, verdict in named:
        match = NAME.fullmatch(name)
        if match and verdict in WORDS:
            yield whole(match[1], place), whole(match[2], place), WORDS[verdict]


def _printed(text: str, place: Place) -> Iterator[tuple[int, int, bool]]:
    for number, line in enumerate(text.splitlines(), start=1):
        match = PRINTED.match(line)
        if match:
            here = Place(place.file, number)
            yield whole(match[1], here), whole(match[2], here), WORDS[match[3]]
