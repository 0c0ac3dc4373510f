"""A process of CSP# as a transition system: variables, then channels, then one slot a component."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from homing.core.errors import ModelError, Place
from homing.core.system import Group, Label, Notation, Projection, Read, Shape, Slot, Step
from homing.core.values import Short, State, Value
from homing.languages.csp.actions import Action, Part, Rules
from homing.languages.csp.components import Component, Launch, NoSurvey, Offer, Skeleton, Splitter, survey, urgent
from homing.languages.csp.expressions import HEAD, SIZE, Store, evaluate, integer, reads, truth
from homing.languages.csp.grouping import Grouping, Sorter, groupings
from homing.languages.csp.program import Program
from homing.languages.csp.showing import show
from homing.languages.csp.steps import Steps, same
from homing.languages.csp.syntax import Expression, Process, Reference
from homing.languages.csp.terms import DONE, IDLE, LAUNCHED, OPERANDS, Terms, largest_share
from homing.languages.csp.values import Term

MOST_CACHED = 50_000
MOST_PARTS = 400
MOST_PARTS_GROWING = 10
"""How many processes may run inside a component; fewer where it is found to grow before it runs."""
TERMINATED = "(terminated)"
"""The first label of every system."""


class System:
    """The transition system of a process; `split` puts its components into slots of their own."""

    def __init__(
        self,
        program: Program,
        process: Process,
        labels: Mapping[str, Expression] | None = None,
        split: bool = True,
        measures: Mapping[str, Expression] | None = None,
    ) -> None:
        self.program = program
        self.terms = Terms(program)
        self.rules = Rules(self.terms)
        self.grows: str | None = None
        self.skeleton, surveys = self._components(process, split)
        self.offset = len(program.slots)
        self.groupings = groupings(self.terms, self.skeleton, surveys) if surveys else [self._everything()]
        self.sorter = Sorter(self.rules, self.groupings) if surveys else None
        atomic = [any(offer.atomic for offer in offers) for offers in surveys or ()]
        self.atomic = tuple(number for number, may in enumerate(atomic) if may)
        """Components that may keep all others from going on."""
        self.steps = Steps(self.rules, self._who)
        self._measures = dict(measures or {})
        """The labels that are numbers; all others are conditions."""
        self._expressions = {**(labels or {}), **self._measures}
        self._cache: dict[tuple[int, Term], tuple[list[Action], list[Action]]] = {}
        self._groups: dict[tuple[int, Short], tuple[Short, list[Action], bool]] = {}
        self.shape = self._shape(process.place)

    # How it is laid out

    def _components(self, process: Process, split: bool) -> tuple[Skeleton, Sequence[set[Offer]] | None]:
        """The components and what they may do; one component when that cannot be told."""
        skeleton = Splitter(self.terms).split(process) if split else None
        if skeleton is not None and skeleton.components:  # none where it is `|||{0}@P`
            try:
                shared = _synchronised(skeleton.tree)
                return skeleton, [
                    survey(self.program, component.start, shared, skeleton.launches.get(number))
                    for number, component in enumerate(skeleton.components)
                ]
            except NoSurvey as refused:
                self.grows = refused.grows
        name = process.name if isinstance(process, Reference) else self.program.points.key[process]
        return Skeleton(("component", 0), (Component(name, self.terms.make(process, {})),), {}), None

    def _everything(self) -> Grouping:
        """The only group of a system that is not split."""
        found: list[Read] = []
        channels = {
            slot
            for layout in self.program.names.channels.values()
            if layout.capacity
            for slot in range(layout.first, layout.first + layout.count)
        }
        for slot in range(len(self.program.slots)):
            found += [Read(slot, SIZE), Read(slot, HEAD)] if slot in channels else [Read(slot)]
        return Grouping("alone", (0,), None, tuple(found), frozenset(range(len(self.program.slots))))

    def _shape(self, place: Place) -> Shape:
        components = self.skeleton.components
        done = tuple(Read(self.offset + number, Projection(_is_done)) for number in range(len(components)))
        return Shape(
            (*self.program.slots, *(Slot(component.name) for component in components)),
            tuple(self._group(number, grouping) for number, grouping in enumerate(self.groupings)),
            (
                Label(TERMINATED, done, place),
                *(
                    Label(name, tuple(sorted(reads(self.program.names, e, {}), key=str)), e.place)
                    for name, e in self._expressions.items()
                ),
            ),
            hidden=self.program.hidden,
            place=Place(place.file),
            notation=Notation(partial(show, self.program.points)),
        )

    def _group(self, number: int, grouping: Grouping) -> Group:
        components = self.skeleton.components
        slots = [self.offset + component for component in grouping.components]
        whole = self.sorter is None
        own = [
            Read(slot, None if whole else Projection(self.view, (number, component)))
            for slot, component in zip(slots, grouping.components, strict=True)
        ]
        name = " & ".join(components[component].name for component in grouping.components)
        launched = [
            self.offset + each
            for component in grouping.components
            if component in self.skeleton.launches
            for each in self.skeleton.launches[component].components
            if each not in grouping.components
        ]
        writes = (*slots, *dict.fromkeys(launched), *sorted(grouping.writes))
        others = [Read(self.offset + other, Projection(self.urgent)) for other in self._others(grouping)]
        return Group("all terminate" if grouping.kind == "tick" else name, (*own, *others, *grouping.reads), writes)

    def _others(self, grouping: Grouping) -> list[int]:
        return [number for number in self.atomic if number not in grouping.components]

    def urgent(self, term: Any) -> bool:
        """Whether a component is in the middle of what is atomic."""
        return urgent(self.rules.actions(term), _synchronised(self.skeleton.tree))

    def view(self, term: Any, number: int, component: int) -> Value:
        """What a group sees of a component: its term, where that matters to the group."""
        assert self.sorter is not None
        concerned = self.sorter.concerns(number, component, *self._actions(component, term))
        return term if concerned else None

    def _actions(self, component: int, term: Term) -> tuple[list[Action], list[Action]]:
        """What a component may do alone, and what it may take part in."""
        if (component, term) not in self._cache:
            if len(self._cache) >= MOST_CACHED:
                self._cache.clear()
            own = self.rules.actions(("component", component), {component: term})
            alone = self.rules.actions(self.skeleton.tree, {component: term})
            halves = ("event", "tick", "in", "out")
            self._cache[component, term] = alone, [action for action in own if action.kind in halves]
        return self._cache[component, term]

    # How it behaves

    def initial(self) -> Iterable[State]:
        """The initial state."""
        components = self.skeleton.components
        yield (*self.program.start, *(IDLE if component.launched else component.start for component in components))

    def next(self, group: int, read: Short) -> Iterable[Step]:
        """The steps of a group."""
        grouping = self.groupings[group]
        count = len(grouping.components)
        if any(term is None for term in read[:count]):
            return []
        others = len(self._others(grouping))
        store = Store.of(grouping.reads, read[count + others :])
        actions, urgent = self._possible(group, read[:count])
        if any(read[count : count + others]) or urgent:
            actions = [action for action in actions if action.atomic]
        return self._taken(actions, store)

    def _possible(self, group: int, terms: Short) -> tuple[list[Action], bool]:
        """The actions of a group by where its components are, and whether one is in the middle of what is atomic.

        Kept, for there are few such places, and many states with each: variables differ.
        """
        kept = self._groups.get((group, terms))
        if kept is not None and same(kept[0], terms):  # to a dictionary, P(1) and P(true) are one
            return kept[1:]
        grouping = self.groupings[group]
        present: dict[int, Any] = dict(zip(grouping.components, terms, strict=True))
        actions = self.rules.actions(self.skeleton.tree, present)
        if self.sorter is not None:
            actions = [action for action in actions if self._takes_part(action, grouping, group)]
        urgent = any(self.urgent(term) for number, term in present.items() if number in self.atomic)
        if len(self._groups) >= MOST_CACHED:
            self._groups.clear()
        self._groups[group, terms] = terms, actions, urgent
        return actions, urgent

    def _takes_part(self, action: Action, grouping: Grouping, number: int) -> bool:
        assert self.sorter is not None
        components = {part.component for part in action.parts}
        return len(components) == len(grouping.components) and self.sorter.group(action) == number

    def _taken(self, actions: list[Action], store: Store) -> list[Step]:
        found = []
        for action in actions:
            if action.kind in ("in", "out"):
                continue
            taken = self.steps.take(action, store)
            if taken is not None:
                writes = {**taken.writes, **self._components_after(action, taken.nexts, store)}
                found.append((action.atomic, Step(taken.event, writes)))
        # What is atomic goes first: as long as it can go on, nothing else does.
        urgent = [step for atomic, step in found if atomic]
        return urgent or [step for _, step in found]

    def _components_after(self, action: Action, nexts: list[Term], store: Store) -> dict[int, Value]:
        after: dict[int, Value] = {}
        start = 0
        for part in action.parts:
            term = part.rebuild(nexts[start : start + part.moves])
            start += part.moves
            if action.lazy:
                term = self.terms.settled(self.steps.forced(term, store))
            launch = self.skeleton.launches.get(part.component)
            if launch is not None and term == launch.term:
                after.update(self._launched(launch))
                term = LAUNCHED
            self._bounded(part, term)
            after[self.offset + part.component] = term
        return after

    def _launched(self, launch: Launch) -> Iterator[tuple[int, Value]]:
        """Components that begin now; what one of them launches in turn stays idle."""
        later = {each for number in launch.components for each in self._later(number)}
        for number in launch.components:
            if number not in later:
                yield self.offset + number, self.skeleton.components[number].start

    def _later(self, number: int) -> tuple[int, ...]:
        launch = self.skeleton.launches.get(number)
        return launch.components if launch else ()

    def _bounded(self, part: Part, term: Term) -> None:
        if term[0] not in OPERANDS:
            return
        parts, owner = largest_share(term)
        start, _ = largest_share(self.skeleton.components[part.component].start)
        if parts > start + (MOST_PARTS_GROWING if self.grows else MOST_PARTS):
            definition = self.program.points.definitions.get(owner)
            raise ModelError(
                f"process '{owner}' keeps growing: {parts} processes run at the same time",
                definition.place if definition else None,
            )

    def label(self, label: int, read: Short) -> bool | int:
        """The value of a label."""
        if label == 0:
            return all(read)
        declared = self.shape.labels[label]
        expression = self._expressions[declared.name]
        value = evaluate(self.program.names, expression, {}, Store.of(declared.reads, read))
        return integer(value, expression) if declared.name in self._measures else truth(value, expression)

    def _who(self, action: Action) -> list[str]:
        """Who makes the moves of an action; inside a component that has several processes, by their definitions."""
        names: list[str] = []
        for part in action.parts:
            moves = action.moves[len(names) : len(names) + part.moves]
            owner = self.skeleton.components[part.component].name
            single = self.sorter is not None and part.moves == 1
            names += [owner if single or move.node is None else self.program.points.owner(move.node) for move in moves]
        return names

    def processes(self) -> dict[str, frozenset[int | str]]:
        """The groups that each component takes part in."""
        return {
            component.name: frozenset(
                group for group, grouping in enumerate(self.groupings) if number in grouping.components
            )
            for number, component in enumerate(self.skeleton.components)
        }


def _synchronised(tree: Term) -> bool:
    """Whether some components share events."""
    return tree[0] == "||" or any(map(_synchronised, tree[OPERANDS.get(tree[0], len(tree)) :]))


def _is_done(term: Any) -> bool:
    return bool(term == DONE)
