# SPDX-License-Identifier: Apache-2.0
"""The tile's leaf cells of the ECP5 behave as the generic ones, and use only the device's cells."""

from __future__ import annotations

from pathlib import Path

import pytest

from perle.cores.tile.conftest import CELLS, DEVICE, HERE
from perle.flow import yosys
from perle.flow.tools import ToolError

ADDER, MULTIPLIER, MEMORY = "perle_tile_adder", "perle_tile_leaf_mul", "perle_tile_memory"
PROOF = "sat -verify -prove-asserts -tempinduct -set-init-zero -maxsteps 5 miter"


def parts(leaf: str) -> list[Path]:
    """Return the files of a leaf of the device."""
    cell = {ADDER: "CCU2C", MULTIPLIER: "MULT18X18D", MEMORY: "DP16KD"}[leaf]
    return [DEVICE / f"{cell}.sv", DEVICE / f"{leaf}.sv"]


def equal(leaf: str, params: dict[str, int], device: list[Path], folder: Path) -> None:
    """Raise ToolError unless the generic leaf and the device's have equal outputs at all times."""
    lines = []
    for kind, files in (("generic", [HERE / f"{leaf}.sv"]), ("device", device)):
        names = [f"{kind}/{name}" for name in yosys.copied(files, folder / kind)]
        lines += [yosys.read(names, leaf, params), "flatten", "proc", f"rename {leaf} {kind}"]
        lines += [f"design -stash {kind}"]
    lines += [f"design -copy-from {kind} -as {kind} {kind}" for kind in ("generic", "device")]
    lines += ["miter -equiv -make_assert -flatten generic device miter", "hierarchy -top miter"]
    yosys.execute([*lines, "opt -full", "wreduce", "opt -full", "opt_merge", PROOF], folder, timeout=300)


@pytest.mark.parametrize(
    ("leaf", "params"),
    [
        *((ADDER, {"Bits": bits}) for bits in (1, 2, 3, 8, 19)),
        *((MULTIPLIER, {"Width": width, "Middle": middle}) for width in (3, 18) for middle in (0, 1)),
    ],
)
def test_it_does_what_the_generic_leaf_does(leaf: str, params: dict[str, int], tmp_path: Path) -> None:
    """The memory is tested by products of the tile instead: a proof over all its words takes too long."""
    equal(leaf, params, parts(leaf), tmp_path)


@pytest.mark.parametrize(
    ("leaf", "params", "old", "new"),
    [
        (ADDER, {"Bits": 3}, "16'h965a", "16'h966a"),
        (ADDER, {"Bits": 3}, "16'h000a", "16'h020a"),
        (MULTIPLIER, {"Width": 3, "Middle": 1}, ".A2(x[2])", ".A2(x[1])"),
        (MULTIPLIER, {"Width": 3, "Middle": 0}, 'Middle ? "CLK0"', '!Middle ? "CLK0"'),
    ],
)
def test_the_proof_can_fail(leaf: str, params: dict[str, int], old: str, new: str, tmp_path: Path) -> None:
    cell, file = parts(leaf)
    text = file.read_text(encoding="utf-8")
    assert old in text
    broken = tmp_path / file.name
    broken.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ToolError, match="proof did fail"):
        equal(leaf, params, [cell, broken], tmp_path / "work")


@pytest.mark.parametrize("tables", [(0x000A, 0x965A), (0x965A, 0x965A)])
def test_the_carry_cell_is_the_one_of_the_device(tables: tuple[int, int], tmp_path: Path) -> None:
    """The description here equals the one that comes with Yosys, for both tables that are in use."""
    settings = {f"INIT{i}": f"16'h{table:04x}" for i, table in enumerate(tables)}
    settings |= {"INJECT1_0": '"NO"', "INJECT1_1": '"NO"'}
    pins = [*(f"{pin}{i}" for i in range(2) for pin in "ABCD"), "CIN"]
    outs = ["S0", "S1", "COUT"]
    text = "module top({});\n  input {};\n  output {};\n  CCU2C #({}) u ({});\nendmodule\n".format(
        ", ".join([*pins, *outs]),
        ", ".join(pins),
        ", ".join(outs),
        ", ".join(f".{name}({value})" for name, value in settings.items()),
        ", ".join(f".{pin}({pin})" for pin in [*pins, *outs]),
    )
    (tmp_path / "top.v").write_text(text, encoding="utf-8")
    [cell] = yosys.copied([DEVICE / "CCU2C.sv"], tmp_path)
    (tmp_path / "top.sv").write_text(text, encoding="utf-8")
    script = [
        f"read_slang --threads 1 --top top {cell} top.sv",
        *("flatten", "proc", "rename top own", "design -stash own"),
        *(
            "read_verilog +/ecp5/common_sim.vh +/ecp5/ccu2c_sim.vh top.v",
            "hierarchy -top top",
            "flatten",
            "proc",
        ),
        *("rename top device", "design -stash device"),
        *(f"design -copy-from {kind} -as {kind} {kind}" for kind in ("own", "device")),
        *("miter -equiv -make_assert -flatten own device miter", "hierarchy -top miter"),
        *("opt -full", "sat -verify -prove-asserts miter"),
    ]
    yosys.execute(script, tmp_path, timeout=300)


@pytest.mark.parametrize(
    ("leaf", "params", "cells"),
    [
        (ADDER, {"Bits": 54}, {"CCU2C": 28}),
        (ADDER, {"Bits": 55}, {"CCU2C": 28}),
        (MULTIPLIER, {"Width": 18, "Middle": 1}, {"MULT18X18D": 1}),
        (MEMORY, {"Bits": 54, "Depth": 1024}, {"DP16KD": 3}),
    ],
)
def test_leaves_are_cells_of_the_device_alone(
    leaf: str, params: dict[str, int], cells: dict[str, int], tmp_path: Path
) -> None:
    made = yosys.synthesize(
        parts(leaf),
        leaf,
        params,
        [f"synth_ecp5 -noiopad -top {leaf}", "delete =A:blackbox"],
        tmp_path,
        blackboxes=[cell.stem for cell in CELLS],
    )
    assert made.cells == cells
