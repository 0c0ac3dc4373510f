"""Random sources of CSP#: small, crooked, with every construct that has a meaning of its own."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

EVENTS = {"a": 0, "b": 0, "e": 1, "f": 1, "g": 2}
"""Events with the number of their arguments."""
WEIGHTS = {
    "prefix": 8,
    "output": 3,
    "input": 3,
    "conditional": 3,
    "choice": 4,
    "sequence": 2,
    "interrupt": 1,
    "hiding": 1,
    "atomic": 1,
    "joint": 2,
    "indexed": 1,
    "leaf": 1,
}
"""How often each kind of process is drawn; each source has some more often and some less."""


@dataclass(frozen=True)
class Place:
    """Where a process is drawn: what may stand there."""

    layer: int
    own: tuple[str, ...] = ()
    """Names whose value is known before the process runs."""
    bound: tuple[str, ...] = ()
    """Names whose value comes from a channel or a variable."""
    guarded: bool = False
    """Whether something happens first, so that the process may refer to itself."""
    tail: bool = True
    """Whether nothing comes after or runs next to it, so that it may refer to itself and does not grow."""

    @property
    def names(self) -> tuple[str, ...]:
        return self.own + self.bound


@dataclass
class Channel:
    name: str
    size: int
    elements: int
    fields: int


@dataclass
class Definition:
    name: str
    layer: int
    events: tuple[str, ...]
    """Parameters that may turn up in events, so that their arguments are constant."""
    values: tuple[str, ...]
    """Parameters that do not; their arguments may read variables."""


@dataclass
class Drawing:
    """One source, decided by its seed."""

    seed: int
    fresh: int = 0
    lines: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.loose = self.chance(0.25)
        """No `||`: events may have arguments that are not known before."""
        self.faulty = self.chance(0.1)
        """Values may leave their range."""
        self.weights = {kind: weight * self.random.choice((0.3, 1, 1, 3)) for kind, weight in WEIGHTS.items()}
        self.scalars = ["x", "y", "z"][: self.random.randint(1, 3)]
        self.arrays = {"m": self.random.randint(2, 3)} if self.chance(0.6) else {}
        self.hidden = self.chance(0.15)
        self.boolean = self.chance(0.2)
        self.channels = [self._channel(name) for name in ("c", "d", "k")[: self.random.randint(1, 3)]]
        self.definitions = self._definitions()

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def name(self, letter: str) -> str:
        self.fresh += 1
        return f"{letter}{self.fresh}"

    def _channel(self, name: str) -> Channel:
        elements = self.random.choice((0, 0, 0, 2))
        return Channel(name, self.random.choice((0, 0, 1, 2)), elements, self.random.choice((1, 1, 2)))

    def _definitions(self) -> list[Definition]:
        found = []
        for number in range(self.random.randint(2, 4)):
            events = ("i",) if self.chance(0.4) else ()
            values = ("n",) if self.chance(0.35) else ()
            found.append(Definition(f"P{number}", self.random.randint(number // 2, 2), events, values))
        return found

    # The whole

    def source(self) -> str:
        self.lines = ["#define two 2;"]
        for name in self.scalars:
            bounds = self.pick("", ":{0..2}", ":{-1..2}", ":{0..}", ":{..3}")
            self.lines.append(f"var {name}{bounds}{self.pick('', ' = 0', ' = 1', ' = two')};")
        for name, count in self.arrays.items():
            start = f" = [{', '.join(self.pick('0', '1', '2') for _ in range(count))}]" if self.chance(0.5) else ""
            self.lines.append(f"var {name}[{count}]{start};")
        if self.hidden:
            self.lines.append("hvar w = 0;")
        if self.boolean:
            self.lines.append(f"var t = {self.pick('true', 'false')};")
        for channel in self.channels:
            size = f"[{channel.elements}]" if channel.elements else ""
            self.lines.append(f"channel {channel.name}{size} {channel.size};")
        for definition in self.definitions:
            self._define(definition)
        whole = self._whole()
        self.lines += [f"S() = {whole};", f"#define goal {self.truth(Place(0), 1)};"]
        self.lines += [f"#assert S() {question};" for question in ("deadlockfree", "nonterminating", "divergencefree")]
        self.lines += ["#assert S() deterministic;", "#assert S() reaches goal;"]
        self.lines += [f"#assert S() reaches goal with max({self.number(Place(0), 1)});"]
        other = self._whole()
        other = self.pick(other, f"(S() [] {other})", f"(S() <> {other})", f"((S() \\ {{a}}) [*] {other})")
        self.lines += [f"T() = {other};", *(f"#assert S() refines{sense} T();" for sense in ("", "<F>", "<FD>"))]
        return "\n".join(self.lines) + "\n"

    def _define(self, definition: Definition) -> None:
        place = Place(definition.layer, definition.events, definition.values)
        if self.chance(0.2) and not self.loose:
            sets = [self._event_set(definition.events) for _ in range(self.random.randint(1, 3))]
            self.lines.append(f"#alphabet {definition.name} {{{', '.join(sets)}}};")
        parameters = ", ".join(definition.events + definition.values)
        body = self.process(place, self.random.randint(2, 4))
        self.lines.append(f"{definition.name}({parameters}) = {body};")

    def _event_set(self, own: tuple[str, ...]) -> str:
        event = self.pick(*EVENTS)
        if EVENTS[event] and self.chance(0.5):
            index = self.name("j")
            rest = "".join(f".{self.pick('0', '1', *own)}" for _ in range(EVENTS[event] - 1))
            return f"{index}:{{0..{self.pick('1', 'two')}}}@{event}.{index}{rest}"
        return event + "".join(f".{self.pick('0', '1', '2', *own)}" for _ in range(EVENTS[event]))

    def _whole(self) -> str:
        operators = ("|||",) if self.loose else ("|||", "||", "||")
        parts = [self._reference(definition, Place(-1)) for definition in self.definitions]
        self.random.shuffle(parts)
        parts = [*parts[: self.random.randint(2, 3)], *([self.process(Place(-1, tail=False), 2)] * self.chance(0.2))]
        if self.chance(0.2):
            index = self.name("j")
            inner = self._reference(self.random.choice(self.definitions), Place(-1, (index,)))
            parts[0] = f"({self.pick(*operators)} {index}:{{0..1}} @ {inner})"
        text = parts[0]
        for part in parts[1:]:
            text = f"({text} {self.pick(*operators)} {part})"
        if self.chance(0.15):
            text = f"({text} \\ {{{self._event_set(())}}})"
        if self.chance(0.1):
            text = f"({text}; {self.process(Place(-1, tail=False), 1)})"
        return text

    # Expressions

    def number(self, place: Place, depth: int, *, constant: bool = False) -> str:
        """Something from 0 to 2, in a state or before there is one."""
        names = place.own if constant else place.names
        reads = [] if constant else [*self.scalars, *self.scalars]
        if depth and self.chance(0.4):
            left, right = (self.number(place, depth - 1, constant=constant) for _ in range(2))
            return f"({left} {self.pick('+', '+', '*', '-')} {right}) % {self.pick('2', '3', 'two')}"
        if not constant and self.arrays and self.chance(0.25):
            array, size = self.random.choice(list(self.arrays.items()))
            return f"{array}[{self.number(place, 0)} % {size}]"
        return self.pick("0", "1", self.pick("2", "two"), *names, *names, *reads)

    def truth(self, place: Place, depth: int) -> str:
        if depth and self.chance(0.35):
            left, right = self.truth(place, depth - 1), self.truth(place, depth - 1)
            return self.pick(
                f"({left}) && ({right})", f"({left}) || ({right})", f"!({left})", f"({left}) xor ({right})"
            )
        if self.boolean and self.chance(0.4):
            return self.pick("t", "!t", "t == true", f"t != ({self.truth(place, 0)})")
        buffers = [channel for channel in self.channels if channel.size]
        if buffers and self.chance(0.2):
            channel = self.random.choice(buffers)
            what = channel.name + (f"[{self.pick('0', '1')}]" if channel.elements else "")
            return self.pick(f"call(cfull, {what})", f"call(cempty, {what})", f"call(ccount, {what}) < 1")
        operator = self.pick("==", "!=", "<", "<=", ">", ">=")
        return f"{self.number(place, depth)} {operator} {self.number(place, depth)}"

    def statements(self, place: Place) -> str:
        return "{" + " ".join(self._statement(place) for _ in range(self.random.choice((1, 1, 2)))) + "}"

    def _statement(self, place: Place) -> str:
        target = self.pick(*self.scalars)
        if self.hidden and self.chance(0.2):
            return f"w = {self.number(place, 1)};"
        if self.boolean and self.chance(0.3):
            return f"t = {self.truth(place, 1)};"
        if self.faulty and self.chance(0.3):
            return self.pick(f"{target}++;", f"{target}--;", f"{target} = 2 / {self.number(place, 0)};")
        if self.arrays and self.chance(0.3):
            array, size = self.random.choice(list(self.arrays.items()))
            target = f"{array}[{self.number(place, 0)} % {size}]"
        plain = f"{target} = {self.number(place, 1)};"
        if self.chance(0.15):
            return f"if ({self.truth(place, 0)}) {{{plain}}} else {{{self._statement(place)}}}"
        if self.chance(0.08):
            local = self.name("l")
            return f"var {local} = 0; while ({local} < 2) {{{local}++; {target} = ({target} + {local}) % 3;}}"
        return plain

    # Processes

    def process(self, place: Place, depth: int) -> str:
        if depth <= 0:
            return self._leaf(place)
        (kind,) = self.random.choices(list(self.weights), list(self.weights.values()))
        drawn = getattr(self, f"_{kind}")
        return str(drawn(place) if kind == "leaf" else drawn(place, depth))

    def _leaf(self, place: Place) -> str:
        reachable = [d for d in self.definitions if d.layer > place.layer]
        if place.guarded and place.tail:
            reachable += [d for d in self.definitions if d.layer == place.layer] * 3
        if reachable and self.chance(0.85):
            return self._reference(self.random.choice(reachable), place)
        if self.chance(0.05):
            return f"assert({self.pick(*self.scalars)} <= 7)"
        return self.pick("Skip", "Skip", "Skip", "Stop")

    def _reference(self, definition: Definition, place: Place) -> str:
        loose = self.loose and self.chance(0.4)
        arguments = [self.number(place, 1, constant=not loose) for _ in definition.events]
        arguments += [self.number(place, 1, constant=self.chance(0.4)) for _ in definition.values]
        return f"{definition.name}({', '.join(arguments)})"

    def _event(self, place: Place, *, constant: bool) -> str:
        name = self.pick(*EVENTS)
        return name + "".join(f".({self.number(place, 1, constant=constant)})" for _ in range(EVENTS[name]))

    def _after(self, place: Place, depth: int) -> str:
        body = self.process(replace(place, guarded=True), depth - 1)
        return body if body.endswith(")") and body[0] != "(" and "->" not in body else f"({body})"

    def _prefix(self, place: Place, depth: int) -> str:
        kind = self.random.random()
        if kind < 0.5:
            return f"{self._event(place, constant=not self.loose)} -> {self._after(place, depth)}"
        if kind < 0.8:
            return f"{self._event(place, constant=False)}{self.statements(place)} -> {self._after(place, depth)}"
        if kind < 0.87:
            return f"{self.pick('tau', '')}{self.statements(place)} -> {self._after(place, depth)}"
        if kind < 0.94:
            both = ", ".join(self._event(place, constant=not self.loose) for _ in range(2))
            return f"({both}) -> {self._after(place, depth)}"
        return f"tau -> {self._after(place, depth)}"

    def _on(self, channel: Channel, place: Place) -> str:
        return channel.name + (f"[({self.number(place, 0)}) % 2]" if channel.elements else "")

    def _block(self, place: Place) -> str:
        return self.statements(place) if self.chance(0.2) else ""

    def _output(self, place: Place, depth: int) -> str:
        channel = self.random.choice(self.channels)
        fields = channel.fields if self.chance(0.95) else 3 - channel.fields
        message = ".".join(self._atom(place) for _ in range(fields))
        return f"{self._on(channel, place)}!{message}{self._block(place)} -> {self._after(place, depth)}"

    def _atom(self, place: Place) -> str:
        text = "t" if self.boolean and self.chance(0.15) else self.number(place, 1)
        return text if text.isidentifier() or text.isdigit() else f"({text})"

    def _input(self, place: Place, depth: int) -> str:
        channel = self.random.choice(self.channels)
        fields = []
        inner = place
        for _ in range(channel.fields if self.chance(0.95) else 3 - channel.fields):
            if self.chance(0.65):
                bound = self.name("v")
                inner = replace(inner, bound=(*inner.bound, bound))
                fields.append(bound)
            elif place.names and self.chance(0.5):
                name = self.pick(*place.names)
                fields.append(self.pick(name, f"(({name} + 1) % 3)"))
            else:
                fields.append(self.pick("0", "1", "two"))
        guard = f"[{self.truth(inner, 1)}]" if self.chance(0.3) else ""
        where = self._on(channel, place)
        return f"{where}?{guard}{'.'.join(fields)}{self._block(inner)} -> {self._after(inner, depth)}"

    def _conditional(self, place: Place, depth: int) -> str:
        kind = self.pick("if", "if", "ifa", "ifb", "case", "guard", "guard")
        test = self.truth(place, 1)
        inside = place if kind in ("ifa", "guard") else replace(place, guarded=True)
        first, second = self.process(inside, depth - 1), self.process(inside, depth - 1)
        if kind == "guard":
            return f"([{test}] ({first}))"
        if kind == "ifb":
            return f"ifb ({test}) {{{first}}}"
        if kind == "case":
            last = f" default: {self.process(inside, depth - 1)}" if self.chance(0.6) else ""
            return f"case {{{test}: ({first}) {self.truth(place, 1)}: ({second}){last}}}"
        return f"{kind} ({test}) {{{first}}}" + (f" else {{{second}}}" if self.chance(0.6) else "")

    def _choice(self, place: Place, depth: int) -> str:
        operator = self.pick("[]", "[]", "[]", "<>", "[*]", "[*]")
        if operator == "<>":
            place = replace(place, guarded=True)
        elif operator == "[*]":
            place = replace(place, tail=False)
        parts = [f"({self.process(place, depth - 1)})" for _ in range(self.random.choice((2, 2, 3)))]
        return f"({f' {operator} '.join(parts)})"

    def _sequence(self, place: Place, depth: int) -> str:
        before = replace(place, tail=False)
        if self.chance(0.5):
            return f"({self._prefix(before, depth)}; ({self.process(replace(place, guarded=True), depth - 1)}))"
        return f"(({self.process(before, depth - 1)}); ({self.process(place, depth - 1)}))"

    def _interrupt(self, place: Place, depth: int) -> str:
        inside = replace(place, tail=False)
        return f"(({self.process(inside, depth - 1)}) interrupt ({self.process(inside, depth - 1)}))"

    def _hiding(self, place: Place, depth: int) -> str:
        own = () if self.loose else place.own  # what is hidden is not to depend on a variable
        events = ", ".join(self._event_set(own) for _ in range(self.random.randint(1, 2)))
        plain = [channel for channel in self.channels if not channel.size and not channel.elements]
        if plain and self.chance(0.3):
            channel = self.random.choice(plain)
            events += f", {channel.name}" + "".join(f".{self.pick('0', '1')}" for _ in range(channel.fields))
        return f"(({self.process(replace(place, tail=False), depth - 1)}) \\ {{{events}}})"

    def _atomic(self, place: Place, depth: int) -> str:
        return f"atomic {{{self.process(replace(place, tail=False), depth - 1)}}}"

    def _joint(self, place: Place, depth: int) -> str:
        operator = "|||" if self.loose else self.pick("|||", "||")
        inside = replace(place, tail=False)
        return f"(({self.process(inside, depth - 1)}) {operator} ({self.process(inside, depth - 2)}))"

    def _indexed(self, place: Place, depth: int) -> str:
        operator = self.pick("|||", "[]", "<>", "[*]", *(() if self.loose else ("||",)))
        if operator == "|||" and self.chance(0.3):
            return f"(|||{{2}}@ ({self.process(replace(place, tail=False), depth - 2)}))"
        index = self.name("j")
        tail = place.tail and operator in ("[]", "<>")
        inside = replace(place, own=(*place.own, index), tail=tail, guarded=place.guarded or operator == "<>")
        values = self.pick("{0..1}", "{1..two}", "{0, 2}")
        return f"({operator} {index}:{values} @ ({self.process(inside, depth - 2)}))"


def draw(seed: int) -> str:
    """The source of a seed; it asks everything of its process `S()`."""
    return Drawing(seed).source()
