"""Charts as SVG: no scripts, nothing from elsewhere, and no identifiers that could clash within a page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from homing.core.result import Result
from homing.core.verdict import Verdict
from homing.core.witness import Trace
from homing.report.charts import chart as charts
from homing.report.charts.chart import Chart
from homing.report.charts.layout import lay_out
from homing.report.charts.measure import FONT, exact, width, wrapped
from homing.report.charts.parts import DOT, LABEL, PAD, SIZE, SMALL, Arrow, Box, Label, Layout, Point
from homing.report.charts.terminal import repeated
from homing.report.wording import printable, remark

INK, LINE, FAINT, PAPER, WASH, ACCENT = "#222222", "#4d4d4d", "#8c8c8c", "#ffffff", "#f2f2f2", "#b3261e"
TITLE, LEADING = 15.0, 18.0
MARGIN = 16.0
READABLE = 420.0
"""How wide text gets at least before it is broken, however narrow the chart is."""


def render(result: Result) -> str:
    """The chart of a result's trace, those of its branches below it: a whole file."""
    return '<?xml version="1.0" encoding="utf-8"?>\n' + inline(result) + "\n"


def inline(result: Result) -> str:
    """The same, to be put into a page."""
    assert result.trace is not None
    about = f"{result.model}, {result.part}" if result.part else result.model
    verdict = printable(f"{about}: {result.verdict}{remark(result)}")
    title = printable(f"{result.property} ({result.model})")
    return _picture(result.trace, _Caption(title, result.property, verdict), result.verdict is Verdict.VIOLATED)


def of_trace(trace: Trace) -> str:
    """The chart of a trace, of which nobody says what it shows; to be put into a page."""
    return _picture(trace, _Caption("message sequence chart"), violated=False)


@dataclass(frozen=True)
class _Caption:
    """What a chart is about: its title for who cannot see it, and two lines above it."""

    title: str
    heading: str = ""
    verdict: str = ""


def _picture(trace: Trace, caption: _Caption, violated: bool) -> str:
    parts = list(_parts(charts.of(trace), violated, None))
    full = max(*(part.layout.width for part in parts), min(READABLE, _widest(caption, parts)))
    root = Element("svg", xmlns="http://www.w3.org/2000/svg", role="img")
    SubElement(root, "title").text = caption.title
    paper = SubElement(root, "rect", fill=PAPER)
    y = _heading(root, caption, full, MARGIN)
    for part in parts:
        y = _part(root, part, full, y)
    size = {"width": _number(full + 2 * MARGIN), "height": _number(y + MARGIN)}
    root.attrib |= size | {"viewBox": f"0 0 {size['width']} {size['height']}"}
    root.attrib |= {"font-family": FONT, "font-size": _number(SIZE), "fill": INK}
    paper.attrib |= size
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode")


@dataclass(frozen=True)
class _Part:
    chart: Chart
    layout: Layout
    heading: str | None
    violated: bool
    ending: str


def _parts(chart: Chart, violated: bool, heading: str | None) -> Iterator[_Part]:
    """A chart and its branches, one after the other."""
    end = "VIOLATED" if violated else None
    ending = "" if chart.loop is None else repeated(chart)
    if chart.loop is not None:
        end = ending if chart.loop == chart.steps else None
    yield _Part(chart, lay_out(chart, end), heading, violated, ending)
    for part in chart.parts:
        yield from _parts(part.chart, False, part.heading)


def _widest(caption: _Caption, parts: list[_Part]) -> float:
    """How wide all the text would be, if none of it were broken."""
    notes = [note for part in parts for note in (*part.chart.notes, f"{part.heading}:")]
    return max(width(caption.heading, TITLE * 1.1), *(width(text, SIZE) for text in (caption.verdict, *notes)))


def _heading(root: Element, caption: _Caption, room: float, y: float) -> float:
    for line in wrapped(caption.heading, TITLE * 1.1, room) if caption.heading else ():
        y += LEADING
        _text(root, line, (MARGIN, y), TITLE, **{"font-weight": "bold"})
    for line in wrapped(caption.verdict, SIZE, room) if caption.verdict else ():
        y += LEADING
        _text(root, line, (MARGIN, y), SIZE, fill=LINE)
    return y + LEADING


def _part(root: Element, part: _Part, room: float, y: float) -> float:
    for line in wrapped(f"{part.heading}:", SIZE, room) if part.heading else ():
        y += LEADING
        _text(root, line, (MARGIN, y), SIZE, **{"font-style": "italic"})
    y += LEADING if part.heading else 0.0
    group = SubElement(root, "g", transform=f"translate({_number(MARGIN)} {_number(y)})")
    _draw(group, part)
    y += part.layout.height + PAD / 2
    for note in part.chart.notes:
        for line in wrapped(note, SMALL, room):
            y += LEADING
            _text(root, line, (MARGIN, y), SMALL, fill=LINE)
    return y + LEADING / 2


