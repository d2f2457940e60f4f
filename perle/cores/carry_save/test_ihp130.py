# SPDX-License-Identifier: Apache-2.0
"""The multiplier with its operands in latches of IHP SG13G2 behaves as with registers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from perle.cores import leaves
from perle.cores.carry_save.test_rtl import run_and_check, tiny
from perle.cores.registry import Config, resolve
from perle.flow import liberty, pdk, verible, verilator, yosys
from perle.verify.cases import edge_moduli, edge_operands, operand_limit, random_modulus
from perle.verify.failure import BenchError
from perle.verify.testbench import MUL, REDUCE, ContractBench, Op

LEAF = leaves.CARRY_SAVE / "perle_carry_save_operands.sv"
CELLS = ("sg13g2_nor2_1", "sg13g2_dlhrq_1")


def latched(config: Config, files: tuple[Path, ...] = ()) -> Config:
    """Return a configuration with its operands in latches, of the leaf's files or of others."""
    own = files or leaves.for_ihp130(config.family.files)
    return replace(config, family=replace(config.family, files=own))


def products(config: Config, count: int, contexts: int = 1) -> None:
    """Edges and random operands, OpMul and OpReduce mixed, with and without stalls; then a chain."""
    rng = Random(config.width)
    with ContractBench(config, contexts) as bench:
        for seed in (0, 1 + rng.getrandbits(20)):
            moduli = [rng.choice([*edge_moduli(config.width), random_modulus(rng, config.width)])]
            moduli += [random_modulus(rng, config.width) for _ in range(contexts - 1)]
            ops = []
            for ctx, m in enumerate(moduli):
                limit = operand_limit(config, m)
                values = [*edge_operands(m, limit), *(rng.randrange(limit) for _ in range(count))]
                ops += [Op(MUL, x, rng.choice(values), ctx) for x in values for _ in range(2)]
                ops += [Op(REDUCE, rng.choice(values), y, ctx) for y in values]
            rng.shuffle(ops)
            run_and_check(bench, moduli, ops, seed=seed)


WIDE = [pytest.param(2, 1, marks=pytest.mark.wide), pytest.param(16, 1, marks=pytest.mark.wide)]


@pytest.mark.parametrize(("radix", "delay"), [(4, 1), (8, 2), *WIDE])
def test_products(radix: int, delay: int) -> None:
    products(latched(tiny(41, radix, delay)), 30)


@pytest.mark.wide
def test_products_of_256_bits_of_two_moduli() -> None:
    products(latched(resolve("carry_save:w256")), 100, contexts=2)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("hold_y_q <= !open_next_i && !modulus_q;", "hold_y_q <= !open_next_i && !modulus_next_i;"),
        pytest.param("hold_x_q <= !open_next_i;", "hold_x_q <= 1'b0;", marks=pytest.mark.wide),
        pytest.param("open_q ? Rows'(1) :", "open_q ? Rows'(2) :", marks=pytest.mark.wide),
        ("own_q ? y_i[g+:Size] : modulus_i[g+:Size]", "y_i[g+:Size]"),
    ],
)
def test_products_can_fail(old: str, new: str, tmp_path: Path) -> None:
    text = LEAF.read_text(encoding="utf-8")
    assert text.count(old) == 1
    broken = tmp_path / LEAF.name
    broken.write_text(text.replace(old, new), encoding="utf-8")
    config = tiny(41, 4, 1)
    files = tuple(broken if path == LEAF else path for path in leaves.for_ihp130(config.family.files))
    with pytest.raises((AssertionError, BenchError)):
        products(latched(config, files), 10)


def test_leaf_cells_have_no_warnings() -> None:
    files = [leaves.CARRY_SAVE / f"{cell}.sv" for cell in CELLS]
    verible.lint([*files, LEAF])
    verilator.lint([*files, LEAF], LEAF.stem, {}, ["-Wno-SYNCASYNCNET"])


@pytest.mark.skipif(not pdk.there(), reason="needs PDK_ROOT with IHP SG13G2")
@pytest.mark.parametrize("cell", CELLS)
def test_cells_are_those_of_the_library(cell: str, tmp_path: Path) -> None:
    """The cells described here always equal those of the library."""
    models = liberty.models(pdk.liberty("typ"), tmp_path)
    [own] = yosys.copied([leaves.CARRY_SAVE / f"{cell}.sv"], tmp_path)
    lines = [yosys.read([own], cell, {}), "proc", f"rename {cell} own", "design -stash own"]
    lines += [f"read_verilog {models.name}", f"hierarchy -top {cell}", "flatten", "proc"]
    lines += [f"rename {cell} library", "design -stash library"]
    lines += [f"design -copy-from {kind} -as {kind} {kind}" for kind in ("own", "library")]
    lines += ["miter -equiv -make_assert -flatten own library miter", "hierarchy -top miter", "clk2fflogic"]
    lines += ["sat -verify -prove-asserts -tempinduct -set-init-zero -maxsteps 8 miter"]
    yosys.execute(lines, tmp_path, timeout=300)
