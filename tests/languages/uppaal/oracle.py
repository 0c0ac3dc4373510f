"""An interpreter of UPPAAL's expressions and statements that shares nothing with the front end.

A clock is `(whole, rank)`: its whole part, and the place of its fraction among those of all clocks, or 0 where there is
no fraction (see `regions.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from tests.languages.uppaal.model import Expr, Function, Type

MOST_ROUNDS = 1000


class Fault(Exception):
    """An expression has no value."""


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
    if of[0] == "scalar":
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
        self.names: dict[str, Type] = {}
        """Of types."""

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
    return int(
        {"<": sign < 0, "<=": sign <= 0, ">": sign > 0, ">=": sign >= 0, "==": sign == 0, "!=": sign != 0}[operator]
    )


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
            return left << right
        case ">>":
            return left >> right
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
SIGNS = {"<": (-1,), "<=": (-1, 0), ">": (1,), ">=": (0, 1), "==": (0,), "!=": (-1, 1)}
"""The signs of `left - right` for which a relation holds."""


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
                if operator in SIGNS:
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
        return self.invoke(next(frame.functions[name] for frame in env if name in frame.functions), arguments, env)

    def invoke(self, found: tuple[Function, Env], arguments: Iterable[Expr], env: Env) -> Any:
        """A call; the arguments are evaluated where it stands, the body where the function is declared."""
        function, outer = found
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
