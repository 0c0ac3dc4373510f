"""Code and closures come to the same; what the code cannot do, the closure does."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.languages.tla.support import EXTENDS, check, complaint, verdicts
from tests.languages.tla.test_expressions import VALUES

from homing.languages.tla import code
from homing.languages.tla.access import OneSlot
from homing.languages.tla.closures import Compiler
from homing.languages.tla.code.helpers import Declined
from homing.languages.tla.frames import READ
from homing.languages.tla.free import Free
from homing.languages.tla.ir import E
from homing.languages.tla.resolve import resolve
from homing.languages.tla.slots import whole
from homing.languages.tla.specialise import Specialiser
from homing.languages.tla.values import force, show

NUMBER = re.compile(r'(?<![\w\\"])\d+(?!\w)')
DECLINED = 3
"""Of the expressions below, those that the code leaves to the closure."""


def _expression(folder: Path, text: str) -> E:
    """The expression, with each number n written as n + zero: so it is no constant, and is not evaluated before."""
    path = folder / "Expression.tla"
    body = NUMBER.sub(lambda found: f"({found[0]} + zero)", text)
    path.write_text(
        f"---- MODULE Expression ----\nEXTENDS {EXTENDS}\nVARIABLE zero\nresult ==\n  {body}\n====\n", "utf-8"
    )
    definition: Any = resolve(path).scope.find("result")
    return Specialiser({}, whole(("zero",)), Free({})).expression(definition.body, {})


def test_expressions_have_the_same_value_as_code(tmp_path: Path) -> None:
    seen, declined = 0, []
    for text, expected in VALUES:
        e = _expression(tmp_path, text)
        if e.is_const:
            continue
        compiler = Compiler(OneSlot(whole(("zero",))))
        closure = compiler.plain(e)
        coded = code.coded(compiler, e, "plain", False)
        assert coded is not None, text
        for run in (closure, coded):
            frame = compiler.frame(0)
            assert frame[READ] == 0
            try:
                assert show(force(run(frame))) == expected, text
            except Declined:
                declined.append(text)
        seen += 1
    assert seen > 50
    assert len(declined) <= DECLINED, declined


LET = """
EXTENDS Naturals, Sequences, FiniteSets
VARIABLES x, q
Init == x = [i \\in 1..3 |-> 0] /\\ q = <<>>
Next == \\E i \\in 1..3 : /\\ x[i] < 3
                         /\\ x' = [x EXCEPT ![i] = @ + 1]
                         /\\ q' = IF Len(q) < 2 THEN Append(q, i) ELSE Append(Tail(q), i)
