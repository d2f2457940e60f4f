# SPDX-License-Identifier: Apache-2.0
"""The hardware of one board as a list of files, ready for any tool that compiles SystemVerilog."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from perle.boards.regs import BUS, RDL, register_block
from perle.boards.wrapper import engine, shape, wrapper
from perle.cores.registry import Config, exponentiator_files
from perle.flow.cache import content_hash

TOP = "perle_top"
HERE = Path(__file__).parent
BOARD = [HERE / f"perle_{name}.sv" for name in ("board_regs", "board")]
LANES = [HERE / f"perle_{name}.sv" for name in ("mul_share", "axil_demux", "board_lanes")]
ENGINE = [HERE / f"perle_{name}.sv" for name in ("board_regs", "axil_demux", "board_engine")]
WAIVERS = Path(__file__).with_name("perle_regs.vlt")


@dataclass(frozen=True)
class Sources:
    """Files in compile order, packages first, and lint waivers for generated ones."""

    top: str
    files: tuple[Path, ...]
    waivers: Path


def kept_files(config: Config, lanes: int = 1) -> list[Path]:
    """Return the source files of a board, in compile order, without generated ones."""
    return [*_core_files(config, lanes), BUS, *_board_files(config, lanes)]


def _core_files(config: Config, lanes: int) -> list[Path]:
    own = engine(config, lanes)
    return list(own.files) if own else [*config.family.files, *exponentiator_files(config.family)]


def _board_files(config: Config, lanes: int) -> list[Path]:
    if engine(config, lanes):
        return ENGINE
    return [*BOARD, *(LANES if lanes > 1 else [])]


def assertion_files(config: Config, lanes: int = 1) -> list[Path]:
    """Return the files that bind assertions to the board's modules."""
    own = engine(config, lanes)
    return list(own.assertions if own else config.family.assertions)


def config_hash(config: Config, lanes: int = 1) -> int:
    """Return the value of CONFIG_HASH: 32 bits over family, parameters, lanes and hardware sources."""
    own = engine(config, lanes)
    what = [config.family.name, config.params, lanes, *([own.window_bits] if own else [])]
    digest = content_hash([*kept_files(config, lanes), RDL], *what)
    return int(digest[:8], 16)


def sources(config: Config, word_bits: int, out: Path, *, lanes: int = 1, checks: bool = False) -> Sources:
    """Generate the register block and the wrapper into the folder `out`; return the whole board."""
    generated = register_block(shape(config, word_bits, lanes), out)
    top = out / f"{TOP}.sv"
    top.write_text(wrapper(config, word_bits, config_hash(config, lanes), lanes), encoding="utf-8")
    assertions = assertion_files(config, lanes) if checks else []
    kept = (*_core_files(config, lanes), *generated, *_board_files(config, lanes))
    return Sources(TOP, (*kept, top, *assertions), WAIVERS)
