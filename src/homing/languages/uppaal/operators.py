"""The operators on integers, each with the interval of its results."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from operator import add, and_, ge, gt, le, lt, mul, or_, sub, xor

from homing.languages.uppaal.store import Fault, Interval
from homing.languages.uppaal.syntax import Node

MOST_BITS = 31


def _divide(left: int, right: int) -> int:
    """Towards zero, as C has it."""
    return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)


def _remainder(left: int, right: int) -> int:
    return left - right * _divide(left, right)


ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "/": _divide,
    "%": _remainder,
    "&": and_,
    "|": or_,
    "^": xor,
    "<<": lambda left, right: left << right,
    ">>": lambda left, right: left >> right,
    "<?": min,
    ">?": max,
}
RELATIONS: dict[str, Callable[[int, int], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}


def calculate(node: Node, operator: str) -> Callable[[int, int], int]:
    """The function of an operator; what has no result is an error of the model."""
    function = ARITHMETIC[operator]
    if operator in "/%":

        def divide(left: int, right: int) -> int:
            if right == 0:
                raise Fault(node, f"'{node.words}' divides {int(left)} by zero")
            return function(left, right)

        return divide
    if operator in ("<<", ">>"):

        def shift(left: int, right: int) -> int:
            if not 0 <= right <= MOST_BITS:
                raise Fault(node, f"'{node.words}' shifts by {int(right)}, which is not within 0 to {MOST_BITS}")
            return within(node, function(int(left), right))

        return shift
    if operator == "*":
        return lambda left, right: within(node, left * right)
    return function


def within(node: Node, value: int) -> int:
    """The value, which has to fit into 32 bits."""
    if not -(2**31) <= value < 2**31:
        raise Fault(node, f"'{node.words}' is {value}, which needs more than 32 bits")
    return value


def interval(operator: str, left: Interval, right: Interval) -> Interval:
    """Within which the results lie."""
    if operator == "-":
        return left[0] - right[1], left[1] - right[0]
    if operator in ("+", "<?", ">?"):
        function = ARITHMETIC[operator]
        return function(left[0], right[0]), function(left[1], right[1])
    if operator == "*":
        corners = [one * other for one, other in product(left, right)]
        return min(corners), max(corners)
    if operator == "/" and right[0] > 0:
        corners = [_divide(one, other) for one, other in product(left, right)]
        return min(corners), max(corners)
    if operator == "%" and right[0] > 0:
        most = min(right[1] - 1, max(abs(left[0]), abs(left[1])))
        return (-most if left[0] < 0 else 0), (most if left[1] > 0 else 0)
    if operator == ">>" and left[0] >= 0:
        return 0, left[1]
    most = max(abs(end) for end in (*left, *right))
    if operator in ("&", "|", "^"):
        bits = 2 ** most.bit_length() - 1
        return (-bits - 1 if min(left[0], right[0]) < 0 else 0), bits
    if operator in ("/", "%"):
        most = max(abs(left[0]), abs(left[1]))
        return -most, most
    return -(2**31), 2**31 - 1
