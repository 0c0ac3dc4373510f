"""What a drawing consists of, with places in points from its upper left corner."""

from __future__ import annotations

from dataclasses import dataclass, field

SIZE, SMALL = 13.0, 11.0
"""Of letters."""
LABEL, HEAD, PAD, DOT = 15.0, 28.0, 10.0, 4.0

Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height


@dataclass(frozen=True)
class Label:
    """Text in the middle of a box; `full` where the text had to be shortened."""

    text: str
    box: Box
    size: float = SIZE
    full: str | None = None
    last: bool = False


@dataclass(frozen=True)
class Arrow:
    """From the first point to the last; `kept` when it waits in a channel, `dot` where it comes from or stays."""

    points: tuple[Point, ...]
    kept: bool = False
    dot: Point | None = None
    head: bool = True
    last: bool = False


@dataclass
class Layout:
    """All parts of a drawing."""

    lifelines: list[float]
    heads: list[Label]
    top: float
    bottom: float
    content: Box
    numbers: list[Label] = field(default_factory=list)
    arrows: list[Arrow] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    locals: list[Label] = field(default_factory=list)
    bands: list[Label] = field(default_factory=list)
    gap: Label | None = None
    frame: Box | None = None
    end: Label | None = None

    @property
    def width(self) -> float:
        return self.content.right + PAD

    @property
    def height(self) -> float:
        return self.bottom + (HEAD if len(self.heads) > len(self.lifelines) else 0.0)
