# SPDX-License-Identifier: Apache-2.0
"""The reference of the command line, made of the program that it is about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from docs.site import plain
from perle.cli.io.errors import MEANINGS
from perle.cli.manual import VARIABLES, arguments, commands, options, paragraphs

OTHERS = "Other commands"
OUT_OF_CONTENTS = ":no-contents-entry:"
"""Hundreds of options would hide the commands beside the page."""


def page(program: Any) -> str:  # noqa: ANN401 - Typer's own kind of command has no public type
    """Return the page about a program, as Markdown: its commands in the groups in which its help has them."""
    groups: dict[str, list[tuple[str, Any]]] = {}
    for name, command in program.commands.items():
        panel = getattr(command, "rich_help_panel", None)
        groups.setdefault(panel if isinstance(panel, str) else OTHERS, []).extend(commands(name, command))
    lines = [f"{plain.SPDX}# Commands\n", *_text(program.help), *_options("perle", program)]
    for title, those in groups.items():
        lines += [f"## {plain.escaped(title)}\n"] if those else []
        for name, command in those:
            lines += _command(name, command)
    lines += ["## Exit status\n", *_table((str(code.value), text) for code, text in MEANINGS.items())]
    lines += [
        "## Environment\n",
        *_table((f"`{name}`", plain.coded(text)) for name, text in VARIABLES.items()),
    ]
    return "\n".join(lines)


def _command(name: str, command: Any) -> Iterator[str]:  # noqa: ANN401
    full = f"perle {name}"
    words = " ".join([full, *(word for word, _ in arguments(command))])
    yield f"### {full}\n"
    yield plain.fence("none", words)
    yield from _text(command.help)
    said = [(f"`{word}`", plain.coded(text)) for word, text in arguments(command) if text]
    yield from _table(said) if said else []
    yield from _options(full, command)


def _options(full: str, command: Any) -> Iterator[str]:  # noqa: ANN401
    """Yield directives that give every option a name of its own, by which it is found."""
    yield f":::{{program}} {full}\n:::\n"
    for names, value, said in options(command):
        shown = ", ".join(f"{name} {value}" if value else name for name in names)
        yield plain.directive("option", shown, OUT_OF_CONTENTS, plain.coded(" ".join(paragraphs(said))))


def _text(help_text: str | None) -> Iterator[str]:
    for one in paragraphs(help_text):
        yield plain.coded(one) + "\n"


def _table(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    cells = ([plain.cell(one) for one in row] for row in rows)
    yield "\n".join(["| | |", "|---|---|", *(f"| {left} | {right} |" for left, right in cells)]) + "\n"
