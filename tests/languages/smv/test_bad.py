"""Bad input: every sentence, whole."""

from __future__ import annotations

import pytest
from tests.languages.smv.checking import refusal

BAD = [
    ("", "x.smv: there is no MODULE main"),
    ("VAR x : boolean;", "x.smv:1:1: found 'VAR', expected 'MODULE'"),
    ("MODULE main(x)", "x.smv:1:8: module 'main' has parameters, which nobody could bind"),
    ("MODULE a", "x.smv: there is no MODULE main; declared: a"),
    ("MODULE main VAR x boolean;", "x.smv:1:19: found 'boolean', expected ':'"),
    ("MODULE main VAR S : boolean;", "x.smv:1:17: 'S' is a word of the language and cannot be a name"),
    ("MODULE main VAR x : boolean; VAR x : 0..1;", "x.smv:1:34: 'x' is declared twice in module 'main'"),
    ("MODULE main MODULE main", "x.smv:1:20: module 'main' is declared twice"),
    (
        "MODULE main VAR x : integer;",
        "x.smv:1:21: type 'integer' is infinite, which an exact search cannot do; give a range",
    ),
    ("MODULE main VAR x : real;", "x.smv:1:21: type 'real' is infinite, which an exact search cannot do; give a range"),
    (
        "MODULE main VAR x : array integer of boolean;",
        "x.smv:1:27: 'array integer of' is infinite; give a range such as 'array 0..3 of'",
    ),
    (
        "MODULE main VAR p : process m; MODULE m",
        "x.smv:1:21: 'process' is asynchronous, and deprecated by NuSMV; make the scheduler a variable",
    ),
    ("MODULE main ISA m", "x.smv:1:13: 'ISA' is not supported; declare the module's parts where they are needed"),
    (
        "MODULE main PRED x",
        "x.smv:1:13: 'PRED' is not supported: predicates for abstraction mean nothing to an exact search",
    ),
    (
        "MODULE main MIRROR x",
        "x.smv:1:13: 'MIRROR' is not supported: it belongs to abstraction, which an exact search does without",
    ),
    ("MODULE main PSLSPEC x", "x.smv:1:13: 'PSLSPEC' is not supported; write the formula in CTL or LTL"),
    ("MODULE main COMPUTE MIN [TRUE, TRUE]", "x.smv:1:21: 'COMPUTE' is not supported"),
    (
        "MODULE main FUN f : boolean -> boolean;",
        "x.smv:1:13: 'FUN' is not supported: uninterpreted functions make a model infinite",
    ),
    ("MODULE main MDEFINE x := 1;", "x.smv:1:13: 'MDEFINE' is not supported; write out the definitions"),
    ("MODULE main VAR x : 3..1;", "x.smv:1:21: the range 3..1 is empty"),
    ("MODULE main VAR x : {a, a};", "x.smv:1:25: the value 'a' is listed twice"),
    ("MODULE main VAR x : {TRUE, a};", "x.smv:1:21: an enumeration mixes truth values with others"),
    ("MODULE main VAR x : word[0];", "x.smv:1:21: a word has 1 to 64 bits, not 0"),
    ("MODULE main VAR x : word[65];", "x.smv:1:21: a word has 1 to 64 bits, not 65"),
    ("MODULE main VAR n : 0..3; y : 0..n;", "x.smv:1:34: a bound of a range has to be a constant"),
    ("MODULE main VAR x : m;", "x.smv:1:21: unknown module 'm'; declared: main"),
    ("MODULE main VAR x : m(1); MODULE m", "x.smv:1:21: module 'm' has 0 parameters, not 1"),
    ("MODULE main VAR x : m; MODULE m(a, b)", "x.smv:1:21: module 'm' has 2 parameters, not 0; declared: a, b"),
    ("MODULE main VAR x : m; MODULE m VAR y : m;", "x.smv:1:41: module 'm' is inside of itself"),
    ("MODULE main IVAR x : m; MODULE m", "x.smv:1:22: an instance of a module is declared in VAR, not IVAR"),
    (
        "MODULE main VAR state : {idle, busy}; INIT stat = idle",
        "x.smv:1:44: unknown name 'stat' in module 'main' (did you mean 'state'?); declared: busy, idle, state",
    ),
    (
        "MODULE main VAR x : 0..3; INIT x-1 = 0",
        "x.smv:1:32: unknown name 'x-1' in module 'main' (names may have a '-' inside; write 'x - "
        "1' for a difference); declared: x",
    ),
    ("MODULE main VAR x : 0..3; INIT y.z = 0", "x.smv:1:32: unknown name 'y' in module 'main'; declared: x"),
    ("MODULE main VAR x : 0..3; INIT x.z = 0", "x.smv:1:32: what stands before '.z' is no instance of a module"),
    (
        "MODULE main VAR x : m; INIT x.z MODULE m VAR y : boolean;",
        "x.smv:1:29: unknown name 'z' in module 'm'; declared: y",
    ),
    ("MODULE main VAR x : 0..3; INIT x[1] = 0", "x.smv:1:32: what stands before '[' is no array"),
    ("MODULE main VAR a : array 0..2 of boolean; INIT a[3]", "x.smv:1:51: index 3 is not in 0..2"),
    ("MODULE main VAR a : array 0..2 of boolean; INIT a", "x.smv:1:49: an array stands where a value is wanted"),
    ("MODULE main VAR x : m; INIT x MODULE m", "x.smv:1:29: an instance of module 'm' stands where a value is wanted"),
    (
        "MODULE main VAR x : boolean; INIT x + 1 = 2",
        "x.smv:1:35: a number is wanted here, not a truth value; toint makes one of it",
    ),
    ("MODULE main VAR x : 0..3; INIT x", "x.smv:1:32: a truth value is wanted here, not a number"),
    ("MODULE main VAR x : 0..3; INIT x & TRUE", "x.smv:1:32: a truth value is wanted here, not a number"),
    ("MODULE main VAR x : {a, b}; INIT x < 3", "x.smv:1:34: a number is wanted here, not a symbol"),
    (
        "MODULE main VAR x : boolean; y : {a, b}; INIT x = y",
        "x.smv:1:51: a truth value cannot be compared with a symbol",
    ),
    (
        "MODULE main VAR x : 0..3; INIT x = {1, 2}",
        "x.smv:1:36: a single value is wanted here, not a set; 'in' asks for membership",
    ),
    ("MODULE main VAR x : 0..3; INIT !x", "x.smv:1:33: a truth value is wanted here, not a number"),
    ("MODULE main VAR x : 0..3; ASSIGN init(x) := 7;", "x.smv:1:45: 'x' cannot be 7, its values are 0..3"),
    ("MODULE main VAR x : 0..3; ASSIGN next(x) := TRUE;", "x.smv:1:45: 'x' takes a number, not a truth value"),
    ("MODULE main VAR x : boolean; ASSIGN next(x) := 2;", "x.smv:1:48: a truth value is wanted here, not a number"),
    ("MODULE main VAR x : {a, b}; ASSIGN next(x) := {a, 1};", "x.smv:1:51: 'x' cannot be 1, its values are {a, b}"),
    ("MODULE main VAR x : 0..3; CONSTANTS a; ASSIGN next(x) := a;", "x.smv:1:58: 'x' takes a number, not a symbol"),
    ("MODULE main VAR x : 0..3; ASSIGN next(x) := x + 1;", "x.smv:1:34: 'x' is given 4, but its values are 0..3"),
    ("MODULE main VAR x : 0..3; y : 0..1; ASSIGN y := x;", "x.smv:1:49: 'y' is given 3, but its values are 0..1"),
    (
        "MODULE main VAR x : 0..3; ASSIGN next(x) := case x = 0 : 1; x = 1 : 2; esac;",
        "x.smv:1:45: no branch of this 'case' applies",
    ),
    ("MODULE main VAR x : 0..3; ASSIGN next(x) := 3 / x;", "x.smv:1:45: a division by zero"),
    ("MODULE main VAR a : array 0..1 of 0..3; i : 0..3; INVARSPEC a[i] = 0", "x.smv:1:61: index 3 is not in 0..1"),
    (
        "MODULE main VAR x : boolean; ASSIGN init(x) := TRUE;\n init(x) := FALSE;",
        "x.smv:2:2: init of 'x' is assigned twice, first at 1:37",
    ),
    (
        "MODULE main VAR x : boolean; ASSIGN x := TRUE;\n next(x) := FALSE;",
        "x.smv:2:2: next of 'x' is assigned, and at 1:37 the variable as a whole",
    ),
    (
        "MODULE main VAR x : boolean; ASSIGN init(x) := TRUE;\n x := FALSE;",
        "x.smv:2:2: 'x' is assigned as a whole, and at 1:37 its init",
    ),
    ("MODULE main VAR x : boolean; ASSIGN x := TRUE;\n x := FALSE;", "x.smv:2:2: 'x' is assigned twice, first at 1:37"),
    (
        "MODULE main VAR x : boolean; y : boolean; ASSIGN x := y; y := x;",
        "x.smv:1:50: circular assignments: 'x' needs 'y' needs 'x' at the start",
    ),
    (
        "MODULE main VAR x : boolean; y : boolean; ASSIGN init(x) := y; init(y) := !x;",
        "x.smv:1:50: circular assignments: 'x' needs 'y' needs 'x' at the start",
    ),
    (
        "MODULE main VAR x : boolean; y : boolean; ASSIGN next(x) := next(y); next(y) := next(x);",
        "x.smv:1:50: circular assignments: 'x' needs 'y' needs 'x' in the next state",
    ),
    (
        "MODULE main VAR x : boolean; ASSIGN next(x) := next(x);",
        "x.smv:1:37: circular assignments: 'x' needs 'x' in the next state",
    ),
    ("MODULE main DEFINE a := b; b := a; INVARSPEC a", "x.smv:1:25: definition 'a' depends on itself"),
    ("MODULE main VAR x : m(x.y); MODULE m(y) INIT y", "x.smv:1:23: parameter 'y' depends on itself"),
    ("MODULE main VAR x : boolean; DEFINE x.y := TRUE;", "x.smv:1:37: what stands before '.y' is no instance"),
    ("MODULE main VAR x : boolean; ASSIGN next(x & x) := TRUE;", "x.smv:1:44: found '&', expected ')'"),
    ("MODULE main DEFINE d := TRUE; ASSIGN next(d) := TRUE;", "x.smv:1:43: what is assigned to has to be a variable"),
    (
        "MODULE main VAR a : array 0..1 of boolean; i : 0..1; ASSIGN next(a[i]) := TRUE;",
        "x.smv:1:66: what is assigned to has to be a variable, not an element of an array by an index that varies",
    ),
    (
        "MODULE main IVAR x : boolean; ASSIGN next(x) := TRUE;",
        "x.smv:1:38: 'x' is an input variable, which cannot be assigned to",
    ),
    (
        "MODULE main FROZENVAR x : boolean; ASSIGN next(x) := TRUE;",
        "x.smv:1:43: 'x' is frozen, so it has no next value",
    ),
    ("MODULE main VAR x : boolean; INIT next(x)", "x.smv:1:35: 'next' has no meaning in INIT"),
    ("MODULE main VAR x : boolean; INVAR next(x)", "x.smv:1:36: 'next' has no meaning in INVAR"),
    ("MODULE main VAR x : boolean; ASSIGN init(x) := next(x);", "x.smv:1:48: 'next' has no meaning in the init of 'x'"),
    ("MODULE main VAR x : boolean; TRANS next(next(x))", "x.smv:1:36: 'next' inside of 'next'"),
    ("MODULE main VAR x : boolean; SPEC AG next(x)", "x.smv:1:38: 'next' has no meaning in a specification"),
    ("MODULE main IVAR x : boolean; INIT x", "x.smv:1:36: the input variable 'x' cannot stand in INIT"),
    ("MODULE main IVAR x : boolean; TRANS next(x)", "x.smv:1:42: 'x' is an input variable, which has no next value"),
    ("MODULE main IVAR x : boolean; INVARSPEC x", "x.smv:1:41: an invariant cannot speak of the input variable 'x'"),
    ("MODULE main IVAR x : boolean; SPEC AG x", "x.smv:1:36: a formula of CTL cannot speak of inputs: 'x'"),
    ("MODULE main IVAR x : boolean; SPEC x | EX TRUE", "x.smv:1:36: a formula of CTL cannot speak of inputs: 'x'"),
    ("MODULE main VAR x : boolean; TRANS AG x", "x.smv:1:36: the temporal operator 'AG' outside of a specification"),
    ("MODULE main VAR x : boolean; SPEC G x", "x.smv:1:35: 'G' is no operator of CTL here"),
    ("MODULE main VAR x : boolean; LTLSPEC AG x", "x.smv:1:38: 'AG' is no operator of LTL here"),
    ("MODULE main VAR x : boolean; SPEC A [x & x]", "x.smv:1:43: found ']', expected 'U' or 'BU'"),
    ("MODULE main VAR x : boolean; SPEC EBF 3..1 x", "x.smv:1:35: bounds from 3 to 1; they go from 0 to 1000"),
    ("MODULE main VAR x : 0..1; SPEC AG x + 1", "x.smv:1:35: a truth value is wanted here, not a number"),
    (
        "MODULE main INIT f(3)",
        "x.smv:1:18: unknown function 'f'; declared: abs, bool, count, extend, max, min, resize, "
        "signed, sizeof, swconst, toint, unsigned and 2 more",
    ),
    ("MODULE main INIT floor(3) = 1", "x.smv:1:18: 'floor' is of infinite types, which no finite model has"),
    ("MODULE main INIT 1.5 = 2", "x.smv:1:18: a real number, which no finite model has"),
    ("MODULE main INIT abs(1, 2) = 1", "x.smv:1:18: 'abs' takes one argument, not 2"),
    ("MODULE main INIT 0ub2_111 = 0ub2_00", "x.smv:1:18: '0ub2_111' does not fit into 2 bits"),
    ("MODULE main INIT 0ud_3 = 0ud2_1", "x.smv:1:18: '0ud_3' does not say how many bits it has"),
    ("MODULE main INIT 0ub2_12 = 0ub2_00", "x.smv:1:18: '0ub2_12' has digits that base 2 does not"),
    ("MODULE main INIT 0ud4_1 = 0ud5_1", "x.smv:1:27: an unsigned word[4] cannot be compared with an unsigned word[5]"),
    ("MODULE main INIT 0ud4_1 [5:2] = 0ud4_1", "x.smv:1:18: [5:2] is no part of a word with 4 bits"),
    ("MODULE main INIT toint(a) = 1 CONSTANTS a;", "x.smv:1:24: 'toint' takes no symbol"),
    ("MODULE main INIT (TRUE", "x.smv:1:23: found the end of the file, expected ')'"),
    ("MODULE main INIT case esac", "x.smv:1:18: 'case' without a branch"),
    ("MODULE main INIT TRUE \x01", "x.smv:1:23: no use for the character U+0001 here"),
    ("MODULE main INIT TRUE /-- x", "x.smv:1:23: a comment that starts here with '/--' has no '--/'"),
    ('#include "x"\nMODULE main ', "x.smv:1:1: a line for a preprocessor stands here; run it first"),
    (
        "MODULE main VAR x : {a, b}; a : boolean;",
        "x.smv:1:29: 'a' is declared here and is a value of an enumeration, too",
    ),
    ("MODULE main VAR x : boolean; INIT FALSE", "x.smv: the model has no initial state"),
    (
        "MODULE main VAR v0 : 0..99; v1 : 0..99; v2 : 0..99; v3 : 0..99; INIT v0 + v1 + v2 + v3 > "
        "5 & v0 * v1 != v2 - v3",
        "x.smv:1:17: v0, v1, v2, v3 may take any value at every step: 100,000,000 combinations, "
        "which is for a symbolic engine",
    ),
    (
        "MODULE main VAR x : word[32];",
        "x.smv:1:17: x may take any value at the start: 4,294,967,296 combinations, which is for a symbolic engine",
    ),
    (
        "MODULE main IVAR i : 0..999; VAR x : 0..999; ASSIGN next(x) := i; LTLSPEC G i = 3",
        "x.smv:1:77: 'i = 3' speaks of inputs with more than 512 combinations",
    ),
    ("MODULE main VAR x : 0..1; ASSIGN next(x) := 0..5;", "x.smv:1:48: 'x' cannot be 5, its values are 0..1"),
    ("MODULE main VAR a : array 0..99999 of boolean;", "x.smv:1:21: an array of 100000 elements"),
    ("MODULE main(", "x.smv:1:13: found the end of the file, expected a name"),
    ("MODULE main ASSIGN x = 3;", "x.smv:1:22: found '=', expected ':='"),
    ("MODULE main VAR x : ;", "x.smv:1:21: found ';', expected a type"),
    (
        "MODULE main VAR a : array 0..1 of boolean; INIT a.1",
        "x.smv:1:51: after a dot a name is wanted; elements of arrays are in brackets",
    ),
    ("MODULE main VAR x : boolean; INIT x in 3", "x.smv:1:40: a truth value is wanted here, not a number"),
]


