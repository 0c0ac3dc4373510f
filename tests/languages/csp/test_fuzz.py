"""Whatever stands in a file, it is read or refused with one clear sentence; never a traceback, never for ever."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from homing.core.errors import HomingError
from homing.languages.common.files import text_of
from homing.languages.csp.parsing import parse
from homing.languages.csp.resolving import check

SAMPLE = r"""//@@Sample@@
#define N 3; #define goal x > 0 && y == 1; #define least(a, b) a - b; #define reset {x = 0; y = 0};
enum {red, green}; var x:{0..5} = 1; hvar y; var m[2][3] = [1(3), 2..4]; channel c 0; channel d[N] 3;
#alphabet P {a, i:{0..2}@f.i};
P = a -> f.x.(y+1) -> P; Q() = Skip; R(i, j) = [i > 0] c!1.i{x = 1; y++} -> (d[i]?[k > 2]k -> Stop [] tau -> Q());
S = ||| i:{0..N-1}; j:{1,3} @ R(i, j) ||| |||{3}@Q; T = P; Q \ {a} interrupt (a, f.1) -> P <> Q [*] P;
V = case {x > 0: P() (y == 1): Q default: atomic {Stop}}; W = c?u.v -> if (x > 0) {P} else ifa (y > 0) {Q};
X1 = e{if (x > 0) x = 1; else {while (y < 5) {y = y + 1}} var t = least(x, y); x = t; reset} -> assert(goal);
#assert S deadlockfree; #assert S reaches goal with min(x + y); #assert S refines<FD> P;
//@fairness process-weak
#assert S |= [](a -> <> e) && !goal U "c!1.2" || X c.1.2;
"""
TOKENS = re.findall(r"\w+|//[^\n]*\n|\s+|[|<>=\[\]*&!-]+|.", SAMPLE)
WORDS = sorted(
    {token for token in TOKENS if not token.isspace()} | {"#import", "xor", "new", "..", "/*", "*/", '"', "\\"}
)
QUICK = settings(max_examples=150, deadline=2000, suppress_health_check=list(HealthCheck))


def told(text: str, file: str = "f.csp") -> None:
    """Reads a text; all that may be raised is a HomingError with one line."""
    sentence = refused(text, file)
    assert sentence is None or (sentence.startswith(f"{file}:") and "\n" not in sentence)


def refused(text: str, file: str) -> str | None:
    """Why a text is refused, if it is."""
    try:
        check(parse(text, file))
    except HomingError as error:
        return str(error)
    return None


def test_the_sample_is_good() -> None:
    check(parse(SAMPLE, "f.csp"))


@QUICK
@given(st.text())
def test_any_text(text: str) -> None:
    told(text)


@QUICK
@given(st.lists(st.sampled_from(WORDS), max_size=40))
def test_any_words(words: list[str]) -> None:
    told(" ".join(words))


@QUICK
@given(st.data())
def test_a_file_with_other_tokens(data: st.DataObject) -> None:
    tokens = list(TOKENS)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(tokens) - 1))
        until = data.draw(st.integers(at, min(at + 5, len(tokens))))
        tokens[at:until] = data.draw(st.lists(st.sampled_from(WORDS), max_size=2))
    told("".join(tokens))


@QUICK
@given(st.data())
def test_a_file_with_other_characters(data: st.DataObject) -> None:
    text = SAMPLE
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        new = data.draw(st.text(st.sampled_from("(){}[];:.,|&<>-=!?@\\/*#\"'x1 \n\t\0é"), max_size=3))
        text = text[:at] + new + text[data.draw(st.integers(at, min(at + 10, len(text)))) :]
    told(text)


@QUICK
@given(st.integers(0, len(SAMPLE)))
def test_a_file_cut_off(length: int) -> None:
    told(SAMPLE[:length])


@pytest.mark.parametrize("data", [b"\x00", b"var x\x00;", b"\xff\xfev\x00", b"\r\r\n\r", b"P = \xc3;", b"\x80" * 100])
def test_bytes(data: bytes, tmp_path: Path) -> None:
    file = tmp_path / "f.csp"
    file.write_bytes(data)
    try:
        text = text_of(file)
    except HomingError:
        return
    told(text, str(file))
