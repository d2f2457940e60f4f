# SPDX-License-Identifier: Apache-2.0
"""The hardware of one board as a list of files, ready for any tool that compiles SystemVerilog."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from perle.boards.regs import RDL, register_block
from perle.boards.wrapper import shape, wrapper
from perle.cores.registry import Config, folder_files
from perle.flow.cache import content_hash

TOP = "perle_top"
BOARD = Path(__file__).with_name("perle_board.sv")
WAIVERS = Path(__file__).with_name("perle_regs.vlt")


@dataclass(frozen=True)
class Sources:
    """Files in compile order, packages first, and waivers for those that are generated."""

    top: str
    files: tuple[Path, ...]
    waivers: Path


def kept_files(config: Config) -> list[Path]:
    """Return the files of a board that are kept as sources, in compile order; generated ones join them."""
    return [*config.family.files, *folder_files("modexp"), BOARD]


def assertion_files(config: Config) -> list[Path]:
    """Return the files that bind assertions to the board's modules."""
    return list(config.family.assertions)


def config_hash(config: Config) -> int:
    """Return what CONFIG_HASH reads: 32 bits over the family, its parameters and all hardware sources."""
    digest = content_hash([*kept_files(config), RDL], config.family.name, config.params)
    return int(digest[:8], 16)


def sources(config: Config, word_bits: int, out: Path, *, checks: bool = False) -> Sources:
    """Generate the register block and the wrapper into the folder `out`; return the whole board."""
    generated = register_block(shape(config, word_bits), out)
    top = out / f"{TOP}.sv"
    top.write_text(wrapper(config, word_bits, config_hash(config)), encoding="utf-8")
    *cores, board = kept_files(config)
    assertions = assertion_files(config) if checks else []
    return Sources(TOP, (*cores, *generated, board, top, *assertions), WAIVERS)