@pytest.mark.parametrize(("text", "sentence"), BAD)
def test_bad_input(text: str, sentence: str) -> None:
    assert refusal(text) == sentence


FOUR = " ".join(f"v{n} : 0..99;" for n in range(4))
ZERO = " ".join(f"init(v{n}) := 0;" for n in range(4))
TOO_WIDE = [
    (
        "MODULE main VAR " + " ".join(f"v{n} : boolean;" for n in range(30)),
        "x.smv:1:17: v0, v1, v2, v3, v4, v5, v6, v7 and 22 more may take any value at the start: 1,073,741,824 "
        "combinations, which is for a symbolic engine",
    ),
    (
        f"MODULE main VAR {FOUR} ASSIGN {ZERO}",
        "x.smv:1:17: v0, v1, v2, v3 may take any value at every step: 100,000,000 combinations, "
        "which is for a symbolic "
        "engine",
    ),
    (
        f"MODULE main VAR {FOUR} INIT v0 + v1 + v2 + v3 > 5 & v0 * v1 != v2 - v3 ASSIGN "
        + " ".join(f"next(v{n}) := v{n};" for n in range(4)),
        "x.smv:1:70: INIT leaves too much to try: v0, v1, v2, v3 have 100,000,000 combinations; that is for a symbolic "
        "engine",
    ),
    (
        f"MODULE main VAR {FOUR} ASSIGN {ZERO} TRANS next(v0) + next(v1) + next(v2) + next(v3) > 5",
        "x.smv:1:138: TRANS leaves too much to try: v0, v1, v2, v3 have 100,000,000 combinations; "
        "that is for a symbolic "
        "engine",
    ),
    (
        "MODULE main VAR "
        + " ".join(f"v{n} : 0..9;" for n in range(7))
        + " ASSIGN "
        + " ".join(f"init(v{n}) := 0; next(v{n}) := 0..9;" for n in range(7)),
        "x.smv: a state has more than 1000000 steps: what its groups may choose is multiplied",
    ),
    ("MODULE main INIT " + "(" * 50_000, "x.smv:1:3347: what stands here is nested too deeply"),
]


@pytest.mark.parametrize(("text", "sentence"), TOO_WIDE)
def test_too_much(text: str, sentence: str) -> None:
    if sentence.endswith("too deeply"):  # where exactly is Python's affair
        assert refusal(text).endswith("what stands here is nested too deeply")
    else:
        assert refusal(text) == sentence
