"""What a configuration asks: labels for its conditions, and the properties that speak of them."""

from __future__ import annotations

from collections.abc import Iterable
from operator import eq

from homing.core.errors import HomingError
from homing.core.formula import Between, Formula, Operation
from homing.core.property import Always, DeadlockFree, Property
from homing.core.temporal import EveryStep, Fairness, Temporal
from homing.languages.tla.access import Library
from homing.languages.tla.conditions import Kept, LabelUnit, PairUnit, first_part, kept, slots_kept
from homing.languages.tla.config import Config, Name
from homing.languages.tla.groups import Part
from homing.languages.tla.hoisting import slots_read
from homing.languages.tla.ir import TRUE, E, conjuncts
from homing.languages.tla.naming import Naming
from homing.languages.tla.slots import Shapes
from homing.languages.tla.specialise import Specialiser
from homing.languages.tla.substitution import primed
from homing.languages.tla.system import Observed
from homing.languages.tla.temporal import Behaviour, Translator, taken_apart


class Questions:
    """Collects labels while constraints and properties are read."""

    def __init__(self, naming: Naming, specialiser: Specialiser, library: Library, forbidding: bool = False) -> None:
        """`forbidding`: there are action constraints."""
        self.naming = naming
        self.forbidding = forbidding
        self.specialiser = specialiser
        self.library = library
        self.labels: list[Observed] = []
        self._taken: set[str] = set()
        self._conditions = 0

    def constraints(self, config: Config) -> tuple[int, ...]:
        """The labels that a state must satisfy for its steps to count."""
        return tuple(
            label for name in config.constraints for label in self._condition(self.expression(name), name.text)
        )

    def properties(self, config: Config, parts: list[Part], behaviour: Behaviour) -> list[Property]:
        """All that is to be decided."""
        properties: list[Property] = []
        if config.check_deadlock:
            properties.append(DeadlockFree())
        properties += [self._invariant(name) for name in config.invariants]
        translator = Translator(
            self.specialiser,
            self._condition,
            self._between,
            # Fairness asks whether an action is enabled, also where constraints forbid its steps.
            [] if config.constraints or config.action_constraints else parts,
            lambda e: slots_of(e, self.library.shapes),
        )
        for name in config.properties:
            properties += self._property(name, translator, behaviour)
        if config.postcondition is not None:
            properties.append(self._postcondition(config.postcondition))
        if not properties:  # then it is checked that every step can be evaluated
            properties.append(Always("no error", self._condition(TRUE, "no error")[0]))
        return properties

    def expression(self, name: Name) -> E:
        """What a name stands for."""
        return self.specialiser.expression(self.naming.named(name), {})

    def _condition(self, e: E, name: str) -> list[int]:
        """Labels whose conjunction is a condition; a conjunct counts where those before it are true."""
        labels: list[int] = []
        for part in conjuncts(e):
            labels.append(self._add(LabelUnit(self._fresh(name), part, self.library, tuple(labels))))
        return labels

    def _add(self, unit: Observed) -> int:
        self.labels.append(unit)
        return len(self.labels) - 1

    def _fresh(self, name: str) -> str:
        shown, count = name, 1
        while shown in self._taken:
            count += 1
            shown = f"{name} ({count})"
        self._taken.add(shown)
        return shown

    def _between(self, e: E, name: str) -> Between:
        """A condition on steps; what takes little to find out is asked first: what it starts with, what it keeps."""
        shapes = self.library.shapes
        same, first = slots_kept(e, shapes), first_part(e, shapes)
        only = None
        if same and same < {slot for slot, _ in slots_read((e,), shapes)}:
            label = self._kept(kept(same, self._fresh(f"{name}: what is kept"), self.library))
            only = Between(name, label, label, eq, e.place)
        if first is not None:
            only = self._pair(first, name, only)
        return self._pair(e, name, only)

    def _pair(self, e: E, name: str, only: Between | None) -> Between:
        unit = PairUnit(self._fresh(name), e, self.library)
        self._conditions += 1
        before, after = self._kept(unit.before), self._kept(unit.after)
        return Between(name, before, after, unit.holds, e.place, self._conditions, only)

    def _kept(self, unit: Kept) -> int:
        """Its label: one for all conditions that read the same."""
        return self.labels.index(unit) if unit in self.labels else self._add(unit)

    def _invariant(self, name: Name) -> Property:
        node = self.naming.named(name)
        if self.specialiser.free.is_temporal(node) or self.specialiser.free.is_action(node):
            raise HomingError(
                f"invariant '{name.text}' is no state predicate: it has primes or is temporal", name.place
            )
        return self._always(name, [self.specialiser.expression(node, {})])

    def _always(self, name: Name, conditions: list[E]) -> Property:
        """Invariants count in states that steps lead to which an action constraint forbids, as in TLC."""
        first, *rest = [label for e in conditions for label in self._condition(e, name.text)]
        if not self.forbidding:
            return Always(name.text, first, tuple(rest))
        steps = tuple(self._between(primed(e), name.text) for e in conditions)
        return EveryStep(name.text, steps, (first, *rest))

    def _postcondition(self, name: Name) -> Property:
        """Of a constant it does not matter when it is evaluated; what a run of TLC counts is refused by its name."""
        e = self.expression(name)
        if e.reads:
            raise HomingError(f"POSTCONDITION '{name.text}' is not supported: it is no constant", name.place)
        first, *rest = self._condition(e, name.text)
        return Always(f"{name.text} (postcondition)", first, tuple(rest))

    def _property(self, name: Name, translator: Translator, behaviour: Behaviour) -> Iterable[Property]:
        parts = taken_apart(self.naming.named(name), {}, self.specialiser)
        if parts.invariant and not (parts.init or parts.next or parts.rest):
            yield self._always(name, [self.specialiser.expression(node, env) for node, env in parts.invariant])
            return
        if parts.next or (parts.init and not parts.rest and not parts.invariant):
            yield self._steps(name, parts)
            parts.init, parts.next = [], []
        live = [*parts.init, *parts.rest]
        if not live and not parts.invariant:
            return
        formulas = [translator.formula(node, env) for node, env in live]
        formulas += [_globally(translator.formula(node, env)) for node, env in parts.invariant]
        yield self._temporal(name, formulas, translator, behaviour)

    def _steps(self, name: Name, parts: Behaviour) -> Property:
        initially = [
            label
            for node, env in parts.init
            for label in self._condition(self.specialiser.expression(node, env), f"{name.text}: initially")
        ]
        steps = [
            self._between(part, name.text)
            for node, env in parts.next
            for part in [self.specialiser.expression(node, env)]
        ]
        self._taken.add(name.text)
        return EveryStep(name.text, tuple(steps), tuple(initially))

    def _temporal(self, name: Name, formulas: list[Formula], translator: Translator, behaviour: Behaviour) -> Property:
        fairness: list[Fairness] = []
        assumed: list[Formula] = []
        for node, env in behaviour.rest:
            found = translator.fairness(node, env)
            if isinstance(found, Formula):
                assumed.append(found)
            else:
                fairness.append(found)
        formula = formulas[0] if len(formulas) == 1 else Operation("and", tuple(formulas))
        if assumed:
            left = assumed[0] if len(assumed) == 1 else Operation("and", tuple(assumed))
            formula = Operation("implies", (left, formula))
        shown = name.text if name.text not in self._taken else f"{name.text} (liveness)"
        return Temporal(shown, formula, tuple(fairness), "always", name.place)


def _globally(formula: Formula) -> Formula:
    return Operation("G", (formula,))


def slots_of(e: E, shapes: Shapes) -> frozenset[int] | None:
    """The slots of a tuple of variables, or of parts of them; None for any other expression."""
    if e.op == "var":
        return frozenset(shapes.below(e.data.number, e.data.path))
    if e.op in ("tuple", "record", "table"):
        found: set[int] = set()
        for arg in e.args:
            below = slots_of(arg, shapes)
            if below is None:
                return None
            found |= below
        return frozenset(found)
    return frozenset() if e.is_const else None
