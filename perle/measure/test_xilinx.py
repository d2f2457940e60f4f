# SPDX-License-Identifier: Apache-2.0
"""Counting of Xilinx cells, and where multipliers and their registers end up."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.cores.registry import CORES, resolve
from perle.flow import yosys
from perle.flow.tools import ToolError
from perle.measure.design import Design
from perle.measure.target import Job, every
from perle.measure.targets.xilinx import FOUR_INPUT, PRIM, SIX_INPUT, TARGETS, figures
from perle.results import Metrics

MUL = Design("perle_mul_reg2", (CORES / "prim" / "perle_mul_reg2.sv",), {"Width": 17})
CONFIG = resolve("orup:w64")


def measured(name: str, design: Design, folder: Path) -> Metrics:
    target = every()[name]
    own = target.prepare(design, CONFIG, "mul")
    return target.run(Job(CONFIG, "mul", own, 0, folder, 300))


def test_every_device_is_a_target() -> None:
    assert {"xc3k", "xcve", "xc2v", "xc6v", "xc7", "xcu"} == {one.name for one in TARGETS}
    assert {one.name for one in TARGETS} <= set(every())
    slices = {one.name: one.slice.per_clb for one in TARGETS}
    assert slices == {"xc3k": 1, "xcve": 2, "xc2v": 4, "xc6v": 2, "xc7": 2, "xcu": 1}


@pytest.mark.parametrize(
    ("name", "ff"),
    [
        ("xc2v", 34),  # its block has no registers at its inputs
        pytest.param("xc6v", 0, marks=pytest.mark.wide),
        ("xc7", 0),
        pytest.param("xcu", 68, marks=pytest.mark.wide),
    ],
)
def test_a_multiplier_lies_in_its_block_with_its_registers(name: str, ff: int, tmp_path: Path) -> None:
    found = measured(name, MUL, tmp_path)
    assert found["dsp"] == 1
    assert found["lut"] == 0
    assert found["ff"] == ff  # an UltraScale's block is inferred without its registers


def test_a_virtex_e_multiplies_with_luts(tmp_path: Path) -> None:
    narrow = Design(MUL.top, MUL.files, {"Width": 4})
    found = measured("xcve", narrow, tmp_path)
    assert found["dsp"] == 0
    assert found["ff"] == 16
    assert found["lut"] == sum(found.get(f"lut{n}", 0) for n in range(1, 7)) > 8
    # 4·4 bits: a few LUTs one after the other, and no more than all cells
    assert 2 <= found["logic_levels"] <= found["lut"] + found["carry"] + found["mux"] + 8


def test_levels_end_at_registers(tmp_path: Path) -> None:
    """Three stages of one LUT each: one level, not three."""
    source = tmp_path / "stages.sv"
    source.write_text(
        "module stages (input logic clk_i, input logic [15:0] a_i, output logic q_o);\n"
        "logic a, b; always_ff @(posedge clk_i) begin\n"
        "a <= ^a_i[5:0]; b <= a ^ (&a_i[10:6]); q_o <= b ^ (|a_i[15:11]); end\n"
        "endmodule\n",
        encoding="utf-8",
    )
    found = measured("xc7", Design("stages", (source,), {}), tmp_path / "work")
    assert found["logic_levels"] == 1
    assert found["lut"] == found["ff"] == 3


def test_the_leaf_is_the_generic_multiplier_bit_for_bit(tmp_path: Path) -> None:
    """Proved for narrow factors, which lie in the block too, for every cycle after power-up."""
    names = yosys.copied([PRIM / "MULT18X18S.sv", PRIM / "perle_mul_reg2.sv", *MUL.files], tmp_path)
    script = [f"read_slang --threads 1 --top perle_mul_reg2 -G Width=4 {names[2]}"]
    script += ["rename -top generic", "flatten", "design -stash generic"]
    script += [f"read_slang --threads 1 --top perle_mul_reg2 -G Width=4 {names[0]} {names[1]}"]
    script += ["flatten", "rename -top leaf", "design -stash leaf"]
    script += [f"design -copy-from {name} {name}" for name in ("generic", "leaf")]
    script += ["proc", "opt_clean", "miter -equiv -make_assert -flatten generic leaf both"]
    script += ["sat -verify -prove-asserts -set-init-zero -tempinduct both"]
    yosys.execute(script, tmp_path, timeout=120)


def test_slices_are_bounded_from_below() -> None:
    cells = {"LUT6": 4, "LUT5": 3, "LUT2": 4, "INV": 1, "FDRE": 17, "CARRY4": 2, "RAM32M": 2, "SRL16E": 1}
    found = figures(cells, SIX_INPUT)
    assert found["lut"] == 12
    assert found["lut1"] == 1
    assert found["lutram_lut"] == 9
    assert found["slices_min"] == 5  # 4 + ⌈8/2⌉ + 9 places, four in a slice
    assert found["clbs_min"] == 3
    assert figures({"LUT6": 8, "LUT2": 8}, SIX_INPUT)["slices_min"] == 3  # 8 + 8/2 places
    assert figures({"FDRE": 17, "LUT1": 1}, SIX_INPUT)["slices_min"] == 3
    assert figures({"LUT4": 5, "MUXCY": 4}, FOUR_INPUT)["slices_min"] == 3  # nothing shares a place
    assert figures({"LUT4": 1, "MUXCY": 9, "XORCY": 9}, FOUR_INPUT)["slices_min"] == 5
    old, new = figures({"RAM64X1D": 1}, FOUR_INPUT, virtex_2=True), figures({"RAM64X1D": 1}, SIX_INPUT)
    assert (old["lutram_lut"], new["lutram_lut"]) == (8, 2)
    assert figures({"RAM64M": 2, "RAM128X1D": 1, "RAM64M8": 1}, SIX_INPUT)["lutram_lut"] == 8 + 4 + 8


def test_a_cell_that_nobody_counts_is_an_error() -> None:
    with pytest.raises(ToolError, match="LDCE"):
        figures({"LDCE": 1}, SIX_INPUT)
