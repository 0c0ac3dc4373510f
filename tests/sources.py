"""Models in Python, as text, for tests that check files."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

HEAD = """\
from homing.core.builder import Builder, read, step
from homing.core.functions import add, append
from homing.core.system import Event


def model():
    build = Builder("test")
"""


def source(body: str, end: str = "return build.model()") -> str:
    """A model file whose `model()` has this body, with a Builder called `build`."""
    return HEAD + indent(dedent(body).strip("\n"), "    ") + f"\n    {end}\n"


def write(path: Path, body: str) -> Path:
    path.write_text(source(body))
    return path


def counter(limit: int, bound: int) -> str:
    """Counts to the limit and asks whether it stays below the bound."""
    return f"""
        n = build.slot("n", 0)
        @build.group("count", [n], [n])
        def count(value):
            if value < {limit}:
                yield step(Event("count", (value,), "here", "there"), {{n: value + 1}})
        build.always("stays below {bound}", [n], lambda value: value < {bound})
    """


def counters(slots: int, limit: int) -> str:
    """Independent counters: (limit + 1) ** slots states, slots * limit * (limit + 1) ** (slots - 1) steps."""
    return f"""
        for number in range({slots}):
            n = build.slot("n", 0, index=(number,))
            @build.group(f"count {{number}}", [n], [n])
            def count(value, n=n):
                if value < {limit}:
                    yield step("count", {{n: value + 1}})
        build.always("true", [n], lambda value: True)
    """


FOREVER = """
    n = build.slot("n", 0)
    @build.group("count", [n], [n])
    def count(value):
        yield step("count", {n: value + 1})
    build.always("never negative", [n], lambda value: value >= 0)
    build.sometimes("reaches three", [n], lambda value: value == 3)
    build.extreme("greatest", "max", [n], lambda value: value)
"""
