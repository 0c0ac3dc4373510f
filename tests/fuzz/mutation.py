"""Damage to the bytes of a file, at random but the same for the same generator."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

Mutation = Callable[[Random, bytes, bytes], bytes]
"""A generator, the bytes to damage, and those of another file of the kind."""

TOKEN = re.compile(rb"\w+|\s+|[^\w\s]")
NUMBER = re.compile(rb"\d+")
DIGITS = 4301
"""Python refuses to read numbers of more than 4,300 digits."""
FIELD = 131_073
"""Python's reader of CSV refuses fields of more than 131,072 characters."""
ODD = (
    *(b"\0", b"\x1b[31m", b"\x07", b"\x7f", b"\r", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80"),
    *(
        "\u202e".encode(),
        "\u2066".encode(),
        "\u2028".encode(),
        "\x85".encode(),
        "\ufeff".encode(),
        "\U000e0001".encode(),
    ),
)
NESTS = (
    (b"(", b")"),
    (b"[", b"]"),
    (b"{", b"}"),
    (b"[{", b"}]"),
    (b"~", b""),
    (b"!", b""),
    (b"- ", b""),
    (b"<a>", b""),
)
VALUES = (b"-1", b"0", b"1e999", b"nan", b"9223372036854775808", b"-2147483649", b"0x1F", b"1_0", b"", b"null", b'""')


def _span(random: Random, data: bytes, most: int = 40) -> tuple[int, int]:
    start = random.randrange(len(data) + 1)
    return start, min(len(data), start + random.randint(1, most))


def flip(random: Random, data: bytes, other: bytes) -> bytes:
    at = random.randrange(len(data) + 1)
    return data[:at] + bytes(byte ^ 1 << random.randrange(8) for byte in data[at : at + 1]) + data[at + 1 :]


def delete(random: Random, data: bytes, other: bytes) -> bytes:
    start, end = _span(random, data)
    return data[:start] + data[end:]


def duplicate(random: Random, data: bytes, other: bytes) -> bytes:
    start, end = _span(random, data, 200)
    return data[:end] + data[start:end] * random.randint(1, 3) + data[end:]


def truncate(random: Random, data: bytes, other: bytes) -> bytes:
    return data[: random.randrange(len(data) + 1)]


def splice(random: Random, data: bytes, other: bytes) -> bytes:
    return data[: random.randrange(len(data) + 1)] + other[random.randrange(len(other) + 1) :]


def swap(random: Random, data: bytes, other: bytes) -> bytes:
    """Two tokens change places."""
    tokens = TOKEN.findall(data)
    if len(tokens) > 1:
        one, two = random.randrange(len(tokens)), random.randrange(len(tokens))
        tokens[one], tokens[two] = tokens[two], tokens[one]
    return b"".join(tokens)


def borrow(random: Random, data: bytes, other: bytes) -> bytes:
    """A token is replaced by one of another file."""
    return _instead(random, data, TOKEN, random.choice(TOKEN.findall(other) or [b""]))


def odd(random: Random, data: bytes, other: bytes) -> bytes:
    """Characters that a terminal obeys, or bytes that are no UTF-8, in between."""
    at = random.randrange(len(data) + 1)
    return data[:at] + random.choice(ODD) + data[at:]


def value(random: Random, data: bytes, other: bytes) -> bytes:
    return _instead(random, data, NUMBER, random.choice(VALUES))


def huge(random: Random, data: bytes, other: bytes) -> bytes:
    return _instead(random, data, NUMBER, random.choice((b"9", b"-1", b"0.3", b"1e")) * (DIGITS + random.randrange(9)))


def nest(random: Random, data: bytes, other: bytes) -> bytes:
    before, after = random.choice(NESTS)
    start, end = _span(random, data)
    depth = random.choice((50, 500, 3000))
    return data[:start] + before * depth + data[start:end] + after * depth + data[end:]


def long(random: Random, data: bytes, other: bytes) -> bytes:
    """A token as long as no line should be."""
    return _instead(random, data, TOKEN, random.choice((b"a", b" ", b"-", b"x ", '"é'.encode())) * FIELD)


def empty(random: Random, data: bytes, other: bytes) -> bytes:
    return random.choice((b"", b"\n", b"\xef\xbb\xbf", b"{}", b"[]", b"0"))


def _instead(random: Random, data: bytes, pattern: re.Pattern[bytes], new: bytes) -> bytes:
    """One of the matches, replaced."""
    found = list(pattern.finditer(data))
    if not found:
        return data + new
    match = random.choice(found)
    return data[: match.start()] + new + data[match.end() :]


COMMON: tuple[Mutation, ...] = (flip, delete, duplicate, truncate, splice, swap, borrow, odd, value)
RARE: tuple[Mutation, ...] = (huge, nest, long, empty)
"""These take longer to read, or need no more than a few attempts."""
LARGE = 0.03
"""How often one of the rare ones is taken."""


def damaged(random: Random, data: bytes, other: bytes) -> bytes:
    """The bytes after one to three mutations."""
    for _ in range(random.choice((1, 1, 2, 3))):
        data = random.choice(RARE if random.random() < LARGE else COMMON)(random, data, other)
    return data
