"""Random systems for `oracle.py`: small, but with all that the language has."""

from __future__ import annotations

from random import Random

from tests.languages.uppaal.oracle import (
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
from tests.languages.uppaal.writing import declared, expression

SMALL: Type = ("int", -2, 3)
INDEX: Type = ("int", 0, 2)
PLAIN: Type = ("int", -32768, 32767)
BOOL: Type = ("bool",)
CLOCK: Type = ("clock",)
PAIR: Type = ("struct", (("p", SMALL), ("q", ("array", BOOL, 0, 2, ""))))
ARITHMETIC = ("+", "-", "*", "<?", ">?", "&", "|", "^")
RELATIONS = ("<", "<=", ">", ">=", "==", "!=")
MOST = 3
"""The greatest constant that clocks are compared with."""


def number(value: int) -> Expr:
    return ("number", value)


def var(name: str) -> Expr:
    return ("var", name)


class Names:
    """What can be read here: places of numbers, of truth values and of clocks, and functions."""

    def __init__(self, outer: Names | None = None) -> None:
        self.types: dict[str, tuple[Type, bool]] = dict(outer.types) if outer else {}
        self.functions: dict[str, Function] = dict(outer.functions) if outer else {}
        self.own: set[str] = set()
        """Declared by statements in this very block."""

    def add(self, of: Type, name: str, const: bool = False) -> None:
        self.types[name] = (of, const)
        self.functions.pop(name, None)

    def named(self, *kinds: str, writable: bool = False) -> list[tuple[str, Type]]:
        return [(n, of) for n, (of, const) in self.types.items() if of[0] in kinds and not (writable and const)]


class Drawing:
    """Draws one system; `risky` ones may fail to evaluate, `ranked` ones have priorities, `diagonal` ones compare
    clocks with each other, and end after a while."""

    def __init__(self, seed: int, *, risky: bool = False, ranked: bool = False, diagonal: bool = False) -> None:
        self.random = Random(seed)
        self.risky, self.ranked, self.diagonal = risky, ranked, diagonal
        self.clocks = self.random.choice([0, 1, 1, 2, 2])
        self.channels: dict[str, Type] = {}

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def pick(self, *options: int) -> int:
        return self.random.choice(options)

    # Expressions

    def place(self, names: Names, kinds: tuple[str, ...], writable: bool = False, depth: int = 1) -> Expr | None:
        """Something of one of these kinds that has a place."""
        found = names.named("int", "bool", "array", "struct", writable=writable)
        self.random.shuffle(found)
        for name, of in found:
            reached = self._inside(var(name), of, names, depth)
            if reached is not None and reached[1][0] in kinds:
                return reached[0]
        return None

    def _inside(self, node: Expr, of: Type, names: Names, depth: int) -> tuple[Expr, Type] | None:
        while of[0] in ("array", "struct"):
            if of[0] == "array":
                node, of = ("index", node, self.index(names, of[2], of[3], depth)), of[1]
            else:
                name, inner = self.random.choice(of[1])
                node, of = ("field", node, name), inner
        return node, of

    def index(self, names: Names, low: int, size: int, depth: int) -> Expr:
        if self.risky and self.chance(15):
            return self.integer(names, depth - 1)
        fitting = [n for n, of in names.named("int") if low <= of[1] and of[2] < low + size]
        if fitting and self.chance(50):
            return var(self.random.choice(fitting))
        if depth > 0 and size >= 2 and low == 0 and self.chance(40):
            return ("&", self.integer(names, depth - 1), number(1))
        return number(self.random.randrange(low, low + size))

    def integer(self, names: Names, depth: int) -> Expr:
        if depth <= 0 or self.chance(25):
            return self._atom(names)
        kind = self.random.randrange(12)
        inner = depth - 1
        if kind < 5:
            return (self.random.choice(ARITHMETIC), self.integer(names, inner), self.integer(names, inner))
        if kind == 5:
            divisor = number(self.pick(-3, -2, 2, 3))
            return (self.random.choice("/%"), self.integer(names, inner), divisor)
        if kind == 6:
            return (self.random.choice(("<<", ">>")), self.integer(names, 0), number(self.pick(0, 1, 2)))
        if kind == 7:
            return ("?", self.truth(names, inner), self.integer(names, inner), self.integer(names, inner))
        if kind == 8:
            return ("neg", self.integer(names, inner))
        if kind == 9:
            name, low, high = self._bound()
            return ("sum", name, low, high, self.integer(self._with(names, name, low, high), inner))
        if kind == 10:
            return self.truth(names, inner)
        return self.call(names, inner, "int") or self._atom(names)

    def _atom(self, names: Names) -> Expr:
        found = self.place(names, ("int", "bool"), depth=0) if self.chance(70) else None
        return found or number(self.pick(-1, 0, 1, 1, 2, 3))

    def _bound(self) -> tuple[str, int, int]:
        low = self.pick(-1, 0, 0, 1)
        return self.random.choice(["i", "n", "b"]), low, low + self.pick(0, 1, 2)

    def _with(self, names: Names, name: str, low: int, high: int) -> Names:
        inner = Names(names)
        inner.add(("int", low, high), name, const=True)
        return inner

    def truth(self, names: Names, depth: int) -> Expr:
        if depth <= 0:
            return self.place(names, ("bool",), depth=0) or ("==", self._atom(names), self._atom(names))
        kind = self.random.randrange(8)
        inner = depth - 1
        if kind < 3:
            return (self.random.choice(RELATIONS), self.integer(names, inner), self.integer(names, inner))
        if kind < 5:
            operator = self.random.choice(("&&", "||", "and", "or", "imply", "xor"))
            return (operator, self.truth(names, inner), self.truth(names, inner))
        if kind == 5:
            return ("!", self.truth(names, inner))
        if kind == 6:
            name, low, high = self._bound()
            body = self.truth(self._with(names, name, low, high), inner)
            return (self.random.choice(("forall", "exists")), name, low, high, body)
        return self.call(names, inner, "bool") or self.truth(names, 0)

    def call(self, names: Names, depth: int, kind: str) -> Expr | None:
        found = [f for f in names.functions.values() if f.type[0] == kind]
        return self._called(self.random.choice(found), names, depth) if found else None

    def _called(self, function: Function, names: Names, depth: int) -> Expr | None:
        arguments = []
        for of, _, reference in function.parameters:
            if reference:
                fitting = [n for n, (other, const) in names.types.items() if other == of and not const]
                if not fitting:
                    return None
                arguments.append(var(self.random.choice(fitting)))
            elif of == PLAIN:
                arguments.append(self.integer(names, depth))
            else:
                arguments.append(self.bounded(names, of, depth))
        return ("call", function.name, arguments)

    def bounded(self, names: Names, of: Type, depth: int) -> Expr:
        """A number that fits, most often."""
        value = self.integer(names, depth)
        if self.risky and self.chance(25):
            return value
        return ("<?", (">?", value, number(of[1])), number(of[2]))

    # What changes variables

    def assignment(self, names: Names, depth: int = 2) -> Expr | None:
        target = self.place(names, ("int", "bool"), writable=True)
        if target is None:
            return None
        of = self._type(target, names)
        if of == BOOL:
            return ("=", "", target, self.truth(names, depth))
        if self.risky and self.chance(20):
            return (self.random.choice(("++", "--")), self.chance(50), target)
        if self.risky and self.chance(20):
            return ("=", self.random.choice(("+", "-", "*", "|")), target, self.integer(names, 1))
        value = self.bounded(names, of, depth)
        if self.chance(20):
            again = self.assignment(names, 1)
            if again is not None and again[0] == "=":
                value = ("<?", (">?", ("+", again, self._atom(names)), number(of[1])), number(of[2]))
        return ("=", "", target, value)

    def _type(self, node: Expr, names: Names) -> Type:
        if node[0] == "var":
            return names.types[node[1]][0]
        of = self._type(node[1], names)
        found: Type = of[1] if node[0] == "index" else dict(of[1])[node[2]]
        return found

    def clock(self, names: Names) -> Expr | None:
        found = [(var(n), of) for n, of in names.named("clock", "array") if of == CLOCK or of[1] == CLOCK]
        if not found:
            return None
        node, of = self.random.choice(found)
        return node if of == CLOCK else ("index", node, self.index(names, of[2], of[3], 1))

    def reset(self, names: Names) -> Expr | None:
        clock = self.clock(names)
        if clock is None:
            return None
        if self.chance(15):
            other = self.clock(names)
            assert other is not None
            return ("=", "", clock, other)
        value = number(0) if self.chance(70) else ("&", self.integer(names, 1), number(1))
        return ("=", "", clock, value)

    def update(self, names: Names) -> list[Expr]:
        found = []
        for _ in range(self.pick(0, 1, 1, 2)):
            kind = self.random.randrange(10)
            each = self.assignment(names) if kind < 6 else self.reset(names) if kind < 9 else None
            found.append(each or self.call(names, 1, "void"))
        return [each for each in found if each is not None]

    # Conditions on clocks

    def timed(self, names: Names) -> Expr | None:
        clock = self.clock(names)
        if clock is None:
            return None
        if self.diagonal and self.chance(40):
            other = self.clock(names)
            assert other is not None
            if other != clock:
                return (self.random.choice(RELATIONS), ("-", clock, other), number(self.pick(-1, 0, 1, 2)))
        bound = self.limit(names)
        if self.chance(20):
            return (self.random.choice(RELATIONS), bound, clock)
        return (self.random.choice((*RELATIONS[:4], "==", "<=", ">=")), clock, bound)

    def limit(self, names: Names) -> Expr:
        """What a clock is compared with: no more than the greatest constant."""
        fitting = [n for n, of in names.named("int") if of[2] <= MOST]
        if fitting and self.chance(30):
            return var(self.random.choice(fitting))
        return number(self.random.randrange(MOST + 1))

    def guard(self, names: Names, timed: bool = True) -> Expr | None:
        parts = [self.truth(names, 2)] if self.chance(30) else []
        clock = self.timed(names) if timed and self.chance(50) else None
        if clock is not None:
            other = self.timed(names) if self.chance(25) else None
            if other is not None:
                clock = (self.random.choice(("&&", "&&", "||")), clock, other)
            if not self.risky and self.chance(10):
                clock = ("!", clock)
            parts.append(clock)
        if not parts:
            return None
        return parts[0] if len(parts) == 1 else ("&&", parts[0], parts[1])

    def invariant(self, names: Names) -> Expr | None:
        clock = self.clock(names) if self.chance(45) else None
        if clock is None or any(self._mentions_index(clock)):
            return None
        bound: Expr = (self.random.choice(("<=", "<=", "<")), clock, self.limit_above(names))
        return (self.random.choice(("&&", "imply")), self.truth(names, 1), bound) if self.chance(15) else bound

    def limit_above(self, names: Names) -> Expr:
        return number(self.random.randrange(1, MOST + 1)) if self.chance(80) else self.limit(names)

    def _mentions_index(self, node: Expr) -> list[bool]:
        return [True] if node[0] == "index" and node[2][0] != "number" else []

    # Declarations

    def function(self, names: Names, name: str, kind: str) -> Function:
        of: Type = {"int": PLAIN, "bool": BOOL, "void": ("void",)}[kind]
        parameters: list[tuple[Type, str, bool]] = []
        inner = Names(names)
        inner.functions.pop(name, None)
        if kind != "void":  # functions with results stay without effects
            inner.types = {own: (each, True) for own, (each, _) in inner.types.items()}
        for own in self.random.sample(["u", "n", "w"], self.pick(0, 1, 2)):
            reference = kind == "void" and self.chance(50)
            parameter = self.random.choice([SMALL, CLOCK] if reference and self.clocks else [SMALL, PLAIN])
            if reference and parameter == PLAIN:
                parameter = SMALL
            parameters.append((parameter, own, reference))
            inner.add(parameter, own)
        inner = Names(inner)
        body = self.statements(inner, kind)
        if kind != "void":
            last = self.integer(inner, 2) if kind == "int" else self.truth(inner, 2)
            body.append(("return", last))
        return Function(of, name, parameters, body)

    def statements(self, names: Names, kind: str, depth: int = 2) -> list[Expr]:
        found = []
        for _ in range(self.pick(1, 2, 2)):
            found.append(self.statement(names, kind, depth))
        return [each for each in found if each is not None]

    def statement(self, names: Names, kind: str, depth: int) -> Expr | None:
        chosen = self.random.randrange(9 if depth else 4)
        if chosen == 0:
            name = self.random.choice(["t", "m", "n"])
            of = self.random.choice([SMALL, INDEX, PLAIN])
            initial = self.bounded(names, of, 1) if self.chance(70) else None
            if name in names.own:
                return None
            names.own.add(name)
            names.add(of, name)
            return ("local", of, name, initial)
        if chosen < 3:
            each = self.assignment(names)
        elif chosen == 3:
            each = self.reset(names) if kind == "void" else self.assignment(names)
        else:
            return self._compound(names, kind, depth - 1, chosen)
        return None if each is None else ("do", each)

    def _compound(self, names: Names, kind: str, depth: int, chosen: int) -> Expr:
        body = self.statements(Names(names), kind, depth)
        if chosen == 4:
            return ("if", self.truth(names, 1), body, self.statements(Names(names), kind, depth))
        if chosen == 5:
            name, low, high = self._bound()
            return ("each", name, low, high, self.statements(self._with(names, name, low, high), kind, depth))
        if chosen == 6:
            early: Expr = ("return", None if kind == "void" else number(1))
            return ("if", self.truth(names, 1), [*body, early], [])
        own, inner = "k", Names(names)
        inner.add(INDEX, own, const=True)
        body = self.statements(Names(inner), kind, depth)
        begin, end = ("=", "", var(own), number(0)), ("<", var(own), number(2))
        step: Expr = ("++", self.chance(50), var(own))
        local: Expr = ("local", INDEX, own, None)
        if chosen == 7:
            return ("block", local, ("for", begin, end, step, body))
        looped = ("while", end, [*body, ("do", step)]) if self.chance(50) else ("dowhile", [*body, ("do", step)], end)
        return ("block", local, looped)

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
        if not self.channels or self.chance(45):
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
            if self.chance(20):
                low, high = -20, 20
            select.append((name, low, high))
            inner.add(("int", low, high), name, const=True)
        sync = self.sync(inner)
        urgent = sync is not None and self._urgent(sync[0])
        risky = self.risky
        self.risky = False
        guard = self.guard(inner, timed=not urgent)
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
        locations = [Location(place, self.invariant(inner), self._kind()) for place in ("A", "B", "C")[: self.pick(1, 2, 3, 3)]]
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
        for name in ("h", "e")[: self.pick(0, 1, 1, 2)]:
            kind: Type = ("chan", self.chance(20), self.chance(40))
            self.channels[name] = ("array", kind, 0, 2, "TWO") if self.chance(40) else kind
            declarations.append(Variable(self.channels[name], name))
        for name, kind_ in (("f", "int"), ("g", "bool"), ("v", "void")):
            if self.chance(35):
                function = self.function(names, name, kind_)
                declarations.append(function)
                names.functions[name] = function
        templates = [self.template(names, name) for name in ("S", "T", "U")[: self.pick(1, 2, 2, 3)]]
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

    def asked(self, system: System) -> Names:
        """What queries can speak of."""
        names = Names()
        for each in system.declarations:
            if isinstance(each, Function):
                names.functions[each.name] = each
            elif each.type[0] != "chan" and not (each.type[0] == "array" and each.type[1][0] == "chan"):
                names.add(each.type, each.name, each.const)
        return names


__all__ = ["MOST", "Drawing", "declared"]
