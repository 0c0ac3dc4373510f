"""An interpreter of UPPAAL's systems that shares nothing with the front end and the zone engine: the syntax is data, and
clocks are regions, which are exact for open and closed conditions on single clocks (and on differences, as long as no
clock passes the greatest constant).

A region holds for each clock `(whole, rank)`: its whole part, and the place of its fraction among all fractions, where 0
is none. A clock beyond the greatest constant is `FAR`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

Expr = tuple[Any, ...]
"""`("+", left, right)`; see `Interpreter.value` for all kinds."""
Type = tuple[Any, ...]
"""`("int", low, high)`, `("bool",)`, `("clock",)`, `("chan", urgent, broadcast)`, `("array", of, low, size, text)`,
`("struct", ((name, type), …))`, `("void",)`."""
FAR = (1 << 20, 0)
MOST_ROUNDS = 1000


class Fault(Exception):
    """An expression has no value."""


class TooLarge(Exception):
    """There are more states than one wants to wait for."""


@dataclass
class Function:
    type: Type
    name: str
    parameters: list[tuple[Type, str, bool]]
    """Type, name, whether by reference."""
    body: list[Expr]


@dataclass
class Variable:
    type: Type
    name: str
    initial: Any = None
    const: bool = False


@dataclass
class Edge:
    source: str
    target: str
    select: list[tuple[str, int, int]] = field(default_factory=list)
    guard: Expr | None = None
    sync: tuple[Expr, bool] | None = None
    """The channel, and whether it sends."""
    update: list[Expr] = field(default_factory=list)


@dataclass
class Location:
    name: str
    invariant: Expr | None = None
    kind: str = ""


@dataclass
class Template:
    name: str
    parameters: list[tuple[Type, str, bool]]
    declarations: list[Variable | Function]
    locations: list[Location]
    edges: list[Edge]


@dataclass
class Process:
    """`text` is what the system section says of it, if anything; arguments are by name, in terms of global names."""

    name: str
    template: Template
    arguments: dict[str, Expr]
    priority: int = 0


@dataclass
class System:
    declarations: list[Variable | Function]
    templates: list[Template]
    processes: list[Process]
    text: str
    """The system section."""
    before: str = ""
    """Text before the declarations: names of types."""
    levels: dict[str, int] = field(default_factory=dict)
    """The priorities of channels, where they differ from the default one."""
    default: int = 0
    channel_text: str = ""


# Values


def leaves(of: Type) -> Iterator[Type]:
    if of[0] == "array":
        for _ in range(of[3]):
            yield from leaves(of[1])
    elif of[0] == "struct":
        for _, inner in of[1]:
            yield from leaves(inner)
    else:
        yield of


def build(of: Type, values: Iterator[Any]) -> Any:
    if of[0] == "array":
        return [build(of[1], values) for _ in range(of[3])]
    if of[0] == "struct":
        return [build(inner, values) for _, inner in of[1]]
    return next(values)


def flat(value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        for each in value:
            yield from flat(each)
    else:
        yield value


def first(of: Type, name: str = "") -> Any:
    """The value of a variable that is given none."""
    if of[0] == "array":
        return [first(of[1], f"{name}[{index}]") for index in range(of[2], of[2] + of[3])]
    if of[0] == "struct":
        return [first(inner, f"{name}.{own}") for own, inner in of[1]]
    if of[0] == "clock":
        return (0, 0)
    if of[0] == "chan":
        return name
    if of[0] == "int" and not of[1] <= 0 <= of[2]:
        return of[1]
    return 0


def converted(of: Type, value: Any) -> Any:
    if of[0] == "array":
        return [converted(of[1], each) for each in value]
    if of[0] == "struct":
        return [converted(inner, each) for (_, inner), each in zip(of[1], value)]
    if of[0] == "bool":
        return int(value != 0)
    if of[0] == "clock":
        if not isinstance(value, tuple):
            if value < 0:
                raise Fault("a clock below 0")
            return (value, 0)
        return value
    if not of[1] <= value <= of[2]:
        raise Fault(f"{value} is not within {of}")
    return value


Ref = tuple[Type, Any, Any]
"""Of which type, in which list or dictionary, at which key."""


class Frame:
    """Names of one scope."""

    def __init__(self) -> None:
        self.types: dict[str, Type] = {}
        self.values: dict[str, Any] = {}
        self.aliases: dict[str, Callable[[], Ref]] = {}
        self.functions: dict[str, tuple[Function, Env]] = {}

    def add(self, of: Type, name: str, value: Any) -> None:
        self.types[name], self.values[name] = of, value


Env = tuple[Frame, ...]
"""From the inside to the outside."""


class Return(Exception):
    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value


# Arithmetic


def quotient(left: int, right: int) -> int:
    if right == 0:
        raise Fault("division by zero")
    size = abs(left) // abs(right)
    return size if (left < 0) == (right < 0) else -size


def compare(left: Any, operator: str, right: Any) -> int:
    """Numbers, clocks, or differences of clocks with numbers."""
    if isinstance(left, int) and not isinstance(right, int):
        mirrored = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
        return compare(right, mirrored.get(operator, operator), left)
    if isinstance(left, tuple):
        if isinstance(right, tuple):
            sign = _sign(left[0] - right[0], left[1] - right[1])
        elif left[0] == "difference":
            (_, one, other) = left
            sign = _sign(one[0] - other[0] - right, one[1] - other[1])
        else:
            sign = _sign(left[0] - right, left[1])
    elif isinstance(left, list):
        sign = int(left != right)
    else:
        sign = (left > right) - (left < right)
    return int({"<": sign < 0, "<=": sign <= 0, ">": sign > 0, ">=": sign >= 0, "==": sign == 0, "!=": sign != 0}[operator])


def _sign(whole: int, fraction: int) -> int:
    """Of a whole number and a fraction between -1 and 1 of which only the sign is known."""
    return (whole > 0) - (whole < 0) if whole else (fraction > 0) - (fraction < 0)


def calculate(operator: str, left: int, right: int) -> int:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return quotient(left, right)
        case "%":
            return left - right * quotient(left, right)
        case "<<":
            return left * 2**right
        case ">>":
            return left // 2**right
        case "&":
            return left & right
        case "|":
            return left | right
        case "^":
            return left ^ right
        case "<?":
            return min(left, right)
        case ">?":
            return max(left, right)
    raise AssertionError(operator)


LOGIC = ("&&", "||", "xor", "imply", "and", "or")
RELATIONS = ("<", "<=", ">", ">=", "==", "!=")


class Interpreter:
    """Expressions and statements."""

    def find(self, name: str, env: Env) -> Ref:
        for frame in env:
            if name in frame.aliases:
                return frame.aliases[name]()
            if name in frame.values:
                return frame.types[name], frame.values, name
        raise AssertionError(f"{name} is unknown")

    def place(self, node: Expr, env: Env) -> Ref:
        match node:
            case ("var", name):
                return self.find(name, env)
            case ("index", of, at):
                array, holder, key = self.place(of, env)
                index = self.value(at, env)
                if not array[2] <= index < array[2] + array[3]:
                    raise Fault(f"index {index}")
                return array[1], holder[key], index - array[2]
            case ("field", of, name):
                struct, holder, key = self.place(of, env)
                number = [own for own, _ in struct[1]].index(name)
                return struct[1][number][1], holder[key], number
            case ("of", process, inner):
                return self.place(inner, self.process_env(process))
        raise AssertionError(node)

    def process_env(self, name: str) -> Env:
        raise NotImplementedError

    def at(self, process: str, location: str) -> int:
        raise NotImplementedError

    def value(self, node: Expr, env: Env) -> Any:
        match node:
            case ("number", value):
                return value
            case ("var" | "index" | "field" | "of", *_):
                _, holder, key = self.place(node, env)
                return holder[key]
            case ("at", process, location):
                return self.at(process, location)
            case ("!", operand):
                return int(not self.value(operand, env))
            case ("neg", operand):
                return -self.value(operand, env)
            case ("?", condition, then, otherwise):
                return self.value(then if self.value(condition, env) else otherwise, env)
            case ("forall" | "exists" | "sum", name, low, high, body):
                return self._quantified(node[0], self._each(name, low, high, body, env))
            case ("call", name, arguments):
                return self._call(name, arguments, env)
            case ("=", operator, target, value):
                return self._assign(operator, target, value, env)
            case ("++" | "--", prefix, target):
                ref = self.place(target, env)
                before = ref[1][ref[2]]
                self._store(ref, before + (1 if node[0] == "++" else -1))
                return ref[1][ref[2]] if prefix else before
            case (operator, left, right) if operator in LOGIC:
                return self._logic(operator, left, right, env)
            case (operator, left, right):
                one, other = self.value(left, env), self.value(right, env)
                if operator in RELATIONS:
                    return compare(one, operator, other)
                if isinstance(one, tuple):
                    return ("difference", one, other)
                return calculate(operator, one, other)
        raise AssertionError(node)

    def _each(self, name: str, low: int, high: int, body: Expr, env: Env) -> Iterator[Any]:
        for value in range(low, high + 1):
            frame = Frame()
            frame.add(("int", low, high), name, value)
            yield self.value(body, (frame, *env))

    def _quantified(self, kind: str, values: Iterator[Any]) -> int:
        return int({"forall": all, "exists": any, "sum": sum}[kind](values))  # type: ignore[operator]

    def _logic(self, operator: str, left: Expr, right: Expr, env: Env) -> int:
        one = bool(self.value(left, env))
        if operator == "xor":
            return int(one is not bool(self.value(right, env)))
        if operator in ("&&", "and"):
            return int(one and bool(self.value(right, env)))
        if operator in ("||", "or"):
            return int(one or bool(self.value(right, env)))
        return int(not one or bool(self.value(right, env)))

    def _assign(self, operator: str, target: Expr, value: Expr, env: Env) -> Any:
        ref = self.place(target, env)
        new = self.value(value, env)
        if operator:
            new = calculate(operator, ref[1][ref[2]], new)
        self._store(ref, new)
        return ref[1][ref[2]]

    def _store(self, ref: Ref, value: Any) -> None:
        of, holder, key = ref
        holder[key] = converted(of, value)

    # Functions

    def _call(self, name: str, arguments: list[Expr], env: Env) -> Any:
        function, outer = next(frame.functions[name] for frame in env if name in frame.functions)
        frame = Frame()
        for (of, own, reference), argument in zip(function.parameters, arguments):
            if reference:
                ref = self.place(argument, env)
                frame.aliases[own] = lambda ref=ref: ref  # type: ignore[misc]
            else:
                frame.add(of, own, converted(of, self.value(argument, env)))
        try:
            self.run(function.body, (Frame(), frame, *outer))
        except Return as result:
            return None if function.type[0] == "void" else converted(function.type, result.value)
        if function.type[0] != "void":
            raise Fault("no value")
        return None

    def run(self, statements: list[Expr], env: Env) -> None:
        for statement in statements:
            self._statement(statement, env)

    def _statement(self, node: Expr, env: Env) -> None:
        match node:
            case ("do", expression):
                self.value(expression, env)
            case ("local", of, name, initial):
                value = first(of) if initial is None else converted(of, self.value(initial, env))
                env[0].add(of, name, value)
            case ("block", *body):
                self.run(body, (Frame(), *env))
            case ("if", condition, then, otherwise):
                chosen = then if self.value(condition, env) else otherwise
                self.run(chosen, (Frame(), *env))
            case ("for", begin, condition, step, body):
                self.value(begin, env)
                self._loop(condition, [*body, ("do", step)], env)
            case ("while", condition, body):
                self._loop(condition, body, env)
            case ("dowhile", body, condition):
                self.run(body, (Frame(), *env))
                self._loop(condition, body, env)
            case ("each", name, low, high, body):
                for value in range(low, high + 1):
                    frame = Frame()
                    frame.add(("int", low, high), name, value)
                    self.run(body, (Frame(), frame, *env))
            case ("return", value):
                raise Return(None if value is None else self.value(value, env))
            case _:
                raise AssertionError(node)

    def _loop(self, condition: Expr, body: list[Expr], env: Env) -> None:
        for _ in range(MOST_ROUNDS):
            if not self.value(condition, env):
                return
            self.run(body, (Frame(), *env))
        raise AssertionError("a loop does not end")


# Networks

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