Spec == Init /\\ [][Next]_<<x, q>>
RECURSIVE Sum(_)
Sum(S) == IF S = {{}} THEN 0 ELSE LET k == CHOOSE k \\in S : TRUE rest == Sum(S \\ {{k}}) IN x[k] + rest
Twice(n) == LET a == n + 1 b == a + a IN IF n > {bound} THEN b - a ELSE a
Holds == LET m == CHOOSE i \\in 1..3 : \\A j \\in 1..3 : x[i] >= x[j]
             s == {{x[i] : i \\in 1..3}}
             first == q[1]
         IN /\\ x[m] \\in s /\\ Sum(1..3) <= 9 /\\ Cardinality(s) <= 3
            /\\ q # <<>> => x[first] > 0
            /\\ \\A i, j \\in 1..3 : Twice(x[i]) + Twice(x[j]) <= {most}
            /\\ Cardinality({{<<i, j>> \\in (1..3) \\X (1..3) : x[i] # x[j]}}) # 5
"""


@pytest.mark.parametrize(("most", "verdict"), [(8, "HOLDS"), (7, "VIOLATED")])
def test_definitions_are_computed_where_they_are_needed(tmp_path: Path, most: int, verdict: str) -> None:
    """`q[1]` has no value at first, and nobody asks for it then."""
    spec = LET.format(bound=5, most=most)
    assert verdicts(check(tmp_path, spec, "SPECIFICATION Spec\nINVARIANT Holds\nCHECK_DEADLOCK FALSE")) == {
        "Holds": verdict
    }


def test_an_error_in_code_is_told_as_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = LET.format(bound=5, most=8) + 'Fails == \\A i \\in 1..3 : x[i] # 2 \\/ Head(q) + x[i] > "a"\n'
    config = "SPECIFICATION Spec\nINVARIANT Fails\nCHECK_DEADLOCK FALSE"
    told = complaint(tmp_path, spec, config)
    monkeypatch.setattr(code, "OFTEN", 10**9)
    assert told == complaint(tmp_path, spec, config)
    assert 'Head(q) + x[i] > "a"' in told


def test_code_that_fails_again_and_again_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        def run(frame: Any) -> Any:
            asked.append(1)
            raise KeyError

        return run

    asked: list[int] = []
    monkeypatch.setattr(code, "coded", broken)
    monkeypatch.setattr(code, "FAILURES", 2)
    spec = LET.format(bound=5, most=8)
    assert (
        verdicts(check(tmp_path, spec, "SPECIFICATION Spec\nINVARIANT Holds\nCHECK_DEADLOCK FALSE"))["Holds"] == "HOLDS"
    )
    assert 0 < len(asked) < 100


MAPPED = """
EXTENDS Naturals, FiniteSets
VARIABLES tokens, steps
vars == <<tokens, steps>>
Init == tokens = [i \\in 1..3 |-> IF i = 1 THEN {"t"} ELSE {}] /\\ steps = 0
Pass(i) == /\\ tokens[i] # {} /\\ tokens' = [tokens EXCEPT ![i] = {}, ![1 + (i % 3)] = {"t"}]
           /\\ steps' = steps + 1
Skip == steps > 2 /\\ tokens' = [i \\in 1..3 |-> tokens[1 + ((i + 1) % 3)]] /\\ steps' = steps %OP% 1
Next == (\\E i \\in 1..3 : Pass(i)) \\/ Skip
Spec == Init /\\ [][Next]_vars /\\ \\A i \\in 1..3 : WF_vars(Pass(i))
Few == steps < 6
pos == CHOOSE i \\in 1..3 : tokens[i] # {}
Moves == pos' = 1 + (pos % 3) /\\ steps' = steps + 1
Around == pos = 1 /\\ steps = 0 /\\ [][Moves]_<<pos, steps>>
Again == []<>(pos = 2)
"""


@pytest.mark.parametrize(("sign", "around"), [("+", "HOLDS"), ("-", "VIOLATED")])
def test_conditions_on_steps_with_parts_that_speak_of_one_state(tmp_path: Path, sign: str, around: str) -> None:
    config = "SPECIFICATION Spec\nCONSTRAINT Few\nPROPERTIES Around Again\nCHECK_DEADLOCK FALSE"
    found = verdicts(check(tmp_path, MAPPED.replace("%OP%", sign), config))
    assert found["Around"] == around


FORBIDDEN = """
EXTENDS Naturals, Sequences
VARIABLES x, q, on
vars == <<x, q, on>>
P == 1..2
Init == x = [p \\in P |-> 0] /\\ q = <<>> /\\ on = P
Push(p) == x' = [x EXCEPT ![p] = 1 - @] /\\ q' = (IF Len(q) < 2 THEN Append(q, p) ELSE q) /\\ on' \\in {on, {p}}
Pop(p) == p \\notin on /\\ x' = x /\\ q' = (IF q = <<>> THEN q ELSE Tail(q)) /\\ on' = {o \\in on : x[o] = 0}
Next == \\E p \\in P : Push(p) \\/ Pop(p)
Spec == Init /\\ [][Next]_vars /\\ (\\A p \\in P : SF_vars(Pop(p))) /\\ (\\A p \\in P : WF_x(Push(p)))
Small == \\A p \\in P : x[p] = 0 \\/ p \\in on
Empty == <>[](q = <<>>)
Full == []<>(q # <<>>)
"""


def test_parts_of_one_state_that_read_one_slot(tmp_path: Path) -> None:
    """They are no projections: these know nothing of what is kept for a state. The verdicts are TLC's."""
    config = "SPECIFICATION Spec\nCONSTRAINT Small\nPROPERTIES Empty Full\nCHECK_DEADLOCK FALSE"
    assert verdicts(check(tmp_path, FORBIDDEN, config)) == {"Empty": "VIOLATED", "Full": "HOLDS"}
