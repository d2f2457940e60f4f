# SPDX-License-Identifier: Apache-2.0
"""The contents of an IP directory: a configuration, its lanes, and the bus around them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal, get_args

from perle import __version__
from perle.boards import exponentiator
from perle.boards.regs import RDL
from perle.boards.sources import assertion_files, config_hash, kept_files
from perle.boards.wrapper import Shape, engine, shape
from perle.cores.registry import CORES, Config
from perle.flow.cache import content_hash

Bus = Literal["axil", "apb", "wishbone", "axis", "exp", "none"]
BUSES: tuple[Bus, ...] = get_args(Bus)
REGISTERS: frozenset[Bus] = frozenset({"axil", "apb", "wishbone"})
"""Bus types that access the register map."""

TB = Path(__file__).with_name("tb")
RTL = Path(__file__).with_name("rtl")
# Leaf cells that any simulator interprets correctly.
PORTABLE = {path.name: path for path in (CORES / "prim" / "portable").glob("*.sv")}

ADAPTERS: dict[Bus, tuple[str, ...]] = {
    "apb": ("perle_axil_master", "perle_apb_axil"),
    "wishbone": ("perle_axil_master", "perle_wishbone_axil"),
    "axis": ("perle_axis_in", "perle_axis_out", "perle_axis"),
}
DRIVERS: dict[Bus, tuple[str, ...]] = {
    **{bus: ("perle_tb_host", f"perle_tb_{bus}") for bus in (*sorted(REGISTERS), "exp")},
    "axis": ("perle_tb_axis",),
    "none": ("perle_tb_mul",),
}
WHAT: dict[Bus, str] = {
    "axil": "Modular exponentiator on AXI4-Lite",
    "apb": "Modular exponentiator on APB",
    "wishbone": "Modular exponentiator on Wishbone",
    "axis": "Modular exponentiator between two AXI4-Streams",
    "exp": "Modular exponentiator behind a word port",
    "none": "Modular multiplier",
}


class IllegalIpError(ValueError):
    """A combination of configuration, bus, word and lanes without hardware."""


@dataclass(frozen=True)
class Ip:
    """A configuration and the bus around it; `prefix` is put before the name of every module and package."""

    config: Config
    bus: Bus = "axil"
    word_bits: int = 64
    lanes: int = 1
    prefix: str = ""

    def __post_init__(self) -> None:
        shared = self.lanes > 1 and engine(self.config, self.lanes) is None
        family = self.config.family.name
        if self.bus == "none" and self.lanes > 1:
            raise IllegalIpError("the bare multiplier has no lanes")
        if self.bus == "apb" and self.word_bits != 32:
            raise IllegalIpError("a data bus of APB has 32 bits")
        if self.bus == "axis" and self.word_bits != 64:
            raise IllegalIpError("a stream has words of 64 bits")
        if self.bus in ("exp", "axis") and shared:
            raise IllegalIpError(
                f"lanes of {family} share a multiplier behind registers: axil, apb, wishbone"
            )
        if self.prefix and not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,30}", self.prefix):
            raise IllegalIpError(
                f"{self.prefix!r}: letters, digits and underscores, 31 at most, a letter first"
            )

    @property
    def name(self) -> str:
        """The name of the top module, of its packages and of most of its files, without the prefix."""
        stem = f"perle_{self.config.family.name}_{self.config.name}"
        lanes = f"_l{self.lanes}" if self.lanes > 1 else ""
        return re.sub(r"\W", "_", f"{stem}{lanes}{'' if self.bus == 'none' else f'_{self.bus}'}")

    @property
    def top(self) -> str:
        """The name of the directory's top module."""
        return f"{self.prefix}_{self.name}" if self.prefix else self.name

    @property
    def registers(self) -> bool:
        """Whether it has the registers of a board."""
        return self.bus in REGISTERS

    @property
    def has_engine(self) -> bool:
        """Whether its lanes belong to the family's engine."""
        return engine(self.config, self.lanes) is not None

    @property
    def shape(self) -> Shape:
        """The sizes that wrappers and testbenches need."""
        return shape(self.config, self.word_bits, self.lanes)

    @property
    def read_cycles(self) -> int:
        """Latency of reading a word of the result at an exponentiator's own word port, in cycles."""
        return 1 + self.config.family.port_cycles

    @property
    def hardware(self) -> list[Path]:
        """Sources of the hardware in compile order, without generated files."""
        own = engine(self.config, self.lanes)
        if self.registers:
            files = kept_files(self.config, self.lanes)
        elif self.bus == "none":
            files = list(self.config.family.files)
        else:
            files = list(own.files if own else exponentiator.files(self.config.family))
        return [PORTABLE.get(path.name, path) for path in files]

    @property
    def adapters(self) -> list[Path]:
        """Sources of the adapters between the bus and the core."""
        return [RTL / f"{name}.sv" for name in ADAPTERS.get(self.bus, ())]

    @property
    def assertions(self) -> list[Path]:
        """Sources of the testbench's assertions."""
        own = assertion_files(self.config, self.lanes)
        return [*own, *(path for name in ADAPTERS.get(self.bus, ()) for path in RTL.glob(f"{name}_sva.sv"))]

    @property
    def drivers(self) -> list[Path]:
        """The part of the testbench that is the same for all configurations; its top is last."""
        return [TB / f"{name}.sv" for name in DRIVERS[self.bus]]

    @cached_property
    def config_hash(self) -> int:
        """The value of the board's CONFIG_HASH register."""
        return config_hash(self.config, self.lanes)

    @property
    def source_hash(self) -> str:
        """A hash (16 hex digits) of all hardware sources, the testbench, and the options."""
        files = [*self.hardware, *self.adapters, *self.assertions, RDL, *self.drivers]
        chosen = (self.config.family.name, self.config.params, self.bus, self.word_bits, self.lanes)
        return content_hash(files, chosen, __version__)

    @property
    def constants(self) -> list[str]:
        """Names of a modulus's constants in the order of `mod_i` and of the board's banks."""
        return ["m", *self.config.family.constants]

    @property
    def summary(self) -> str:
        """A one-line description."""
        lanes = f", {self.lanes} lanes" if self.lanes > 1 else ""
        return f"{WHAT[self.bus]}, up to {self.config.width} bits{lanes} ({self.config.spec})"
