# SPDX-License-Identifier: Apache-2.0
"""Help texts of commands, from docstrings: a terminal has another width than the source code."""

from __future__ import annotations

import inspect
import re
from typing import Any

LISTED = re.compile(r"^(\s|[-*] |\d+\. )", re.MULTILINE)
"""A line of a list, or of an indented block."""


def flowing(text: str) -> str:
    """Return a help text with every paragraph on one line; lists and indented blocks keep their lines.

    Typer joins the lines of the first paragraph only, and wraps the lines of the others once more.
    """
    parts = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(one if LISTED.search(one) else " ".join(one.splitlines()) for one in parts)


def flow(command: Any) -> Any:  # noqa: ANN401 - Typer's own kind of command has no public type
    """Let the help texts of a command flow, and those of the commands in it; return the command."""
    command.help = flowing(command.help or "")
    for one in getattr(command, "commands", {}).values():
        flow(one)
    return command
