"""NuSMV text to its syntax tree."""

from __future__ import annotations

import re
from collections.abc import Callable

from homing.core.errors import HomingError, Place
from homing.languages.smv import syntax as s
from homing.languages.smv.expressions import SHIFT, ExpressionParser, Logic
from homing.languages.smv.tokens import Source

MOST_CHARACTERS = 50_000_000
COMMENT = re.compile(r"/--[\s\S]*?--/|--[^\n]*")
REFUSED = {
    "ISA": "'ISA' is not supported; declare the module's parts where they are needed",
    "PSLSPEC": "'PSLSPEC' is not supported; write the formula in CTL or LTL",
    "PRED": "'PRED' is not supported: predicates for abstraction mean nothing to an exact search",
    "MIRROR": "'MIRROR' is not supported: it belongs to abstraction, which an exact search does without",
    "MDEFINE": "'MDEFINE' is not supported; write out the definitions",
    "FUN": "'FUN' is not supported: uninterpreted functions make a model infinite",
    "CONSTRAINT": "'CONSTRAINT' is not supported; INVAR says it",
    "PARSYNTH": "'PARSYNTH' is not supported",
}
_WORDS = """
    VAR IVAR FROZENVAR DEFINE CONSTANTS ASSIGN INIT TRANS INVAR FAIRNESS JUSTICE COMPASSION CTLSPEC SPEC LTLSPEC
    INVARSPEC COMPUTE
"""
SECTIONS = _WORDS.split()
LOGICS: dict[str, Logic] = {"CTLSPEC": "CTL", "SPEC": "CTL", "LTLSPEC": "LTL", "INVARSPEC": "", "COMPUTE": ""}


def parse(source: Source) -> dict[str, s.Module]:
    """The modules of a file by name; raises HomingError where it is no NuSMV."""
    if len(source.text) > MOST_CHARACTERS:
        what = f"has more than {MOST_CHARACTERS} characters, which is too much for a model"
        raise HomingError(what, Place(source.file))
    parser = Parser(source)
    try:
        return parser.modules()
    except RecursionError:
        raise parser.error("what stands here is nested too deeply") from None


