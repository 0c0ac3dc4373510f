"""Expressions, and functions with every kind of statement."""

from __future__ import annotations

from collections.abc import Iterator

from tests.languages.catalogue.uppaal.construct import Construct

OPERATORS = {
    "Names": {
        "a number": "17",
        "a truth value": "true",
        "a variable": "n",
        "a boolean variable": "b",
        "a constant": "K",
        "an element": "a[n & 1]",
        "an element by an element": "a[a[2]]",
        "a field": "s.f",
        "an element of a field": "s.g[1]",
    },
    "Arithmetic": {
        "+": "n + m",
        "-": "n - m",
        "- groups to the left": "n - m - 1",
        "*": "n * m",
        "/": "n / m",
        "%": "n % m",
        "unary -": "-n",
        "unary +": "+n",
        "- of unary -": "n - -m",
        "<?": "n <? m",
        ">?": "n >? m",
        "abs": "abs(n)",
    },
    "Bits": {
        "&": "n & m",
        "|": "n | m",
        "^": "n ^ m",
        "<<": "n << K",
        ">>": "n >> 1",
    },
    "Relations": {
        "<": "n < m",
        "<=": "n <= m",
        "==": "n == m",
        "!=": "n != m",
        ">=": "n >= m",
        ">": "n > m",
        "== of truth values": "b == (n < m)",
        "!= of a truth value and a number": "b != n",
    },
    "Logic": {
        "&&": "b && n > m",
        "||": "b || n > m",
        "and": "b and n < m",
        "or": "b or n < m",
        "!": "!b",
        "not": "not b",
        "xor": "b xor n > m",
        "imply": "b imply n > m",
        "&& stops": "n != -3 && a[n % 3] > 1",
        "?:": "b ? n : m",
        "?: groups to the right": "n > m ? 1 : b ? n : 9",
    },
    "Precedence": {
        "* before +": "n + m * 2",
        "+ before <<": "n + 1 << 1",
        "<< before <?": "n << 1 <? m",
        "<? before <": "n <? 3 < m",
        "< before ==": "n < m == b",
        "== before &": "n & m == 2",
        "& before ^": "n ^ m & 6",
        "^ before |": "n | m ^ n",
        "| before &&": "n | m && b",
        "&& before ||": "n < m || b && m == 2",
        "imply and or are one level": "b imply n > m or b",
        "imply groups to the left": "n > m imply b imply n > m",
        "unary before *": "-n * m",
        "! before ==": "!b == (n > m)",
        "not before ==": "not n == m",
        "or before ?:": "n > m or b ? n : m",
    },
    "Quantifiers": {
        "forall": "forall (i : int[0,2]) a[i] > n",
        "exists": "exists (i : int[0,2]) a[i] == n",
        "sum": "sum (i : int[0,2]) a[i] * i",
        "forall over a named type": "forall (i : id_t) a[i] != m",
        "sum in sum": "sum (i : id_t) sum (j : int[0,i]) a[j]",
        "exists in forall": "forall (i : id_t) exists (j : id_t) a[i] + a[j] > n",
        "sum over many": "sum (i : int[-40,40]) (i < n ? i : 0)",
        "a bound name that hides a variable": "sum (n : id_t) n * m",
        "a quantifier reaches to the end": "exists (i : id_t) a[i] == m && n > m || b",
    },
}
DECLARED = {
    "Types": {
        "an array of structures": ("u[1].f + n", "const struct { int f; bool g; } u[2] = {{1, true}, {8, false}};"),
        "an array of arrays": ("d[1][2] + d[n & 1][0]", "const int d[2][3] = {{1, 2, 3}, {4, 5, 6}};"),
        "an array by a range": ("w[-1] + w[n % 2]", "const int w[int[-1,1]] = {3, 4, 6};"),
        "an array by a named type": ("w[2] + w[n & 1]", "const int w[id_t] = {3, 4, 6};"),
        "a structure with names of fields": ("u.g[1] - u.f", "const S u = {f: 3, g: {1, 8}};"),
        "== of structures": ("s == u", "const S u = {2, {6, 7}};"),
        "!= of arrays": ("a != w", "const int w[3] = {4, -3, 2};"),
        "a range without 0": ("w + n", "int[3,9] w;"),
        "a variable of a bounded type": ("w * n", "int[-2,5] w = -2;"),
        "a meta variable": ("w + n", "meta int w;"),
        "scalars": ("forall (i : sc) w[i] > n", "typedef scalar[3] sc; int w[sc];"),
    },
    "Functions": {
        "a function": ("f()", "int f() { return n - m; }"),
        "a boolean function": ("f()", "bool f() { return n; }"),
        "a function with a bounded result": ("f()", "int[-9,9] f() { return n; }"),
        "a function with parameters": ("f(n, 2) - f(2, m)", "int f(int p, int[-9,9] q) { return 2 * p + q; }"),
        "a function in its own argument": ("f(f(n))", "int f(int p) { int q = p + 1; return q * 2; }"),
        "a function of a function": ("g(n)", "int f(int p) { return p - 1; } int g(int p) { return f(p) * f(m); }"),
        "a parameter that changes": ("f(n) + n", "int f(int p) { p = p + 5; return p; }"),
        "an array by value": ("f(a) + a[0]", "int f(int w[3]) { w[0] = 9; return w[0] + w[1]; }"),
        "an array by constant reference": ("f(a)", "int f(const int &w[3]) { return w[0] - w[1]; }"),
        "a structure by value": ("f(s) + s.f", "int f(S p) { p.f++; return p.f + p.g[1]; }"),
        "a structure as a result": ("f(n).f + f(m).g[0]", "S f(int p) { S q = {p, {1, 2}}; return q; }"),
        "a reference to a local": ("f()", "void g(int &p) { p += m; } int f() { int q = n; g(q); g(q); return q; }"),
    },
    "Statements": {
        "for": ("f()", "int f() { int i, p; for (i = 0; i < 3; i++) p += a[i] * i; return p; }"),
        "for with several expressions": (
            "f()",
            "int f() { int i, j, p; for (i = 0, j = 2; i < j; i++, j--) p += a[i] - a[j]; return p; }",
        ),
        "for without expressions": ("f()", "int f() { int p = n; for (;;) { p++; if (p > m) return p; } return 0; }"),
        "for over a range": ("f()", "int f() { int p; for (i : int[0,2]) p = p * 2 + a[i]; return p; }"),
        "for over a named type": ("f()", "int f() { int p; for (i : id_t) { if (a[i] > n) p += i; } return p; }"),
        "for over many": ("f()", "int f() { int p; for (i : int[-40,40]) if (i < n) p++; return p; }"),
        "for in for": ("f()", "int f() { int p; for (i : id_t) for (j : int[0,i]) p += a[j]; return p; }"),
        "while": ("f()", "int f() { int p = n; while (p < 9) p += 4; return p; }"),
        "do": ("f()", "int f() { int p = n; do p += 4; while (p < 9); return p; }"),
        "if": ("f()", "int f() { if (b) return n; return m; }"),
        "if and else": ("f()", "int f() { int p; if (n > m) p = 1; else if (b) p = 2; else p = 3; return p; }"),
        "else of the last if": ("f()", "int f() { int p = 5; if (n > 0) if (b) p = 1; else p = 2; return p; }"),
        "return from a loop": ("f()", "int f() { for (i : id_t) { if (a[i] > n) return i; } return -1; }"),
        "a block that hides a name": ("f()", "int f() { int p = n; { int p = m; p++; } return p; }"),
        "a local that hides a variable": ("f()", "int f() { int n = m; n++; return n; }"),
        "a local array": ("f()", "int f() { int w[3] = {n, m, 1}; w[1] -= w[0]; return w[1]; }"),
        "a local structure": ("f()", "int f() { S w = s; w.g[0] = 1; return w.f + w.g[0] + s.g[0]; }"),
        "a local type": ("f()", "int f() { typedef int[0,1] two; int p; for (i : two) p += a[i]; return p; }"),
        "a local constant": ("f()", "int f() { const int q = n * 2; return q - m; }"),
        "a local without a value": ("f()", "int f() { int p; int[2,4] q; bool w; p += n; return p + q + w; }"),
        "a local in a loop": ("f()", "int f() { int q; for (i : id_t) { int p; p += a[i]; q = p; } return q; }"),
        "an empty statement": ("f()", "int f() { int p = n; ; while (p++ < 9); return p; }"),
    },
}
ASSIGNMENTS = ("=", ":=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=")
EFFECTS = {
    "an assignment as a value": "(q = n) + 1",
    "assignments in a row": "q = z[1] = n",
    "++ before": "++q",
    "++ behind": "q++",
    "-- before": "--q + q",
    "-- behind": "q-- + q",
    "++ of an element": "z[q]++ + z[0]",
    "an assignment under ?:": "b ? (q = 5) : (q += 2)",
    "a function with effects": "h(n) + q",
    "a function that changes a reference": "g(q) + g(z[1]) + q",
}
CHANGED = "int q, z[2]; int h(int p) { q += p; return q * 2; } int g(int &p) { p += n; return p; }"


def constructs() -> Iterator[Construct]:
    """All of them."""
    for group, texts in OPERATORS.items():
        for name, text in texts.items():
            yield Construct(group, name, text)
    for group, pairs in DECLARED.items():
        for name, (text, declare) in pairs.items():
            varies = any(word in declare.split() for word in ("int[3,9]", "int[-2,5]", "meta", "w[sc];"))
            yield Construct(group, name, text, declare, constant=not varies)
    for operator in ASSIGNMENTS:
        body = f"int f() {{ int p = 7; p {operator} abs(m); return p; }}"
        yield Construct("Assignments", f"{operator} of a local", "f()", body)
        yield Construct("Assignments", operator, f"q {operator} abs(m)", "int q = 7;", effects=True)
    for name, text in EFFECTS.items():
        yield Construct("Assignments", name, text, CHANGED, effects=True)
