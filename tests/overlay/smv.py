"""What exported text says, found without the engine: the text is read back by regular expressions and followed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

DEFINE = re.compile(r"  (\w+) := case\n(.*?)\n    esac;", re.DOTALL)
SPEC = re.compile(r"CTLSPEC NAME (\w+) :=\n?(.*?);", re.DOTALL)
DELIVERY = re.compile(
    r"\(src = (\d+) & dest = (\d+) & loc = \1(?: & colour (?:= (\d+)|in \{([\d, ]+)\}))?\)"
    r" -> AF \(src = \1 & dest = \2 & loc = \2\)"
)


class Scope(dict[str, Any]):
    """A state; what is no variable is a DEFINE, and found when it is asked for."""

    def __init__(self, text: Text, state: Mapping[str, int]) -> None:
        super().__init__({**state, "TRUE": True, "FALSE": False})
        self.text = text

    def __missing__(self, name: str) -> Any:
        for guard, value in self.text.defines[name]:
            if eval(guard, {}, self):
                return eval(value, {}, self)
        raise AssertionError(f"{name} has no case for {dict(self)}")


@dataclass(frozen=True)
class Text:
    """An exported text; expressions are turned into Python, since the part of NuSMV that is used is so small."""

    text: str

    @cached_property
    def defines(self) -> dict[str, list[tuple[str, str]]]:
        return {name: _cases(body) for name, body in DEFINE.findall(_uncommented(self.text))}

    @cached_property
    def specs(self) -> dict[str, str]:
        return {name: " ".join(body.split()) for name, body in SPEC.findall(_uncommented(self.text))}

    @cached_property
    def colours(self) -> int:
        found = re.search(r"colour : 1\.\.(\d+);", self.text)
        return int(found[1]) if found else 1

    def walk(self, src: int, dest: int, colour: int = 1) -> list[int]:
        """Where a message goes: until it is there, is lost, or has been there before."""
        visited = [src]
        while visited[-1] not in (dest, 0) and len(visited) == len(set(visited)):
            scope = Scope(self, {"src": src, "dest": dest, "loc": visited[-1], "colour": colour})
            visited.append(0 if "lost" in self.defines and scope["lost"] else scope["hop"])
        return visited

    def delivers(self, name: str) -> bool:
        """Whether a specification of a delivery is true."""
        match = DELIVERY.fullmatch(self.specs[name])
        assert match, self.specs[name]
        src, dest = int(match[1]), int(match[2])
        listed = match[3] or match[4]
        colours = [int(word) for word in listed.split(",")] if listed else range(1, self.colours + 1)
        return all(self.walk(src, dest, colour)[-1] == dest for colour in colours)


def _cases(body: str) -> list[tuple[str, str]]:
    lines = re.sub(r"\s+", " ", body).split(";")
    return [(_python(guard), _python(value)) for guard, value in (line.split(" : ") for line in lines if line.strip())]


def _python(expression: str) -> str:
    """NuSMV's operators as Python's; they bind alike once comparisons are in parentheses."""
    compared = re.sub(r"(\w+) = (\w+)", r"(\1 == \2)", expression)
    return re.sub(r"(\w+ in \{[^}]*\})", r"(\1)", compared).replace("&", "and").replace("|", "or").strip()


def _uncommented(text: str) -> str:
    return re.sub(r"--.*", "", text)
