"""Conditions that may not fit their types or their place, and whole models: what NuSMV refuses, we refuse."""

from __future__ import annotations

from collections.abc import Iterator

from tests.languages.catalogue.smv.contexts import model
from tests.languages.catalogue.smv.expression import Expression

CONDITIONS = """
b + 1 = 2
n & b
!n
-b = 1
n -> b
n xor n
n <-> b
b < c
s < t
x < 2
x + 1 = 2
n = b
n = s
s = u
u = 3
u + 1 = u
u = p
(u & p) = u
(u & b) = u
u = v
u < v
p > u
u << p = u
u << b = u
n << 1 = 2
(u :: n) = u
(b :: c) = f
n in {red}
s in {n}
s in {n, red}
b in {0, 1}
u in {u}
u in {0ud3_1, 0ud3_6}
n in {b, 1}
n = {1, 2}
{1, 2} = {1}
{1, 2} + 1 = 2
({1, 2}) + 1 = 2
toint(s) = 1
toint(x) = 1
bool(u)
bool(s)
word1(n) = f
word1(f) = f
unsigned(n) = u
signed(p) = p
unsigned(u) = u
extend(n, 1) = n
resize(u, 0) = u
resize(u, n) = u
extend(v, -1) = v
extend(v, 0) = v
uwconst(8, 3) = u
uwconst(-4, 3) = u
uwconst(-5, 3) = u
uwconst(n, 3) = u
swconst(4, 3) = p
swconst(-4, 3) = p
swconst(3, 3) = p
u[3:0] = 0ud4_0
u[0:1] = 0ud2_0
u[n:0] = u
u[1] = 0ud1_0
n[0] = 1
u << 4 = u
u >> -1 = u
0ud3_8 = u
0ub3_12 = u
count(1, b) = 1
count(n) = 1
abs(b) = 1
abs(p) = p
min(b, c)
min(u, u) = u
max(s, t) = s
case b : n; TRUE : c; esac
case b : u; TRUE : v; esac = u
case n : b; TRUE : c; esac
b ? n : c
n ? b : c
a word alone ~ u
n
s
{b, c}
red
purple = s
a = a
a[3] = 1
a[-1] = 1
a[b] = 1
a[s] = 1
g[1] = g[1]
FALSE -> 1 / 0 = 1
b & FALSE & 1 / 0 = 1
n / 0 = 1
n mod 0 = 1
FALSE ? a[7] = 1 : b
n = 7
n in {7, 8}
b = 1
next(b)
next(next(b))
EF b
X b
3 = 3
red = green
TRUE = b
next(n) in {next(m)}
self = b
b.c
abs(n, m) = 1
sizeof(n) = 1
typeof(n) = n
sizeof(u) = 3
3 / n = 3 | n = 0
n = 0 | 3 / n > 0
n != 0 -> 3 / n < 2
n != 0 & 3 mod n = 0
n in {0, 1} & a[n] = 1
b U c
n..3 = n
n in 0..m
n in -1..2
n in 2..1
b = c < b
!!!b
- - -n = n
b xnor !c
+n = n
n = - 2
n = +2
(+2) = n
1 = 1 = b
"""
CONTEXTS = {
    "INVARSPEC": "INVARSPEC @;",
    "TRANS": "TRANS (@) -> TRUE;\nTRANS @ | TRUE;",
    "DEFINE": "DEFINE o := @;\nINVAR o | TRUE;",
    "CTLSPEC": "CTLSPEC EF (@);",
}
MODELS = """
a frozen variable assigned next
FROZENVAR z : boolean; ASSIGN next(z) := TRUE;

a frozen variable assigned always
FROZENVAR z : boolean; ASSIGN z := TRUE; INVARSPEC z;

an input assigned
IVAR z : boolean; ASSIGN next(z) := TRUE;

an input in INIT
IVAR z : boolean; INIT z;

an input in init
IVAR z : boolean; VAR r : boolean; ASSIGN init(r) := z;

an input in INVAR
IVAR z : boolean; INVAR z;

an input in next
IVAR z : boolean; VAR r : boolean; ASSIGN next(r) := next(z);

an input in CTL
IVAR z : boolean; CTLSPEC EF z;

an input in LTL
IVAR z : boolean; VAR r : boolean; ASSIGN next(r) := z; LTLSPEC G (z <-> X r);

an input in FAIRNESS
IVAR z : boolean; VAR r : boolean; ASSIGN next(r) := z; FAIRNESS z; LTLSPEC G F r;

assigned twice
VAR r : boolean; ASSIGN next(r) := TRUE; next(r) := FALSE;

assigned always and next
VAR r : boolean; ASSIGN r := TRUE; next(r) := FALSE;

a circle
VAR r : boolean; z : boolean; ASSIGN r := z; z := r;

a circle of next values
VAR r : boolean; z : boolean; ASSIGN next(r) := next(z); next(z) := next(r);

a circle of definitions
DEFINE r := z; z := r; VAR o : boolean; INVAR r;

init of itself
VAR r : boolean; ASSIGN init(r) := r;

next of itself
VAR r : boolean; ASSIGN init(r) := TRUE; next(r) := !r; CTLSPEC AF !r;

next in init
VAR r : boolean; z : boolean; ASSIGN init(r) := next(z);

next in INVAR
VAR r : boolean; INVAR next(r);

next in :=
VAR r : boolean; z : boolean; ASSIGN r := next(z);

next in FAIRNESS
VAR r : boolean; FAIRNESS next(r);

a range by an expression
VAR r : 1 - 1..2 * 2; INVARSPEC r < 4;

a range by a definition
DEFINE most := 3; VAR r : 0..most; INVARSPEC r < 3;

a range by a variable
VAR z : 0..3; r : 0..z;

an empty range
VAR r : 3..1;

a range of one
VAR r : 2..2; INVARSPEC r = 2;

a width by an expression
VAR r : word[1 + 1]; INVARSPEC r < 0ud2_3;

a width of 0
VAR r : word[0];

bounds of an array by a definition
DEFINE most := 1; VAR r : array 0..most of boolean; INVARSPEC r[1] -> r[0];

an empty array
VAR r : array 1..0 of boolean;

a value twice
VAR r : {red, red};

CONSTANTS
CONSTANTS red, blue; VAR r : {red, green}; INVARSPEC r != blue;

CONSTANTS assigned
CONSTANTS blue; VAR r : {red, green}; ASSIGN next(r) := blue;

a symbol that nobody declares
VAR r : {red, green}; INVARSPEC r = blue;

a variable twice
VAR r : boolean; r : boolean;

a variable called like a symbol
VAR r : {z, y}; z : boolean;

a variable called like a definition
VAR r : boolean; DEFINE r := TRUE;

a module that nobody declares
VAR r : nothing;

a module inside of itself
VAR r : main;

process
VAR r : process part;

an array of modules
VAR r : array 0..1 of part;

ISA
ISA part

PSLSPEC
VAR r : boolean; PSLSPEC always r;

COMPUTE
VAR r : boolean; COMPUTE MIN [r, !r];

too few arguments
VAR r : part2(TRUE);

too many arguments
VAR r : part(TRUE);

a parameter that is a variable
VAR r : part2(z, z); z : 0..2; INVARSPEC r.big -> z > 0;

a parameter that is assigned
VAR r : setter(z); z : 0..2; ASSIGN init(z) := 0; CTLSPEC AF z = 2;

a parameter that is a set
VAR r : picker({0, 2}); CTLSPEC EF r.o = 2; CTLSPEC EF r.o = 1;

a parameter that is next
VAR z : 0..1; r : part3(next(z)); INVARSPEC z < 2;

a parameter that is an instance
VAR r : part; q : asker(r); INVARSPEC q.yes = r.o;

a parameter that is an array
VAR r : array 0..1 of boolean; q : first(r); INVARSPEC q.yes = r[0];

a variable of an instance assigned
VAR r : part; ASSIGN next(r.o) := FALSE; CTLSPEC AX !r.o;

a specification in an instance
VAR r : part; INVARSPEC r.o;

a value out of range
VAR r : 0..2; ASSIGN init(r) := 5;

a value out of range in a set
VAR r : 0..2; ASSIGN next(r) := {0, 7};

a value out of range that is never given
VAR r : -1..0; z : boolean; ASSIGN init(r) := z | !z ? 0 : 5; CTLSPEC EF r = -1;

a value out of range in case that is never given
VAR r : 0..2; z : 0..3; ASSIGN next(r) := case z < 4 : 1; TRUE : 9; esac; CTLSPEC AX r = 1;

a value out of range always that is never given
VAR r : 0..2; z : 0..3; ASSIGN r := z * z < 0 ? 8 : 1; INVARSPEC r = 1;

a value out of range in a definition that is never given
VAR r : 0..2; z : 0..3; DEFINE d := z = z ? 2 : 3; ASSIGN init(r) := d; INVARSPEC r = 2;

a symbol that is never given
CONSTANTS blue; VAR r : {red, green}; z : boolean; ASSIGN init(r) := z & !z ? blue : red; INVARSPEC r = red;

a value out of range in a reachable state
VAR r : 0..2; ASSIGN init(r) := 0; next(r) := r + 1;

no initial state
VAR r : boolean; INIT r & !r; CTLSPEC AX r;

no state
VAR r : boolean; INVAR r & !r;

a state without a successor
VAR r : 0..2; ASSIGN init(r) := 0; TRANS next(r) = r + 1; CTLSPEC AG r < 2; LTLSPEC G r < 1; INVARSPEC r < 2;

no state with a successor
VAR r : boolean; TRANS FALSE; CTLSPEC AX r; LTLSPEC F r; CTLSPEC EF r;

case without a branch
VAR r : 0..2; ASSIGN init(r) := 0; next(r) := case r = 0 : 1; r = 1 : 2; esac;

case with branches for all
VAR r : 0..1; ASSIGN init(r) := 0; next(r) := case r = 0 : 1; r = 1 : 0; esac; CTLSPEC AG AF r = 0;

NAME
VAR r : boolean; INVARSPEC NAME s0 := r | !r; CTLSPEC NAME s1 := EF r;

comments
VAR r : boolean; -- INVARSPEC r
/-- INVARSPEC r --/ INVARSPEC r | !r;

an empty section
VAR VAR r : boolean; ASSIGN DEFINE INVARSPEC r | !r

JUSTICE
VAR r : boolean; JUSTICE r; LTLSPEC F r; CTLSPEC AF r;

two FAIRNESS
VAR r : 0..2; FAIRNESS r = 1; FAIRNESS r = 2; CTLSPEC AF r = 1; CTLSPEC EG r != 0; LTLSPEC G F r = 0;

LTL H with bounds
VAR r : 0..2; ASSIGN init(r) := 0; next(r) := (r + 1) mod 3; LTLSPEC H [0, 1] r = 0;
LTLSPEC G (r = 1 -> H [1, 1] r = 0);

CTL with COMPASSION
VAR r : boolean; z : boolean; ASSIGN next(r) := {r, !r}; COMPASSION (r, z); CTLSPEC AG AF (r -> z);

IN of nothing
VAR r : boolean; INVARSPEC r IN z;

a temporal operator in INIT
VAR r : boolean; INIT EF r;

CTL in LTL
VAR r : boolean; LTLSPEC EF r;

LTL in CTL
VAR r : boolean; CTLSPEC F r;

bounds the wrong way round
VAR r : boolean; CTLSPEC EBF 2..1 r;

bounds below 0
VAR r : boolean; CTLSPEC EBF -1..1 r;

LTL bounds the wrong way round
VAR r : boolean; LTLSPEC F [2, 1] r;
"""
"""Blocks of a name and what stands in MODULE main."""
PARTS = """
MODULE part
VAR o : boolean;
MODULE part2(z, y)
DEFINE big := z > 0 & y > 0;
MODULE part3(z)
VAR y : 0..1;
ASSIGN next(y) := z;
MODULE setter(z)
ASSIGN next(z) := case z < 2 : z + 1; TRUE : 2; esac;
MODULE picker(z)
VAR o : 0..2;
ASSIGN next(o) := z; init(o) := 0;
MODULE asker(z)
DEFINE yes := z.o;
MODULE first(z)
DEFINE yes := z[0];
"""


def refusals() -> Iterator[tuple[str, str, str, str, str]]:
    """Group, construct, context, example and model."""
    for text in CONDITIONS.strip().splitlines():
        name, _, text = text.rpartition(" ~ ")
        for context, body in CONTEXTS.items():
            expression = Expression(text, "boolean", ("TRUE", "FALSE"))
            written = body.replace("@", text)
            yield "Types that may not fit", name or f"{text} or not", context, text, model(expression, written)
    for block in MODELS.strip().split("\n\n"):
        name, text = block.split("\n", 1)
        whole = f"MODULE main\n{text}\n{PARTS}"
        yield "Declarations, assignments and places", name, "a whole model", text, whole
