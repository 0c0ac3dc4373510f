"""Contexts in a specification: each makes the specification and the configuration that ask about an expression."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tests.languages.catalogue.tla.expression import VARIABLES, Expression

Place = Callable[[Expression], Mapping[str, str]]
"""Makes the files of a case; the configuration is the first."""


@dataclass(frozen=True)
class Template:
    """A specification with `@E`, `@C` (the condition), `@V` (the variables), `@B` (how they begin), `@S` (their step).

    It has an invariant that holds, so that the whole state space is counted when what is asked is violated.
    """

    begin: str = "@B"
    step: str = "@S"
    more: str = ""
    """Other definitions."""
    config: str = ""
    """Lines of the configuration, with ` | ` between them; `P` is what is asked."""
    fair: str = ""
    """Fairness: the specification is given as a formula then."""
    result: bool = False
    """Is there a variable v for a result?"""
    anywhere: bool = False
    """May x begin with any of its values?"""
    model_values: bool = False
    """Is there a variable w for model values?"""
    deadlock: bool = False

    def __call__(self, inner: Expression) -> Mapping[str, str]:
        names = inner.variables
        everything = [*names, *(["v"] if self.result else []), *(["w"] if self.model_values else [])]
        parts = {
            "@E": f"({inner.text})",
            "@C": inner.condition,
            "@V": f"<<{', '.join(everything)}>>",
            "@B": " /\\ ".join(f"{name} {self._first(name)}" for name in names),
            "@S": " /\\ ".join(f"{name}' = ({VARIABLES[name].then})" for name in names),
        }
        lines = [f"VARIABLES {', '.join(everything)}", *inner.definitions]
        lines += [f"Init == {self.begin}", f"Next == {self.step}", self.more, "Whole == x < 9"]
        if self.fair:
            lines.append(f"Spec == Init /\\ [][Next]_@V /\\ {self.fair}")
        has_model_values = "c" in names or self.model_values
        if has_model_values:
            lines.insert(0, "CONSTANTS c1, c2, C")
        modules = {"Integers", *inner.modules, *(VARIABLES[name].module for name in names)}
        if self.model_values or ":>" in inner.value:
            modules.add("TLC")
        text = "\n".join([f"EXTENDS {', '.join(sorted(modules))}", *lines])
        return self._files(inner, _filled(text, parts), has_model_values)

    def _first(self, name: str) -> str:
        return "\\in 0..2" if self.anywhere and name == "x" else f"= {VARIABLES[name].first}"

    def _files(self, inner: Expression, text: str, model_values: bool) -> Mapping[str, str]:
        config = ["SPECIFICATION Spec"] if self.fair else ["INIT Init", "NEXT Next"]
        config += [*self.config.split(" | "), "INVARIANT Whole", *inner.config]
        if model_values:
            config += ["CONSTANTS c1 = c1 c2 = c2 C = {c1, c2}"]
        if not self.deadlock:
            config.append("CHECK_DEADLOCK FALSE")
        return {
            "Case.cfg": "\n".join(config) + "\n",
            "Case.tla": f"---- MODULE Case ----\n{text}\n====\n",
            **inner.files,
        }


def _filled(text: str, parts: Mapping[str, str]) -> str:
    for name in ("@B", "@S", "@V", "@C", "@E"):
        text = text.replace(name, parts[name])
    return text


def assumption(inner: Expression) -> Mapping[str, str]:
    """The condition as an assumption, where all that it reads are definitions."""
    values = {"x": "1", "y": "0", "s": "{0}", "q": "<<0>>", "f": "<<0, 1>>", "r": '[a |-> 0, b |-> "s"]', "t": "TRUE"}
    lines = [f"EXTENDS {', '.join(sorted({'Integers', *inner.modules, *(['TLC'] if ':>' in inner.value else [])}))}"]
    if "c" in inner.variables:
        lines += ["CONSTANTS c1, c2, C", "c == c2"]
    lines += [f"{name} == {value}" for name, value in values.items() if name in inner.variables]
    lines += [*inner.definitions, f"ASSUME {inner.condition}"]
    config = [*inner.config, *(["CONSTANTS c1 = c1 c2 = c2 C = {c1, c2}"] if "c" in inner.variables else [])]
    text = "\n".join(lines)
    return {"Case.cfg": "\n".join(config) + "\n", "Case.tla": f"---- MODULE Case ----\n{text}\n====\n", **inner.files}


STEPS = "Stay == UNCHANGED @V"
PLACES: dict[str, Place] = {
    "Init": Template(
        begin="@B /\\ v = @E", step="@S /\\ v' = v", more="P == ~@C", config="INVARIANT P", result=True, anywhere=True
    ),
    "Init condition": Template(begin="@B /\\ (x = 0 \\/ @C)", more="P == x # 2", config="INVARIANT P", anywhere=True),
    "guard": Template(step="(~@C /\\ @S) \\/ (x = 0 /\\ @S)", deadlock=True, more="P == x # 2", config="INVARIANT P"),
    "condition on the next state": Template(step="@S /\\ ~(@C')", deadlock=True),
    "next value": Template(
        begin="@B /\\ v = @E", step="@S /\\ v' = @E", more="P == x = 2 => ~(@C)", config="INVARIANT P", result=True
    ),
    "next value, primed": Template(
        begin="@B /\\ v = @E", step="@S /\\ v' = @E'", more="P == v = @E", config="INVARIANT P", result=True
    ),
    "next values": Template(begin="@B /\\ v = @E", step="@S /\\ v' \\in {v, @E}", result=True),
    "choice": Template(begin="@B /\\ v = @E", step="\\E n \\in {@E} : v' = n /\\ @S", result=True),
    "IF of actions": Template(step="IF @C THEN x' = 0 /\\ UNCHANGED @V ELSE @S", deadlock=True),
    "UNCHANGED": Template(step="@S", more="P == [][UNCHANGED @E]_@V", config="PROPERTY P"),
    "UNCHANGED in an action": Template(step="@S /\\ UNCHANGED @E"),
    "subscript": Template(more="P == [][FALSE]_(@E)", config="PROPERTY P"),
    "invariant": Template(more="P == ~@C", config="INVARIANT P"),
    "value": Template(more="P == x = 1 => @C", config="INVARIANT P"),
    "action property": Template(more="P == [][@E' # @E]_@V", config="PROPERTY P"),
    "fairness": Template(
        step="@S \\/ UNCHANGED @V", fair="WF_@V(~@C /\\ @S)", more="P == <>(x = 2)", config="PROPERTY P"
    ),
    "strong fairness": Template(
        step="@S \\/ UNCHANGED @V", fair="SF_@V((x = 0 \\/ @C) /\\ @S)", more="P == <>(x = 2)", config="PROPERTY P"
    ),
    "fairness subscript": Template(step="@S", fair="WF_(@E)(Next)", more="P == []<>(x = 1)", config="PROPERTY P"),
    "leads to": Template(fair="WF_@V(Next)", more="P == @C ~> x = 0 /\\ ~@C", config="PROPERTY P"),
    "eventually always": Template(fair="WF_@V(Next)", more="P == <>[]~@C", config="PROPERTY P"),
    "constraint": Template(more="Q == ~@C\nP == x # 2", config="CONSTRAINT Q | INVARIANT P"),
    "action constraint": Template(more="Q == @E' # @E\nP == x # 2", config="ACTION_CONSTRAINT Q | INVARIANT P"),
    "view": Template(more="Q == @E\nP == x # 2", config="VIEW Q | INVARIANT P"),
    "symmetry": Template(
        begin="@B /\\ w \\in C",
        step="~@C /\\ @S /\\ w' \\in C \\ {w}",
        more="Q == Permutations(C)\nP == x # 2",
        config="SYMMETRY Q | INVARIANT P",
        model_values=True,
    ),
    "alias": Template(more="Q == [x |-> x, e |-> @E]\nP == x # 2", config="ALIAS Q | INVARIANT P"),
    "ENABLED": Template(more="P == ENABLED (~@C /\\ @S)", config="INVARIANT P"),
    "assumption": assumption,
}
"""By the name of the context."""
