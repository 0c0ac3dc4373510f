"""What a person sees of a walk: the last step, the state, and the choices with what each would change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from homing.core.values import State, Value, encode, same
from homing.core.witness import Trace
from homing.report import traces
from homing.report.traces import Line
from homing.report.wording import plural, printable
from homing.simulating.walk import Choice, Walk

MOST_CHOICES = 30
MOST_CHANGES = 4
MOST_DISTINCTIONS = 12
WIDEST = 64
"""Characters of a value in a list of choices; more hides which of them is which."""
WIDE = 200
"""Characters of a value that has changed; the whole state shows all of it."""
MARGIN = "  "


def state(walk: Walk) -> Iterator[Line]:
    """All of the state that it is in."""
    yield Line("", f"state {len(walk)}" if len(walk) else "initially", emphasis=True)
    yield from traces.changes(walk.trace(len(walk)).readable(), 0, MARGIN)


def steps(walk: Walk, first: int) -> Iterator[Line]:
    """The steps after that state, each with what it changed."""
    trace = walk.trace(first).readable()
    for position, move in enumerate(trace.moves, 1):
        yield Line(f"step {first + position}: ", traces.describe(move.event), emphasis=True)
        found = _changes(trace, position, WIDE)
        widest = max((len(slot) for slot, _ in found), default=0)
        yield from (Line(f"{MARGIN}{slot:{widest}}  ", change) for slot, change in found)
        if not found:
            yield Line(MARGIN, "nothing changes")


def choices(walk: Walk, everything: bool = False) -> Iterator[Line]:
    """What may come next, by number; of very many the first ones, unless everything is wanted."""
    found = walk.choices()
    listed = found if everything else found[:MOST_CHOICES]
    digits = len(str(len(found)))
    previews = _previews(walk, listed) if walk.states else _starts(walk, len(listed))
    for number, (choice, preview) in enumerate(zip(listed, previews), 1):
        margin = f"{MARGIN}{number:>{digits}}  "
        if choice.move is None:
            yield Line(margin, preview)
            continue
        yield Line(margin, traces.describe(choice.move.event), emphasis=True)
        yield Line(" " * len(margin), preview)
    if len(found) > len(listed):
        yield Line(MARGIN, f"… and {len(found) - len(listed):,} more, up to {len(found)}; s shows them all")


def _previews(walk: Walk, listed: Sequence[Choice]) -> Iterator[str]:
    """What each step would change."""
    for choice in listed:
        found = _changes(_readable(walk, (walk.state, choice.state)), 1, WIDEST)
        yield _joined(found, MOST_CHANGES) or "nothing changes"


def _starts(walk: Walk, number: int) -> Iterator[str]:
    """What distinguishes the first so many initial states from others."""
    trace = _readable(walk, tuple(choice.state for choice in walk.choices()))
    first = trace.states[0]
    telling = [slot for slot in range(len(first)) if not all(same(first[slot], other[slot]) for other in trace.states)]
    for each in trace.states[:number]:
        values = [(printable(trace.slots[slot]), _cut(traces.shown(trace, each[slot]), WIDEST)) for slot in telling]
        yield _joined(values, MOST_DISTINCTIONS) or "looks like the others"


def _readable(walk: Walk, states: tuple[State, ...]) -> Trace:
    shape = walk.system.shape
    return Trace(tuple(map(str, shape.slots)), states, (), notation=shape.notation).readable()


def _joined(found: list[tuple[str, str]], most: int) -> str:
    """`queue: ⟨⟩ → ⟨1⟩; sent: 0 → 1; and 3 others`."""
    parts = [f"{slot}: {text}" for slot, text in found[:most]]
    more = [f"and {plural(len(found) - most, 'other')}"] if len(found) > most else []
    return "; ".join([*parts, *more])


# Values that change


def _changes(trace: Trace, position: int, room: int) -> list[tuple[str, str]]:
    """By slot how it changed; position 0 has no state before it."""
    before, after = trace.states[position - 1], trace.states[position]
    return [
        (printable(trace.slots[slot]), _change(trace, before[slot], after[slot], room))
        for slot in trace.changes(position)
    ]


def _change(trace: Trace, before: Value, after: Value, room: int) -> str:
    one, other = traces.shown(trace, before), traces.shown(trace, after)
    if max(len(one), len(other)) <= room // 2:
        return f"{one} → {other}"
    if isinstance(before, frozenset) and isinstance(after, frozenset):
        return _gains(trace, before, after, room)
    return " → ".join(_cut(text, room) for text in contrast(one, other))


def _gains(trace: Trace, before: frozenset[Value], after: frozenset[Value], room: int) -> str:
    """What a set loses and gains: what it keeps would hide that."""
    old, new = ({encode(item): item for item in each} for each in (before, after))
    lost = [f"− {_cut(traces.shown(trace, old[key]), room)}" for key in sorted(old.keys() - new.keys())]
    gained = [f"+ {_cut(traces.shown(trace, new[key]), room)}" for key in sorted(new.keys() - old.keys())]
    parts = [*lost, *gained]
    more = [f"and {plural(len(parts) - MOST_CHANGES, 'other')}"] if len(parts) > MOST_CHANGES else []
    return ", ".join([*parts[:MOST_CHANGES], *more])


def contrast(before: str, after: str) -> tuple[str, str]:
    """Two texts that differ, without the items that they begin or end with alike."""
    shorter = min(len(before), len(after))
    start = next((at for at in range(shorter) if before[at] != after[at]), shorter)
    start = _after_comma(before[:start])
    rest = shorter - start
    end = next((at for at in range(rest) if before[-1 - at] != after[-1 - at]), rest)
    alike = after[len(after) - end :]
    end = len(alike) - alike.find(",") if "," in alike else 0
    return _middle(before, start, end), _middle(after, start, end)


def _after_comma(text: str) -> int:
    """Where the last item begins."""
    return text.rfind(", ") + 2 if ", " in text else 0


def _middle(text: str, start: int, end: int) -> str:
    return f"{'… ' if start else ''}{text[start : len(text) - end]}{', …' if end else ''}"


def _cut(text: str, room: int) -> str:
    half = room // 2
    return text if len(text) <= room else f"{text[:half]} … {text[-half:]}"
