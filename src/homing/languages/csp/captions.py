"""Names for what travels on channels: a constant by its name, also where a process only passes its value on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from homing.languages.csp.expressions import Names, evaluate
from homing.languages.csp.points import Points
from homing.languages.csp.syntax import Expression, Input, Name, Output
from homing.languages.csp.values import Env, NeedsState, Scalar, shown


class Captions:
    """For each field of a channel the constants that are written there, where nothing else is computed for it."""

    def __init__(self, names: Names, points: Points) -> None:
        self._names = names
        self._known: dict[tuple[str, int], dict[tuple[type, Scalar], str | None]] = {}
        nodes = [node for node in points.node.values() if isinstance(node, Output | Input)]
        fields = [(node.channel, number, field) for node in nodes for number, field in enumerate(node.fields)]
        computed = {(channel, number) for channel, number, field in fields if not isinstance(field, Name)}
        for channel, number, field in fields:
            if isinstance(field, Name) and (channel, number) not in computed:
                self._note(channel, number, field)

    def _note(self, channel: str, number: int, field: Name) -> None:
        if field.name not in self._names.macros:
            return
        try:
            value = evaluate(self._names, field, {})
        except NeedsState:
            return
        known, key = self._known.setdefault((channel, number), {}), (type(value), value)
        known[key] = field.name if known.get(key, field.name) == field.name else None  # two names tell nothing

    def sent(self, channel: str, fields: Sequence[Expression], message: Sequence[Scalar], env: Env) -> Iterator[str]:
        """A message as its sender wrote it."""
        texts = self.received(channel, message)
        for field, text in zip(fields, texts, strict=True):
            named = isinstance(field, Name) and field.name in self._names.macros and field.name not in env
            yield field.name if named else text  # type: ignore[union-attr]

    def received(self, channel: str, message: Iterable[Scalar]) -> Iterator[str]:
        """A message, by its values alone."""
        for number, value in enumerate(message):
            yield self._known.get((channel, number), {}).get((type(value), value)) or shown(value)
