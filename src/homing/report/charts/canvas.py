"""A grid of character cells to draw lines on."""

from __future__ import annotations

from rich.cells import cell_len

UPRIGHT = {"│": "┼", "┆": "┼", "┼": "┼"}
"""What lines that go down become where a line crosses them."""


class Canvas:
    """Cells of one column each; a wide character takes two, a combining one goes with the character before it."""

    def __init__(self, rows: int, columns: int) -> None:
        self._cells = [[" "] * columns for _ in range(rows)]

    def put(self, row: int, column: int, text: str) -> None:
        cells = self._cells[row]
        for character in text:
            width = cell_len(character)
            if width == 0 and column > 0:
                cells[column - 1] += character
                continue
            cells[column] = character
            cells[column + 1 : column + width] = [""] * (width - 1)
            column += width

    def down(self, column: int, first: int, last: int, line: str) -> None:
        """A line down, from row to row, both included."""
        for row in range(first, last + 1):
            self._cells[row][column] = line

    def across(self, row: int, first: int, last: int, line: str = "─") -> None:
        """A line across, from column to column, both included; it shows what it crosses."""
        cells = self._cells[row]
        for column in range(first, last + 1):
            cells[column] = UPRIGHT.get(cells[column], line)

    def text(self) -> list[str]:
        return ["".join(cells).rstrip() for cells in self._cells]