class Parser(ExpressionParser):
    """Modules and what is in them."""

    def modules(self) -> dict[str, s.Module]:
        """All modules."""
        found: dict[str, s.Module] = {}
        while self.token.kind != "END":
            module = self.module()
            if module.name in found:
                raise self.source.error(f"module '{module.name}' is declared twice", module.at)
            found[module.name] = module
        return found

    def module(self) -> s.Module:
        """`MODULE name(parameters)` and its sections."""
        self.expect("MODULE")
        name = self.expect("NAME")
        parameters: list[str] = []
        if self.accept("("):
            if self.token.kind != ")":
                parameters.append(self.expect("NAME").text)
                while self.accept(","):
                    parameters.append(self.expect("NAME").text)
            self.expect(")")
        if len(set(parameters)) < len(parameters):
            raise self.source.error(f"module '{name.text}' has two parameters of one name", name.at)
        module = s.Module(name.at, name.text, tuple(parameters))
        self.negated = module.negated
        while self.token.kind not in ("MODULE", "END"):
            self.section(module)
        return module

    def section(self, module: s.Module) -> None:
        """`VAR …`, `ASSIGN …` and so on."""
        kind = self.token.kind
        if kind in REFUSED:
            raise self.error(REFUSED[kind])
        if kind == ";":
            self.advance()
            return
        if kind not in SECTIONS:
            self.fail("a section such as VAR, ASSIGN or CTLSPEC")
        self.advance()
        sections: dict[str, Callable[[s.Module], None]] = {
            "DEFINE": self.definitions,
            "CONSTANTS": self.constants,
            "ASSIGN": self.assignments,
            "COMPASSION": self.compassion,
            "COMPUTE": self.compute,
        }
        if kind in ("VAR", "IVAR", "FROZENVAR"):
            self.variables(module, kind)
        elif kind in sections:
            sections[kind](module)
        elif kind in LOGICS:
            self.specification(module, kind)
        else:
            at = self.token.at
            condition = self.expression()
            module.constraints.append(s.Constraint(at, "JUSTICE" if kind == "FAIRNESS" else kind, (condition,)))
            self.accept(";")

    # Declarations

    def variables(self, module: s.Module, kind: str) -> None:
        """`name : type;` again and again."""
        while self.token.kind not in ("END", "MODULE") and self.token.kind not in SECTIONS:
            if self.token.kind in REFUSED:
                return
            name = self.expect("NAME")
            self.expect(":")
            module.variables.append(s.Declaration(name.at, kind, name.text, self.type()))  # type: ignore[arg-type]
            self.expect(";")

    def type(self) -> s.Type:
        """A type."""
        token = self.token
        match token.kind:
            case "boolean":
                self.advance()
                return s.BooleanType(token.at)
            case "{":
                self.advance()
                return s.EnumType(token.at, self.listed("}"))
            case "integer" | "real" | "clock":
                raise self.error(f"type '{token.kind}' is infinite, which an exact search cannot do; give a range")
            case "process":
                raise self.error("'process' is asynchronous, and deprecated by NuSMV; make the scheduler a variable")
            case "word":
                return self.word_type(signed=False)
            case "array":
                return self.array_type()
        if token.text in ("signed", "unsigned") and self.tokens[self.position + 1].kind == "word":
            self.advance()
            return self.word_type(token.text == "signed")
        if token.kind == "NAME" and self.tokens[self.position + 1].kind in ("(", ";"):
            self.advance()
            arguments: tuple[s.Expression, ...] = ()
            if self.accept("(") and not self.accept(")"):
                arguments = self.listed(")")
            return s.InstanceType(token.at, token.text, arguments)
        if token.kind not in ("NAME", "NUMBER", "-", "("):
            self.fail("a type")
        low = self.expression(SHIFT)
        self.expect("..")
        return s.RangeType(token.at, low, self.expression(SHIFT))

    def word_type(self, signed: bool) -> s.Type:
        """`word[8]`."""
        at = self.expect("word").at
        self.expect("[")
        width = self.expression()
        self.expect("]")
        return s.WordType(at, width, signed)

    def array_type(self) -> s.Type:
        """`array 0..3 of boolean`."""
        at = self.expect("array").at
        if self.token.kind in ("integer", "word"):
            raise self.error(f"'array {self.token.kind} of' is infinite; give a range such as 'array 0..3 of'")
        low = self.expression(SHIFT)
        self.expect("..")
        high = self.expression(SHIFT)
        self.expect("of")
        return s.ArrayType(at, low, high, self.type())

    def definitions(self, module: s.Module) -> None:
        """`name := body;` again and again."""
        while self.token.kind == "NAME":
            name = self.advance()
            within: s.Name | s.Field | None = None
            first = name.at
            while self.accept("."):
                within = s.Name(name.at, name.text) if within is None else s.Field(first, within, name.text)
                name = self.expect("NAME")
            self.expect(":=")
            module.definitions.append(s.Definition(first, name.text, self.expression(), within))
            self.expect(";")

    def constants(self, module: s.Module) -> None:
        """`a, b, c;`."""
        while True:
            name = self.expect("NAME")
            module.constants.append(s.Name(name.at, name.text))
            if not self.accept(","):
                break
        self.expect(";")

    def assignments(self, module: s.Module) -> None:
        """`init(x) := …; next(x) := …; x := …;`."""
        while self.token.kind in ("init", "next", "NAME", "self"):
            at, kind = self.token.at, self.token.kind
            if kind in ("init", "next"):
                self.advance()
                self.expect("(")
                left = self.postfix(self.primary())
                self.expect(")")
            else:
                kind, left = "now", self.postfix(self.primary())
            self.expect(":=")
            module.assignments.append(s.Assignment(at, kind, left, self.expression()))  # type: ignore[arg-type]
            self.expect(";")

    def compassion(self, module: s.Module) -> None:
        """`(p, q)`."""
        at = self.expect("(").at
        when = self.expression()
        self.expect(",")
        then = self.expression()
        self.expect(")")
        self.accept(";")
        module.constraints.append(s.Constraint(at, "COMPASSION", (when, then)))

    # Specifications

    def specification(self, module: s.Module, kind: str) -> None:
        """A formula, perhaps with a name."""
        name, at = self.named(), self.token.at
        self.logic = LOGICS[kind]
        try:
            formula = self.expression()
        finally:
            self.logic = ""
        kind = "CTLSPEC" if kind == "SPEC" else kind
        module.specifications.append(s.Specification(at, kind, name, formula, self.as_written(at)))
        self.accept(";")

    def compute(self, module: s.Module) -> None:
        """`MIN [p, q]`."""
        name, at = self.named(), self.token.at
        sense = self.token.text
        if sense not in ("MIN", "MAX"):
            self.fail("MIN or MAX")
        self.advance()
        self.expect("[")
        start = self.expression()
        self.expect(",")
        final = self.expression()
        self.expect("]")
        module.specifications.append(s.Compute(at, sense, name, start, final, self.as_written(at)))
        self.accept(";")

    def named(self) -> str | None:
        """`NAME name :=`, which may be left out."""
        if self.token.text != "NAME" or self.tokens[self.position + 1].kind != "NAME":
            return None
        self.advance()
        name = self.advance().text
        self.expect(":=")
        return name

    def as_written(self, start: int) -> str:
        """The text up to the token, on one line and without comments."""
        last = self.tokens[self.position - 1]
        return " ".join(COMMENT.sub(" ", self.source.text[start : last.at + len(last.text)]).split())
