"""Where variables and channels are in a state."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from homing.core.errors import ModelError, Place
from homing.languages.csp.values import Scalar, shown


class Misfit(ModelError):
    """A value is out of a range."""


@dataclass(frozen=True)
class _Array:
    name: str
    sizes: tuple[int, ...]

    @property
    def count(self) -> int:
        """How many elements there are, 1 for what is no array."""
        return prod(self.sizes)

    def offset(self, indices: tuple[int, ...], place: Place) -> int:
        """The number of an element; raises ModelError when it is out of range."""
        number = 0
        for index, size in zip(indices, self.sizes, strict=True):
            if not 0 <= index < size:
                raise ModelError(f"index {index} of '{self.name}' is out of range 0..{size - 1}", place)
            number = number * size + index
        return number

    def element(self, offset: int) -> str:
        """`a[1][2]`, by its number."""
        indices = []
        for size in reversed(self.sizes):
            offset, index = divmod(offset, size)
            indices.append(index)
        return self.name + "".join(f"[{index}]" for index in reversed(indices))


@dataclass(frozen=True)
class VariableLayout(_Array):
    """A variable: its elements are slots from `first` on, within a range if it has one."""

    first: int
    low: int | None
    high: int | None

    def check(self, value: Scalar, place: Place) -> None:
        """Raises ModelError when the value does not fit the variable."""
        if isinstance(value, bool) or self.low is self.high is None:
            return
        if (self.low is not None and value < self.low) or (self.high is not None and value > self.high):
            low, high = ("" if bound is None else bound for bound in (self.low, self.high))
            raise Misfit(f"'{self.name}' would become {shown(value)}, out of its range {low}..{high}", place)


@dataclass(frozen=True)
class ChannelLayout(_Array):
    """A channel: with a capacity its elements are slots from `first` on; without one it is a handshake."""

    capacity: int
    first: int
