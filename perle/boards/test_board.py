# SPDX-License-Identifier: Apache-2.0
"""Runs the cocotb tests of the board, 32 and 64 bits wide, on the smallest configuration."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from systemrdl.compiler import RDLCompiler
from systemrdl.node import MemNode

from perle.boards.cocotb_builds import LEVELS, Design
from perle.boards.regs import RDL
from perle.boards.sources import TOP, WAIVERS, assertion_files, config_hash, kept_files, sources
from perle.boards.wrapper import ADDR_BITS, MAX_CONSTANTS, MAX_LINE_BITS, shape, wrapper
from perle.cores.registry import resolve
from perle.flow import verible, verilator

CONFIG = resolve("orup:w64")
MODULES = ("registers", "faults", "operations")


def design(word_bits: int) -> Design:
    """Return the board that the tests of all of it drive."""

    def files(folder: Path) -> list[Path]:
        board = sources(CONFIG, word_bits, folder, checks=True)
        return [board.waivers, *board.files]

    return Design(
        f"{CONFIG.family.name}-{CONFIG.name}-{word_bits}",
        TOP,
        [*kept_files(CONFIG), *assertion_files(CONFIG), RDL, WAIVERS],
        files,
        text=wrapper(CONFIG, word_bits, config_hash(CONFIG)),
        levels=LEVELS,
    )


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize("word_bits", [32, 64])
def test_cocotb(word_bits: int, module: str, tmp_path: Path) -> None:
    design(word_bits).run(
        module, tmp_path, least=2, spec=CONFIG.spec, word_bits=word_bits, config_hash=config_hash(CONFIG)
    )


@pytest.mark.parametrize("word_bits", [32, 64])
@pytest.mark.parametrize("config", ["orup:w64", "orup:w1024", "orup:w4096"])
def test_lint(config: str, word_bits: int, tmp_path: Path) -> None:
    board = sources(resolve(config), word_bits, tmp_path)
    verilator.lint(board.files, board.top, {}, [str(board.waivers)])
    verible.lint([path for path in board.files if not path.stem.startswith("perle_regs")])


def test_wrapper_is_a_function_of_its_inputs() -> None:
    assert wrapper(CONFIG, 64, 0x1234) == wrapper(resolve("orup:w64"), 64, 0x1234)
    others = {
        wrapper(CONFIG, 32, 0x1234),
        wrapper(CONFIG, 64, 0x1235),
        wrapper(resolve("orup:w65"), 64, 0x1234),
    }
    assert len(others | {wrapper(CONFIG, 64, 0x1234)}) == 4
    with pytest.raises(ValueError, match="32 or 64"):
        wrapper(CONFIG, 16, 0)


def test_only_what_fits_the_map() -> None:
    family = CONFIG.family
    assert shape(replace(CONFIG, family=replace(family, constants=("a", "b", "c"))), 64).const_count == 4
    with pytest.raises(ValueError, match="5 constants"):
        shape(replace(CONFIG, family=replace(family, constants=("a", "b", "c", "d"))), 64)
    with pytest.raises(ValueError, match="at most 4 of 8192"):
        shape(replace(CONFIG, params=CONFIG.params | {"Width": 8192}), 64)
    compiler = RDLCompiler()
    compiler.compile_file(str(RDL))
    top = compiler.elaborate(parameters={"Constants": MAX_CONSTANTS}).top
    banks = [node for node in top.children(unroll=True) if isinstance(node, MemNode)]
    assert {node.size * 8 for node in banks} == {MAX_LINE_BITS}
    assert max(node.absolute_address + node.size for node in banks) <= 1 << ADDR_BITS
    starts = sorted(node.absolute_address for node in banks)
    assert all(here + MAX_LINE_BITS // 8 <= there for here, there in pairwise(starts))


def test_config_hash_tells_configurations_apart() -> None:
    names = ("orup:w64", "orup:w65", "orup:w1024", "orup:w1024_r16")
    hashes = {config_hash(resolve(name)) for name in names}
    assert len(hashes) == len(names)
    assert all(0 < value < 2**32 for value in hashes)
