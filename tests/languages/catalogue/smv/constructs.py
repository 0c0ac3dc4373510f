"""The constructs: one expression each, by the heading under which the page lists them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.languages.catalogue.smv.expression import Expression

BOOLEAN = ("TRUE", "FALSE")
COLOURS = ("{red, green, blue}", ("red", "green", "blue"))
MIXED = ("{red, 1, 2}", ("red", "1", "2"))


@dataclass(frozen=True)
class Construct:
    """A construct by name; `core` ones stand in pairs of contexts, too."""

    group: str
    name: str
    expression: Expression
    core: bool = False


def _word(width: int, signed: bool = False) -> tuple[str, tuple[str, ...]]:
    letter = "s" if signed else "u"
    top = f"-0sd{width}_{1 << (width - 1)}" if signed else f"0ud{width}_{(1 << width) - 1}"
    return f"{'signed ' if signed else ''}word[{width}]", (f"0{letter}d{width}_0", top)


def _of(group: str, type_: str, values: tuple[str, ...], texts: str, is_set: bool = False) -> Iterator[Construct]:
    """One construct per line `name ~ text`, where a name that is left out is the text; a `*` marks the core."""
    for line in texts.strip().splitlines():
        core, line = line.strip().startswith("* "), line.strip().removeprefix("* ")
        name, _, text = line.partition(" ~ ") if " ~ " in line else (line, "", line)
        yield Construct(group, name, Expression(text, type_, values, is_set), core)


TRUTH = """
b
TRUE
!b
! applied twice ~ !!b
* b & c
b | c
b xor c
b xnor c
* b -> c
b <-> c
b = c
b != c
-> groups to the right ~ b -> c -> FALSE
<-> groups to the left ~ b <-> c <-> FALSE
& before | ~ TRUE | b & c
| before -> ~ b | c -> c
| and xor in order ~ b | c xor TRUE
<-> before -> ~ b -> c <-> b
! before = ~ !b = c
= before & ~ b & b = c
= in a chain ~ b = c = b
? : of truth values ~ b ? c : !c
? : in a chain ~ b ? c : c ? b : TRUE
? : with -> in the middle ~ b ? c -> b : c
? : before <-> ~ b <-> c ? b : c
* case of truth values ~ case b : c; c : TRUE; TRUE : !c; esac
b in {TRUE}
bool of a number ~ bool(m)
bool of a word ~ bool(f)
count = 1 ~ count(b, c) = 1
"""
COMPARED = """
* n < m
n <= m
n > m
n >= m
n = m
n != m
n = e
s = t
s != t
x = y
x = 1
x = red
s = x
e = x
u < 0ud3_5
u <= 0ud3_5
p > q without extending ~ p > -0sd3_2
p >= 0sd3_1
u = 0ud3_6
p != -0sd3_4
+ before < ~ n < m + 1
in before = ~ n in {1, 2} = b
* n in {0, 2}
n in 1..2
n in {m, 3}
n in a union ~ n in {m} union {0}
n in one value ~ n in m
s in {red, blue}
x in {red, 2}
x in y
{1} in {1, 2}
{m, 1} in {1, 2}
next of a comparison ~ n + 1 = 2
"""
NUMBERS = """
n
e
3
-2
+3
* n + m
n - m
n * m
* n / k
n / -k
n mod k
-n mod 2
n mod -2
-n
- before * ~ -n * m
- twice ~ - -n
product before sum ~ n + m * 2
- from the left ~ n - m - 1
/ from the left ~ 3 / k / 2
mod and * from the left ~ n * 3 mod 2
parentheses ~ (n - m) * 2
abs(n)
min(n, m)
max(n, m)
count of conditions ~ count(b, c, n > 0)
toint of a truth value ~ toint(b)
toint of a number ~ toint(n)
toint of an unsigned word ~ toint(u)
toint of a signed word ~ toint(p)
* case of numbers ~ case b : n; m = 1 : 3; TRUE : -1; esac
? : of numbers ~ n > m ? n : m
an element ~ a[1]
* an element by a variable ~ a[m]
an element by an expression ~ a[(m + 1) mod 3]
an element of an element ~ a[a[m]]
"""
SYMBOLS = """
s
red
case of symbols ~ case s = red : t; TRUE : blue; esac
* ? : of symbols ~ b ? s : t
? : of a symbol and a constant ~ b ? s : blue
"""
MIXTURES = """
x
? : of a symbol and a number ~ x = red ? red : 2
* case of a mixture ~ case b : x; c : red; TRUE : 1; esac
"""
UNSIGNED = """
u
* u + 0ud3_3
u - 0ud3_3
u * u
u / 0ud3_3
u mod 0ud3_3
-u
!u
u & 0ub3_101
u | 0ub3_001
u xor 0ub3_011
u xnor 0ub3_011
u -> 0ub3_010
u <-> 0ub3_010
* u << 1
u >> 1
u >> by a variable ~ u >> m
u << by a word ~ u << v
u << 3
concatenation ~ v :: f
concatenation from the left ~ f :: f :: f
extend(v, 1)
resize to more ~ resize(v, 3)
unsigned(p)
uwconst(5, 3)
octal ~ 0uo3_6
hexadecimal ~ 0uh3_6
binary ~ 0b3_110
case of words ~ case b : u; TRUE : 0ud3_1; esac
? : of words ~ b ? u : u + 0ud3_1
+ before << ~ u << 1 + 1
:: before + ~ v :: f + 0ud3_1
"""
SIGNED = """
p
p + 0sd3_1
p - 0sd3_3
p * p
p / 0sd3_2
p / -0sd3_2
p mod 0sd3_3
p mod -0sd3_3
* -p
!p
p & 0sb3_101
p | 0sb3_001
p << 1
* p >> 1
p >> by a variable ~ p >> m
extend(q, 1)
signed resize to more ~ resize(q, 3)
signed(u)
swconst(-3, 3)
swconst(2, 3)
"""
SMALLER = """
* resize(p, 2)
signed resize of a sum ~ resize(p + 0sd3_1, 2)
"""
BITS = """
* u[2:1]
u[1:0]
p[2:1]
(u + 0ud3_1)[1:0]
resize(u, 2)
!u[1:0]
"""
ONE_BIT = """
word1(b)
u[0:0]
p[2:2]
resize to one bit ~ resize(u, 1)
"""
SETS = """
* {n, 1}
1..3
{0, 1} union {m}
0 union m
{n} union 2..3
{{0, 1}, m}
* a set in case ~ case b : {0, 1}; TRUE : m; esac
? : of sets ~ b ? {0, 1} : {2, 3}
nested parentheses ~ ({n, ({1, 2})})
"""


def constructs() -> Iterator[Construct]:
    """All of them."""
    yield from _of("Truth values", "boolean", BOOLEAN, TRUTH)
    yield from _of("Comparisons and membership", "boolean", BOOLEAN, COMPARED)
    yield from _of("Numbers", "-9..9", ("1", "0", "-2", "3"), NUMBERS)
    yield from _of("Symbols", *COLOURS, SYMBOLS)
    yield from _of("Mixtures of symbols and numbers", *MIXED, MIXTURES)
    yield from _of("Unsigned words", *_word(3), UNSIGNED)
    yield from _of("Signed words", *_word(3, True), SIGNED)
    yield from _of("Signed words", *_word(2, True), SMALLER)
    yield from _of("Unsigned words", *_word(2), BITS)
    yield from _of("Unsigned words", *_word(1), ONE_BIT)
    yield from _of("Unsigned words", *_word(4), "u :: f\np :: f of a signed word ~ p :: f\n-v :: v")
    yield from _of("Signed words", *_word(1, True), "signed resize to one bit ~ resize(p, 1)\nsigned(f)")
    yield from _of("Sets", "-9..9", ("1", "0", "2", "3"), SETS, is_set=True)
    yield from _of("Sets", *COLOURS, "{s, blue}\n{red} union t", is_set=True)
    yield from _of("Sets", *MIXED, "{x, 2}\nred union {1, y}", is_set=True)
    yield from _of("Sets", *_word(3), "{u, 0ud3_5}", is_set=True)
    yield from _of("Sets", "boolean", BOOLEAN, "{b, TRUE}\n{FALSE, TRUE}", is_set=True)
    yield from _of("Truth values", "boolean", BOOLEAN, "g[1][0]\ng[k][m mod 2]\ng[2][toint(b)]")
