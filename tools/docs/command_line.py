"""The page on the command line, from the commands themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import typer

from homing import cli

HEAD = """# The command line

<!-- Written by `./homing docs` from the commands' own help. -->

In a clone the command is `./homing`, which also has `./homing test`, `./homing bench` and `./homing docs`; installed,
it is `homing`.
"""

VALUES = {"str": "TEXT", "int": "N", "float": "X", "path": "FILE", "Path": "FILE"}


def page() -> str:
    """Every command, with every argument and option."""
    root: Any = typer.main.get_command(cli.application(*cli.COMMANDS))
    return "\n".join([HEAD, *_commands(root, "homing")])


def _commands(command: Any, path: str) -> Iterator[str]:
    if getattr(command, "commands", None):
        for name, inner in command.commands.items():
            yield from _commands(inner, f"{path} {name}")
        return
    context = command.make_context(path, [], resilient_parsing=True)
    arguments = [_names(each, context) for each in command.params if each.param_type_name == "argument"]
    yield f"## `{path}`\n"
    yield f"{_text(command.help)}\n"
    yield f"```\n{' '.join([path, '[OPTIONS]', *arguments])}\n```\n"
    yield "| argument or option | |\n| --- | --- |"
    for parameter in command.params:
        yield f"| `{_cell(_names(parameter, context))}` | {_cell(_meaning(parameter, context))} |"
    yield ""
    if command.epilog:
        yield f"{_text(command.epilog)}\n"


def _names(parameter: Any, context: Any) -> str:
    """`--trace chart|table|json`."""
    if parameter.param_type_name == "argument":
        name: str = (parameter.metavar or parameter.name).upper().removesuffix("...")
        return name + ("…" if parameter.nargs == -1 else "")
    names = _text(parameter.get_help_record(context)[0])
    for kind, word in VALUES.items():
        names = names.replace(f"<{kind}>", word)
    return re.sub(r"<([^>]+)>", r"\1", names).replace("list[str]", "TEXT")


def _meaning(parameter: Any, context: Any) -> str:
    """As `--help` has it, without bounds that the text has, too."""
    record = parameter.get_help_record(context)
    text = record[1] if record else getattr(parameter, "help", None)
    return _text(re.sub(r"\s*\[(required|x[<>]=?[^\]]*)\]|; (required|x[<>]=?[^\];]*)", "", text or ""))


def _text(text: str | None) -> str:
    return " ".join((text or "").split())


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
