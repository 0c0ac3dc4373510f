"""Random NuSMV text, and a naive reading of it: all pairs of all valuations, tested one by one.

Nothing here shares code with `homing.languages.smv`: expressions are drawn as a text and a Python function at once.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

Env = dict[str, Any]
DOMAINS: dict[str, tuple[Any, ...]] = {"boolean": (False, True), "0..2": (0, 1, 2), "{x, y, 7}": ("x", "y", 7)}


@dataclass(frozen=True)
class Drawn:
    """An expression: its text, and its value where `v` is a variable's value now and `v'` the next one."""

    text: str
    value: Callable[[Env], Any]


def shown(value: Any) -> str:
    return ("FALSE", "TRUE")[value] if isinstance(value, bool) else str(value)


@dataclass
class Text:
    """A model: its parts as text, and as conditions on a valuation (initial) or on a pair of them (step)."""

    kinds: dict[str, str] = field(default_factory=dict)
    inputs: dict[str, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    initially: list[Callable[[Env], bool]] = field(default_factory=list)
    steps: list[Callable[[Env], bool]] = field(default_factory=list)

    def states(self) -> Iterator[Env]:
        for values in product(*(DOMAINS[kind] for kind in self.kinds.values())):
            yield dict(zip(self.kinds, values, strict=True))

    def explore(self) -> tuple[set[tuple[Any, ...]], set[tuple[tuple[Any, ...], tuple[Any, ...]]]]:
        """Everything reachable, and the pairs that are steps."""
        every = list(self.states())
        inputs = [dict(zip(self.inputs, v, strict=True)) for v in product(*(DOMAINS[k] for k in self.inputs.values()))]
        waiting = [state for state in every if all(test(state) for test in self.initially)]
        seen, edges = {key(state) for state in waiting}, set()
        while waiting:
            before = waiting.pop()
            for after in every:
                primed = {f"{name}'": value for name, value in after.items()}
                if any(all(test({**before, **primed, **chosen}) for test in self.steps) for chosen in inputs):
                    edges.add((key(before), key(after)))
                    if key(after) not in seen:
                        seen.add(key(after))
                        waiting.append(after)
        return seen, edges


def key(state: Env) -> tuple[Any, ...]:
    """With types, since True is 1 to Python."""
    return tuple((type(value).__name__, value) for value in state.values())


class Drawing:
    """Draws a model."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.model = Text()

    def text(self) -> str:
        draw, model = self.draw, self.model
        names = ["a", "b", "n", "m", "e"][: draw.randint(2, 5)]
        kinds = {"a": "boolean", "b": "boolean", "n": "0..2", "m": "0..2", "e": "{x, y, 7}"}
        model.kinds = {name: kinds[name] for name in names}
        if draw.random() < 0.4:
            model.inputs = {"i": "boolean", "k": "0..2"} if draw.random() < 0.5 else {"i": "boolean"}
        model.lines = [
            "MODULE main",
            "CONSTANTS x, y;",
            "VAR",
            *(f"  {name} : {kind};" for name, kind in model.kinds.items()),
        ]
        model.lines += [f"IVAR {name} : {kind};" for name, kind in model.inputs.items()]
        self.assigned(names)
        for kind, chance in (("INIT", 0.4), ("INVAR", 0.4), ("TRANS", 0.5), ("TRANS", 0.3)):
            if draw.random() < chance:
                self.condition(kind)
        return "\n".join(model.lines) + "\n"

    def assigned(self, names: list[str]) -> None:
        """Each variable may depend at the same moment on those before it only."""
        draw, model = self.draw, self.model
        model.lines.append("ASSIGN")
        for position, name in enumerate(names):
            earlier = names[:position]
            if draw.random() < 0.15:
                self.put(f"{name} := ", name, earlier, "")
                self.again(name)
                continue
            if draw.random() < 0.5:
                self.put(f"init({name}) := ", name, earlier, "")
            if draw.random() < 0.7:
                later = [*names, *(f"{each}'" for each in earlier), *model.inputs]
                self.put(f"next({name}) := ", name, later, "'")

    def put(self, left: str, name: str, known: list[str], prime: str) -> None:
        chosen = self.choice(self.model.kinds[name], known)
        self.model.lines.append(f"  {left}{chosen.text};")
        target = f"{name}{prime}"

        def holds(env: Env) -> bool:
            return any(type(env[target]) is type(value) and env[target] == value for value in chosen.value(env))

        (self.model.steps if prime else self.model.initially).append(holds)

    def again(self, name: str) -> None:
        """What holds of a variable always holds of its next value, too."""
        holds = self.model.initially[-1]

        def then(env: Env) -> bool:
            return holds({each: env[f"{each}'"] for each in self.model.kinds})

        self.model.steps.append(then)

    def condition(self, kind: str) -> None:
        model = self.model
        names = list(model.kinds)
        known = [*names, *(f"{each}'" for each in names), *model.inputs] if kind == "TRANS" else names
        drawn = self.truth(known, 3)
        model.lines.append(f"{kind} {drawn.text}")
        if kind in ("INIT", "INVAR"):
            model.initially.append(drawn.value)
        if kind == "TRANS":
            model.steps.append(drawn.value)
        if kind == "INVAR":
            model.steps.append(lambda env: drawn.value({each: env[f"{each}'"] for each in names}))

    # Expressions

    def choice(self, kind: str, known: list[str]) -> Drawn:
        """Values to choose from: its value is a list."""
        draw = self.draw
        if draw.random() < 0.3:
            test, one, other = self.truth(known, 2), self.choice(kind, known), self.choice(kind, known)
            text = f"case {test.text} : {one.text}; TRUE : {other.text}; esac"
            return Drawn(text, lambda env: one.value(env) if test.value(env) else other.value(env))
        if draw.random() < 0.4:
            values = draw.sample(DOMAINS[kind], draw.randint(1, len(DOMAINS[kind])))
            return Drawn("{" + ", ".join(map(shown, values)) + "}", lambda env: values)
        single = self.single(kind, known, 2)
        return Drawn(single.text, lambda env: [single.value(env)])

    def single(self, kind: str, known: list[str], depth: int) -> Drawn:
        if kind == "boolean":
            return self.truth(known, depth)
        if kind == "0..2":
            return self.number(known, depth)
        fitting = [name for name in known if self.kind(name) == kind]
        return self.read(self.draw.choice(fitting)) if fitting else self.constant(kind)

    def kind(self, name: str) -> str:
        return {**self.model.kinds, **self.model.inputs}[name.removesuffix("'")]

    def read(self, name: str) -> Drawn:
        text = f"next({name[:-1]})" if name.endswith("'") else name
        return Drawn(text, lambda env: env[name])

    def constant(self, kind: str) -> Drawn:
        value = self.draw.choice(DOMAINS[kind])
        return Drawn(shown(value), lambda env: value)

    def leaf(self, kind: str, known: list[str]) -> Drawn:
        fitting = [name for name in known if self.kind(name) == kind]
        return self.read(self.draw.choice(fitting)) if fitting and self.draw.random() < 0.8 else self.constant(kind)

    def number(self, known: list[str], depth: int) -> Drawn:
        if depth <= 0 or self.draw.random() < 0.4:
            return self.leaf("0..2", known)
        one, other = self.number(known, depth - 1), self.number(known, depth - 1)
        if self.draw.random() < 0.3:
            return Drawn(f"max({one.text}, {other.text})", lambda env: max(one.value(env), other.value(env)))
        return Drawn(f"(({one.text} + {other.text}) mod 3)", lambda env: (one.value(env) + other.value(env)) % 3)

    def truth(self, known: list[str], depth: int) -> Drawn:
        draw = self.draw
        if depth <= 0 or draw.random() < 0.2:
            return self.leaf("boolean", known)
        how = draw.randrange(9)
        if how < 4:
            return self.connected(known, depth)
        if how == 4:
            one, other = self.number(known, 1), self.number(known, 1)
            return Drawn(f"({one.text} <= {other.text})", lambda env: one.value(env) <= other.value(env))
        if how == 5:
            values = draw.sample(DOMAINS["0..2"], 2)
            one = self.number(known, 1)
            return Drawn(f"({one.text} in {{{values[0]}, {values[1]}}})", lambda env: one.value(env) in values)
        if how == 6:
            test, first, second = (self.truth(known, depth - 1) for _ in range(3))
            text = f"case {test.text} : {first.text}; !{test.text} : {second.text}; esac"
            return Drawn(text, lambda env: first.value(env) if test.value(env) else second.value(env))
        kinds = [kind for kind in DOMAINS if any(self.kind(name) == kind for name in known)] or ["boolean"]
        kind = draw.choice(kinds)
        fitting = [name for name in known if self.kind(name) == kind]
        one = self.read(draw.choice(fitting)) if fitting else self.constant(kind)
        other = self.leaf(kind, known)
        return Drawn(f"({one.text} = {other.text})", lambda env: one.value(env) == other.value(env))

    def connected(self, known: list[str], depth: int) -> Drawn:
        one, other = self.truth(known, depth - 1), self.truth(known, depth - 1)
        match self.draw.randrange(6):
            case 0:
                return Drawn(f"({one.text} & {other.text})", lambda env: one.value(env) and other.value(env))
            case 1:
                return Drawn(f"({one.text} | {other.text})", lambda env: one.value(env) or other.value(env))
            case 2:
                return Drawn(f"({one.text} -> {other.text})", lambda env: not one.value(env) or other.value(env))
            case 3:
                return Drawn(f"({one.text} <-> {other.text})", lambda env: one.value(env) == other.value(env))
            case 4:
                return Drawn(f"({one.text} xor {other.text})", lambda env: one.value(env) != other.value(env))
        return Drawn(f"!({one.text})", lambda env: not one.value(env))
