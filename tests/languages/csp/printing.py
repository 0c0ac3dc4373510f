"""Syntax trees as text with all brackets, to see how something was read."""

from __future__ import annotations

from typing import Any

from homing.languages.csp import syntax as s


def bracketed(node: Any) -> str:
    """An expression, formula, process or statement."""
    match node:
        case s.Number(value=value):
            return str(value)
        case s.Truth(value=value):
            return str(value).lower()
        case s.Name(name=name):
            return name
        case s.Item(name=name, indices=indices):
            return name + indexed(indices)
        case s.Unary(operator=operator, operand=operand):
            return f"({operator}{bracketed(operand)})"
        case s.Binary(operator=operator, left=left, right=right):
            return f"({bracketed(left)} {operator} {bracketed(right)})"
        case s.Call(function=function, arguments=arguments):
            return f"{function}({', '.join(map(bracketed, arguments))})"
        case s.Over(operator=operator, ranges=ranges, body=body):
            return f"({operator} {ranged(ranges)} @ {bracketed(body)})"
        case s.Items(entries=entries):
            return f"[{', '.join(map(entry, entries))}]"
        case s.Temporal(operator=operator, operands=(operand,)):
            return f"({operator} {bracketed(operand)})"
        case s.Temporal(operator=operator, operands=(left, right)):
            return f"({bracketed(left)} {operator} {bracketed(right)})"
        case s.Happening(event=event, kind=kind, indices=indices):
            fields = ".".join(map(bracketed, event.arguments))
            return f"<{event.name}{indexed(indices)}{kind or ('.' if fields else '')}{fields}>"
    return process(node)


def process(node: Any) -> str:
    """A process."""
    match node:
        case s.Stop() | s.Skip():
            return type(node).__name__
        case s.Prefix(event=event, statements=statements, then=then):
            return f"({'tau' if event is None else named(event)}{block(statements)} -> {process(then)})"
        case s.Output(channel=channel, indices=indices, fields=fields, statements=statements, then=then):
            sent = ".".join(map(bracketed, fields))
            return f"({channel}{indexed(indices)}!{sent}{block(statements)} -> {process(then)})"
        case s.Input(channel=channel, indices=indices, guard=guard, fields=fields, statements=statements, then=then):
            when = "" if guard is None else f"[{bracketed(guard)}]"
            received = ".".join(map(bracketed, fields))
            return f"({channel}{indexed(indices)}?{when}{received}{block(statements)} -> {process(then)})"
        case s.Composition(operator=operator, parts=parts):
            return f"({f' {operator} '.join(map(process, parts))})"
        case s.Replicated(operator=operator, ranges=ranges, count=count, body=body):
            over = ranged(ranges) if count is None else f"{{{bracketed(count)}}}"
            return f"({operator} {over} @ {process(body)})"
        case s.Hiding(body=body, events=events):
            return f"({process(body)} \\ {{{', '.join(map(event_set, events))}}})"
        case s.Guard(condition=condition, body=body):
            return f"([{bracketed(condition)}] {process(body)})"
        case s.Conditional(kind=kind, condition=condition, then=then, otherwise=otherwise):
            rest = "" if otherwise is None else f" else {{{process(otherwise)}}}"
            return f"{kind} ({bracketed(condition)}) {{{process(then)}}}{rest}"
        case s.Case(branches=branches, default=default):
            shown = [f"{bracketed(condition)}: {process(branch)}" for condition, branch in branches]
            return f"case {{{'; '.join(shown + ([] if default is None else [f'default: {process(default)}']))}}}"
        case s.Atomic(body=body):
            return f"atomic {{{process(body)}}}"
        case s.Assertion(condition=condition):
            return f"assert({bracketed(condition)})"
        case s.Reference(name=name, arguments=arguments):
            return f"{name}({', '.join(map(bracketed, arguments))})"
    raise AssertionError(node)


def statement(node: s.Statement) -> str:
    """A statement."""
    match node:
        case s.Assign(target=target, value=value):
            return f"{bracketed(target)} = {bracketed(value)};"
        case s.Local(name=name, value=value):
            return f"var {name};" if value is None else f"var {name} = {bracketed(value)};"
        case s.IfStatement(condition=condition, then=then, otherwise=otherwise):
            rest = f" else{block(otherwise)}" if otherwise else ""
            return f"if ({bracketed(condition)}){block(then)}{rest}"
        case s.While(condition=condition, body=body):
            return f"while ({bracketed(condition)}){block(body)}"


def block(statements: tuple[s.Statement, ...] | None) -> str:
    return "" if statements is None else f"{{{' '.join(map(statement, statements))}}}"


def named(event: s.EventName) -> str:
    return ".".join([event.name, *map(bracketed, event.arguments)])


def event_set(one: s.EventSet) -> str:
    return f"{ranged(one.ranges)}@{named(one.event)}" if one.ranges else named(one.event)


def indexed(indices: tuple[s.Expression, ...]) -> str:
    return "".join(f"[{bracketed(index)}]" for index in indices)


def ranged(ranges: tuple[s.Range, ...]) -> str:
    return "; ".join(f"{one.name}:{{{', '.join(map(spanned, one.values))}}}" for one in ranges)


def spanned(value: Any) -> str:
    return f"{bracketed(value[0])}..{bracketed(value[1])}" if isinstance(value, tuple) else bracketed(value)


def entry(one: s.Entry) -> str:
    times = "" if one.times is None else f"({bracketed(one.times)})"
    return bracketed(one.first) + times + ("" if one.last is None else f"..{bracketed(one.last)}")
