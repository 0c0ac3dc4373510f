"""Random expressions, conditions on clocks, updates and functions."""

from __future__ import annotations

from random import Random

from tests.languages.uppaal.model import Expr, Function, Type

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
        self.through: bool = outer.through if outer else False
        """Whether some clock is a function's reference, which cannot be copied."""
        self.own: set[str] = set()
        """Declared by statements in this very block."""

    def add(self, of: Type, name: str, const: bool = False) -> None:
        self.types[name] = (of, const)
        self.functions.pop(name, None)

    def named(self, *kinds: str, writable: bool = False) -> list[tuple[str, Type]]:
        return [(n, of) for n, (of, const) in self.types.items() if of[0] in kinds and not (writable and const)]


class Drawing:
    """What is `risky` may fail to evaluate; `diagonal` conditions compare clocks with each other."""

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
        if self.chance(15) and not names.through:
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
            inner.through |= parameter == CLOCK
        inner = Names(inner)
        risky, self.risky = self.risky, self.risky and kind == "void"  # guards do not fail
        body = self.statements(inner, kind)
        if kind != "void":
            last = self.integer(inner, 2) if kind == "int" else self.truth(inner, 2)
            body.append(("return", last))
        self.risky = risky
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
