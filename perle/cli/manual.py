# SPDX-License-Identifier: Apache-2.0
"""`perle manual`: the manual page perle(1), generated from the commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any

import typer

import perle
from perle.cli.io import files
from perle.cli.io.errors import MEANINGS, file_name
from perle.cores.registry import families

OPTION = "option"
VARIABLES = {
    "PERLE_CACHE": "folder of simulators and other builds; default: perle in $XDG_CACHE_HOME or ~/.cache",
    "PERLE_BUILD": "folder in which libperle and the provider are built; in a checkout build/host by default",
    "PERLE_PROVIDER": "the provider for OpenSSL, instead of the one that is built",
    "PDK_ROOT": "folder of a process design kit, for measurements in silicon",
}
MARKUP = re.compile(r"\[/?(?:bold|none|dim|italic)\]")


def manual(
    context: typer.Context,
    out: Annotated[
        str,
        typer.Option(
            "--out", "-o", metavar="FILE", parser=file_name, help="Output file; - is standard output."
        ),
    ] = files.STREAM,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
) -> None:
    """Write the manual page perle(1) of this version. To read it: perle manual | man -l -."""
    text = page(context.find_root().command)
    with files.writing(out, force=force) as write:
        write(text.encode())


def page(program: Any) -> str:  # noqa: ANN401 - Typer's own kind of command has no public type
    """Return the manual page of a program, in the language of man(7)."""
    lines = [
        '.\\" SPDX-License-Identifier: Apache-2.0',
        f'.TH PERLE 1 "" "perle {perle.__version__}" "User Commands"',
        *(".SH NAME", "perle \\- open hardware for RSA-sized modular multiplication"),
        *(".SH SYNOPSIS", ".B perle", "[\\fIOPTIONS\\fR] \\fICOMMAND\\fR [\\fIARGS\\fR]"),
        *(".SH DESCRIPTION", *_text(program.help)),
        *(".PP", f"Core families: {_plain(', '.join(families()))}."),
        ".SH OPTIONS",
        *_options(program),
        ".SH COMMANDS",
        *(
            line
            for name, command in program.commands.items()
            for leaf in commands(name, command)
            for line in _command(*leaf)
        ),
        ".SH EXIT STATUS",
        *(line for code, text in MEANINGS.items() for line in (".TP", f".B {code.value}", _plain(text))),
        ".SH ENVIRONMENT",
        *(line for name, text in VARIABLES.items() for line in (".TP", f".B {name}", _plain(text))),
    ]
    return "\n".join(lines) + "\n"


def commands(name: str, command: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401
    """Yield a command, or the commands of a group, with full names; hidden ones are left out."""
    if command.hidden:
        return
    if hasattr(command, "commands"):
        for inner, those in command.commands.items():
            yield from commands(f"{name} {inner}", those)
    else:
        yield name, command


def arguments(command: Any) -> list[tuple[str, str]]:  # noqa: ANN401
    """Return the arguments of a command: metavar and description."""
    found = [part for part in command.params if part.param_type_name != OPTION]
    return [(part.metavar or part.name.upper(), getattr(part, "help", None) or "") for part in found]


def options(command: Any) -> list[tuple[list[str], str, str]]:  # noqa: ANN401
    """Return the options of a command: names, metavar (empty for a flag), and description."""
    found = [part for part in command.params if part.param_type_name == OPTION and not part.hidden]
    return [
        (
            [*part.opts, *part.secondary_opts],
            "" if part.is_flag else part.metavar or part.name.upper(),
            part.help or "",
        )
        for part in found
    ]


def paragraphs(help_text: str | None) -> list[str]:
    """Return the paragraphs of a help text, each on one line, without markup."""
    return [" ".join(MARKUP.sub("", one).split()) for one in (help_text or "").strip().split("\n\n")]


def _command(name: str, command: Any) -> Iterator[str]:  # noqa: ANN401
    words = [word for word, _ in arguments(command)]
    yield f'.SS "perle {_plain(" ".join([name, *words]))}"'
    yield from _text(command.help)
    for word, said in arguments(command):
        if said:
            yield from (".TP", f".I {_plain(word)}", _plain(said))
    yield from _options(command)


def _options(command: Any) -> Iterator[str]:  # noqa: ANN401
    for names, value, said in options(command):
        bold = ", ".join(f"\\fB{_plain(name)}\\fR" for name in names)
        yield from (".TP", f"{bold} \\fI{_plain(value)}\\fR" if value else bold, _plain(said))


def _text(help_text: str | None) -> Iterator[str]:
    """Yield the paragraphs of a help text."""
    for paragraph in paragraphs(help_text):
        yield from (".PP", _plain(paragraph))


def _plain(text: str) -> str:
    """Return a text on one line, escaped for man(7)."""
    joined = " ".join(paragraphs(text)).replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{joined}" if joined.startswith((".", "'")) else joined
