# SPDX-License-Identifier: Apache-2.0
"""The program: its commands and its exit codes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import perle
from perle.cli.boards import SPEC
from perle.cli.help_text import flowing
from perle.cli.io import console, process
from perle.cli.io.errors import MEANINGS, Code, explain
from perle.cli.lazy import Part, Parts
from perle.host.pam.spec import FORM

PREFIX = ": Value error, "
"""What Typer's validation puts before the reason for which it refuses a value."""

EPILOG = "\n\n".join(
    ["[bold]Exit codes[/bold]", *(f"{code.value:>3}  {text}" for code, text in MEANINGS.items())]
)


HELP = f"""Open hardware for RSA-sized modular multiplication: cores, boards, host.

Boards are named {SPEC}; simulated boards are built at first use and cached.
Systems of active memories are named {FORM}; they run private operations of perle rsa.
"""


CATALOGUE, BOARDS, COSTS, NUMBERS, RSA = "Look around", "Boards", "Costs", "Numbers", "RSA"
PARTS = {
    "cores": Part("catalogue:cores", CATALOGUE),
    "show": Part("catalogue:show", CATALOGUE),
    "reproduce": Part("reproduce:reproduce", CATALOGUE),
    "doctor": Part("machine:doctor", CATALOGUE),
    "manual": Part("manual:manual", CATALOGUE),
    "boards": Part("machine:boards", BOARDS),
    "build": Part("machine:build", BOARDS),
    "cache": Part("cache:app", BOARDS),
    "gen": Part("gen:gen", BOARDS),
    "soc": Part("soc:soc", BOARDS),
    "trace": Part("debug:trace", BOARDS),
    "step": Part("debug:step", BOARDS),
    "bench": Part("bench:app", BOARDS),
    "choose": Part("choose:choose", COSTS),
    "measure": Part("measure:measure", COSTS),
    "explore": Part("explore:explore", COSTS),
    "report": Part("report:report", COSTS),
    "results": Part("results:app", COSTS),
    "trust": Part("trust:trust", COSTS),
    "mul": Part("arith:mul", NUMBERS),
    "exp": Part("arith:exp", NUMBERS),
    "apps": Part("apps:apps", NUMBERS),
    "rsa": Part("rsa.commands:app", RSA),
    "speed": Part("speed:speed", RSA),
    "provider": Part("provider:app", RSA),
    "preload": Part("preload:preload", RSA, {"context_settings": {"allow_interspersed_args": False}}),
    "demo": Part("demo:app", RSA),
}


class Program(TyperGroup):
    """All commands; every failure becomes a one-line message and an exit code."""

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401
        super().__init__(**settings)
        self.commands = Parts({**PARTS, **self.commands})

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        *rest: Any,  # noqa: ANN401
        **extra: Any,  # noqa: ANN401
    ) -> Any:  # noqa: ANN401
        """Run a command line and exit."""
        extra["standalone_mode"] = False
        words = sys.argv[1:] if args is None else list(args)
        with process.signals():
            try:
                code = super().main(words, prog_name, *rest, **extra)
                sys.stdout.flush()
            except BrokenPipeError:
                code = process.unread()
            except SystemExit as end:
                if not isinstance(end.__context__, BrokenPipeError):  # how Rich and Click exit then
                    raise
                code = process.unread()
            except Exception as error:  # noqa: BLE001 - reported, or raised again
                code = _tell(error, json="--json" in _own(words))
                process.discard_unwritten()
            if code == Code.INTERRUPTED:
                code = process.interrupted()
        sys.exit(code if isinstance(code, int) else Code.OK)


def _own(words: list[str]) -> list[str]:
    """Return the words of this program's own command line: none of them for `perle preload`."""
    return [] if words[:1] == ["preload"] else words


def _tell(error: Exception, *, json: bool) -> int:
    """Report an error on standard error; an unexpected exception is raised again.

    With --json, the error is printed on standard output too, as {"error": {"code": …, "message": …}}.
    """
    if isinstance(error, typer.Abort):
        return Code.INTERRUPTED
    told = getattr(error, "format_message", None)  # a wrong command line
    if told is not None:
        context = getattr(error, "ctx", None)
        path = context.command_path if context is not None else "perle"
        text = " ".join(str(told()).split()).replace(PREFIX, ": ", 1)
        if text:  # without a message, the help was just shown
            console.note(f"{path}: {text}\nTry '{path} --help'.")
            _tell_json(Code.USAGE, text, json)
        return Code.USAGE
    fault = explain(error)
    if fault is None:
        raise error
    console.note(f"perle: {fault}")
    _tell_json(fault.code, str(fault), json)
    return fault.code


def _tell_json(code: Code, message: str, json: bool) -> None:
    if json:
        with suppress(OSError):  # standard output itself may be what failed
            console.print_json({"error": {"code": int(code), "message": message}})


app = typer.Typer(
    cls=Program,
    name="perle",
    no_args_is_help=True,
    rich_markup_mode="rich",
    epilog=EPILOG,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"perle {perle.__version__}")
        raise typer.Exit


@app.callback(help=flowing(HELP))
def _root(
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Handle the program's own options."""


def main() -> None:
    """Run `perle`."""
    process.open_streams()
    app(prog_name="perle")
