# SPDX-License-Identifier: Apache-2.0
"""`perle show` of an active memory: its parameters and its instructions."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

from perle.cli.io import console
from perle.cores.registry import Config
from perle.results.status import status
from perle.tables import Table

# Numbers of more digits than this are shown in hexadecimal, and shortened.
LONGEST = 12


def said_status(facts: dict[str, Any]) -> str:
    """Return the status in words; for a configuration without tests, that of its family's listed ones."""
    if facts["status"] is not None:
        return f"status {facts['status']}"
    return f"no test runs this configuration; those listed are {facts['family_status']}"


def describe(config: Config) -> dict[str, Any]:
    """Return the facts about a configuration."""
    family = config.family
    return {
        "family": family.name,
        "kind": family.kind,
        "config": config.name or None,
        "title": family.title,
        "paper": family.paper,
        "status": status(family, config=config.name) if config.listed else None,
        "family_status": status(family),
        "params": {key: number(value) for key, value in config.params.items()},
        "configs": list(family.configs),
        "address_bits": family.addr_bits,
        "instructions": {name: asdict(one) for name, one in family.instructions.items()},
        "top": family.top,
        "files": [str(path) for path in family.files],
    }


def number(value: int) -> int | str:
    """Return a number for JSON: above 53 bits as hexadecimal text, since many readers would round it."""
    return value if value < 1 << 53 else f"{value:#x}"


def short(value: int) -> str:
    """Return a number for a table; long ones are abbreviated."""
    text = str(number(value))
    return text if len(text) <= 2 * LONGEST else f"{text[:LONGEST]}…{text[-4:]} ({value.bit_length()} bits)"


def show(config: Config, *, json: bool) -> None:
    """Print a configuration."""
    facts, family = describe(config), config.family
    if json:
        console.print_json(facts)
        return
    out = console.output()
    name = f"{family.name}:{config.name}" if config.name else f"{family.name} (default parameters)"
    out.print(f"[bold]{name}[/bold]  {family.title}\npaper {family.paper} · {said_status(facts)}")
    table = Table(("parameter", "value", "what it is"))
    for key, par in family.params.items():
        table.add(key, short(config.params[key]), par.doc)
    out.print(table)
    table = Table(("instruction", "access", "word address", "what it does"))
    for key, one in family.instructions.items():
        table.add(key, one.access, one.address, one.doc)
    out.print(table)
    if not config.name:
        out.print(f"configurations: {' '.join(family.configs)}")
    out.print(f"top {family.top}, files:\n  " + "\n  ".join(facts["files"]))
