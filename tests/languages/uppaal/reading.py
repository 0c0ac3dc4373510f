"""Region graphs of models in UPPAAL's XML, and answers to their queries, without the front end and the engines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any
from xml.etree import ElementTree

from tests.languages.uppaal.model import Edge, Expr, Function, Location, Process, System, Template, Type
from tests.languages.uppaal.oracle import SIGNS, Env, Fault, Frame, Ref, converted, first, leaves
from tests.languages.uppaal.reader import FunctionText, Instance, Parameter, Reader, Unreadable
from tests.languages.uppaal.regions import Network

INT = ("int", -(2**15), 2**15 - 1)
CONSTANT = ("int", -(2**31), 2**31 - 1)
MOST_ROUNDS = 10_000


class Forbidden(Exception):
    """The first state does not satisfy its invariant."""


def _sum(value: Any) -> tuple[int, int, int]:
    """A number or clock as a whole part, and the ranks of the fractions that are added and subtracted."""
    if not isinstance(value, tuple):
        return (value, 0, 0)
    return (value[0], value[1], 0) if len(value) == 2 else value


def _difference(left: Any, right: Any) -> Any:
    (whole, plus, minus), (other, added, taken) = _sum(left), _sum(right)
    if (plus and taken) or (minus and added):
        raise Unreadable("a sum of two clocks")
    return (whole - other, plus or taken, minus or added)


class Reading(Network):
    """Adds what texts have: types with names, functions that come from texts, names of processes."""

    def __init__(self, text: str, most: int, limit: int = 20_000) -> None:
        self.root = ElementTree.fromstring(text)
        self.processes: dict[str, int] = {}
        self.scalars = 0
        self.stuck = False
        """The state that was loaded is a deadlock."""
        super().__init__(System([], [], [], ""), most, limit)
        self._document()
        self.now = tuple(process.template.locations[0].name for process in self.system.processes)
        every = [leaf for frame, name in self.variables for leaf in leaves(frame.types[name])]
        self.clocks = [number for number, leaf in enumerate(every) if leaf[0] == "clock"]

    # The document

    def _text(self, element: ElementTree.Element, name: str) -> str:
        return (element.findtext(name) or "").strip()

    def _document(self) -> None:
        env: Env = (self.globals,)
        reader = Reader(self._text(self.root, "declaration"))
        self.declare(reader.declarations(), env)
        self.types = frozenset(reader.types)
        self.templates = {self._text(each, "name"): each for each in self.root.findall("template")}
        around: Env = (Frame(), self.globals)
        declared, levels = Reader(self._text(self.root, "system"), self.types).system()
        instances: dict[str, Instance] = {}
        for each in declared:
            if isinstance(each, Instance):
                instances[each.name] = each
            else:
                self.declare([each], around)
        for priority, names in enumerate(levels):
            for name in names:
                for called, template, parameters in self._instances(name, instances, around):
                    self._process(called, template, parameters, priority)
        self.around = around

    def _instances(
        self, name: str, instances: dict[str, Instance], around: Env
    ) -> Iterator[tuple[str, ElementTree.Element, Frame]]:
        """Each process that a name in the system line stands for."""
        own = self._parameters(name, instances)
        ranges = []
        for each in own:
            of = self.resolved(each.type, around)
            ranges.append(range(*self._range(of)))
        for values in product(*ranges):
            called = f"{name}({','.join(map(str, values))})" if values else name
            given = [("number", value) for value in values]
            yield called, *self._bound(name, given, instances, around, around)

    def _parameters(self, name: str, instances: dict[str, Instance]) -> tuple[Parameter, ...]:
        if name in instances:
            return instances[name].parameters
        reader = Reader(self._text(self.templates[name], "parameter"), self.types)
        return reader.all(reader.parameter)

    def _bound(
        self, name: str, arguments: Iterable[Expr], instances: dict[str, Instance], env: Env, around: Env
    ) -> tuple[ElementTree.Element, Frame]:
        """The template behind a name, with a frame for its parameters."""
        frame = Frame()
        inner: Env = (frame, *around)
        for each, argument in zip(self._parameters(name, instances), arguments, strict=True):
            of = self.sized(self.resolved(each.type, inner), each.sizes, inner)
            if each.reference:
                frame.aliases[each.name] = lambda argument=argument: self.place(argument, env)  # type: ignore[misc]
            else:
                frame.add(of, each.name, converted(of, self.value(argument, env)))
        if name not in instances:
            return self.templates[name], frame
        instance = instances[name]
        return self._bound(instance.template, instance.arguments, instances, inner, around)

    def _process(self, name: str, element: ElementTree.Element, parameters: Frame, priority: int) -> None:
        own = Frame()
        env: Env = (own, parameters, self.globals)
        reader = Reader(self._text(element, "declaration"), self.types)
        self.declare(reader.declarations(), env)
        types = frozenset(reader.types)
        locations = {each.attrib["id"]: self._location(each, types) for each in element.findall("location")}
        begin = element.find("init")
        assert begin is not None
        ordered = [locations.pop(begin.attrib["ref"])]
        named = {**locations, begin.attrib["ref"]: ordered[0]}
        edges = [self._edge(each, named, types, env) for each in element.findall("transition")]
        template = Template(name, [], [], [*ordered, *locations.values()], edges)
        self.processes[name] = len(self.system.processes)
        self.system.processes.append(Process(name, template, {}, priority))
        self.names.append(name)
        self.envs.append(env)
        self.locations.append({each.name: each for each in template.locations})

    def _labels(self, element: ElementTree.Element) -> dict[str, str]:
        return {each.attrib["kind"]: (each.text or "").strip() for each in element.findall("label")}

    def _location(self, element: ElementTree.Element, types: frozenset[str]) -> Location:
        invariant = self._labels(element).get("invariant")
        kind = next((kind for kind in ("urgent", "committed") if element.find(kind) is not None), "")
        name = self._text(element, "name") or element.attrib["id"]
        return Location(name, Reader(invariant, types).expression() if invariant else None, kind)

    def _edge(
        self, element: ElementTree.Element, locations: dict[str, Location], types: frozenset[str], env: Env
    ) -> Edge:
        source, target = (element.find(end).attrib["ref"] for end in ("source", "target"))  # type: ignore[union-attr]
        labels = {kind: Reader(text, types) for kind, text in self._labels(element).items() if text}
        found = Edge(locations[source].name, locations[target].name)
        if "select" in labels:
            frame = Frame()
            for name, node in labels["select"].all(labels["select"].select):
                low, end = self._range(self.resolved(node, (frame, *env)))
                found.select.append((name, low, end - 1))
        if "guard" in labels:
            found.guard = labels["guard"].expression()
        if "synchronisation" in labels:
            found.sync = labels["synchronisation"].sync()
        if "assignment" in labels:
            found.update = list(labels["assignment"].all(labels["assignment"].expression))
        return found

    # Types and declarations

    def _range(self, of: Type) -> tuple[int, int]:
        if of[0] == "scalar":
            return 0, of[2]
        return (0, 2) if of[0] == "bool" else (of[1], of[2] + 1)

    def resolved(self, node: Expr, env: Env) -> Type:
        _, prefixes, base, arguments = node
        if base == "int":
            if not arguments:
                return CONSTANT if "const" in prefixes else INT
            low, high = (self.value(each, env) for each in arguments)
            return ("int", low, high)
        if base == "scalar":
            self.scalars += 1
            return ("scalar", self.scalars, self.value(arguments[0], env))
        if base == "struct":
            return (
                "struct",
                tuple((name, self.sized(self.resolved(of, env), sizes, env)) for of, name, sizes in arguments),
            )
        found: Type | None = (base,) if base in ("bool", "clock", "void") else None
        if found is None and base != "chan":
            found = next(frame.names[base] for frame in env if base in frame.names)
        if base == "chan" or (found is not None and found[0] == "chan"):
            urgent, broadcast = ("urgent" in prefixes, "broadcast" in prefixes)
            return ("chan", urgent or bool(found and found[1]), broadcast or bool(found and found[2]))
        assert found is not None
        return found

    def sized(self, of: Type, sizes: Iterable[Expr], env: Env) -> Type:
        for size in reversed(list(sizes)):
            if size[0] == "var" and any(size[1] in frame.names for frame in env):
                size = ("type", frozenset(), size[1], ())
            if size[0] == "type":
                low, end = self._range(self.resolved(size, env))
                of = ("array", of, low, end - low, None)
            else:
                of = ("array", of, 0, self.value(size, env), None)
        return of

    def declare(self, declarations: Iterable[Any], env: Env) -> None:
        """What a whole model or process declares."""
        frame = env[0]
        for each in declarations:
            if isinstance(each, FunctionText):
                frame.functions[each.name] = (self._function(each, env), env)
            elif each[0] == "typedef":
                frame.names[each[2]] = self.sized(self.resolved(each[1], env), each[3], env)
            elif each[0] == "priorities":
                self._levels(each[1], env)
            else:
                _, node, name, sizes, initial = each
                of = self.sized(self.resolved(node, env), sizes, env)
                frame.add(of, name, self._value_of(of, initial, env, self._channel_name(frame, name)))
                if "const" not in node[1] and next(leaves(of))[0] != "chan":
                    self.variables.append((frame, name))

    def _channel_name(self, frame: Frame, name: str) -> str:
        return name if frame is self.globals else f"{id(frame)}.{name}"

    def _levels(self, levels: list[list[Expr]], env: Env) -> None:
        for level, elements in enumerate(levels):
            for each in elements:
                if each == ("default",):
                    self.system.default = level
                    continue
                for name in _names(self.value(each, env)):
                    self.system.levels[name] = level

    def _function(self, text: FunctionText, env: Env) -> Function:
        parameters = [
            (self.sized(self.resolved(each.type, env), each.sizes, env), each.name, each.reference)
            for each in text.parameters
        ]
        return Function(self.resolved(text.type, env), text.name, parameters, list(text.body))

    def _value_of(self, of: Type, initial: Expr | None, env: Env, name: str = "") -> Any:
        if initial is None:
            return first(of, name)
        if initial[0] != "braces":
            return converted(of, self.value(initial, env))
        if of[0] == "array":
            return [self._value_of(of[1], value, env) for _, value in initial[1]]
        names = [name for name, _ in of[1]]
        given = {own or names[number]: value for number, (own, value) in enumerate(initial[1])}
        return [self._value_of(inner, given[name], env) for name, inner in of[1]]

    # Expressions

    def _named_process(self, node: Expr, env: Env) -> str | None:
        match node:
            case ("var", name) if name in self.processes and not any(name in frame.values for frame in env):
                return str(name)
            case ("invoke", ("var", name), arguments) if not any(name in frame.functions for frame in env):
                return f"{name}({','.join(str(self.value(each, env)) for each in arguments)})"
        return None

    def place(self, node: Expr, env: Env) -> Ref:
        if node[0] == "field":
            process = self._named_process(node[1], env)
            if process is not None:
                return self.place(("var", node[2]), self.process_env(process))
        return super().place(node, env)

    def value(self, node: Expr, env: Env) -> Any:
        match node:
            case ("deadlock",):
                return int(self.stuck)
            case ("field", of, name):
                process = self._named_process(of, env)
                if process is not None and name in self.locations[self.processes[process]]:
                    return self.at(process, name)
                if process is None and self._is_result(of):
                    struct, value = self._typed(of, env)
                    return value[[own for own, _ in struct[1]].index(name)]
            case ("index", of, at) if self._is_result(of):
                array, value = self._typed(of, env)
                return value[self.value(at, env) - array[2]]
            case ("quantified", kind, name, of, body):
                low, end = self._range(self.resolved(of, env))
                return self._quantified(kind, self._each(name, low, end - 1, body, env))
            case ("invoke", ("field", of, name), arguments):
                process = self._named_process(of, env)
                assert process is not None
                own = self.process_env(process)
                return self.invoke(own[0].functions[name], arguments, env)
            case ("invoke", ("var", "abs"), (argument,)):
                return abs(self.value(argument, env))
            case ("invoke", ("var", name), arguments):
                return self.invoke(next(f.functions[name] for f in env if name in f.functions), arguments, env)
            case (operator, left, right) if operator in ("+", "-") or operator in SIGNS:
                return self._linear(operator, self.value(left, env), self.value(right, env))
        return super().value(node, env)

    def _is_result(self, node: Expr) -> bool:
        """Is it a part of what a function returns?"""
        while node[0] in ("index", "field"):
            node = node[1]
        return bool(node[0] == "invoke")

    def _typed(self, node: Expr, env: Env) -> tuple[Type, Any]:
        """A part of what a function returns, with its type."""
        if node[0] == "invoke":
            function, _ = next(f.functions[node[1][1]] for f in env if node[1][1] in f.functions)
            return function.type, self.value(node, env)
        of, value = self._typed(node[1], env)
        if node[0] == "field":
            number = [own for own, _ in of[1]].index(node[2])
            return of[1][number][1], value[number]
        return of[1], value[self.value(node[2], env) - of[2]]

    def _linear(self, operator: str, one: Any, other: Any) -> Any:
        if not isinstance(one, tuple) and not isinstance(other, tuple):
            if operator in SIGNS:
                order = one == other if isinstance(one, list) else (one > other) - (one < other)
                return int((0 if order is True else 1 if order is False else order) in SIGNS[operator])
            return one + other if operator == "+" else one - other
        if operator == "+":
            return _difference(one, _difference(0, other))
        whole, plus, minus = _difference(one, other)
        if operator == "-":
            return (whole, plus, minus)
        sign = whole or (plus - minus)
        return int(((sign > 0) - (sign < 0)) in SIGNS[operator])

    # Statements

    def _statement(self, node: Expr, env: Env) -> None:
        match node:
            case ("declare", of, name, sizes, initial):
                resolved = self.sized(self.resolved(of, env), sizes, env)
                env[0].add(resolved, name, self._value_of(resolved, initial, env))
            case ("typedef", of, name, sizes):
                env[0].names[name] = self.sized(self.resolved(of, env), sizes, env)
            case ("iterate", name, of, body):
                resolved = self.resolved(of, env)
                for value in range(*self._range(resolved)):
                    frame = Frame()
                    frame.add(resolved, name, value)
                    self.run(body, (Frame(), frame, *env))
            case ("loop", begin, test, step, body, later):
                self._rounds(begin, test, step, body, later, env)
            case _:
                super()._statement(node, env)

    def _rounds(
        self, begin: Iterable[Expr], test: Expr | None, step: Iterable[Expr], body: list[Expr], later: bool, env: Env
    ) -> None:
        for each in begin:
            self.value(each, env)
        for number in range(MOST_ROUNDS):
            if not (later and number == 0) and test is not None and not self.value(test, env):
                return
            self.run(body, (Frame(), *env))
            for each in step:
                self.value(each, env)
        raise Fault("a loop does not end")


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for each in value:
            yield from _names(each)
    else:
        yield value
