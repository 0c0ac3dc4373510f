"""One specification and one configuration in, one model out."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from homing.core.builder import Builder
from homing.core.errors import HomingError, ModelError, Place
from homing.core.formula import Between, Formula, Operation
from homing.core.model import Model
from homing.core.property import Always, DeadlockFree, Property
from homing.core.system import Permutation
from homing.core.temporal import EveryStep, Fairness, Temporal
from homing.core.values import State
from homing.languages.tla import charts, files
from homing.languages.tla import config as configuration
from homing.languages.tla.access import Library, error_of
from homing.languages.tla.aliases import Alias
from homing.languages.tla.classes import Classes, learnt
from homing.languages.tla.config import Config, Name
from homing.languages.tla.free import Free
from homing.languages.tla.groups import Part, split
from homing.languages.tla.ir import TRUE, E
from homing.languages.tla.modules import STANDARD
from homing.languages.tla.notation import notation
from homing.languages.tla.resolve import Specification, resolve
from homing.languages.tla.scope import Builtin, Constant, Definition, Symbol, Variable
from homing.languages.tla.slots import Shapes, proposed, whole
from homing.languages.tla.specialise import Specialiser
from homing.languages.tla.symmetry import Image, images, permutations
from homing.languages.tla.syntax import Node
from homing.languages.tla.system import Observed, TlaSystem
from homing.languages.tla.temporal import Behaviour, Item, Translator, taken_apart
from homing.languages.tla.units import GroupUnit, InitialUnit, LabelUnit, PairUnit, enabling
from homing.languages.tla.values import Fault, force
from homing.languages.tla.walks import seen

RECURSION = 8000


def load(path: Path, config: Path | None = None, deadlock: bool = True) -> Model:
    """The model of a specification (.tla) with its configuration (.cfg); either names the other.

    Without `deadlock`, that is not checked, whatever the configuration says.
    """
    spec, config = files.pair(path, config)
    # Expressions nest: each level of a specification takes a few of Python's, here and while it is checked.
    sys.setrecursionlimit(max(sys.getrecursionlimit(), RECURSION))
    try:
        return _Loader(spec, config, deadlock).model()
    except RecursionError:
        raise HomingError("is nested too deeply, or recurses without end", Place(str(spec))) from None


class _Loader:
    """Goes from files to a model, step by step."""

    def __init__(self, spec: Path, config: Path, deadlock: bool) -> None:
        self.path = spec
        self.config_path = config
        self.config: Config = configuration.read(config)
        self.config.check_deadlock &= deadlock
        self.spec: Specification = resolve(spec)
        self.place = Place(str(config))
        self.meanings: dict[Symbol, Any] = {}
        self.names = tuple(variable.name for variable in self.spec.variables)
        self.labels: list[Observed] = []
        self.taken: set[str] = set()

    def model(self) -> Model:
        self._constants()
        self.free = Free(self.meanings)
        self._prepare(whole(self.names))
        self._check_assumptions()
        behaviour = self._behaviour()
        if behaviour is None:
            return self._assumptions_only()
        states = self._initial(behaviour)
        self._divide(behaviour, states)
        return self._finished(behaviour, states)

    def _assumptions_only(self) -> Model:
        """Without a behaviour TLC checks the assumptions; that has happened by now."""
        config = self.config
        if config.init or config.next or config.invariants or config.properties or not self.spec.assumptions:
            raise HomingError("says neither SPECIFICATION nor INIT and NEXT, so there is nothing to check", self.place)
        for keyword, name in (("ALIAS", config.alias), ("POSTCONDITION", config.postcondition)):
            if name is not None:
                raise HomingError(f"{keyword} '{name.text}' is not supported without a behaviour", name.place)
        builder = Builder(str(self.config_path))
        builder.slot("assumptions", True)
        builder.always("assumptions", (), lambda: True)
        return replace(builder.model(), digest=self._digest(), place=Place(str(self.path)))

    # Constants and names

    def _constants(self) -> None:
        by_name: dict[str, list[Symbol]] = {}
        for definition in self.spec.definitions:
            by_name.setdefault(definition.name, []).append(definition)
        for standard in STANDARD.values():
            for name, symbol in standard.items():
                by_name.setdefault(name, []).append(symbol)
        scope = self.spec.scope
        for given, value in self.config.values:
            target = self.spec.scope.find(given.text)
            if isinstance(target, Variable):
                raise HomingError(f"'{given.text}' is a variable, no constant", given.place)
            # A name that nothing has, TLC does not mind either.
            for meant in [target] if target is not None else by_name.get(given.text, []):
                self.meanings[meant] = value
        for replacement in self.config.replacements:
            by = self._find(replacement.by)
            wanted = [symbol for symbol in by_name.get(replacement.name.text, ()) if self._matches(symbol, replacement)]
            direct = scope.find(replacement.name.text)
            targets = [direct] if direct is not None and replacement.module is None else []
            # What it calls of an instance of the module that it replaces an operator of is the operator as it was.
            called = Free({}).called(by) if isinstance(by, Definition) else frozenset()
            targets += [symbol for symbol in wanted if symbol is not by and symbol not in called]
            if not targets:
                raise self._unknown(replacement.name)
            for target in targets:
                if target is not by:
                    self.meanings[target] = by
        for constant in self.spec.constants:
            if constant not in self.meanings:
                raise HomingError(f"gives constant '{constant.name}' no value", self.place)

    def _matches(self, symbol: Symbol, replacement: configuration.Replacement) -> bool:
        module = getattr(symbol, "module", "")
        if module == "LET":
            return False
        if isinstance(symbol, Builtin):
            return True
        return replacement.module is None or module == replacement.module

    def _find(self, name: Name) -> Symbol:
        symbol = self.spec.scope.find(name.text)
        if symbol is None and "!" in name.text:
            symbol = self._qualified(name)
        if symbol is None:
            raise self._unknown(name)
        return symbol

    def _qualified(self, name: Name) -> Symbol | None:
        *path, last = name.text.split("!")
        scope = self.spec.scope
        for part in path:
            found = scope.find(part)
            if found is None or not hasattr(found, "scope"):
                return None
            scope = found.scope
        return scope.find(last)

    def _unknown(self, name: Name) -> HomingError:
        from difflib import get_close_matches

        known = self.spec.scope.known()
        return HomingError(
            f"'{name.text}' is not defined in {self.path.name}",
            name.place,
            get_close_matches(name.text, known) or known,
        )

    def _named(self, name: Name) -> Node:
        """A reference to what the configuration names."""
        symbol = self._find(name)
        if isinstance(symbol, Variable):
            return Node("ref", (), symbol, symbol.place)
        if not isinstance(symbol, Definition | Builtin | Constant) or symbol.arity:
            raise HomingError(f"'{name.text}' is no formula without arguments", name.place)
        return Node("ref", (), symbol, symbol.place if not isinstance(symbol, Builtin) else name.place)

    # Init and Next

    def _prepare(self, shapes: Shapes) -> None:
        self.shapes = shapes
        self.specialiser = Specialiser(self.meanings, shapes, self.free)
        self.library = Library(shapes, enabling(self.names))

    def _check_assumptions(self) -> None:
        for name, body in self.spec.assumptions:
            e = self.specialiser.expression(body, {})
            if e.is_const and e.data is True:
                continue
            if not e.is_const:
                try:
                    from homing.languages.tla.evaluate import value_of

                    value_of(e)
                except Fault as fault:
                    raise error_of(fault, "an assumption") from None
            said = f"assumption '{name}'" if name != "ASSUME" else "the assumption"
            raise ModelError(f"{said} is false", body.place)

    def _behaviour(self) -> Behaviour | None:
        config = self.config
        if config.specification is not None:
            behaviour = taken_apart(self._named(config.specification), {}, self.specialiser)
            place = config.specification.place
            if not behaviour.init:
                raise HomingError(f"'{config.specification.text}' has no initial condition", place)
            if len(behaviour.next) != 1:
                said = "no" if not behaviour.next else "more than one"
                raise HomingError(f"'{config.specification.text}' has {said} next-state relation [][Next]_v", place)
            return behaviour
        if config.init is None or config.next is None:
            return None
        behaviour = Behaviour()
        behaviour.init = [(self._named(config.init), {})]
        behaviour.next = [(Node("box", (self._named(config.next),), None, self.place), {})]
        return behaviour

    def _initial(self, behaviour: Behaviour) -> list[tuple[Any, ...]]:
        parts = [self.specialiser.expression(node, env, next_state=True, action=True) for node, env in behaviour.init]
        action = parts[0] if len(parts) == 1 else E("and", tuple(parts), None, parts[0].place)
        states = InitialUnit(action, self.names, self.library).states()
        if not states:
            raise ModelError("Init has no state: nothing satisfies it", action.place)
        return states

    def _divide(self, behaviour: Behaviour, states: list[tuple[Any, ...]]) -> None:
        """Finds how variables can be split: as far as every action keeps their keys."""
        self.images = self._images()
        self._prepare(proposed(self.names, states))
        self._settle(behaviour)
        classes = self._classes([self.shapes.state(state) for state in states])
        if classes:
            self._prepare(self.shapes.with_classes(classes))
            self._settle(behaviour)

    def _settle(self, behaviour: Behaviour) -> None:
        while True:
            self._groups(behaviour)
            cuts = {cut for unit in self.groups for cut in unit.cuts}
            if not cuts:
                return
            self._prepare(self.shapes.cut(cuts))

    def _classes(self, states: list[State]) -> dict[int, Classes]:
        """How variables that are sets are split."""
        sets = {
            slot: number
            for slot, (number, path) in enumerate(self.shapes.slots)
            if not path and all(type(state[slot]) is frozenset for state in states)
        }
        if not sets:
            return {}
        found = seen(states, self.groups, sets)
        made = {sets[slot]: learnt(elements, self.images) for slot, elements in found.items()}
        return {number: classes for number, classes in made.items() if classes is not None}

    def _groups(self, behaviour: Behaviour) -> None:
        node, env = behaviour.next[0]
        demands = tuple(self.specialiser.expression(self._named(name), {}) for name in self.config.action_constraints)
        self.parts: list[Part] = split(node.args[0], self.specialiser, env)
        scope = _applier(self.specialiser)
        self.groups = [
            GroupUnit(str(part.event), part.event, part.action, demands, self.library, scope) for part in self.parts
        ]

    # Properties

    def _finished(self, behaviour: Behaviour, states: list[tuple[Any, ...]]) -> Model:
        constraints = tuple(
            label for name in self.config.constraints for label in self._condition(self._expression(name), name.text)
        )
        properties: list[Property] = []
        if self.config.check_deadlock:
            properties.append(DeadlockFree())
        properties += [self._invariant(name) for name in self.config.invariants]
        translator = Translator(
            self.specialiser,
            self._condition,
            self._between,
            # Fairness asks whether an action is enabled, also where constraints forbid its steps.
            [] if self.config.constraints or self.config.action_constraints else self.parts,
            lambda e: slots_of(e, self.shapes),
        )
        for name in self.config.properties:
            properties += self._property(name, translator, behaviour)
        if self.config.postcondition is not None:
            properties.append(self._postcondition(self.config.postcondition))
        if not properties:  # then it is checked that every step can be evaluated
            properties.append(Always("no error", self._condition(TRUE, "no error")[0]))
        system = TlaSystem(
            self.shapes,
            [self.shapes.state(state) for state in states],
            self.groups,
            self.labels,
            constraints,
            self._hidden(),
            self._symmetry(),
            Place(str(self.path)),
            notation(self.shapes, self._alias(), charts.find(self.spec.files, self.names)),
        )
        if self.config.action_constraints:
            properties = [_among(prop, system.unrestricted()) for prop in properties]
        return Model(str(self.config_path), system, tuple(properties), self._digest(), Place(str(self.path)))

    def _expression(self, name: Name) -> E:
        return self.specialiser.expression(self._named(name), {})

    def _condition(self, e: E, name: str) -> list[int]:
        """Labels whose conjunction is a condition; a conjunct counts where those before it are true."""
        labels: list[int] = []
        for part in _conjuncts(e):
            labels.append(self._add(LabelUnit(self._fresh(name), part, self.library, tuple(labels))))
        return labels

    def _add(self, unit: Observed) -> int:
        self.labels.append(unit)
        return len(self.labels) - 1

    def _fresh(self, name: str) -> str:
        shown, count = name, 1
        while shown in self.taken:
            count += 1
            shown = f"{name} ({count})"
        self.taken.add(shown)
        return shown

    def _between(self, e: E, name: str) -> Between:
        unit = PairUnit(self._fresh(name), e, self.library)
        return Between(name, self._add(unit.before), self._add(unit.after), unit.holds, e.place)

    def _invariant(self, name: Name) -> Property:
        node = self._named(name)
        if self.free.is_temporal(node) or self.free.is_action(node):
            raise HomingError(
                f"invariant '{name.text}' is no state predicate: it has primes or is temporal", name.place
            )
        first, *rest = self._condition(self.specialiser.expression(node, {}), name.text)
        return Always(name.text, first, tuple(rest))

    def _postcondition(self, name: Name) -> Property:
        """Of a constant it does not matter when it is evaluated; what a run of TLC counts is refused by its name."""
        e = self._expression(name)
        if e.reads:
            raise HomingError(f"POSTCONDITION '{name.text}' is not supported: it is no constant", name.place)
        first, *rest = self._condition(e, name.text)
        return Always(f"{name.text} (postcondition)", first, tuple(rest))

    def _property(self, name: Name, translator: Translator, behaviour: Behaviour) -> Iterable[Property]:
        parts = taken_apart(self._named(name), {}, self.specialiser)
        if parts.invariant and not (parts.init or parts.next or parts.rest):
            labels = [
                label
                for node, env in parts.invariant
                for label in self._condition(self.specialiser.expression(node, env), name.text)
            ]
            yield Always(name.text, labels[0], tuple(labels[1:]))
            return
        if parts.next or (parts.init and not parts.rest and not parts.invariant):
            yield self._steps(name, parts)
            parts.init, parts.next = [], []
        live = [*parts.init, *parts.rest]
        if not live and not parts.invariant:
            return
        formulas = [translator.formula(node, env) for node, env in live]
        formulas += [_always(translator.formula(node, env)) for node, env in parts.invariant]
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
        self.taken.add(name.text)
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
        shown = name.text if name.text not in self.taken else f"{name.text} (liveness)"
        return Temporal(shown, formula, tuple(fairness), "always", name.place)

    # Views and symmetry

    def _alias(self) -> Alias | None:
        """What traces show instead of the variables."""
        name = self.config.alias
        if name is None:
            return None
        node = self._named(name)
        if self.free.is_temporal(node) or self.free.is_action(node):
            raise HomingError(f"ALIAS '{name.text}' is not supported: it has primes or is temporal", name.place)
        return Alias(self.specialiser.expression(node, {}), name, self.library)

    def _hidden(self) -> frozenset[int]:
        if self.config.view is None:
            return frozenset()
        seen = slots_of(self._expression(self.config.view), self.shapes)
        if seen is None:
            raise HomingError(
                f"VIEW '{self.config.view.text}' is not supported: it is no tuple of variables or of parts of them",
                self.config.view.place,
            )
        return frozenset(range(len(self.shapes.slots))) - seen

    def _images(self) -> list[Image]:
        if self.config.symmetry is None:
            return []
        e = self._expression(self.config.symmetry)
        if not e.is_const:
            raise HomingError(f"SYMMETRY '{self.config.symmetry.text}' is no constant", self.config.symmetry.place)
        return images(force(e.data), self.config.symmetry.place)

    def _symmetry(self) -> tuple[Permutation, ...]:
        if self.config.symmetry is None:
            return ()
        return permutations(self.images, self.shapes, self.config.symmetry.place)

    def _digest(self) -> str:
        digest = hashlib.blake2b(digest_size=16)
        for file in (*self.spec.files, self.config_path):
            digest.update(hashlib.blake2b(file.read_bytes()).digest())
        return digest.hexdigest()


def _applier(specialiser: Specialiser) -> Any:
    from homing.languages.tla.specialise import _Scope

    scope = _Scope(specialiser, False, False)
    return lambda base, key: scope.apply(base, key, key.place)


def _among(prop: Property, system: TlaSystem) -> Property:
    """TLC looks at the steps that action constraints forbid, too."""
    return replace(prop, among=system) if isinstance(prop, EveryStep) else prop


def _always(formula: Formula) -> Formula:
    return Operation("G", (formula,))


def _conjuncts(e: E) -> Iterable[E]:
    if e.op == "and":
        for arg in e.args:
            yield from _conjuncts(arg)
    else:
        yield e


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


__all__ = ["Item", "load"]
