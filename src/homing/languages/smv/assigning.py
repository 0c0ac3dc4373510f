"""What is assigned: once, not in circles; and which variables always are what others make them, or never change."""

from __future__ import annotations

from homing.languages.smv.flattening import Assigned, Flat
from homing.languages.smv.terms import Next, Ref, Term, Variable, walk


def settle(flat: Flat) -> None:
    """Checks the assignments; variables with one value for each state of the others get a `body`."""
    _once(flat)
    for kind in ("init", "next"):
        _refuse_circles(flat, kind)
    for entry in flat.assigned:
        variable = entry.variable
        if entry.kind == "now" and variable.kind == "VAR" and not entry.term.is_set:
            variable.body = entry.term
        if entry.kind == "next" and isinstance(entry.term, Ref) and entry.term.variable is variable:
            variable.still = True
    for variable in flat.variables:
        variable.still |= variable.kind == "FROZENVAR"


def _once(flat: Flat) -> None:
    known: dict[tuple[Variable, str], Assigned] = {}
    for entry in flat.assigned:
        variable, kind = entry.variable, entry.kind
        for other in ("init", "next", "now"):
            first = known.get((variable, other))
            if first is None or (kind != other and "now" not in (kind, other)):
                continue
            place = flat.source.place(first.at)
            where = f"{place.line}:{place.column}"
            if kind == other:
                what = f"'{variable}'" if kind == "now" else f"{kind} of '{variable}'"
                raise flat.source.error(f"{what} is assigned twice, first at {where}", entry.at)
            if other == "now":
                what = f"{kind} of '{variable}' is assigned, and at {where} the variable as a whole"
            else:
                what = f"'{variable}' is assigned as a whole, and at {where} its {other}"
            raise flat.source.error(what, entry.at)
        known[variable, kind] = entry


def _refuse_circles(flat: Flat, kind: str) -> None:
    """No value may depend on itself at one moment: at the start (`init`), or in a next state (`next`)."""
    terms = {entry.variable: entry for entry in flat.assigned if entry.kind in (kind, "now")}
    state: dict[Variable, int] = {}
    for root in terms:
        path: list[Variable] = []
        waiting: list[tuple[Variable, bool]] = [(root, True)]
        while waiting:
            variable, entering = waiting.pop()
            if not entering:
                state[variable] = 2
                path.pop()
            elif variable in path:
                circle = [*path[path.index(variable) :], variable]
                shown = " needs ".join(f"'{each}'" for each in circle)
                moment = "at the start" if kind == "init" else "in the next state"
                raise flat.source.error(f"circular assignments: {shown} {moment}", terms[variable].at)
            elif variable in terms and state.get(variable) != 2:
                path.append(variable)
                waiting.append((variable, False))
                waiting += [(each, True) for each in _needs(terms[variable], kind)]


def _needs(entry: Assigned, kind: str) -> list[Variable]:
    """The variables whose value at the same moment is needed."""
    if kind == "next" and entry.kind == "next":
        return [variable for part in walk(entry.term) if isinstance(part, Next) for variable in _variables(part.body)]
    return _variables(entry.term)


def _variables(term: Term) -> list[Variable]:
    return list(dict.fromkeys(part.variable for part in walk(term) if isinstance(part, Ref)))
