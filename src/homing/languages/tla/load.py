"""One specification and one configuration in, one model out."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from homing.core.builder import Builder
from homing.core.errors import HomingError, ModelError, Place
from homing.core.model import Model
from homing.core.property import Property
from homing.core.system import Permutation, TransitionSystem
from homing.core.temporal import EveryStep
from homing.core.values import State
from homing.core.wrappers import Likened
from homing.languages.tla import charts, files
from homing.languages.tla import config as configuration
from homing.languages.tla.access import Library, error_of
from homing.languages.tla.aliases import Alias
from homing.languages.tla.classes import closed, learnt
from homing.languages.tla.config import Config, Name
from homing.languages.tla.free import LEVEL, Free
from homing.languages.tla.groups import Part, deeper, split
from homing.languages.tla.ir import E, Var, const
from homing.languages.tla.modules.exchange import bound
from homing.languages.tla.modules.folders import Folders
from homing.languages.tla.modules.logic import EQUAL
from homing.languages.tla.modules.outside import environment, visible
from homing.languages.tla.naming import Naming
from homing.languages.tla.notation import notation
from homing.languages.tla.questions import Questions, slots_of
from homing.languages.tla.resolve import Specification, resolve
from homing.languages.tla.slots import Path as Keys
from homing.languages.tla.slots import Shapes, proposed, whole
from homing.languages.tla.specialise import Specialiser
from homing.languages.tla.symmetry import Image, images, permutations
from homing.languages.tla.syntax import Node
from homing.languages.tla.system import TlaSystem
from homing.languages.tla.temporal import Behaviour, taken_apart
from homing.languages.tla.units import GroupUnit, InitialUnit, enabling
from homing.languages.tla.values import ATOMS, Fault, force, ordered, show
from homing.languages.tla.views import Seen
from homing.languages.tla.walks import seen

RECURSION = 8000
FEW = 12
"""Elements of sets by which the actions that go through them are split."""


def load(
    path: Path,
    config: Path | None = None,
    deadlock: bool = True,
    seed: int = 0,
    allow_write: Path | None = None,
    env: tuple[str, ...] = (),
) -> Model:
    """The model of a specification (.tla) with its configuration (.cfg); either names the other.

    Without `deadlock`, that is not checked, whatever the configuration says. What the specification draws at random
    depends on `seed`. It writes files only where `allow_write` says: into this folder. Of the environment it sees the
    variables named in `env`.
    """
    spec, config = files.pair(path, config)
    # Expressions nest: each level of a specification takes a few of Python's, here and while it is checked.
    sys.setrecursionlimit(max(sys.getrecursionlimit(), RECURSION))
    try:
        return _Loader(spec, config, deadlock, seed, allow_write, env).model()
    except RecursionError:
        raise HomingError("is nested too deeply, or recurses without end", Place(str(spec))) from None


class _Loader:
    """Goes from files to a model, step by step."""

    def __init__(
        self, spec: Path, config: Path, deadlock: bool, seed: int, allow_write: Path | None, env: tuple[str, ...]
    ) -> None:
        self.env = env
        self.folders = Folders(spec.parent, allow_write)
        self.seed = seed
        self.path = spec
        self.config_path = config
        self.config: Config = configuration.read(config)
        self.config.check_deadlock &= deadlock
        self.spec: Specification = resolve(spec)
        self.place = Place(str(config))
        self.naming = Naming(self.spec, self.config, spec, config)
        self.names = tuple(variable.name for variable in self.spec.variables)
        self.level: int | None = None
        """The variable that holds the level of a state, if any is asked for it."""
        self.universes: dict[int, tuple[Any, ...]] = {}
        self.level_here: E | None = const(0)  # as in TLC, in Init and in assumptions

    def model(self) -> Model:
        self.meanings = bound(self.folders) | visible(self.env) | self.naming.meanings()
        self.free = Free(self.meanings)
        self._prepare(whole(self.names))
        self._check_assumptions()
        behaviour = self._behaviour()
        if behaviour is None:
            return self._assumptions_only()
        if self._needs_level(behaviour):
            self.level = len(self.names)
            self.names = (*self.names, LEVEL)
            self._prepare(whole(self.names))
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
        model = builder.model()
        return replace(
            model, digest=self._digest(), place=Place(str(self.path)), files=self._files(), seed=self._drawn()
        )

    def _needs_level(self, behaviour: Behaviour) -> bool:
        """Whether a state must know how far from an initial one it is."""
        config = self.config
        view = () if config.view is None else (config.view,)
        named = (*config.constraints, *config.action_constraints, *config.invariants, *config.properties, *view)
        nodes = [*map(self.naming.named, named), *(node for node, _ in (*behaviour.next, *behaviour.rest))]
        return any(map(self.free.needs_level, nodes))

    def _prepare(self, shapes: Shapes) -> None:
        self.shapes = shapes
        self.specialiser = Specialiser(self.meanings, shapes, self.free)
        self.specialiser.level = self.level_here
        self.specialiser.seed = self.seed
        self.specialiser.universes = self.universes
        self.library = Library(shapes, enabling(self.names))

    def _check_assumptions(self) -> None:
        self.specialiser.stateless = True
        for _, body in self.spec.assumptions:
            if self.free.asks_enabled(body):
                raise HomingError("an assumption is about constants, and ENABLED about a state", body.place)
        assumed = [(name, body, self.specialiser.expression(body, {})) for name, body in self.spec.assumptions]
        self.specialiser.stateless = False
        for name, body, e in assumed:
            if e.is_const and e.data is True:
                continue
            if not e.is_const:
                try:
                    from homing.languages.tla.evaluate import value_of

                    if value_of(e) is True:
                        continue
                except Fault as fault:
                    raise error_of(fault, "an assumption") from None
            said = f"assumption '{name}'" if name != "ASSUME" else "the assumption"
            raise ModelError(f"{said} is false", body.place)

    def _behaviour(self) -> Behaviour | None:
        config = self.config
        if config.specification is not None:
            behaviour = taken_apart(self.naming.named(config.specification), {}, self.specialiser)
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
        behaviour.init = [(self.naming.named(config.init), {})]
        behaviour.next = [(Node("box", (self.naming.named(config.next),), None, self.place), {})]
        return behaviour

    def _initial(self, behaviour: Behaviour) -> list[tuple[Any, ...]]:
        parts = [self.specialiser.expression(node, env, next_state=True, action=True) for node, env in behaviour.init]
        if self.level is not None:
            parts.append(E("call", (E("var", (), Var(self.level, (), True)), const(1)), EQUAL, parts[0].place))
        action = parts[0] if len(parts) == 1 else E("and", tuple(parts), None, parts[0].place)
        states = InitialUnit(action, self.names, self.library).states()
        if not states:
            raise ModelError("Init has no state: nothing satisfies it", action.place)
        return states

    def _divide(self, behaviour: Behaviour, states: list[tuple[Any, ...]]) -> None:
        """Finds how variables can be split: as far as every action keeps their keys."""
        self.images = self._images()
        self.level_here = None if self.level is None else E("var", (), Var(self.level))
        self._prepare(proposed(self.names, states).symmetric(self.images))
        self._fit(behaviour)
        held = self._held([self.shapes.state(state) for state in states])
        made = {number: learnt(elements, self.images) for number, elements in held.items()}
        classes = {number: found for number, found in made.items() if found is not None}
        self.universes = {
            number: tuple(ordered(closed(held[number], list(self.images))))
            for number in held.keys() - classes.keys()
            if 0 < len(held[number]) <= FEW and all(type(element) in ATOMS for element in held[number])
        }
        looped = self.specialiser.looped & self.universes.keys()
        self.specialiser.universes = self.universes
        if classes or looped:
            self._prepare(self.shapes.with_classes(classes))
            self._fit(behaviour)
        while cuts := self._settled():
            self._prepare(self.shapes.cut(cuts).symmetric(self.images))
            self._fit(behaviour)

    def _fit(self, behaviour: Behaviour) -> None:
        while cuts := self._groups(behaviour):
            self._prepare(self.shapes.cut(cuts).symmetric(self.images))

    def _settled(self) -> set[tuple[int, Keys]]:
        for unit in self.groups:
            unit.settle()
        return set().union(*(unit.cuts for unit in self.groups))

    def _held(self, states: list[State]) -> dict[int, set[Any]]:
        """By variable that is a set, elements that it may have."""
        sets = {
            slot: number
            for slot, (number, path) in enumerate(self.shapes.slots)
            if not path and all(type(state[slot]) is frozenset for state in states)
        }
        found = seen(states, self.groups, sets) if sets else {}
        return {sets[slot]: elements for slot, elements in found.items()}

    def _groups(self, behaviour: Behaviour) -> set[tuple[int, Keys]]:
        """Compiles the groups; stops at the first that does not keep the keys of a variable, and returns where."""
        node, env = behaviour.next[0]
        demands = tuple(map(self._expression, self.config.action_constraints))
        self.parts: list[Part] = []
        self.groups: list[GroupUnit] = []
        for part in split(node.args[0], self.specialiser, env):
            if self.level is not None:
                part = replace(part, action=deeper(part.action, self.level))
            unit = GroupUnit(part, demands, self.library, self.specialiser.applied)
            if unit.cuts:
                return unit.cuts
            self.parts.append(part)
            self.groups.append(unit)
        return set()

    def _finished(self, behaviour: Behaviour, states: list[tuple[Any, ...]]) -> Model:
        asked = Questions(self.naming, self.specialiser, self.library, bool(self.config.action_constraints))
        constraints = asked.constraints(self.config)
        properties = asked.properties(self.config, self.parts, behaviour)
        system = TlaSystem(
            self.shapes,
            [self.shapes.state(state) for state in states],
            self.groups,
            asked.labels,
            constraints,
            self._hidden(),
            self._symmetry(),
            Place(str(self.path)),
            notation(self.shapes, self._alias(), charts.find(self.spec.files, self.names)),
        )
        if self.config.action_constraints:
            properties = [_among(prop, self._seen(system.unrestricted())) for prop in properties]
        return Model(
            str(self.config_path),
            self._seen(system),
            tuple(properties),
            self._digest(),
            Place(str(self.path)),
            portable=self._staying(),
            files=self._files(),
            seed=self._drawn(),
        )

    def _drawn(self) -> int | None:
        """The seed, where something is drawn at random."""
        return self.seed if self.free.drew else None

    def _staying(self) -> Callable[[], Any] | None:
        """For a model that means something else to workers on other machines: refuses to go there."""
        if self.level is not None:
            why = f"'{LEVEL}' is exact only where states are found level by level"
        elif "IOUtils" in self.spec.standard:
            why = "'IOEnv' may be another on each machine"
        elif self.free.reached:
            why = "files may be others on each machine"
        else:
            return None

        def stay() -> Any:
            raise HomingError(f"--engine spark is not supported here: {why}", Place(str(self.path)))

        return stay

    def _alias(self) -> Alias | None:
        """What traces show instead of the variables."""
        name = self.config.alias
        if name is None:
            return None
        node = self.naming.named(name)
        if self.free.is_temporal(node) or self.free.is_action(node):
            raise HomingError(f"ALIAS '{name.text}' is not supported: it has primes or is temporal", name.place)
        return Alias(self.specialiser.expression(node, {}), name, self.library)

    def _hidden(self) -> frozenset[int]:
        if self.config.view is None:
            return frozenset() if self.level is None else frozenset(self.shapes.below(self.level, ()))
        seen = self._chosen(self.config.view)
        return frozenset() if seen is None else frozenset(range(len(self.shapes.slots))) - seen

    def _chosen(self, view: Name) -> frozenset[int] | None:
        """The slots that a view shows; None where it is more than a choice that no symmetry changes."""
        seen = slots_of(self._expression(view), self.shapes)
        if seen is None or any({self.shapes.moved(slot, image) for slot in seen} != seen for image in self.images):
            return None
        return seen

    def _seen(self, system: TlaSystem) -> TransitionSystem:
        """The system, with a view that is more than a choice of variables."""
        view = self.config.view
        if view is None or self._chosen(view) is not None:
            return system
        look = Seen(self._expression(view), view, self.library)
        return Likened(system, f"VIEW {view.text}", look.slots, look)

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

    def _files(self) -> tuple[str, ...]:
        return tuple(map(str, (*self.spec.files, self.config_path)))

    def _digest(self) -> str:
        digest = hashlib.blake2b(digest_size=16)
        for file in self._files():
            digest.update(hashlib.blake2b(Path(file).read_bytes()).digest())
        if self.free.drew:
            digest.update(str(self.seed).encode())
        if "IOUtils" in self.spec.standard:
            digest.update(show(environment(self.env)).encode())
        return digest.hexdigest()

    def _expression(self, name: Name) -> E:
        return self.specialiser.expression(self.naming.named(name), {})


def _among(prop: Property, system: TransitionSystem) -> Property:
    """TLC looks at the steps that action constraints forbid, too."""
    return replace(prop, among=system) if isinstance(prop, EveryStep) else prop
