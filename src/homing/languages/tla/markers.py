"""Values that stand for faults: a projection that fails is an error only where somebody needs it."""

from __future__ import annotations

from typing import Any

from homing.core.errors import Place
from homing.languages.tla.values import Fault


def marker(fault: Fault) -> Any:
    """A value that stands for a fault until someone needs the projection that failed."""
    place = fault.place or Place("")
    return (None, None, fault.message, place.file, place.line, place.column, place.text, *fault.bound)


def is_marker(value: Any) -> bool:
    """Whether it stands for a fault."""
    return type(value) is tuple and len(value) > 6 and value[0] is None and value[1] is None


def raise_marked(marked: Any) -> None:
    """Raises the fault."""
    fault = Fault(marked[2], Place(*marked[3:7]) if marked[3] else None)
    fault.bound = marked[7:]
    raise fault