def _draw(group: Element, part: _Part) -> None:
    """From the back to the front."""
    layout = part.layout
    accent, ink = (ACCENT, ACCENT) if part.violated else (LINE, INK)
    for x in layout.lifelines:
        _line(group, ((x, layout.top), (x, layout.bottom)), FAINT, 1.0)
    if layout.frame is not None:
        _rect(group, layout.frame, "none", accent)
    for band in layout.bands:
        _rect(group, band.box, WASH, accent if band.last else WASH)
    for head in layout.heads:
        _boxed(group, head, WASH, LINE, INK)
    for number in layout.numbers:
        _label(group, number, FAINT)
    for arrow in layout.arrows:
        _arrow(group, arrow, accent if arrow.last else LINE)
    for local in layout.locals:
        _boxed(group, local, PAPER, *((accent, ink) if local.last else (LINE, INK)))
    if layout.gap is not None:
        _boxed(group, layout.gap, PAPER, PAPER, INK)
    for band in layout.bands:
        _label(group, band, ink if band.last else INK, WASH)
    for label in layout.labels:
        _label(group, label, ink if label.last else INK, PAPER)
    if layout.frame is not None:
        _tab(group, layout.frame, f"loop: {part.ending}", accent)
    if layout.end is not None:
        _boxed(group, layout.end, PAPER, accent, ink)


def _tab(group: Element, frame: Box, text: str, accent: str) -> None:
    """What is repeated, in the upper left corner of the frame around it."""
    left, top, right, bottom = frame.left, frame.top, frame.left + width(text, SMALL) + PAD, frame.top + LABEL + 2
    corner = [(left, top), (right + 6, top), (right + 6, bottom - 6), (right, bottom), (left, bottom)]
    SubElement(group, "polygon", points=_points(corner), fill=PAPER, stroke=accent)
    _label(group, Label(text, Box(left + PAD / 2, top + 1, right - left - PAD, LABEL), SMALL), accent)


def _arrow(group: Element, arrow: Arrow, colour: str) -> None:
    """Filled where sender and receiver act together, open where the message waits between them."""
    _line(group, arrow.points, colour, 1.3)
    if arrow.dot is not None:
        centre = {"cx": _number(arrow.dot[0]), "cy": _number(arrow.dot[1]), "r": _number(DOT)}
        SubElement(group, "circle", centre, fill=PAPER, stroke=colour)
    if arrow.head:
        head = _head(arrow.points[-2], arrow.points[-1])
        if arrow.kept:
            _line(group, head, colour, 1.3)
        else:
            SubElement(group, "polygon", points=_points(head), fill=colour)


def _head(start: Point, tip: Point) -> tuple[Point, Point, Point]:
    (x, y), (dx, dy) = tip, (tip[0] - start[0], tip[1] - start[1])
    length = (dx * dx + dy * dy) ** 0.5 or 1.0
    dx, dy = dx / length, dy / length
    return (x - 9 * dx + 4 * dy, y - 9 * dy - 4 * dx), tip, (x - 9 * dx - 4 * dy, y - 9 * dy + 4 * dx)


def _line(group: Element, points: tuple[Point, ...], colour: str, thick: float) -> None:
    attributes = {"stroke-width": _number(thick), "stroke-linejoin": "round"}
    SubElement(group, "polyline", attributes, points=_points(points), fill="none", stroke=colour)


def _boxed(group: Element, label: Label, fill: str, stroke: str, ink: str) -> None:
    _rect(group, label.box, fill, stroke)
    _label(group, label, ink)


def _rect(group: Element, box: Box, fill: str, stroke: str) -> None:
    place = {"x": box.left, "y": box.top, "width": box.width, "height": box.height}
    SubElement(group, "rect", {name: _number(value) for name, value in place.items()}, fill=fill, stroke=stroke, rx="2")


def _label(group: Element, label: Label, colour: str, halo: str | None = None) -> None:
    """With a halo, what passes below stays away from the letters; drawn twice, since not all know paint-order."""
    at = (label.box.left + label.box.width / 2, label.box.top + label.box.height / 2 + label.size * 0.36)
    middle = {"text-anchor": "middle"}
    if exact(label.text) and label.text:
        # Another font must not make it wider than the room that was made for it.
        middle |= {"textLength": _number(width(label.text, label.size)), "lengthAdjust": "spacingAndGlyphs"}
    if halo is not None:
        around = {"stroke": halo, "stroke-width": "3", "stroke-linejoin": "round", "aria-hidden": "true"}
        _text(group, label.text, at, label.size, fill=halo, **middle, **around)
    text = _text(group, label.text, at, label.size, fill=colour, **middle)
    if label.full is not None:
        SubElement(text, "title").text = label.full


def _text(group: Element, text: str, at: Point, size: float, **attributes: str) -> Element:
    place = {"x": _number(at[0]), "y": _number(at[1])} | ({} if size == SIZE else {"font-size": _number(size)})
    element = SubElement(group, "text", place | attributes)
    element.text = text
    return element


def _points(points: tuple[Point, ...] | list[Point]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
