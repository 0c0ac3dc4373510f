"""Which steps a drawing shows, one a row."""

from __future__ import annotations

from dataclasses import dataclass

from homing.report.charts.chart import MOST_STEPS, Chart, Local, Message


@dataclass(frozen=True)
class Rows:
    """Rows count from 0; those of the steps left out are all the one row `gap`."""

    count: int
    left_out: range

    @property
    def gap(self) -> int | None:
        return self.left_out.start - 1 if self.left_out else None

    @property
    def remark(self) -> str:
        return f"… {len(self.left_out):,} steps left out …"

    def of(self, step: int) -> int:
        if not self.left_out or step < self.left_out.start:
            return step - 1
        return max(self.left_out.start - 1, step - len(self.left_out))

    def step(self, row: int) -> int | None:
        """The step shown in a row; none in the gap."""
        if not self.left_out or row < self.left_out.start - 1:
            return row + 1
        return None if row == self.gap else row + len(self.left_out)

    def shows(self, thing: Message | Local) -> bool:
        """Whether any end of it is in a step that is not left out."""
        steps = (thing.step,) if isinstance(thing, Local) else (thing.sent, thing.received)
        return any(step is not None and step not in self.left_out for step in steps)


def numbered(chart: Chart, step: int | None) -> str:
    """What stands beside a step in text: its number in the trace, once."""
    return "" if step is None or not chart.begins(step) else str(chart.number(step))


def bracket(chart: Chart, rows: Rows, row: int) -> str:
    """What stands beside a row in text, so that all that is repeated is in one bracket."""
    if chart.loop is None or chart.loop >= chart.steps:
        return " "
    first, last = rows.of(chart.loop + 1), rows.count - 1
    return " " if row < first else "↻" if first == last else {first: "╭", last: "╰"}.get(row, "│")


def rows_of(chart: Chart) -> Rows:
    """All steps, or of very many the first and the last ones."""
    if chart.steps <= MOST_STEPS:
        return Rows(chart.steps, range(0))
    half = MOST_STEPS // 2
    return Rows(MOST_STEPS + 1, range(half + 1, chart.steps - half + 1))
