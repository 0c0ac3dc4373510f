"""Action composition: `A \\cdot B` is a step of A, then one of B, with a state between them that nobody sees."""

from __future__ import annotations

from collections.abc import Callable

from homing.core.errors import Place
from homing.languages.tla.ir import E, Var
from homing.languages.tla.substitution import moved


def composed(first: E, second: E, between: Callable[[int], int], place: Place) -> E:
    """The conjunction of both, where variables of its own, numbered by `between`, hold the state between them."""

    def later(var: Var) -> Var | None:
        return Var(between(var.number), var.path, True) if var.primed else None

    def earlier(var: Var) -> Var | None:
        return None if var.primed else Var(between(var.number), var.path, True)

    return E("and", (moved(first, later), moved(second, earlier)), None, place)
