"""A relation that is one disjunction, as interleaving is written: each of its parts is a group of its own.

`TRANS (x = a & next(x) = b & next(y) = y) | …` says of every step what all variables do. Taken as it stands, each state
would be asked as a whole. Its parts read and write little: what they keep they need not know.
"""

from __future__ import annotations

from dataclasses import dataclass

from homing.languages.smv.relation import Cluster, Relation
from homing.languages.smv.rules import Rule
from homing.languages.smv.terms import Atom, Ref, Shared, Term, Variable

FEWEST = 2


@dataclass(frozen=True, eq=False)
class Part:
    """Ways that look at the same variables and change the same."""

    reads: tuple[Variable, ...]
    writes: tuple[Variable, ...]
    ways: list[list[Rule]]


def parts(relation: Relation) -> list[Part] | None:
    """The parts of a relation; None where it is no disjunction of steps that leave most as it is."""
    if len(relation.steps) != 1 or any(variable.kind == "IVAR" for variable in relation.flat.variables):
        return None
    (cluster,) = relation.steps
    choices = [(rule, relation.book.alternatives(rule)) for rule in cluster.rules if rule.given is None]
    wide = [(rule, ways) for rule, ways in choices if ways is not None and len(ways) >= FEWEST]
    if not wide:
        return None
    rule, ways = max(wide, key=lambda entry: len(entry[1]))
    others = [each for each in cluster.rules if each is not rule]
    found: dict[tuple[tuple[Variable, ...], tuple[Variable, ...]], Part] = {}
    for way in ways:
        part = _part(cluster, [*others, *way])
        known = found.setdefault((part.reads, part.writes), part)
        if known is not part:
            known.ways.extend(part.ways)
    if all(len(part.writes) == len(cluster.atoms) for part in found.values()):
        return None
    return list(found.values())


def _part(cluster: Cluster, rules: list[Rule]) -> Part:
    frame = {rule: atom for rule in rules if (atom := _kept(rule)) is not None}
    used = {atom for rule in rules if rule not in frame for atom in rule.atoms}
    idle = {rule for rule, atom in frame.items() if atom not in used}
    kept = {frame[rule] for rule in idle}
    left = [rule for rule in rules if rule not in idle]
    unknown = [atom for atom in cluster.atoms if atom not in kept]
    reads = {variable for rule in left for variable, after in rule.atoms if (variable, after) not in unknown}
    return Part(
        tuple(sorted(reads, key=lambda variable: variable.number)),
        tuple(variable for variable, _ in unknown),
        [left],
    )


def _kept(rule: Rule) -> Atom | None:
    """The variable that `next(x) = x` keeps."""
    if rule.given is not None or not rule.positive:
        return None
    for target in rule.targets:
        variable, after = target.atom
        if after and not target.primed and _is(target.term, variable):
            return target.atom
    return None


def _is(term: Term, variable: Variable) -> bool:
    while isinstance(term, Shared):
        term = term.body
    return isinstance(term, Ref) and term.variable is variable
