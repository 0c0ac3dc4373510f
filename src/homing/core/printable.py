"""Texts of inputs, made fit for people to read."""

from __future__ import annotations

SENTENCE = 1500
"""Characters after which a sentence is cut in its middle."""


def printable(text: str) -> str:
    """The text without anything that a terminal would obey or an encoding refuse, such as a control or bidirectional
    character, or the end of a line."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def cut(text: str, most: int = SENTENCE) -> str:
    """The text without its middle if it is too long: what was expected stands at its end."""
    if len(text) <= most:
        return text
    return f"{text[: most * 2 // 3]} … {text[-most // 4 :]}"
