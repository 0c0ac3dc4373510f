"""How wide text gets in a drawing."""

from __future__ import annotations

from rich.cells import cell_len

from homing.report.wording import printable

FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"
"""The first three have the same widths, so that a drawing looks the same nearly everywhere."""

_BY_WIDTH = {
    191: "'",
    222: "ijl",
    260: "|",
    278: " !,./:;I[\\]ft",
    333: "()-`r",
    334: "{}",
    355: '"',
    389: "*",
    469: "^",
    500: "Jcksvxyz",
    556: "#$?L_abdeghnopqu0123456789",
    584: "+<=>~",
    611: "FTZ",
    667: "&ABEKPSVXY",
    722: "CDHNRUw",
    778: "GOQ",
    833: "Mm",
    889: "%",
    944: "W",
    1015: "@",
}
_WIDTHS = {character: width / 1000 for width, characters in _BY_WIDTH.items() for character in characters}
_OTHER = (0.0, 0.85, 1.05)
"""By the columns that a terminal needs for it: rather too much, since any font may stand in."""
ELLIPSIS = " … "


def width(text: str, size: float) -> float:
    return size * sum(_WIDTHS[char] if char in _WIDTHS else _OTHER[min(cell_len(char), 2)] for char in text)


def exact(text: str) -> bool:
    """Whether the width is right to the point, not a safe guess."""
    return all(char in _WIDTHS for char in text)


def shortened(text: str, most: int) -> str:
    """Printable, and not more than so many characters: the beginning and the end."""
    text = printable(text)
    if len(text) <= most:
        return text
    tail = most // 3
    return text[: most - tail - len(ELLIPSIS)].rstrip() + ELLIPSIS + text[-tail:].lstrip()


def wrapped(text: str, size: float, room: float) -> list[str]:
    """Lines no wider than the room, broken between words; a single word may be wider."""
    lines: list[str] = []
    used = 0.0
    for word in printable(text).split(" "):
        wide = width(f" {word}", size)
        if lines and used + wide <= room + 0.5:  # sums of floats
            lines[-1] += f" {word}"
            used += wide
        else:
            lines.append(word)
            used = width(word, size)
    return lines
