"""The grammar's names of operator symbols, and the one way that each is written here."""

from __future__ import annotations

SYMBOLS = {
    "lnot": "~", "union": "UNION", "powerset": "SUBSET", "domain": "DOMAIN", "negative": "-", "enabled": "ENABLED",
    "unchanged": "UNCHANGED", "always": "[]", "eventually": "<>", "implies": "=>", "plus_arrow": "-+->",
    "equiv": "<=>", "iff": "<=>", "leads_to": "~>", "land": "/\\", "lor": "\\/", "assign": ":=", "bnf_rule": "::=",
    "eq": "=", "neq": "#", "lt": "<", "gt": ">", "leq": "<=", "geq": ">=", "approx": "\\approx", "rs_ttile": "|-",
    "rd_ttile": "|=", "ls_ttile": "-|", "ld_ttile": "=|", "asymp": "\\asymp", "cong": "\\cong", "doteq": "\\doteq",
    "gg": "\\gg", "ll": "\\ll", "in": "\\in", "notin": "\\notin", "prec": "\\prec", "succ": "\\succ",
    "preceq": "\\preceq", "succeq": "\\succeq", "propto": "\\propto", "sim": "\\sim", "simeq": "\\simeq",
    "sqsubset": "\\sqsubset", "sqsupset": "\\sqsupset", "sqsubseteq": "\\sqsubseteq", "sqsupseteq": "\\sqsupseteq",
    "subset": "\\subset", "supset": "\\supset", "subseteq": "\\subseteq", "supseteq": "\\supseteq",
    "compose": "@@", "map_to": ":>", "map_from": "<:", "setminus": "\\", "cap": "\\cap", "cup": "\\cup",
    "dots_2": "..", "dots_3": "...", "plus": "+", "plusplus": "++", "oplus": "(+)", "ominus": "(-)", "mod": "%",
    "modmod": "%%", "vert": "|", "vertvert": "||", "minus": "-", "minusminus": "--", "amp": "&", "ampamp": "&&",
    "odot": "(.)", "oslash": "(/)", "otimes": "(\\X)", "mul": "*", "mulmul": "**", "slash": "/", "slashslash": "//",
    "bigcirc": "\\bigcirc", "bullet": "\\bullet", "div": "\\div", "circ": "\\o", "star": "\\star", "excl": "!!",
    "hashhash": "##", "dol": "$", "doldol": "$$", "qq": "??", "sqcap": "\\sqcap", "sqcup": "\\sqcup",
    "uplus": "\\uplus", "times": "\\X", "wr": "\\wr", "cdot": "\\cdot", "pow": "^", "powpow": "^^",
    "sup_plus": "^+", "asterisk": "^*", "sup_hash": "^#", "prime": "'",
    "string_set": "STRING", "boolean_set": "BOOLEAN", "nat_number_set": "Nat", "int_number_set": "Int",
    "real_number_set": "Real",
}  # fmt: skip

REFUSED_NODES = {
    "real_number": "a number with a decimal point",
    "proof_step_ref": "a reference to a step of a proof",
}
