"""A model: a transition system with the properties that its author asks about."""

from __future__ import annotations

from dataclasses import dataclass, replace

from homing.core.errors import HomingError, Place
from homing.core.property import Property
from homing.core.system import TransitionSystem


@dataclass(frozen=True)
class Model:
    """What a language makes of a source; `digest` identifies the text it was made from."""

    name: str
    system: TransitionSystem
    properties: tuple[Property, ...]
    digest: str = ""
    place: Place | None = None

    def only(self, names: tuple[str, ...]) -> Model:
        """The same model, asked only about the properties named; about all when none is."""
        if not names:
            return self
        known = {prop.name: prop for prop in self.properties}
        for name in names:
            if name not in known:
                raise HomingError(f"unknown property '{name}'", self.place, known)
        return replace(self, properties=tuple(known[name] for name in dict.fromkeys(names)))
