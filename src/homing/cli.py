"""The command line: collects the commands, and turns whatever they raise into one sentence and an exit code."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Annotated

import typer

from homing import __version__
from homing.core.errors import HomingError
from homing.core.verdict import Verdict
from homing.report.files import mute, say

BAD_INPUT = 3
BUG = 70  # EX_SOFTWARE of sysexits.h
INTERRUPTED = 130

COMMANDS = ("check", "replay", "simulate", "reproduce", "overlay")


def application(*names: str) -> typer.Typer:
    """The command line with the commands named."""
    app = typer.Typer(
        name="homing",
        help="Checks message-oriented middleware: every message gets home, and here is the proof.",
        add_completion=False,
        no_args_is_help=True,
        # Plain help: rich would double the time to start.
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    for name in names:
        if name == "overlay":
            from homing.overlay import commands as overlay

            app.add_typer(overlay.app, name=name)
        else:
            command = import_module(f"homing.commands.{name}")
            app.command(name, epilog=command.EPILOG)(getattr(command, name))
    return app


def _version(asked: bool) -> None:
    if asked:
        say(f"homing {__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Without this, typer would take the only command for the whole program."""


def run(arguments: list[str]) -> int:
    """Runs a command line; the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # an arrow must not fail on a Latin-1 terminal
    try:
        # Typer looks at every option of every command that it is given, asked for or not.
        app = application(*(arguments[:1] if arguments and arguments[0] in COMMANDS else COMMANDS))
        code = typer.main.get_command(app).main(arguments, prog_name="homing", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except HomingError as error:
        say(str(error) if error.place else f"homing: {error}", sys.stderr)
        return BAD_INPUT
    except OSError as error:
        return _lost(error)
    except MemoryError:
        say("homing: out of memory; --memory-limit ends a check before that, as UNKNOWN", sys.stderr)
        return Verdict.UNKNOWN.exit_code
    except (KeyboardInterrupt, typer.Abort):
        say("homing: interrupted", sys.stderr)
        return INTERRUPTED
    except Exception as error:
        return _usage(error) or _bug(error)


def _lost(error: OSError) -> int:
    """The output cannot be written, or nobody reads it any more."""
    mute(sys.stdout)
    if not isinstance(error, BrokenPipeError):
        say(f"homing: {error}", sys.stderr)
    return BAD_INPUT


def _usage(error: Exception) -> int:
    """A command line that typer refused: one sentence; 0 when it is another error."""
    # By what it has, not by its class: that is click's in older versions of typer, its own in newer ones.
    if not hasattr(error, "format_message"):
        return 0
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "homing"
    if type(error).__name__ == "NoArgsIsHelpError":
        for line in error.format_message().split("\n"):
            say(line)
        return BAD_INPUT
    message = " ".join(error.format_message().split()).rstrip(".")
    say(f"{path}: {message[:1].lower()}{message[1:]} (see {path} --help)", sys.stderr)
    return BAD_INPUT


def _bug(error: Exception) -> int:
    if os.environ.get("HOMING_TRACEBACK"):
        import traceback

        traceback.print_exception(error)
    detail = " ".join(f"{type(error).__name__}: {error}".split())
    hint = "" if os.environ.get("HOMING_TRACEBACK") else "; HOMING_TRACEBACK=1 shows where"
    say(f"homing: this is a bug in Homing, please report it: {detail}{hint}", sys.stderr)
    return BUG
