"""Processes out of lark's tree."""

from __future__ import annotations

from typing import Literal, TypeAlias

from lark import Token, v_args
from lark.tree import Meta

from homing.languages.csp import syntax as s
from homing.languages.csp.building_terms import Parts, TermBuilder

Operator: TypeAlias = Literal["|||", "||", "[]", "<>", "[*]", "interrupt", ";"]


@v_args(meta=True)
class ProcessBuilder(TermBuilder):
    """One method a rule."""

    def composed(self, meta: Meta, operator: Operator, parts: Parts) -> s.Composition:
        """Any of the operators, flat."""
        return s.Composition(self.place(meta), operator, tuple(parts))

    def interleaving(self, meta: Meta, parts: Parts) -> s.Composition:
        """`P ||| Q`."""
        return self.composed(meta, "|||", parts)

    def synchrony(self, meta: Meta, parts: Parts) -> s.Composition:
        """`P || Q`."""
        return self.composed(meta, "||", parts)

    def general_choice(self, meta: Meta, parts: Parts) -> s.Composition:
        """`P [] Q`."""
        return self.composed(meta, "[]", parts)

    def internal_choice(self, meta: Meta, parts: Parts) -> s.Composition:
        """`P <> Q`."""
        return self.composed(meta, "<>", parts)

    def external_choice(self, meta: Meta, parts: Parts) -> s.Composition:
        """`P [*] Q`."""
        return self.composed(meta, "[*]", parts)

    def interruption(self, meta: Meta, parts: Parts) -> s.Composition:
        """`P interrupt Q`."""
        return self.composed(meta, "interrupt", parts)

    def sequence(self, meta: Meta, parts: Parts) -> s.Composition:
        """`P; Q`."""
        return self.composed(meta, ";", parts)

    def replicated(self, meta: Meta, operator: Operator, parts: Parts) -> s.Replicated:
        """Any of the operators over ranges."""
        return s.Replicated(self.place(meta), operator, parts[0], None, parts[1])

    def every_interleaving(self, meta: Meta, parts: Parts) -> s.Replicated:
        """`||| i:{0..2} @ P`."""
        return self.replicated(meta, "|||", parts)

    def every_synchrony(self, meta: Meta, parts: Parts) -> s.Replicated:
        """`|| i:{0..2} @ P`."""
        return self.replicated(meta, "||", parts)

    def every_general_choice(self, meta: Meta, parts: Parts) -> s.Replicated:
        """`[] i:{0..2} @ P`."""
        return self.replicated(meta, "[]", parts)

    def every_internal_choice(self, meta: Meta, parts: Parts) -> s.Replicated:
        """`<> i:{0..2} @ P`."""
        return self.replicated(meta, "<>", parts)

    def every_external_choice(self, meta: Meta, parts: Parts) -> s.Replicated:
        """`[*] i:{0..2} @ P`."""
        return self.replicated(meta, "[*]", parts)

    def copies(self, meta: Meta, parts: Parts) -> s.Replicated:
        """`|||{n}@P`."""
        return s.Replicated(self.place(meta), "|||", (), parts[0], parts[1])

    def hiding(self, meta: Meta, parts: Parts) -> s.Hiding:
        r"""`P \ {e}`."""
        return s.Hiding(self.place(meta), parts[0], parts[1])

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
        return prefixes[0] if len(prefixes) == 1 else self.composed(meta, "[]", prefixes)

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
