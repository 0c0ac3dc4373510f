"""The contexts: statements that an expression stands in, and expressions that it is a part of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from tests.languages.catalogue.smv.expression import Expression, declarations

Statement = Callable[[Expression], str | None]
"""The text of a model with the expression; None where it cannot stand there."""
Part = Callable[[Expression], Expression | None]
"""A larger expression."""

TOTAL = "CTLSPEC AG EX TRUE;"


def model(expression: Expression, body: str, kind: str = "VAR") -> str:
    """A model with the variables of an expression; `@`, `#`, `$0` in the body are as in `Expression.wrapped`."""
    text = expression.wrapped(body).text
    known = declarations(expression.names(), kind)
    return f"{expression.modules}MODULE main\n{known}\n{expression.declared}{text}\n{TOTAL}\n"


def _plain(body: str, *, sets: bool = False, scalars: bool = True) -> Statement:
    """For single values, for sets, or for both."""

    def statement(expression: Expression) -> str | None:
        if (expression.is_set and not sets) or (not expression.is_set and not scalars):
            return None
        return model(expression, body.replace("TYPE", expression.type))

    return statement


def _result(body: str) -> Statement:
    """A variable `r` gets the value; both are compared with values and with each other."""
    asked = "CTLSPEC EF r = $0; CTLSPEC AG r != $1; INVARSPEC r = $0 -> #; LTLSPEC G F r = $1; LTLSPEC X r = $0;"
    return _plain(f"VAR r : TYPE;\n{body}\n{asked}", sets=True)


def _stepping(body: str) -> Statement:
    """For what differs from state to state."""
    inner = _plain(body)
    return lambda expression: inner(expression) if expression.names() else None


def _index(expression: Expression) -> str | None:
    if not expression.is_integer or expression.is_set:
        return None
    body = "VAR h : array -9..9 of 0..1;\nDEFINE i := h[@];\nASSIGN init(h[$0]) := 1; next(h[$0]) := h[$0];\n"
    rest = "INVAR " + " & ".join(f"(h[{n}] = 0 | {n} = {expression.values[0]})" for n in range(-9, 10))
    return model(expression, f"{body}{rest}\nINVARSPEC i = 1 <-> #; CTLSPEC EF i = 1; LTLSPEC F i = 1;")


def _instance(expression: Expression) -> str | None:
    """All of it is in an instance."""
    body = "DEFINE d := #;\nINVARSPEC d; CTLSPEC EF !d;"
    text = model(expression, body).replace("MODULE main", "MODULE inner")
    return "MODULE main\nVAR i : inner; j : boolean;\nINVAR i.d -> j;\nCTLSPEC EF i.d; CTLSPEC AG j;\n" + text


def _over(kind: str) -> Statement:
    """The variables are inputs, or frozen."""

    def statement(expression: Expression) -> str | None:
        names = expression.names()
        if not names or "next(" in expression.text + expression.declared:
            return None
        body = "VAR r : boolean; ASSIGN init(r) := FALSE; next(r) := r | #;\nCTLSPEC EF r; LTLSPEC F r; INVARSPEC !r;"
        return model(expression, body + ("" if kind == "IVAR" else "\nLTLSPEC G # | G !#;"), kind)

    return statement


STATEMENTS: dict[str, Statement] = {
    "init": _result("ASSIGN init(r) := @; next(r) := r;"),
    "next": _result("ASSIGN init(r) := $0; next(r) := @;"),
    "next of a next value": _plain(
        "VAR r : TYPE; ASSIGN init(r) := $0; next(r) := next(@);\n"
        "CTLSPEC EF r = $1; INVARSPEC r = $0; LTLSPEC X r = $0;"
    ),
    ":=": _result("ASSIGN r := @;"),
    "INIT": _plain("VAR o : boolean;\nINIT # | o;\nCTLSPEC EX #; LTLSPEC o | #; CTLSPEC o;", sets=True),
    "INIT of a variable": _result("INIT r in @;\nASSIGN next(r) := r;"),
    "INVAR": _plain("VAR o : boolean;\nINVAR o -> #;\nINVARSPEC #; CTLSPEC AG (o -> #); CTLSPEC EF o;", sets=True),
    "INVAR alone": _plain("VAR o : boolean;\nINVAR # | o;\nINIT o\nTRANS next(o) -> o;\nCTLSPEC AG !o;", sets=True),
    "TRANS": _result("INIT r = $0\nTRANS next(r) in @;"),
    "TRANS of a value": _plain("VAR r : TYPE;\nINIT r = $0\nTRANS next(r) = @;\nCTLSPEC EF r = $1; LTLSPEC X r = $0;"),
    "TRANS as a guard": _plain("TRANS # -> #;\nTRANS # | next(#);\nCTLSPEC AG (# | AX #); INVARSPEC #;", sets=True),
    "TRANS of a next value": _plain("TRANS next(@) = @ | next(@) = $0;\nCTLSPEC EF #; CTLSPEC AG (# -> AX #);"),
    "DEFINE": _plain("DEFINE d := @; o := d = $0; oo := !o;\nINVARSPEC o; CTLSPEC EF oo; LTLSPEC F o;"),
    "DEFINE of a set": _plain("DEFINE d := @; o := $0 in d;\nINVARSPEC o; CTLSPEC EF !o; LTLSPEC F o;", sets=True),
    "DEFINE with next": _plain("DEFINE d := next(@) = $0;\nTRANS d | next(#);\nINVARSPEC #; LTLSPEC X #;"),
    "inside of an instance": _instance,
    "case condition": _plain(
        "VAR r : 0..2; ASSIGN init(r) := 0; next(r) := case # : 1; r = 1 : {0, 2}; TRUE : 0; esac;\n"
        "CTLSPEC EF r = 2; CTLSPEC AG r != 1; LTLSPEC G (r = 1 -> Y #);",
        sets=True,
    ),
    "array index": _index,
    "array element": _plain(
        "VAR r : array 0..1 of TYPE; ASSIGN init(r[0]) := $0; init(r[1]) := $0; next(r[0]) := r[1]; next(r[1]) := @;\n"
        "CTLSPEC EF r[0] = $1; INVARSPEC r[0] = $0 | r[1] = $0; LTLSPEC G (r[1] = $1 -> X r[0] = $1);",
        sets=True,
    ),
    "INVARSPEC": _plain("INVARSPEC #; INVARSPEC !#; INVARSPEC # -> #;", sets=True),
    "INVARSPEC of a next value": _stepping("INVARSPEC # -> next(#); INVARSPEC next(@) = $0;"),
    "CTL EX, AX": _plain("CTLSPEC EX #; CTLSPEC AX #; CTLSPEC EX AX !#;", sets=True),
    "CTL EF, AG": _plain("CTLSPEC EF #; CTLSPEC AG #; CTLSPEC AG EF !#;", sets=True),
    "CTL AF, EG": _plain("CTLSPEC AF #; CTLSPEC EG #; CTLSPEC EG AF !#;", sets=True),
    "CTL EU, AU": _plain("CTLSPEC E [# U !#]; CTLSPEC A [!# U #]; CTLSPEC A [# U AX #];", sets=True),
    "CTL bounded": _plain("CTLSPEC EBF 0..2 #; CTLSPEC ABG 1..2 #; CTLSPEC A [!# BU 0..3 #];", sets=True),
    "LTL X, Y, Z": _plain("LTLSPEC X #; LTLSPEC X Y #; LTLSPEC G (# -> X Z !#); LTLSPEC Z #;", sets=True),
    "LTL F, G, O, H": _plain("LTLSPEC F #; LTLSPEC G F #; LTLSPEC F G !#; LTLSPEC G (# -> H #); LTLSPEC F O !#;"),
    "LTL U, V, S, T": _plain("LTLSPEC # U !#; LTLSPEC !# V #; LTLSPEC G (# S !#); LTLSPEC X (# T !#);"),
    "LTL bounded": _plain("LTLSPEC F [0, 2] #; LTLSPEC G [1, 3] #; LTLSPEC X O [0, 1] #; LTLSPEC F O [1, 2] !#;"),
    "LTL of a next value": _stepping("LTLSPEC G (# -> next(#)); LTLSPEC next(@) = $0;"),
    "COMPUTE": _plain("COMPUTE MIN [#, !#]; COMPUTE MAX [TRUE, #];"),
    "FAIRNESS": _plain("FAIRNESS #;\nCTLSPEC AF #; CTLSPEC EG !#; LTLSPEC F !#; LTLSPEC G F #;"),
    "COMPASSION": _plain("VAR o : boolean;\nCOMPASSION (#, o);\nLTLSPEC G F o; LTLSPEC G F # -> G F o;"),
    "FROZENVAR": _plain(
        "FROZENVAR r : TYPE;\nINIT r in @;\nCTLSPEC EF r = $0; LTLSPEC r = $1 -> G r = $1; INVARSPEC r = $1;", sets=True
    ),
    "FROZENVAR init": _plain(
        "FROZENVAR r : TYPE;\nASSIGN init(r) := @;\nCTLSPEC r = $0; LTLSPEC G r != $1;", sets=True
    ),
    "with an input": _plain(
        "IVAR i : boolean; VAR r : TYPE; ASSIGN init(r) := $0; next(r) := case i : @; TRUE : r; esac;\n"
        "CTLSPEC EF r = $1; LTLSPEC G (!i & r = $0 -> X r = $0); LTLSPEC F r = $1;",
        sets=True,
    ),
    "over inputs": _over("IVAR"),
    "over frozen variables": _over("FROZENVAR"),
}

UNREAD = ("COMPUTE", "LTL of a next value", "INVARSPEC of a next value")
"""Contexts that Homing refuses by name."""


def _part(text: str, type_: str = "", values: tuple[str, ...] = (), is_set: bool = False) -> Part:
    def part(expression: Expression) -> Expression | None:
        if expression.is_set:
            return None
        return expression.wrapped(
            text, type=type_ or expression.type, values=values or expression.values, is_set=is_set
        )

    return part


def _parameter(expression: Expression) -> Expression:
    module = "MODULE box(given)\nDEFINE out := given;\n"
    return replace(
        expression,
        text="z.out",
        declared=f"{expression.declared}VAR z : box({expression.text});\n",
        modules=expression.modules + module,
    )


def _parameters(expression: Expression) -> Expression:
    inner = _parameter(expression)
    module = "MODULE crate(given)\nVAR w : box(given);\nDEFINE out := w.out;\n"
    return replace(inner, declared=inner.declared.replace(": box(", ": crate("), modules=inner.modules + module)


def _itself(expression: Expression) -> Expression | None:
    """By `self`, which an instance gets from its module."""
    module = "MODULE watch(owner)\nDEFINE seen := owner.o;\n"
    declared = f"{expression.declared}DEFINE o := {expression.text};\nVAR z : watch(self);\n"
    return replace(expression, text="z.seen", declared=declared, modules=expression.modules + module)


def _definition(expression: Expression) -> Expression:
    declared = f"{expression.declared}DEFINE l := {expression.text}; j := l;\n"
    return replace(expression, text="j", declared=declared)


def _listed(expression: Expression) -> Expression | None:
    if expression.is_set:
        return None
    first, second = expression.values[:2]
    declared = f"{expression.declared}DEFINE l := [{first}, {expression.text}, {second}];\n"
    return replace(expression, text="l[1]", declared=declared)


def _chosen(expression: Expression) -> Expression | None:
    listed = _listed(expression)
    if listed is None:
        return None
    return replace(listed, text="l[o]", declared=f"{listed.declared}VAR o : 0..2;\n")


def _by_value(expression: Expression) -> Expression | None:
    if not expression.is_integer or expression.is_set:
        return None
    listed = ", ".join(str(number % 4) for number in range(19))
    declared = f"{expression.declared}DEFINE l := [{listed}];\n"
    return replace(expression, text=f"l[({expression.text}) + 9]", declared=declared)


PARTS: dict[str, Part] = {
    "case result": lambda e: e.wrapped("case j : @; TRUE : $0; esac", declared=e.declared + "VAR j : boolean;\n"),
    "case guard": _part("case # : $1; TRUE : $0; esac"),
    "? : result": _part("# ? @ : $1"),
    "? : condition": _part("# ? $1 : $0"),
    "equation": _part("@ = $0", "boolean", ("TRUE", "FALSE")),
    "inequation": _part("@ != $0", "boolean", ("TRUE", "FALSE")),
    "left of in": _part("@ in {$0, $1}", "boolean", ("TRUE", "FALSE")),
    "right of in": _part("$0 in {@, $1}", "boolean", ("TRUE", "FALSE")),
    "member of a set": _part("{@, $0}", is_set=True),
    "union": _part("@ union {$1}", is_set=True),
    "count": _part("count(#, !#, #)", "-9..9", ("1", "2", "0")),
    "definition": _definition,
    "parameter": _parameter,
    "parameter of a parameter": _parameters,
    "self": _itself,
    "element of a list": _listed,
    "element by a variable": _chosen,
    "index of a list": _by_value,
}


def singles(expression: Expression) -> Iterator[tuple[str, str]]:
    """Every context that the expression can stand in, with the model."""
    for name, statement in STATEMENTS.items():
        text = statement(expression)
        if text is not None:
            yield name, text
    for name, part in PARTS.items():
        larger = part(expression)
        if larger is not None:
            text = STATEMENTS[":="](larger)
            assert text is not None
            yield name, text


def pairs(expression: Expression) -> Iterator[tuple[str, str]]:
    """Every expression context inside of every statement."""
    for outer, statement in STATEMENTS.items():
        if outer in UNREAD:
            continue
        for inner, part in PARTS.items():
            larger = part(expression)
            text = None if larger is None or outer == ":=" else statement(larger)
            if text is not None:
                yield f"{outer} > {inner}", text
