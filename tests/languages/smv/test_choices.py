"""Where NuSMV and its manual differ, the verdict says which of them it follows; and what is no error unless needed."""

from __future__ import annotations

import pytest
from tests.languages.smv.checking import refusal, report, states, verdicts

from homing import checking
from homing.core.result import Options
from homing.languages.smv import model
from homing.languages.smv.tokens import Source

WORDS = "MODULE main VAR v : word[2]; "


def notes(text: str, engine: str = "local") -> list[str | None]:
    found = checking.check(model(Source("x.smv", text)), engine, Options(threads=1))
    return [result.reason for result in found.results]


@pytest.mark.parametrize("engine", ["local", "symbolic"])
def test_a_minus_before_a_concatenation_is_noted(engine: str) -> None:
    (note,) = notes(f"{WORDS} INVARSPEC -v :: v = 0ud4_0 | TRUE", engine)
    assert note is not None
    assert "-(a :: b)" in note
    assert "line 1" in note


@pytest.mark.parametrize("text", ["-(v :: v)", "(-v) :: v", "v :: -v", "v :: v"])
def test_what_is_not_ambiguous_is_not_noted(text: str) -> None:
    assert notes(f"{WORDS} INVARSPEC {text} = 0ud4_0 | TRUE") == [None]


def test_a_minus_in_a_module_that_is_not_used_is_not_noted() -> None:
    assert notes(f"{WORDS} INVARSPEC TRUE MODULE other(v) DEFINE d := -v :: v;") == [None]


def test_a_minus_before_a_concatenation_is_that_of_the_manual() -> None:
    # -(01 :: 01) is 1011, (-01) :: 01 would be 1101.
    assert verdicts("MODULE main INVARSPEC -0ub2_01 :: 0ub2_01 = 0ub4_1011") == "H"


def test_ctl_with_compassion_is_noted() -> None:
    text = "MODULE main VAR b : boolean; o : boolean; ASSIGN next(b) := {b, !b}; COMPASSION (b, o)"
    ctl, ltl = notes(f"{text} CTLSPEC AG AF (b -> o) LTLSPEC G F (b -> o)")
    assert ctl is not None
    assert "COMPASSION" in ctl
    assert ltl is None


def test_h_with_bounds_is_noted() -> None:
    text = "MODULE main VAR n : 0..2; ASSIGN init(n) := 0; next(n) := (n + 1) mod 3;"
    bounded, plain = notes(f"{text} LTLSPEC G (n = 1 -> H [1, 2] n = 0) LTLSPEC G O n = 0")
    assert bounded is not None
    assert "before the first state" in bounded
    assert plain is None


@pytest.mark.parametrize(
    ("word", "width", "result"),
    [("001", 1, "0"), ("101", 1, "1"), ("101", 2, "11"), ("110", 2, "10"), ("011", 2, "01"), ("10111", 3, "111")],
)
def test_a_signed_word_that_gets_narrower_keeps_its_sign(word: str, width: int, result: str) -> None:
    text = f"resize(0sb{len(word)}_{word}, {width}) = 0sb{width}_{result}"
    assert verdicts(f"MODULE main INVARSPEC {text}") == "H"


@pytest.mark.parametrize(
    "text",
    [
        "init(x) := b | !b ? 0 : 5",
        "init(x) := b & !b ? 5 : 0",
        "next(x) := case b : 0; !b : -1; TRUE : 5; esac",
        "x := d",
        "init(x) := {0, b = b ? -1 : 7}",
    ],
)
def test_a_value_out_of_range_that_is_never_given_is_no_error(text: str) -> None:
    model = f"MODULE main VAR b : boolean; x : -1..0; DEFINE d := b xor b ? 9 : 0; ASSIGN {text};"
    assert {value for _, value in states(f"{model} INVARSPEC x <= 0")} <= {-1, 0}


@pytest.mark.parametrize("text", ["init(x) := b ? 0 : 5", "next(x) := {0, 7}", "init(x) := next_one", "x := {0, 1}"])
def test_a_value_out_of_range_that_may_be_given_is_an_error(text: str) -> None:
    text = f"MODULE main VAR b : boolean; x : -1..0; DEFINE next_one := b & TRUE ? 3 : 0; ASSIGN {text};"
    assert "'x' cannot be" in refusal(text)


@pytest.mark.parametrize("engine", ["local", "symbolic"])
@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("INVARSPEC 3 / n > 0 | n = 0", "H"),
        ("INVARSPEC !(3 / n = 3 & n != 0) | n = 1", "H"),
        ("INVARSPEC 3 / n = 3 -> n < 5", "H"),
        ("CTLSPEC AG (n != 0 -> 3 / n > 0)", "H"),
        ("LTLSPEC G (n = 0 | 3 / n > 0)", "H"),
        ("CTLSPEC EF (FALSE -> 1 / 0 = 1)", "H"),
        ("INVARSPEC n < 9 & (n = 0 | 3 mod n < 3)", "H"),
    ],
)
def test_a_division_by_zero_is_no_error_where_another_part_decides(text: str, verdict: str, engine: str) -> None:
    source = Source("x.smv", f"MODULE main VAR n : 0..3; {text}")
    found = checking.check(model(source), engine, Options(threads=1))
    assert [result.verdict.name[0] for result in found.results] == [verdict]


def test_an_invariant_of_a_division_needs_no_order() -> None:
    assert len(states("MODULE main VAR n : 0..3; INVAR 3 / n = 1 & n != 0")) == 2


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("u in {0ud3_1, u}", "no set has words as members"),
        ("{u, 0ud3_1} = u", "no set has words as members"),
        ("s in n", "cannot be one of"),
        ("bool(s)", "'bool' takes a word of one bit or a number"),
        ("bool(b)", "'bool' takes a word of one bit or a number"),
        ("unsigned(u) = u", "already"),
        ("u << signed(u) = u", "a number or an unsigned word is wanted"),
        ("u << 4 = u", "a shift by 4"),
        ("uwconst(8, 3) = u", "'uwconst' cannot make 8 a word of 3 bits"),
        ("swconst(4, 3) = signed(u)", "'swconst' cannot make 4 a word of 3 bits"),
        ("resize(u, 0) = u", "a word has 1 to 64 bits, not 0"),
    ],
)
def test_types_that_do_not_fit(text: str, sentence: str) -> None:
    model = "MODULE main VAR u : word[3]; n : 0..3; s : {red, blue}; b : boolean;"
    assert sentence in refusal(f"{model} INVARSPEC {text}")


def test_a_frozen_variable_is_not_assigned_always() -> None:
    assert "'z' is frozen" in refusal("MODULE main FROZENVAR z : boolean; ASSIGN z := TRUE;")


@pytest.mark.parametrize(
    "text",
    [
        "(b ? b -> c : c) = (b ? (b -> c) : c)",
        "+3 = 3",
        "max(0ud3_1, 0ud3_6) = 0ud3_6",
        "min(-0sd3_1, 0sd3_1) < 0sd3_0",
    ],
)
def test_what_nusmv_reads(text: str) -> None:
    assert report(f"MODULE main VAR b : boolean; c : boolean; INVARSPEC {text}").results[0].verdict.name == "HOLDS"
