"""Processes out of lark's tree."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from lark import Token
from lark.tree import Meta

from homing.core.errors import HomingError, Place
from homing.languages.csp import syntax as s
from homing.languages.csp.building_terms import Parts, TermBuilder
from homing.languages.csp.layers import PROCESS, layered

Operator: TypeAlias = Literal["|||", "||", "[]", "<>", "[*]", "interrupt", ";"]


class _Hide(NamedTuple):
    place: Place
    events: tuple[s.EventSet, ...]


class ProcessBuilder(TermBuilder):
    """One method a rule."""

    def process(self, _meta: Meta, parts: Parts) -> s.Process:
        """`P ||| Q; R`."""
        result: s.Process = layered(self.hidden(parts), PROCESS, self.composed)
        return result

    def hidden(self, parts: Parts) -> Parts:
        r"""The row with each `P; Q \ {e}` as one operand: hiding reaches back over sequences, and stands last there."""
        row: Parts = []
        start, after_hiding = 0, False
        for part in parts:
            if isinstance(part, _Hide):
                self.not_after_hiding(after_hiding, part.place)
                body = layered(row[start:], PROCESS, self.composed)
                row[start:] = [s.Hiding(body.place, body, part.events)]
                after_hiding = True
                continue
            if isinstance(part, Token):
                self.not_after_hiding(after_hiding and part.type == "SEQUENCE", self.place(part))
                start = start if part.type == "SEQUENCE" else len(row) + 1
                after_hiding = False
            row.append(part)
        return row

    def not_after_hiding(self, wrong: bool, place: Place) -> None:
        r"""PAT reads neither `P \ {e}; Q` nor `P \ {e} \ {f}`."""
        if wrong:
            raise HomingError(r"hiding stands last; put the process with its '\ {…}' into parentheses", place)

    def composed(self, operands: list[s.Process], operators: list[Token]) -> s.Composition:
        """A row of one operator is one flat composition."""
        operator: Operator = operators[0].value
        return s.Composition(operands[0].place, operator, tuple(operands))

    def replicated(self, meta: Meta, parts: Parts) -> s.Replicated:
        """`||| i:{0..2} @ P`."""
        return s.Replicated(self.place(meta), parts[0].value, parts[1], None, parts[2])

    def copies(self, meta: Meta, parts: Parts) -> s.Replicated:
        """`|||{n}@P`."""
        return s.Replicated(self.place(meta), "|||", (), parts[0], parts[1])

    def hide(self, meta: Meta, parts: Parts) -> _Hide:
        r"""`\ {e}`."""
        return _Hide(self.place(meta), parts[0])

    def guard(self, meta: Meta, parts: Parts) -> s.Guard:
        """`[c] P`."""
        return s.Guard(self.place(meta), parts[0], parts[1])

    def event(self, meta: Meta, parts: Parts) -> s.EventName:
        """`e.x`."""
        return s.EventName(self.place(meta), str(parts[0]), tuple(parts[1:]))

    def event_set(self, meta: Meta, parts: Parts) -> s.EventSet:
        """`x:{0..2}@e.x`."""
        return s.EventSet(self.place(meta), parts[1], parts[0] or ())

    def event_sets(self, _meta: Meta, parts: Parts) -> tuple[s.EventSet, ...]:
        """What stands between the braces of hiding and alphabets."""
        return tuple(parts)

    def prefix(self, meta: Meta, parts: Parts) -> s.Prefix:
        """`e{…} -> P`."""
        return s.Prefix(self.place(meta), *parts)

    def silent(self, meta: Meta, parts: Parts) -> s.Prefix:
        """`tau{…} -> P`."""
        return s.Prefix(self.place(meta), None, *parts[1:])

    def program(self, meta: Meta, parts: Parts) -> s.Prefix:
        """`{…} -> P`."""
        return s.Prefix(self.place(meta), None, *parts)

    def choice_of_events(self, meta: Meta, parts: Parts) -> s.Process:
        """`(a, b) -> P` is `a -> P [] b -> P`."""
        then: s.Process = parts[-1]
        prefixes: list[s.Process] = []
        for event in parts[:-1]:
            silent = isinstance(event, Token)
            place = self.place(event) if silent else event.place
            prefixes.append(s.Prefix(place, None if silent else event, None, then))
        return prefixes[0] if len(prefixes) == 1 else s.Composition(self.place(meta), "[]", tuple(prefixes))

    def output(self, meta: Meta, parts: Parts) -> s.Output:
        """`c[i]!e1.e2 -> P`."""
        channel, indices, fields, statements, then = parts
        return s.Output(self.place(meta), str(channel), indices or (), fields, statements, then)

    def input(self, meta: Meta, parts: Parts) -> s.Input:
        """`c[i]?[g]x.5 -> P`."""
        channel, indices, guard, fields, statements, then = parts
        return s.Input(self.place(meta), str(channel), indices or (), guard, fields, statements, then)

    def conditional(self, meta: Meta, parts: Parts) -> s.Conditional:
        """`if`, `ifa`, `ifb`."""
        otherwise = parts[3] if len(parts) > 3 else None
        return s.Conditional(self.place(meta), parts[0].value, parts[1], parts[2], otherwise)

    def branch(self, _meta: Meta, parts: Parts) -> tuple[s.Expression, s.Process]:
        """`c: P`."""
        return parts[0], parts[1]

    def case(self, meta: Meta, parts: Parts) -> s.Case:
        """`case {…}`."""
        return s.Case(self.place(meta), tuple(parts[:-1]), parts[-1])

    def atomic(self, meta: Meta, parts: Parts) -> s.Atomic:
        """`atomic {P}`."""
        return s.Atomic(self.place(meta), parts[0])

    def skip(self, meta: Meta, _parts: Parts) -> s.Skip:
        """`Skip`."""
        return s.Skip(self.place(meta))

    def stop(self, meta: Meta, _parts: Parts) -> s.Stop:
        """`Stop`."""
        return s.Stop(self.place(meta))

    def check(self, meta: Meta, parts: Parts) -> s.Assertion:
        """`assert(e)`."""
        return s.Assertion(self.place(meta), parts[0])

    def reference(self, meta: Meta, parts: Parts) -> s.Reference:
        """`P(e)`."""
        return s.Reference(self.place(meta), str(parts[0]), parts[1] or ())
