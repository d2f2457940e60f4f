# SPDX-License-Identifier: Apache-2.0
"""What an IP directory is made for: a configuration behind its contract, or on an AXI4-Lite board."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from perle import __version__
from perle.boards.regs import RDL
from perle.boards.sources import config_hash, kept_files
from perle.boards.wrapper import Shape, shape
from perle.cores.registry import CORES, Config
from perle.flow.cache import content_hash

Bus = Literal["axil", "none"]

TB = Path(__file__).with_name("tb")
# Leaf cells that any simulator takes as they are meant.
PORTABLE = {path.name: path for path in (CORES / "prim" / "portable").glob("*.sv")}


@dataclass(frozen=True)
class Ip:
    """A configuration and what it is wrapped in; `word_bits` matters to a board only."""

    config: Config
    bus: Bus = "axil"
    word_bits: int = 64

    @property
    def name(self) -> str:
        """The name of the directory's top module, of its packages and of most of its files."""
        stem = re.sub(r"\W", "_", f"perle_{self.config.family.name}_{self.config.name}")
        return stem if self.bus == "none" else f"{stem}_{self.bus}"

    @property
    def shape(self) -> Shape:
        """Sizes that wrappers and testbenches need."""
        return shape(self.config, self.word_bits)

    @property
    def hardware(self) -> list[Path]:
        """Sources of the hardware in compile order; what is generated joins them."""
        files = kept_files(self.config) if self.bus == "axil" else self.config.family.files
        return [PORTABLE.get(path.name, path) for path in files]

    @property
    def driver(self) -> Path:
        """The part of the testbench that is the same for every configuration."""
        return TB / ("perle_tb_axil.sv" if self.bus == "axil" else "perle_tb_mul.sv")

    @cached_property
    def config_hash(self) -> int:
        """What the board's CONFIG_HASH reads."""
        return config_hash(self.config)

    @property
    def source_hash(self) -> str:
        """16 hex digits over all hardware sources, the testbench, and what was chosen."""
        files = [*self.hardware, *self.config.family.assertions, RDL, self.driver]
        chosen = (self.config.family.name, self.config.params, self.bus, self.word_bits)
        return content_hash(files, chosen, __version__)

    @property
    def constants(self) -> list[str]:
        """Names of a modulus's constants in the order of `mod_i` and of the board's banks."""
        return ["m", *self.config.family.constants]

    @property
    def summary(self) -> str:
        """One line about it."""
        what = "Modular multiplier" if self.bus == "none" else "Modular exponentiator on AXI4-Lite"
        return f"{what}, up to {self.config.width} bits ({self.config.spec})"
