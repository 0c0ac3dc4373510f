"""Names of parts of definitions: labels (`Op!label`), positions (`Op!2`, `Op!<<`) and what is quantified (`Op!(x)`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from homing.core.errors import HomingError
from homing.languages.tla.scope import Bound, Definition, Label, unknown
from homing.languages.tla.syntax import Node

BINDERS = frozenset({"forall", "exists", "fn", "filter", "map", "choose"})
PARTS = frozenset(
    {"and", "or", "ref", "tuple", "set", "if", "record", "records", "apply", "functions", "product", "box", "angle",
     "WF", "SF"}
)  # fmt: skip
"""Nodes whose operands are their arguments, in order."""


@dataclass
class Labels:
    """The labels directly inside a definition or another label, and the names bound around what is read now."""

    found: dict[str, Label] = field(default_factory=dict)
    bound: list[Bound] = field(default_factory=list)

    @contextmanager
    def inside(self, names: Sequence[Bound]) -> Iterator[None]:
        """While the body of a binder is read."""
        self.bound += names
        yield
        del self.bound[len(self.bound) - len(names) :]

    def add(self, node: Node, parameters: tuple[Bound, ...], body: Node, labels: dict[str, Label]) -> None:
        """A label; its parameters are the names that are bound around it."""
        name = node.data[0]
        if name in self.found:
            raise HomingError(f"label '{name}' stands twice in one definition", node.place)
        if set(parameters) != set(self.bound):
            names = ", ".join(bound.name for bound in self.bound)
            wanted = f"{name}({names})" if names else f"{name} without parameters"
            raise HomingError(f"a label has the names bound around it as parameters: {wanted} is expected", node.place)
        self.found[name] = Label(parameters, body, labels)

    def wrap(self, let: Node, names: set[str]) -> None:
        """Puts a LET around the labels that were found in its body: those that are not in `names`."""
        for name in self.found.keys() - names:
            label = self.found[name]
            self.found[name] = Label(label.parameters, Node("let", (label.body,), let.data, let.place), label.labels)


@dataclass
class Selection:
    """A part of a definition: its body with the names that stand for arguments."""

    name: str
    body: Node
    labels: dict[str, Label]
    parameters: list[Bound]
    arguments: list[Node] = field(default_factory=list)
    lets: list[Node] = field(default_factory=list)

    def label(self, step: Node, arguments: list[Node]) -> None:
        """Goes to a label."""
        found = self.labels.get(step.data)
        if found is None:
            raise unknown(f"'{self.name}' has no label '{step.data}'", step.data, self.labels, step.place)
        if len(arguments) != len(found.parameters):
            said = f"label '{step.data}' takes {len(found.parameters)} arguments, not {len(arguments)}"
            raise HomingError(said, step.place)
        self.body, self.labels, self.lets = found.body, found.labels, []
        self.parameters += found.parameters
        self.arguments += arguments

    def bound(self, step: Node, arguments: list[Node]) -> None:
        """`!(a, b)`: the body of a quantifier, with arguments for the names that it binds."""
        if self.body.kind not in BINDERS:
            raise HomingError("'!(…)' can only follow something that binds names, such as \\E", step.place)
        names = [name for binder in self.body.data for name in binder.names]
        if len(names) != len(arguments):
            raise HomingError(f"'!(…)' has {len(arguments)} arguments for {len(names)} bound names", step.place)
        self.parameters += names
        self.arguments += arguments
        self.body, self.labels = self.body.args[0], {}

    def position(self, step: Node, number: int) -> None:
        """`!2`: an operand."""
        body, self.labels = self.body, {}
        operands: Sequence[Node] = ()
        if body.kind in PARTS:
            operands = body.args
        elif body.kind == "let":
            self.lets.append(body)
            operands = body.args
        elif body.kind == "except":
            operands = body.args[:1]
        elif body.kind in BINDERS:
            operands = [binder.domain for binder in body.data]
        elif body.kind == "case":
            arms = [Node("arm", body.args[at : at + 2], None, body.place) for at in range(0, len(body.args), 2)]
            operands = arms
        elif body.kind == "arm":
            # OTHER is an arm without a condition.
            operands = body.args if len(body.args) == 2 else (Node("arm", (), None, body.place), *body.args)
        if not 1 <= number <= len(operands):
            raise HomingError(f"'{self.name}' has no part {number} here", step.place)
        self.body = operands[number - 1]

    def definition(self, symbol: Definition) -> Definition:
        """The part as an operator of its own."""
        body = self.body
        if body.kind == "arm":
            raise HomingError("an arm of CASE has two parts: '!1' or '!2' is expected after its number", body.place)
        for let in reversed(self.lets):
            body = Node("let", (body,), let.data, let.place)
        return Definition(self.name, tuple(self.parameters), body, symbol.place, symbol.module, outer=symbol.outer)
