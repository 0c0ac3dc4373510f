"""Contexts of actions and of temporal formulas: templates of a specification in which `@` is the action or formula.

The first line is the configuration. `Inner` is the action or formula as another module, `Other`, defines it; where it
is instantiated with a substitution, that module has a variable z for x.
"""

from __future__ import annotations

from collections.abc import Mapping

from tests.languages.catalogue.tla.expression import Expression

ANY = "Next == x' \\in 0..2 /\\ v' \\in 0..1\n"
RUN = "INIT Init | NEXT Next\n"
INVARIANT = "INIT Init | NEXT Next | INVARIANT P\n" + ANY
PROPERTY = "INIT Init | NEXT Next | PROPERTY P\n" + ANY
FAIR = "SPECIFICATION Spec | PROPERTY P\n" + ANY + "P == []<>(x = 1)\nSpec == Init /\\ [][Next]_<<x, v>> /\\ "

ACTION_CONTEXTS = {
    "next-state relation": RUN + "Next == @",
    "disjunct": RUN + "Next == @ \\/ (x' = 0 /\\ v' = 0)",
    "conjunct": RUN + "Next == x < 3 /\\ @ /\\ v < 3",
    "under \\E": RUN + "Next == \\E i \\in {1, 2} : @",
    "under \\A": RUN + "Next == \\A i \\in {1} : @",
    "IF": RUN + "Next == IF x < 1 THEN @ ELSE (x' = 0 /\\ v' = 0) \\/ @",
    "CASE": RUN + "Next == CASE x < 2 -> @ [] OTHER -> x' = 0 /\\ v' = 0",
    "LET": RUN + "Next == LET a == @ IN a",
    "LET with parameter": RUN + "Next == LET a(i) == i = 1 /\\ @ IN a(1)",
    "definition": RUN + "Act == @\nNext == Act",
    "definition with parameter": RUN + "Act(i) == i = 1 /\\ @\nNext == \\E i \\in 0..1 : Act(i)",
    "argument": RUN + "Same(A) == A\nNext == Same(@)",
    "LAMBDA": RUN + "Do(A(_), i) == A(i)\nNext == Do(LAMBDA i : @, 1)",
    "RECURSIVE": RUN + "RECURSIVE Act(_)\nAct(i) == IF i = 0 THEN @ ELSE Act(i - 1)\nNext == Act(1)",
    "override": "INIT Init | NEXT Next | CONSTANT Act <- Real\nReal == @\nAct == FALSE\nNext == Act",
    "INSTANCE": RUN + "INSTANCE Other\nNext == Inner",
    "named INSTANCE": RUN + "M == INSTANCE Other\nNext == M!Inner",
    "INSTANCE WITH": RUN + "M == INSTANCE Other WITH z <- x\nNext == M!Inner",
    "INSTANCE with parameter": RUN + "M(p) == INSTANCE Other WITH z <- p\nNext == M(x)!Inner",
    "[A]_v": RUN + "Next == [@]_<<x, v>>",
    "<<A>>_v": RUN + "Next == <<@>>_x",
    "ENABLED": INVARIANT + "P == ENABLED @",
    "ENABLED <<A>>_v": INVARIANT + "P == ENABLED <<@>>_<<x, v>>",
    "ENABLED in a guard": RUN + "Next == ENABLED @ /\\ x' = (x + 1) % 3 /\\ v' = 0",
    "action property": PROPERTY + "P == [][@]_<<x, v>>",
    "negated action property": PROPERTY + "P == [][~@]_<<x, v>>",
    "eventually an action": "SPECIFICATION Spec | PROPERTY P\n"
    + ANY
    + "Spec == Init /\\ [][Next]_<<x, v>> /\\ WF_<<x, v>>(Next)\nP == []<><<@>>_<<x, v>>",
    "action constraint": "INIT Init | NEXT Next | ACTION_CONSTRAINT Q\n" + ANY + "Q == @",
    "weak fairness": FAIR + "WF_<<x, v>>(@)",
    "strong fairness": FAIR + "SF_<<x, v>>(@)",
    "fairness subscript": FAIR + "WF_x(@)",
}

COUNT = "SPECIFICATION Spec | PROPERTY P\nNext == (x < 3 /\\ x' = x + 1) \\/ (x > 1 /\\ x' = 2)\n"
WEAK = "Spec == x = 0 /\\ [][Next]_x /\\ WF_x(Next)\n"
FORMULA_CONTEXTS = {
    "property": COUNT + WEAK + "P == @",
    "negated": COUNT + WEAK + "P == ~@",
    "strong fairness": COUNT + "Spec == x = 0 /\\ [][Next]_x /\\ SF_x(x = 2 /\\ x' = 3)\nP == @",
    "no fairness": COUNT + "Spec == x = 0 /\\ [][Next]_x\nP == @",
    "assumed": COUNT + "Spec == x = 0 /\\ [][Next]_x /\\ @\nP == <>(x = 3)",
    "definition": COUNT + WEAK + "Asked == @\nP == Asked",
    "definition with parameter": COUNT + WEAK + "Asked(i) == i < x + 9 => @\nP == Asked(1)",
    "argument": COUNT + WEAK + "Same(F) == F\nP == Same(@)",
    "LET": COUNT + WEAK + "P == LET a == @ IN a",
    "under \\A": COUNT + WEAK + "P == \\A i \\in {1, 2} : @",
    "conjunct": COUNT + WEAK + "P == [](x < 9) /\\ @",
    "implied": COUNT + WEAK + "P == []<>(x = 2) => @",
    "implies": COUNT + WEAK + "P == @ => []<>(x = 3)",
    "INSTANCE": COUNT + WEAK + "M == INSTANCE Other\nP == M!Inner",
    "INSTANCE WITH": COUNT + WEAK + "M == INSTANCE Other WITH z <- x\nP == M!Inner",
    "INSTANCE with parameter": COUNT + WEAK + "M(p) == INSTANCE Other WITH z <- p\nP == M(x)!Inner",
}


def files(template: str, text: str, definitions: str, variables: str) -> Mapping[str, str]:
    """The files of a case; variables are `x`, or `x, v`."""
    config, body = template.split("\n", 1)
    init = "" if "Spec ==" in template and variables == "x" else "Init == x = 0 /\\ v = 0"
    other = {}
    if "INSTANCE" in template:
        renamed = "WITH" in template
        inner = f"{definitions}\nInner == {text}"
        inner = Expression(inner).with_x("z") if renamed else inner
        other["Other.tla"] = _module("Other", variables.replace("x", "z") if renamed else variables, inner)
        definitions = ""
    lines = [*config.split(" | "), "INVARIANT Whole", *(["CHECK_DEADLOCK FALSE"] if "SPEC" in config else [])]
    main = "\n".join([definitions, init, body.replace("@", f"({text})"), "Whole == x < 9"])
    return {"Case.cfg": "\n".join(lines) + "\n", "Case.tla": _module("Case", variables, main), **other}


def _module(name: str, variables: str, body: str) -> str:
    return f"---- MODULE {name} ----\nEXTENDS Integers\nVARIABLES {variables}\n{body}\n====\n"
