"""The step between lexer and parser: tells apart tokens that look alike and need more than one token to be told."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lark import Token

OPENING = {"LPAR": "RPAR", "LSQB": "RSQB", "LBRACE": "RBRACE"}
CLOSING = set(OPENING.values())
DIRECTIVES = {"_DEFINE", "_ALPHABET", "_ASSERT", "HASH", "FAIRNESS"}
STARTS = DIRECTIVES | {"VAR", "HVAR", "CHANNEL", "ENUM"}
"""What starts a declaration, and nothing else at the level of declarations."""

TEMPORAL = {"X": "NEXT", "G": "BOX", "F": "DIAMOND", "U": "UNTIL", "V": "RELEASE", "R": "RELEASE", "W": "WEAK"}
BINARY = {"UNTIL", "RELEASE", "WEAK"}
OPERAND_ENDS = {"NAME", "INT", "TRUE", "FALSE", "QUOTED", "RPAR", "RSQB"}
BODY_STARTS = {"NAME", "INT", "TRUE", "FALSE", "CALL", "LPAR", "NOT", "PLUS", "MINUS", "LBRACE", "AND", "OR"}
CONDITIONS = {"EQUALITY", "RELATION", "AND", "OR", "XOR", "NOT"}
STATEMENTS = {"ASSIGN", "SEQUENCE", "STEP", "LBRACE"}
"""What an expression alone has, and what makes a block."""
PROCESS_AHEAD = {"ASSIGN", "ARROW", "INTERLEAVE", "OR", "BOX", "DIAMOND", "EXTERNAL", "INTERRUPT"} | {
    *("SEQUENCE", "AT", "LBRACE", "LPAR", "COLON", "RSQB")
}
"""What may stand before the first token of a process."""

ANNOTATIONS = {"wf", "sf", "wl", "sl"}
"""How PAT 2 marked an event as weakly or strongly fair, or live."""

QUOTED = re.compile(
    r"(?P<NAME>[A-Za-z_]\w*)|(?P<INT>[0-9]+)|(?P<DOT>\.)|(?P<NOT>!)|(?P<QUERY>\?)|(?P<MINUS>-)"
    r"|(?P<LSQB>\[)|(?P<RSQB>\])|[ \t]+|(?P<WRONG>.)"
)


class Misread(Exception):
    """Tokens that no file may have; the parser adds the name of the file."""

    def __init__(self, message: str, token: Token, known: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.token = token
        self.known = known


class Clarifier:
    """Given to lark, which calls `process` with all tokens of a text; keeps nothing between calls."""

    always_accept = (
        "HASH",
        "NEW",
        "DOLLAR",
        "VEE",
        "WEDGE",
        "STRING",
        "_OPEN_COMMENT",
        "_OPEN_STRING",
    )  # in no rule, yet tokens

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """The same tokens, some of them of another type."""
        tokens = [_closed(token) for token in stream]
        for at, token in enumerate(tokens):
            _refuse(tokens, at, token)
        partners = _partners(tokens)
        _refuse_annotations(tokens, partners)
        _end_declarations(tokens, partners)
        _open_parameters(tokens, partners)
        _unwrap_conditions(tokens, partners)
        _open_events(tokens, partners)
        _mark_formulas(tokens)
        return (one for token in tokens for one in (_quoted(token) if token.type == "QUOTED" else (token,)))


def _kind(tokens: list[Token], at: int) -> str:
    return tokens[at].type if 0 <= at < len(tokens) else ""


def _closed(token: Token) -> Token:
    """Refused as soon as found: the lexer would look for the end from each further '/*' again."""
    if token.type == "_OPEN_COMMENT":
        raise Misread("this comment is not closed by '*/'", token)
    if token.type == "_OPEN_STRING":
        raise Misread("this string is not closed on its line", token)
    return token


def _refuse(tokens: list[Token], at: int, token: Token) -> None:
    following = _kind(tokens, at + 1)
    if token.type == "HASH":
        _refuse_directive(token)
    if token.type == "NEW" or (token.type in {"VAR", "HVAR"} and following == "RELATION"):
        raise Misread("compiled C# libraries cannot be imported, so there are no variables of their types", token)
    if token.type == "DOLLAR":
        raise Misread("compiled C# libraries cannot be imported, so there are no fields of their objects", token)
    if token.type == "ASSIGN" and following == "STAR":
        raise Misread("an arbitrary initial value '*' is not supported; give a value", tokens[at + 1])
    if token.type == "INTERLEAVE" and following == "LBRACE" and _kind(tokens, at + 2) == "DOTS":
        raise Misread("unboundedly many copies '|||{..}' are not supported; give a number", token)
    if token.type == "XOR" and following == "NAME" and _kind(tokens, at + 2) == "COLON":
        raise Misread("an indexed 'xor' is not supported; '&&' and '||' can be indexed", token)


def _refuse_directive(token: Token) -> None:
    word = "".join(token.split())
    if word == "#import":
        raise Misread("compiled C# libraries cannot be imported", token)
    if word == "#include":
        raise Misread("'#include' is not supported; put the declarations into one file", token)
    raise Misread(f"unknown directive '{word}'", token, ("#define", "#alphabet", "#assert"))


def _partners(tokens: list[Token]) -> dict[int, int]:
    """For each bracket that opens the place of the one that closes it; those that do not fit are left out."""
    partners = {}
    opened: list[int] = []
    for at, token in enumerate(tokens):
        if token.type in OPENING:
            opened.append(at)
        elif token.type in CLOSING and opened and OPENING[tokens[opened[-1]].type] == token.type:
            partners[opened.pop()] = at
    return partners


def _refuse_annotations(tokens: list[Token], partners: dict[int, int]) -> None:
    """`wf(a) -> P`: PAT 2 had fairness of single events, and PAT 3 has none of it."""
    for at, token in enumerate(tokens):
        if token.type != "NAME" or token not in ANNOTATIONS or at + 1 not in partners:
            continue
        behind = partners[at + 1] + 1
        if _kind(tokens, behind) == "LBRACE" and behind in partners:
            behind = partners[behind] + 1
        if _kind(tokens, behind) == "ARROW":
            what = f"fairness of a single event, '{token}(…)', is not supported: PAT 3 dropped it"
            raise Misread(f"{what}; ask for '//@fairness event-weak' or 'event-strong' above the assertion", token)


def _end_declarations(tokens: list[Token], partners: dict[int, int]) -> None:
    """Tells the `;` that ends a declaration from the one of sequences, statements and ranges."""
    depth = 0
    at_start, of_process = True, False
    for at, token in enumerate(tokens):
        if at_start or token.type in DIRECTIVES:
            depth, at_start, of_process = 0, False, token.type == "NAME"
        if token.type in OPENING:
            depth += 1
        elif token.type in CLOSING:
            depth = max(0, depth - 1)
        elif token.type == "SEQUENCE" and _ends(tokens, at, partners, depth, of_process):
            token.type = "_END"
            at_start = True


def _ends(tokens: list[Token], at: int, partners: dict[int, int], depth: int, of_process: bool) -> bool:
    following = _kind(tokens, at + 1)
    if not following or following in DIRECTIVES:
        return True
    if depth:
        return False
    if not of_process:
        return not (following == "NAME" and _kind(tokens, at + 2) == "COLON")
    if following != "NAME":
        return following in STARTS
    after = at + 2
    if _kind(tokens, after) == "LPAR":
        after = partners.get(after, after) + 1
    return _kind(tokens, after) == "ASSIGN"


def _open_parameters(tokens: list[Token], partners: dict[int, int]) -> None:
    """`#define f(x) x + 1` has parameters, `#define f (x) > 1` has none: only names, and a body after them."""
    for at, token in enumerate(tokens):
        opening = at + 2
        if token.type != "_DEFINE" or _kind(tokens, opening) != "LPAR" or opening not in partners:
            continue
        closing = partners[opening]
        plain = all(_kind(tokens, inner) == "NAME" for inner in range(opening + 1, closing, 2))
        apart = all(_kind(tokens, inner) == "COMMA" for inner in range(opening + 2, closing, 2))
        if plain and apart and _starts_body(tokens, closing + 1):
            tokens[opening].type = "_PARAMETERS"


def _unwrap_conditions(tokens: list[Token], partners: dict[int, int]) -> None:
    """`#define goal {x == 1};` is a condition in braces, which PAT reads as a block that has its value."""
    for at, token in enumerate(tokens):
        opening = at + 2
        if _kind(tokens, opening) == "_PARAMETERS":
            opening = partners[opening] + 1
        if token.type != "_DEFINE" or _kind(tokens, opening) != "LBRACE" or opening not in partners:
            continue
        closing = partners[opening]
        inside = {token.type for token in tokens[opening + 1 : closing]}
        if inside & CONDITIONS and not inside & STATEMENTS:
            tokens[opening].type, tokens[closing].type = "LPAR", "RPAR"


def _starts_body(tokens: list[Token], at: int) -> bool:
    kind = _kind(tokens, at)
    if kind in {"AND", "OR"}:
        return _kind(tokens, at + 1) == "NAME" and _kind(tokens, at + 2) == "COLON"
    return kind in BODY_STARTS


def _open_events(tokens: list[Token], partners: dict[int, int]) -> None:
    """`(a, b) -> P` is a choice of events; `(a || b)` is a process, `c!(x) -> P` an expression."""
    opened = {closing: opening for opening, closing in partners.items()}
    for opening, closing in partners.items():
        if tokens[opening].type != "LPAR" or _kind(tokens, closing + 1) != "ARROW":
            continue
        before = opening - 1
        of_input = _kind(tokens, before) == "RSQB" and _kind(tokens, opened.get(before, 0) - 1) == "QUERY"
        if _kind(tokens, before) in PROCESS_AHEAD and not of_input:
            tokens[opening].type = "_EVENTS"


def _mark_formulas(tokens: list[Token]) -> None:
    """Inside `|= …;` some names are operators, and `/\\` and `\\/` are others."""
    inside = False
    for at, token in enumerate(tokens):
        if token.type == "MODELS":
            inside = True
        elif token.type == "_END":
            inside = False
        elif token.type in {"WEDGE", "VEE"}:
            token.type = ("AND" if token.type == "WEDGE" else "OR") if inside else token.type
        elif inside and token.type in {"_EVENTS", "STRING"}:
            token.type = "LPAR" if token.type == "_EVENTS" else "QUOTED"
        elif inside and token.type == "NAME" and str(token) in TEMPORAL:
            kind = TEMPORAL[str(token)]
            # What joins two formulas stands after one: elsewhere it is a name.
            if kind not in BINARY or _kind(tokens, at - 1) in OPERAND_ENDS:
                token.type = kind


def _quoted(token: Token) -> list[Token]:
    """`"c!1"` means the event that is written in it."""
    found = []
    for match in QUOTED.finditer(token[1:-1]):
        kind = match.lastgroup
        if kind is None:
            continue
        if kind == "WRONG":
            raise Misread(f"'{match[0]}' cannot stand in a quoted event", token)
        column = (token.column or 0) + 1 + match.start()
        start = (token.start_pos or 0) + 1 + match.start()
        found.append(Token(kind, match[0], start, token.line, column, token.line, column, start + len(match[0])))
    if not found:
        raise Misread("no event stands in the quotes", token)
    return found
