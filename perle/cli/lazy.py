# SPDX-License-Identifier: Apache-2.0
"""Commands whose modules are imported on demand: one run of the program needs only a few."""

from __future__ import annotations

from collections import UserDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import typer

from perle.cli.help_text import flow


@dataclass(frozen=True)
class Part:
    """A command or a group of commands: where it is, and its heading in the help."""

    where: str
    """MODULE:NAME of the command: a module below perle.cli, and a function or Typer application in it."""
    panel: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Further arguments for `Typer.command`."""

    def made(self, name: str) -> Any:  # noqa: ANN401 - Typer's own kind of command has no public type
        """Import it, and return it as Typer's command or group."""
        module, _, attribute = self.where.partition(":")
        found = getattr(import_module(f"perle.cli.{module}"), attribute)
        around = typer.Typer(rich_markup_mode="rich")
        if isinstance(found, typer.Typer):
            around.add_typer(found, name=name, rich_help_panel=self.panel)
        else:
            around.command(name, rich_help_panel=self.panel, **self.settings)(found)
        group: Any = typer.main.get_group(around)
        return flow(group.commands[name])


class Parts(UserDict[str, Any]):
    """Commands by name; each is imported when it is first looked up."""

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - as above
        found = super().__getitem__(name)
        if isinstance(found, Part):
            self.data[name] = found = found.made(name)
        return found
