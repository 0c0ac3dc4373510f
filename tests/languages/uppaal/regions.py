"""The region graph of a system: exact for open and closed conditions on single clocks, and for those on differences as
long as no clock passes the greatest constant. A clock beyond that is `FAR`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from tests.languages.uppaal.model import Edge, Expr, Function, Process, System, Type, Variable
from tests.languages.uppaal.oracle import Env, Fault, Frame, Interpreter, build, converted, first, flat, leaves

FAR = (1 << 20, 0)


class TooLarge(Exception):
    """There are more states than one wants to wait for."""


State = tuple[tuple[str, ...], tuple[Any, ...]]
"""Locations, and all variables and clocks."""


@dataclass
class Node:
    """A state of the region graph."""

    state: State
    actions: list[int] = field(default_factory=list)
    delay: int | None = None

    @property
    def stuck(self) -> bool:
        return not self.actions and self.delay is None


@dataclass(frozen=True)
class Choice:
    """An edge with what it selects."""

    process: int
    edge: Edge
    env: Env


class Network(Interpreter):
    """The region graph of a system, for constants up to `most`."""

    def __init__(self, system: System, most: int, limit: int = 4000) -> None:
        self.system, self.most, self.limit = system, most, limit
        self.globals = Frame()
        self.variables: list[tuple[Frame, str]] = []
        self._declare(system.declarations, self.globals, (self.globals,))
        self.envs: list[Env] = [self._instance(process) for process in system.processes]
        self.names = [process.name for process in system.processes]
        self.locations = [{loc.name: loc for loc in process.template.locations} for process in system.processes]
        self.now: tuple[str, ...] = tuple(process.template.locations[0].name for process in system.processes)
        every = [leaf for frame, name in self.variables for leaf in leaves(frame.types[name])]
        self.clocks = [number for number, leaf in enumerate(every) if leaf[0] == "clock"]
        self.nodes: list[Node] = []
        self.numbers: dict[State, int] = {}
        self.errors: list[str] = []

    def _declare(self, declarations: Iterable[Variable | Function], frame: Frame, env: Env) -> None:
        for each in declarations:
            if isinstance(each, Function):
                frame.functions[each.name] = (each, env)
                continue
            value = first(each.type, each.name)
            if each.initial is not None:
                value = converted(each.type, self._initial(each.initial, env))
            frame.add(each.type, each.name, value)
            if not each.const and next(leaves(each.type))[0] != "chan":
                self.variables.append((frame, each.name))

    def _initial(self, given: Any, env: Env) -> Any:
        return [self._initial(each, env) for each in given] if isinstance(given, list) else self.value(given, env)

    def _instance(self, process: Process) -> Env:
        parameters, own = Frame(), Frame()
        outer = (self.globals,)
        for of, name, reference in process.template.parameters:
            argument = process.arguments[name]
            if reference:
                parameters.aliases[name] = lambda argument=argument: self.place(argument, outer)  # type: ignore[misc]
            else:
                parameters.add(of, name, converted(of, self.value(argument, outer)))
        env = (own, parameters, self.globals)
        self._declare(process.template.declarations, own, env)
        return env

    def process_env(self, name: str) -> Env:
        return self.envs[self.names.index(name)]

    def at(self, process: str, location: str) -> int:
        return int(self.now[self.names.index(process)] == location)

    # States

    def save(self) -> State:
        values = [leaf for frame, name in self.variables for leaf in flat(frame.values[name])]
        ranks = sorted({values[clock][1] for clock in self.clocks if self._near(values[clock])} - {0})
        for clock in self.clocks:
            whole, rank = values[clock]
            values[clock] = (whole, ranks.index(rank) + 1 if rank else 0) if self._near(values[clock]) else FAR
        return self.now, tuple(values)

    def _near(self, value: tuple[int, int]) -> bool:
        return value[0] < self.most or value == (self.most, 0)

    def load(self, state: State) -> None:
        self.now, values = state[0], iter(state[1])
        for frame, name in self.variables:
            frame.values[name] = build(frame.types[name], values)

    def later(self, state: State) -> State:
        """The next region while time passes."""
        values = list(state[1])
        near = [clock for clock in self.clocks if values[clock] != FAR]
        whole = [clock for clock in near if values[clock][1] == 0]
        top = max((values[clock][1] for clock in near), default=0)
        for clock in near:
            number, rank = values[clock]
            if whole:
                values[clock] = FAR if rank == 0 and number == self.most else (number, rank + 1)
            elif rank == top:
                values[clock] = (number + 1, 0)
        return state[0], tuple(values)

    def allowed(self) -> bool:
        """Whether the invariants hold."""
        places = zip(self.now, self.locations, self.envs)
        return all(
            places_[name].invariant is None or self.value(places_[name].invariant, env)  # type: ignore[arg-type]
            for name, places_, env in places
        )

    def holds(self, condition: Expr, node: Node) -> bool:
        self.load(node.state)
        return bool(self.value(condition, (self.globals,)))

    def measured(self, expression: Expr, node: Node) -> Any:
        self.load(node.state)
        return self.value(expression, (self.globals,))

    # Steps

    def choices(self, process: int) -> Iterator[Choice]:
        """The edges that are enabled now."""
        env = self.envs[process]
        for edge in self.system.processes[process].template.edges:
            if edge.source != self.now[process]:
                continue
            for values in product(*(range(low, high + 1) for _, low, high in edge.select)):
                frame = Frame()
                for (name, low, high), value in zip(edge.select, values):
                    frame.add(("int", low, high), name, value)
                inner = (frame, *env)
                if edge.guard is None or self.value(edge.guard, inner):
                    yield Choice(process, edge, inner)

    def actions(self) -> Iterator[tuple[list[Choice], str, Type | None]]:
        """All that clocks and variables allow: who takes part, and on which channel."""
        every = [list(self.choices(process)) for process in range(len(self.envs))]
        for choice in (choice for choices in every for choice in choices):
            if choice.edge.sync is None:
                yield [choice], "", None
            elif choice.edge.sync[1]:
                of, channel = self._channel(choice)
                heard = [
                    [other for other in choices if self._hears(other, channel)]
                    for process, choices in enumerate(every)
                    if process != choice.process
                ]
                if of[2]:
                    for receivers in product(*(options for options in heard if options)):
                        yield [choice, *receivers], channel, of
                else:
                    yield from (([choice, other], channel, of) for options in heard for other in options)

    def _channel(self, choice: Choice) -> tuple[Type, str]:
        assert choice.edge.sync is not None
        of, holder, key = self.place(choice.edge.sync[0], choice.env)
        return of, holder[key]

    def _hears(self, choice: Choice, channel: str) -> bool:
        sync = choice.edge.sync
        return sync is not None and not sync[1] and self._channel(choice)[1] == channel

    def _kind(self, process: int) -> str:
        return self.locations[process][self.now[process]].kind

    def expand(self, node: Node) -> None:
        state = node.state
        self.load(state)
        kinds = [self._kind(process) for process in range(len(self.envs))]
        found = list(self.actions())
        urgent = any(of is not None and of[1] for _, _, of in found)
        if "committed" in kinds:
            found = [each for each in found if any(kinds[choice.process] == "committed" for choice in each[0])]
        after = [(self._priority(choices, channel), self._after(state, choices)) for choices, channel, _ in found]
        possible = [(priority, target) for priority, target in after if target is not None]
        most = max((priority for priority, _ in possible), default=(0, 0))
        for priority, target in possible:
            if priority == most:
                if isinstance(target, str):
                    self.errors.append(target)
                else:
                    assert target is not None
                    node.actions.append(self.number(target))
        if not urgent and not any(kinds):
            later = self.later(state)
            self.load(later)
            if self.allowed():
                node.delay = self.number(later)

    def _priority(self, choices: list[Choice], channel: str) -> tuple[int, int]:
        level = self.system.levels.get(channel, self.system.default)
        return level, max(self.system.processes[choice.process].priority for choice in choices)

    def _after(self, state: State, choices: list[Choice]) -> State | str | None:
        """The state after a step, why it fails, or None where an invariant forbids it."""
        self.load(state)
        now = list(self.now)
        try:
            for choice in choices:
                for update in choice.edge.update:
                    self.value(update, choice.env)
                now[choice.process] = choice.edge.target
        except Fault as fault:
            return str(fault) or "fault"
        self.now = tuple(now)
        reached = self.save()
        self.load(reached)
        return reached if self.allowed() else None

    def number(self, state: State) -> int:
        if state not in self.numbers:
            if len(self.nodes) >= self.limit:
                raise TooLarge
            self.numbers[state] = len(self.nodes)
            self.nodes.append(Node(state))
        return self.numbers[state]

    def explore(self) -> bool:
        """Finds all nodes; False where the first state is forbidden."""
        if not self.allowed():
            return False
        self.number(self.save())
        for node in self.nodes:
            self.expand(node)
        return True

    # What is asked

    def reachable(self, condition: Expr) -> bool:
        return any(self.holds(condition, node) for node in self.nodes)

    def deadlock(self) -> bool:
        """Whether some state has no step, now or after any delay."""
        return any(not self._acts(node) for node in self.nodes)

    def _acts(self, node: Node) -> bool:
        seen: set[int] = set()
        while not node.actions:
            if node.delay is None or node.delay in seen:
                return False
            seen.add(node.delay)
            node = self.nodes[node.delay]
        return True

    def stays(self, condition: Expr, start: Iterable[int] = (0,)) -> bool:
        """Whether it holds throughout some maximal run from one of these."""
        inside = [self.holds(condition, node) for node in self.nodes]
        alive = {number for number in range(len(self.nodes)) if inside[number]}
        while True:
            dead = {number for number in alive if not self._goes_on(number, alive)}
            if not dead:
                return any(number in alive for number in start)
            alive -= dead

    def _goes_on(self, number: int, alive: set[int]) -> bool:
        node = self.nodes[number]
        return node.stuck or node.delay in alive or any(target in alive for target in node.actions)

    def leads(self, when: Expr, until: Expr) -> bool:
        """Whether from wherever the first holds, the second comes on every run."""
        return not self.stays(("!", until), [n for n, node in enumerate(self.nodes) if self.holds(when, node)])

    # Telling states apart

    def leaves(self) -> Iterator[tuple[Expr, Type]]:
        """How a query speaks of each number and clock, in their order in states."""
        owners = {id(env[0]): name for env, name in zip(self.envs, self.names)}
        for frame, name in self.variables:
            owner = owners.get(id(frame))
            for node, of in _parts(("var", name), frame.types[name]):
                yield (node if owner is None else ("of", owner, node)), of

    def discrete(self, node: Node) -> Expr:
        """A condition that holds in no other discrete state."""
        places: list[Expr] = [("at", name, place) for name, place in zip(self.names, node.state[0])]
        values = zip(self.leaves(), node.state[1])
        places += [("==", part, ("number", value)) for (part, of), value in values if of[0] != "clock"]
        return _all(places)

    def exact(self, node: Node) -> Expr:
        """The same, and what each clock is."""
        found = [self.discrete(node)]
        for (part, of), value in zip(self.leaves(), node.state[1]):
            if of[0] == "clock" and value == FAR:
                found.append((">", part, ("number", self.most)))
            elif of[0] == "clock" and value[1] == 0:
                found.append(("==", part, ("number", value[0])))
            elif of[0] == "clock":
                found += [(">", part, ("number", value[0])), ("<", part, ("number", value[0] + 1))]
        return _all(found)


def _parts(node: Expr, of: Type) -> Iterator[tuple[Expr, Type]]:
    if of[0] == "array":
        for index in range(of[2], of[2] + of[3]):
            yield from _parts(("index", node, ("number", index)), of[1])
    elif of[0] == "struct":
        for name, inner in of[1]:
            yield from _parts(("field", node, name), inner)
    else:
        yield node, of


def _all(conditions: list[Expr]) -> Expr:
    found = conditions[0]
    for each in conditions[1:]:
        found = ("&&", found, each)
    return found
