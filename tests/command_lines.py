# SPDX-License-Identifier: Apache-2.0
"""Command lines of documents: the commands of a script, and whether `perle` accepts their words."""

from __future__ import annotations

import re
import shlex
from typing import Any

import typer

from perle.cli.app import app
from perle.cores.registry import every, resolve_any

PROGRAM = "perle"
ASSIGNMENT = re.compile(r"\w+=")
CORE = re.compile(r"\b(?=([a-z]\w*):(\w+))")


def commands(script: str) -> list[list[str]]:
    """Return the words of every command of a script that runs `perle`, without the program."""
    found = []
    for line in script.replace("\\\n", " ").splitlines():
        words = shlex.shlex(line, posix=True, punctuation_chars=True)
        words.whitespace_split = True
        command: list[str] = []
        for word in [*words, ";"]:
            if set(word) <= set(words.punctuation_chars):
                found.append(command)
                command = []
            elif command or not ASSIGNMENT.match(word):
                command.append(word)
    return [command[1:] for command in found if command[:1] == [PROGRAM]]


def check(words: list[str]) -> None:
    """Raise what `perle` raises for a command, an option or a core that there is not; run nothing."""
    command: Any = typer.main.get_command(app)
    context = command.make_context(PROGRAM, list(words))
    while hasattr(command, "commands"):
        left = [*context._protected_args, *context.args]  # noqa: SLF001 - the name of a subcommand is there
        name, command, rest = command.resolve_command(context, left)
        context = command.make_context(name, rest, parent=context)
    for family, config in (pair for word in words for pair in CORE.findall(word)):
        if family in every():
            resolve_any(f"{family}:{config}")
