"""`<<A>>_v` inside ENABLED: where A says what each variable becomes, that is what is compared with what it was.

So `x' = [x EXCEPT ![k] = e]` changes x where `x[k] # e`, and nobody needs the rest of x to know it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from homing.languages.tla.actions import is_next
from homing.languages.tla.ir import FALSE, E, Var, conjuncts, const
from homing.languages.tla.modules.logic import DIFFER, EQUAL
from homing.languages.tla.substitution import rebuilt

Given = Mapping[int, E | None]
"""By variable what it becomes, None for what it was."""
CHOICES = frozenset({"or", "exists", "if", "let"})


class Changing:
    """Adds to an action that it changes something; `keys` and `apply` tell functions apart slot by slot."""

    def __init__(self, keys: Callable[[E], tuple[Any, ...] | None], apply: Callable[[E, E], E]) -> None:
        self._keys = keys
        self._apply = apply

    def of(self, action: E, variables: list[E], given: Given | None = None) -> E | None:
        """The action, changing one of the variables; None where it does not say what they become."""
        given = given or {}
        if action.op in CHOICES and action.has_prime:
            first = {"or": 0, "if": 1}.get(action.op, len(action.args) - 1)
            each = [self.of(arg, variables, given) for arg in action.args[first:]]
            found = [part for part in each if part is not None]
            return rebuilt(action, (*action.args[:first], *found)) if len(found) == len(each) else None
        parts = list(conjuncts(action))
        for part in parts:
            given = {**_given(part), **given}
        choices = [n for n, part in enumerate(parts) if part.op in CHOICES and part.has_prime]
        if len(choices) > 1 or any(part.op in ("forall", "implies", "case") and part.has_prime for part in parts):
            return None
        if choices:
            inside = self.of(parts[choices[0]], variables, given)
            if inside is None:
                return None
            parts[choices[0]] = inside
        elif all(var.data.number in given for var in variables):
            parts.append(self._differ(variables, given, action))
        else:
            return None
        return E("and", tuple(parts), None, action.place)

    def _differ(self, variables: list[E], given: Given, action: E) -> E:
        found = [each for var in variables for each in self._difference(var, given[var.data.number], action)]
        return E("or", tuple(found), None, action.place) if found else FALSE

    def _difference(self, old: E, new: E | None, action: E) -> Iterator[E]:
        if new is None or (new.op == "var" and new.data == old.data):
            return
        keys = self._keys(old)
        if keys is None or keys != self._keys(new):
            yield E("call", (new, old), DIFFER, action.place)
            return
        for key in keys:
            place = const(key, action.place)
            yield from self._difference(self._apply(old, place), self._apply(new, place), action)


def _given(part: E) -> Given:
    """The variables that a conjunct gives a value to."""
    if part.op == "unchanged":
        return {var.number: None for var in part.data if not var.path}
    if part.op == "call" and part.data is EQUAL and is_next(part.args[0]):
        return {part.args[0].data.number: part.args[1]}
    return {}


def variables_of(shown: E, later: E) -> list[E] | None:
    """The variables that are asked about, whole; None for anything else."""
    parts = list(zip(shown.args, later.args)) if shown.op == later.op == "tuple" else [(shown, later)]
    for now, then in parts:
        if now.op != "var" or now.data.primed or now.data.path or not is_next(then):
            return None
        if then.data != Var(now.data.number, (), True):
            return None
    return [now for now, _ in parts]
