# SPDX-License-Identifier: Apache-2.0
"""The schema of `core.toml`; an unknown key is an error that names it.

Numbers too long for TOML (beyond 64 bits) are hexadecimal strings.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

Number = int | str


class Strict(msgspec.Struct, forbid_unknown_fields=True):
    """A table that rejects unknown keys."""


class Core(Strict):
    """`[core]`; `Family` explains the optional keys. Files are relative to the family's folder."""

    name: str
    id: int
    title: str
    paper: str
    top: str
    files: tuple[str, ...]
    assertions: tuple[str, ...]
    constants: tuple[str, ...]
    kind: Literal["multiplier", "active_memory"] = "multiplier"
    addr_bits: int = 0
    floorplanned: tuple[str, ...] = ()
    copies: str = ""
    forwarding: str = ""
    port_cycles: int = 0


class Parameter(Strict):
    """`[params.NAME]`: an integer of the top module, its default and its range, both ends included."""

    default: Number
    range: tuple[Number, Number]
    doc: str


class Placed(Strict):
    """One of the engines that fill a device: its configuration (default: the entry's key) and its lanes."""

    config: str = ""
    lanes: int = 0


class Engine(Strict):
    """`[engine]`: the family's own exponentiator with many lanes; see `perle.cores.registry.Engine`."""

    top: str
    files: tuple[str, ...]
    assertions: tuple[str, ...]
    model: str
    window_bits: int
    co_placed: dict[str, tuple[str, ...]] = {}
    fills: dict[str, dict[str, tuple[Placed, ...]]] = {}


class Instruction(Strict):
    """`[instructions.NAME]`: an access that an active memory executes as an instruction."""

    address: str
    access: str
    doc: str


class Rule(Strict):
    """`[[rules]]`: a condition on parameters, and the error message when it is violated."""

    holds: str
    says: str


class CoreToml(Strict):
    """A whole `core.toml`. `constants`: formulas for the documentation; `operands` is the operands' range."""

    core: Core
    params: dict[str, Parameter]
    configs: dict[str, dict[str, Number]]
    constants: dict[str, str] = {}
    instructions: dict[str, Instruction] = {}
    engine: Engine | None = None
    rules: tuple[Rule, ...] = ()


def read(path: Path) -> CoreToml:
    """Read a `core.toml`; ValueError names the file, the key and the error."""
    try:
        return msgspec.toml.decode(path.read_bytes(), type=CoreToml)
    except msgspec.DecodeError as fault:
        raise ValueError(f"{path}: {fault}") from fault


def number(value: Number) -> int:
    """Return a number as an int."""
    return int(value, 16) if isinstance(value, str) else value
