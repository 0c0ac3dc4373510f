"""Formulas in negation normal form, shared and simplified as they are built.

A term is a number in a `Pool`. Only literals, `and`, `or`, X, U and R are left: F g is true U g, G g is false R g, and
the past is folded into literals whose truth `past` computes along the way.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

Term: TypeAlias = int
FALSE, TRUE = 0, 1


class Pool:
    """All terms; equal terms have equal numbers, so a set of terms is a set of formulas."""

    def __init__(self) -> None:
        self.nodes: list[tuple[str, tuple[int, ...]]] = [("false", ()), ("true", ())]
        self._number: dict[tuple[str, tuple[int, ...]], Term] = {node: t for t, node in enumerate(self.nodes)}
        self._negation: dict[Term, Term] = {FALSE: TRUE, TRUE: FALSE}
        self._lasting: dict[tuple[Term, str], bool] = {}

    def _term(self, kind: str, *parts: int) -> Term:
        node = (kind, parts)
        if node not in self._number:
            self._number[node] = len(self.nodes)
            self.nodes.append(node)
        return self._number[node]

    def literal(self, proposition: int, positive: bool) -> Term:
        """A proposition or its negation."""
        return self._term("literal", proposition, int(positive))

    def negation(self, term: Term) -> Term:
        """The negation, in normal form again."""
        if term not in self._negation:
            kind, parts = self.nodes[term]
            result = self._dual(kind, parts)
            self._negation[term] = result
            self._negation.setdefault(result, term)
        return self._negation[term]

    def _dual(self, kind: str, parts: tuple[int, ...]) -> Term:
        match kind:
            case "literal":
                return self.literal(parts[0], not parts[1])
            case "and":
                return self.any_of(self.negation(part) for part in parts)
            case "or":
                return self.all_of(self.negation(part) for part in parts)
            case "X":
                return self.next(self.negation(parts[0]))
            case "U":
                return self.release(self.negation(parts[0]), self.negation(parts[1]))
        return self.until(self.negation(parts[0]), self.negation(parts[1]))

    # Boolean operators

    def all_of(self, terms: Iterable[Term]) -> Term:
        """The conjunction."""
        return self._junction("and", terms, FALSE, TRUE)

    def any_of(self, terms: Iterable[Term]) -> Term:
        """The disjunction."""
        return self._junction("or", terms, TRUE, FALSE)

    def _junction(self, kind: str, terms: Iterable[Term], zero: Term, one: Term) -> Term:
        flat = self._merged(kind, self._flat(kind, terms))
        flat = dict.fromkeys(term for term in self._flat(kind, flat) if term != one)
        if zero in flat or any(self.negation(term) in flat for term in flat):
            return zero
        flat = dict.fromkeys(term for term in flat if not self._absorbed(kind, term, flat))
        if len(flat) <= 1:
            return next(iter(flat), one)
        return self._term(kind, *sorted(flat))

    def _flat(self, kind: str, terms: Iterable[Term]) -> dict[Term, None]:
        flat: dict[Term, None] = {}
        for term in terms:
            other, parts = self.nodes[term]
            flat.update(dict.fromkeys(parts if other == kind else (term,)))
        return flat

    def _absorbed(self, kind: str, term: Term, among: dict[Term, None]) -> bool:
        """p & (p | q) is p, and so is p | (p & q)."""
        other, parts = self.nodes[term]
        return other in ("and", "or") and other != kind and any(part in among for part in parts)

    def _merged(self, kind: str, terms: Iterable[Term]) -> dict[Term, None]:
        """G p & G q is G (p & q), F p | F q is F (p | q), and X, and GF p | GF q, FG p & FG q likewise."""
        join = self.all_of if kind == "and" else self.any_of
        same: dict[str, list[Term]] = {"next": [], "outer": [], "inner": []}
        merged: dict[Term, None] = {}
        for term in terms:
            found = self._mergeable(kind, term)
            if found is None:
                merged[term] = None
            else:
                same[found[0]].append(found[1])
        make = (self.always, self.eventually) if kind == "and" else (self.eventually, self.always)
        if same["next"]:
            merged[self.next(join(same["next"]) if len(same["next"]) > 1 else same["next"][0])] = None
        if same["outer"]:
            merged[make[0](join(same["outer"]) if len(same["outer"]) > 1 else same["outer"][0])] = None
        if same["inner"]:
            merged[make[1](make[0](join(same["inner"]) if len(same["inner"]) > 1 else same["inner"][0]))] = None
        return merged

    def _mergeable(self, kind: str, term: Term) -> tuple[str, Term] | None:
        """What the term can be merged with, and its part that is merged."""
        other, parts = self.nodes[term]
        if other == "X":
            return "next", parts[0]
        core = self._core(kind, term)
        if core is not None:
            return "inner", core
        wanted = ("R", FALSE) if kind == "and" else ("U", TRUE)
        return ("outer", parts[1]) if (other, parts[0] if parts else None) == wanted else None

    def _core(self, kind: str, term: Term) -> Term | None:
        """p of GF p under `or`, of FG p under `and`."""
        outer, inner = (("R", FALSE), ("U", TRUE)) if kind == "or" else (("U", TRUE), ("R", FALSE))
        other, parts = self.nodes[term]
        if (other, parts[0] if parts else None) != outer:
            return None
        below, inside = self.nodes[parts[1]]
        return inside[1] if (below, inside[0] if inside else None) == inner else None

    # Temporal operators

    def next(self, term: Term) -> Term:
        """X f."""
        return term if term in (FALSE, TRUE) else self._term("X", term)

    def eventually(self, term: Term) -> Term:
        """F f."""
        return self.until(TRUE, term)

    def always(self, term: Term) -> Term:
        """G f."""
        return self.release(FALSE, term)

    def until(self, left: Term, right: Term) -> Term:
        """f U g."""
        if right in (TRUE, FALSE) or left in (FALSE, right) or self._is_lasting(right, "U"):
            return right
        kind, parts = self.nodes[right]
        if kind == "U" and (parts[0] == left or left == TRUE):
            return self.until(left, parts[1])
        if kind == "X" and (left == TRUE or self.nodes[left][0] == "X"):
            inner = TRUE if left == TRUE else self.nodes[left][1][0]
            return self.next(self.until(inner, parts[0]))
        return self._term("U", left, right)

    def release(self, left: Term, right: Term) -> Term:
        """f R g: g holds up to and including the first position with f, or for ever."""
        if right in (TRUE, FALSE) or left in (TRUE, right) or self._is_lasting(right, "R"):
            return right
        kind, parts = self.nodes[right]
        if kind == "R" and (parts[0] == left or left == FALSE):
            return self.release(left, parts[1])
        if kind == "X" and (left == FALSE or self.nodes[left][0] == "X"):
            inner = FALSE if left == FALSE else self.nodes[left][1][0]
            return self.next(self.release(inner, parts[0]))
        return self._term("R", left, right)

    # What needs no automaton

    def without_recurring(self, term: Term) -> tuple[Term, list[Term]]:
        """The term as a conjunction of another with G F p for some p without temporal operators: those p."""
        rest, recurring = list[Term](), list[Term]()
        for part in self._flat("and", [term]):
            kind, parts = self.nodes[part]
            if kind != "R" or parts[0] != FALSE:
                rest.append(part)
                continue
            inner = list(self._flat("and", [parts[1]]))
            cores = {other: self.nodes[other][1][1] for other in inner if self._is_eventually_plain(other)}
            recurring += cores.values()
            rest.append(self.always(self.all_of(other for other in inner if other not in cores)))
        return self.all_of(rest), recurring

    def _is_eventually_plain(self, term: Term) -> bool:
        kind, parts = self.nodes[term]
        return kind == "U" and parts[0] == TRUE and self._is_plain(parts[1])

    def _is_plain(self, term: Term) -> bool:
        kind, parts = self.nodes[term]
        return kind not in ("X", "U", "R") and (kind == "literal" or all(self._is_plain(part) for part in parts))

    def evaluate(self, term: Term, true: int) -> bool:
        """The value of a term without temporal operators, where `true` has the bits of all true propositions."""
        kind, parts = self.nodes[term]
        if kind == "literal":
            return (true >> parts[0] & 1) == parts[1]
        if kind in ("and", "or"):
            return (all if kind == "and" else any)(self.evaluate(part, true) for part in parts)
        return term == TRUE

    def _is_lasting(self, term: Term, kind: str) -> bool:
        """For U: a pure eventuality, which is true now if it is true later. For R: its dual.

        Etessami and Holzmann, "Optimizing Büchi automata" (2000).
        """
        key = (term, kind)
        if key not in self._lasting:
            other, parts = self.nodes[term]
            base = TRUE if kind == "U" else FALSE
            if other in ("true", "false") or (other == kind and parts[0] == base):
                result = True
            elif other == kind:
                result = self._is_lasting(parts[1], kind)
            else:
                result = other != "literal" and all(self._is_lasting(part, kind) for part in parts)
            self._lasting[key] = result
        return self._lasting[key]
