"""Random systems and queries: small, but with all that the language has."""

from __future__ import annotations

from tests.languages.uppaal.drawing import (
    BOOL,
    CLOCK,
    INDEX,
    MOST,
    PAIR,
    PLAIN,
    RELATIONS,
    SMALL,
    Drawing,
    Names,
    number,
    var,
)
from tests.languages.uppaal.model import (
    Edge,
    Expr,
    Function,
    Location,
    Process,
    System,
    Template,
    Type,
    Variable,
)
from tests.languages.uppaal.writing import expression


class Systems(Drawing):
    """Draws one system; where it is `ranked` it has priorities, where it is `diagonal` it ends after a while."""

    def variables(self, names: Names, where: list[str]) -> list[Variable]:
        found = []
        for name in where:
            of: Type = self.random.choice(
                [SMALL, SMALL, INDEX, BOOL, ("array", SMALL, 0, 3, "id_t"), ("array", INDEX, 0, 2, "TWO"), PAIR]
            )
            if self.chance(5):
                of = ("array", PAIR, 1, 2, "int[1,2]")
            initial = self._first(of) if self.chance(40) else None
            const = initial is not None and self.chance(25)
            found.append(Variable(of, name, initial, const))
            names.add(of, name, const)
        return found

    def _first(self, of: Type) -> object:
        if of[0] == "array":
            return [self._first(of[1]) for _ in range(of[3])]
        if of[0] == "struct":
            return [self._first(inner) for _, inner in of[1]]
        if of == BOOL:
            return number(self.pick(0, 1))
        return number(self.random.randint(of[1], of[2]))

    # Templates

    def sync(self, names: Names) -> tuple[Expr, bool] | None:
        if not self.channels or self.chance(30):
            return None
        name = self.random.choice(list(self.channels))
        of = self.channels[name]
        node = var(name) if of[0] == "chan" else ("index", var(name), self._channel_index(names))
        return node, self.chance(50)

    def _channel_index(self, names: Names) -> Expr:
        risky, self.risky = self.risky, False
        found = self.index(names, 0, 2, 1)
        self.risky = risky
        return found

    def edge(self, names: Names, places: list[str]) -> Edge:
        inner = Names(names)
        select = []
        if self.chance(20):
            name, low, high = self._bound()
            if self.chance(5):
                low, high = -20, 20
            select.append((name, low, high))
            inner.add(("int", low, high), name, const=True)
        sync = self.sync(inner)
        urgent = sync is not None and self._urgent(sync[0])
        risky = self.risky
        self.risky = False
        guard = self.guard(inner, timed=not urgent) if sync is None or self.chance(50) else None
        self.risky = risky
        source, target = self.random.choice(places), self.random.choice(places)
        return Edge(source, target, select, guard, sync, self.update(inner))

    def _urgent(self, node: Expr) -> bool:
        of = self.channels[node[1] if node[0] == "var" else node[1][1]]
        return bool(of[1] if of[0] == "chan" else of[1][1])

    def template(self, names: Names, name: str) -> Template:
        inner = Names(names)
        parameters: list[tuple[Type, str, bool]] = []
        if self.chance(50):
            parameters.append((("int", 0, 1), "p", False))
            inner.add(("int", 0, 1), "p", const=True)
        if self.chance(30) and any(of == SMALL and not const for of, const in names.types.values()):
            parameters.append((SMALL, "r", True))
            inner.add(SMALL, "r")
        if self.chance(30) and any(of == CLOCK for of, _ in names.types.values()):
            parameters.append((CLOCK, "z", True))
            inner.add(CLOCK, "z")
        declarations: list[Variable | Function] = []
        declarations += self.variables(inner, self.random.sample(["n", "m", "own"], self.pick(0, 0, 1)))
        if self.clocks and self.chance(30):
            inner.add(CLOCK, "y")
            declarations.append(Variable(CLOCK, "y"))
        if self.chance(30):
            declarations.append(self.function(inner, "f", self.random.choice(["int", "bool", "void"])))
            inner.functions["f"] = declarations[-1]  # type: ignore[assignment]
        risky, self.risky = self.risky, False
        every = ("A", "B", "C")[: self.pick(1, 2, 3, 3)]
        locations = [Location(place, self.invariant(inner), self._kind()) for place in every]
        self.risky = risky
        places = [location.name for location in locations]
        edges = [self.edge(inner, places) for _ in range(self.pick(2, 3, 4, 5))]
        return Template(name, parameters, declarations, locations, edges)

    def _kind(self) -> str:
        return self.random.choice(["", "", "", "", "", "", "", "", "urgent", "committed"])

    # The system

    def system(self) -> System:
        names = Names()
        declarations: list[Variable | Function] = [Variable(PLAIN, "TWO", number(2), const=True)]
        names.add(PLAIN, "TWO", const=True)
        declarations += self.variables(names, ["n", "m", "a", "b"][: self.pick(1, 2, 3, 4)])
        clocks: list[Variable] = []
        if self.clocks == 2 and self.chance(30):
            clocks.append(Variable(("array", CLOCK, 0, 2, "TWO"), "c"))
        else:
            clocks += [Variable(CLOCK, name) for name in ("x", "c")[: self.clocks]]
        for clock in clocks:
            names.add(clock.type, clock.name)
        declarations += clocks
        for name in ("h", "e")[: self.pick(0, 1, 1, 1, 2)]:
            kind: Type = ("chan", self.chance(20), self.chance(55))
            self.channels[name] = ("array", kind, 0, 2, "TWO") if self.chance(40) else kind
            declarations.append(Variable(self.channels[name], name))
        for name, kind_ in (("f", "int"), ("g", "bool"), ("v", "void")):
            if self.chance(35):
                function = self.function(names, name, kind_)
                declarations.append(function)
                names.functions[name] = function
        templates = [self.template(names, name) for name in ("S", "T", "U")[: self.pick(1, 2, 3, 3)]]
        processes, text = self._processes(templates, names)
        if self.diagonal:
            end = Template("End", [], [Variable(CLOCK, "all")], [Location("A", ("<=", var("all"), number(MOST)))], [])
            templates.append(end)
            processes.append(Process("End", end, {}))
            text = text.replace("system ", "system End, ", 1)
            processes.insert(0, processes.pop())
        before = "typedef int[0,2] id_t;"
        found = System(declarations, templates, processes, text, before)
        if self.ranked and self.channels and self.chance(70):
            self._levels(found)
        return found

    def _levels(self, system: System) -> None:
        order = [*self.channels, "default"]
        self.random.shuffle(order)
        system.channel_text = f"chan priority {' < '.join(order)};"
        for level, name in enumerate(order):
            if name == "default":
                system.default = level
            elif self.channels[name][0] == "array":
                system.levels |= {f"{name}[{index}]": level for index in range(2)}
            else:
                system.levels[name] = level

    def _processes(self, templates: list[Template], names: Names) -> tuple[list[Process], str]:
        found: list[Process] = []
        lines, listed = [], ""
        for number_, template in enumerate(templates):
            instances, line, name = self._instances(template, names, number_)
            priority = found[-1].priority if found else 0
            if found and self.ranked and self.chance(50):
                listed, priority = f"{listed} < {name}", priority + 1
            else:
                listed = f"{listed}, {name}" if listed else name
            for instance in instances:
                instance.priority = priority
            found += instances
            lines.append(line)
        return found, "\n".join([*lines, f"system {listed};"])

    def _instances(self, template: Template, names: Names, number_: int) -> tuple[list[Process], str, str]:
        own = [name for _, name, _ in template.parameters]
        if not own:
            return [Process(template.name, template, {})], "", template.name
        if own == ["p"] and self.chance(50):
            every = [Process(f"{template.name}({k})", template, {"p": number(k)}) for k in (0, 1)]
            return every, "", template.name
        arguments = {name: self._argument(of, names) for of, name, reference in template.parameters if reference}
        name = f"P{number_}"
        if "p" in own and self.chance(50):
            shown = {**arguments, "p": ("-", number(1), var("k"))}
            line = f"{name}(const int[0,1] k) = {template.name}({', '.join(expression(shown[each]) for each in own)});"
            every = [Process(f"{name}({k})", template, {**arguments, "p": number(1 - k)}) for k in (0, 1)]
            return every, line, name
        if "p" in own:
            arguments["p"] = number(self.pick(0, 1))
        line = f"{name} = {template.name}({', '.join(expression(arguments[each]) for each in own)});"
        return [Process(name, template, arguments)], line, name

    def _argument(self, of: Type, names: Names) -> Expr:
        return var(self.random.choice([n for n, (other, const) in names.types.items() if other == of and not const]))

    # Queries

    def condition(self, system: System, names: Names, depth: int = 2) -> Expr:
        kind = self.random.randrange(6)
        if depth and kind < 2:
            operator = self.random.choice(("&&", "and", "||", "imply"))
            return (operator, self.condition(system, names, depth - 1), self.condition(system, names, depth - 1))
        if kind == 2:
            clock = self._asked_clock(system, names)
            if clock is not None:
                return (self.random.choice(RELATIONS), clock, number(self.random.randrange(MOST + 1)))
        if kind == 3:
            return self.truth(names, 2)
        process = self.random.choice(system.processes)
        return ("at", process.name, self.random.choice(process.template.locations).name)

    def _asked_clock(self, system: System, names: Names) -> Expr | None:
        own = [
            ("of", process.name, var("y"))
            for process in system.processes
            if any(each.name == "y" for each in process.template.declarations)
        ]
        if own and self.chance(50):
            return self.random.choice(own)
        return self.clock(names)

    def single_clock(self, system: System, names: Names) -> Expr | None:
        """A clock whose index is constant, if it has one."""
        clock = self._asked_clock(system, names)
        return None if clock is None or any(self._mentions_index(clock)) else clock

    def asked(self, system: System) -> Names:
        """What queries can speak of."""
        names = Names()
        for each in system.declarations:
            if isinstance(each, Function):
                names.functions[each.name] = each
            elif each.type[0] != "chan" and not (each.type[0] == "array" and each.type[1][0] == "chan"):
                names.add(each.type, each.name, each.const)
        return names
