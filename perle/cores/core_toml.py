# SPDX-License-Identifier: Apache-2.0
"""What a `core.toml` may say, field by field; anything else in it is refused by name.

Numbers too long for TOML (beyond 64 bits) are hexadecimal strings.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

Number = int | str


class Strict(msgspec.Struct, forbid_unknown_fields=True):
    """A table of which every key is known."""


class Core(Strict):
    """`[core]`; see `Family` for what the optional ones mean. Files are relative to the folder."""

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
    """An engine on a device: of the configuration that is filled with, unless another is named; its lanes."""

    config: str = ""
    lanes: int = 0


class Engine(Strict):
    """`[engine]`: the family's own exponentiator for many lanes.

    `fills`: by device and configuration, all engines that fill it, where `co_placed` does not say so.
    """

    top: str
    files: tuple[str, ...]
    assertions: tuple[str, ...]
    model: str
    window_bits: int
    co_placed: dict[str, tuple[str, ...]] = {}
    fills: dict[str, dict[str, tuple[Placed, ...]]] = {}


class Instruction(Strict):
    """`[instructions.NAME]`: an access that an active memory understands."""

    address: str
    access: str
    doc: str


class Rule(Strict):
    """`[[rules]]`: a relation between parameters, and its words for whoever breaks it."""

    holds: str
    says: str


class CoreToml(Strict):
    """A whole `core.toml`. `constants` has formulas for people, `operands` being the range of operands."""

    core: Core
    params: dict[str, Parameter]
    configs: dict[str, dict[str, Number]]
    constants: dict[str, str] = {}
    instructions: dict[str, Instruction] = {}
    engine: Engine | None = None
    rules: tuple[Rule, ...] = ()


def read(path: Path) -> CoreToml:
    """Return what a file says; ValueError names the file, the key and the fault."""
    try:
        return msgspec.toml.decode(path.read_bytes(), type=CoreToml)
    except msgspec.DecodeError as fault:
        raise ValueError(f"{path}: {fault}") from fault


def number(value: Number) -> int:
    """Return a number as Python has it."""
    return int(value, 16) if isinstance(value, str) else value
