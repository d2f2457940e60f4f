# SPDX-License-Identifier: Apache-2.0
"""The leaf cells of the ECP5 behave as the generic ones, with their registers inside the device's block."""

from __future__ import annotations

import ctypes
import json
import re
from pathlib import Path

import pytest

from perle.cores.registry import CORES
from perle.flow import verible, verilator, yosys
from perle.flow.tools import ToolError

PRIM = CORES / "prim"
DEVICE = PRIM / "ecp5"
LEAVES = ["perle_mul_reg2"]
# Beyond 18 bits a leaf cell has no block of the device and is left to synthesis.
WIDTHS = [3, 17, 18, 19]
# Both leaves start from zero: the registers depend on the last two inputs only, whatever the initial state.
PROOF = "sat -verify -prove-asserts -tempinduct -set-init-zero -maxsteps 4 miter"


def sources(leaf: str) -> list[Path]:
    return [DEVICE / "MULT18X18D.sv", DEVICE / "perle_ecp5_mul.sv", DEVICE / f"{leaf}.sv"]


def prove_equal(leaf: str, width: int, device: list[Path], folder: Path) -> None:
    """Raise ToolError unless the generic leaf and the device's have equal outputs at all times."""
    generic = yosys.copied([PRIM / f"{leaf}.sv"], folder / "generic")
    names = yosys.copied(device, folder / "device")
    lines = []
    for kind, files in (("generic", generic), ("device", names)):
        lines += [
            yosys.read([f"{kind}/{name}" for name in files], leaf, {"Width": width}),
            "flatten",
            "proc",
            f"rename {leaf} {kind}",
            f"design -stash {kind}",
        ]
    lines += [f"design -copy-from {kind} -as {kind} {kind}" for kind in ("generic", "device")]
    lines += ["miter -equiv -make_assert -flatten generic device miter", "hierarchy -top miter"]
    # Constant zeros above narrow factors are removed, then equal multipliers are merged, so that the proof
    # concerns the registers only.
    yosys.execute([*lines, "opt -full", "wreduce", "opt -full", "opt_merge", PROOF], folder, timeout=300)


@pytest.mark.parametrize("leaf", LEAVES)
@pytest.mark.parametrize("width", WIDTHS)
def test_it_does_what_the_generic_leaf_does(leaf: str, width: int, tmp_path: Path) -> None:
    prove_equal(leaf, width, sources(leaf), tmp_path)


@pytest.mark.parametrize(
    ("leaf", "file", "old", "new"),
    [
        ("perle_mul_reg2", "perle_ecp5_mul.sv", ".CE0(en_i)", ".CE0(x_i[0])"),
        ("perle_mul_reg2", "perle_ecp5_mul.sv", ".A2(x_i[2])", ".A2(x_i[1])"),
        ("perle_mul_reg2", "perle_ecp5_mul.sv", ".P4(p_o[4]), .P5(p_o[5])", ".P5(p_o[4]), .P4(p_o[5])"),
    ],
)
def test_the_proof_can_fail(leaf: str, file: str, old: str, new: str, tmp_path: Path) -> None:
    broken = tmp_path / file
    text = (DEVICE / file).read_text(encoding="utf-8")
    assert old in text
    broken.write_text(text.replace(old, new), encoding="utf-8")
    device = [broken if path.name == file else path for path in sources(leaf)]
    with pytest.raises(ToolError, match="proof did fail"):
        prove_equal(leaf, 3, device, tmp_path / "work")


@pytest.mark.parametrize("leaf", LEAVES)
@pytest.mark.parametrize("width", [17, 18])
def test_registers_are_in_the_block(leaf: str, width: int, tmp_path: Path) -> None:
    """The leaf is one block without flip-flops or logic outside; it has the leaf's clock and enable."""
    made = yosys.synthesize(
        sources(leaf),
        leaf,
        {"Width": width},
        [f"synth_ecp5 -noiopad -top {leaf}", "delete =A:blackbox"],
        tmp_path,
        blackboxes=["MULT18X18D"],
    )
    assert made.cells == {"MULT18X18D": 1}
    module = json.loads(made.json.read_text())["modules"][leaf]
    (block,) = module["cells"].values()
    assert block["parameters"] == {
        "REG_INPUTA_CLK": "CLK0",
        "REG_INPUTB_CLK": "CLK0",
        "REG_OUTPUT_CLK": "CLK0",
        "GSR": "DISABLED",
    }
    ports = {name: one["bits"] for name, one in module["ports"].items()}
    assert block["connections"]["CLK0"] == ports["clk_i"]
    assert block["connections"]["CE0"] == ports.get("en_i", ["1"])


BLOCKS = [DEVICE / "DP16KD.sv", DEVICE / "PDPW16KD.sv"]
RAM, BLOCK_RAM = DEVICE / "perle_ram.sv", DEVICE / "perle_block_ram.sv"
MEMORY = [BLOCKS[0], RAM]
BLOCK_MEMORY = [*BLOCKS, RAM, BLOCK_RAM]


MODULE = re.compile(r"^module perle_(block_)?ram ", re.MULTILINE)


def deepest(memory: str) -> int:
    """Return the number of words of the deepest memory that the testbench builds."""
    return 512 if "perle_block_ram" in memory else 40000


def differing(device: str, folder: Path) -> int:
    """Return the shapes, one bit each, in which a memory of the device differs from the generic one.

    The memory of the device is renamed to `device_ram`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    generic = (PRIM / "perle_ram.sv").read_text(encoding="utf-8")
    files = [folder / "generic_ram.sv", folder / "device_ram.sv"]
    for path, text in zip(files, (generic, device), strict=True):
        path.write_text(MODULE.sub(f"module {path.stem} ", text), encoding="utf-8")
    built = verilator.build_so(
        "perle_ram_testbench",
        [*BLOCKS, *files, PRIM / "perle_ram_testbench.sv"],
        [PRIM / "perle_ram_testbench.cpp"],
        {"Deepest": deepest(device)},
        folder / "bench.so",
        opt="-O0",
    )
    found: int = ctypes.CDLL(str(built)).differing(1000)
    return found


@pytest.mark.parametrize("memory", [RAM, BLOCK_RAM], ids=lambda path: path.stem)
def test_the_memory_does_what_the_generic_one_does(memory: Path, tmp_path: Path) -> None:
    assert differing(memory.read_text(encoding="utf-8"), tmp_path) == 0


@pytest.mark.parametrize(
    ("memory", "old", "new", "shapes"),
    [
        (RAM, '"OUTREG"', '"NOREG"', 0b010111111),
        (RAM, "14'd3", "14'd1", 0b000000011),
        (BLOCK_RAM, '"OUTREG"', '"NOREG"', 0b101000000),
        (BLOCK_RAM, "{dout[17:0], dout[35:18]}", "dout", 0b101000000),
        (BLOCK_RAM, "<< 5", "<< 4", 0b101000000),
        (BLOCK_RAM, "= 9'(waddr_i)", "= 9'(waddr_i) | 9'd1", 0b101000000),
    ],
)
def test_the_bench_can_fail(memory: Path, old: str, new: str, shapes: int, tmp_path: Path) -> None:
    text = memory.read_text(encoding="utf-8")
    assert old in text
    assert differing(text.replace(old, new), tmp_path) == shapes


@pytest.mark.parametrize(
    ("memory", "bits", "depth", "cells"),
    [
        ("perle_ram", 38, 1500, {"DP16KD": 5}),
        ("perle_block_ram", 64, 19, {"PDPW16KD": 2}),
    ],
)
def test_memories_are_blocks_alone(
    memory: str, bits: int, depth: int, cells: dict[str, int], tmp_path: Path
) -> None:
    """There are as many blocks as the words need, and no logic outside: output registers are inside."""
    made = yosys.synthesize(
        BLOCK_MEMORY,
        memory,
        {"Bits": bits, "Depth": depth},
        [f"synth_ecp5 -noiopad -top {memory}", "delete =A:blackbox"],
        tmp_path,
        blackboxes=[block.stem for block in BLOCKS],
    )
    assert made.cells == cells


def test_style_and_warnings() -> None:
    verible.lint(sorted(DEVICE.glob("*.sv")))
    verible.lint([PRIM / f"perle_{name}.sv" for name in ("ram", "block_ram", "ram_testbench")])
    for leaf in LEAVES:
        for width in (3, 18):
            verilator.lint(sources(leaf), leaf, {"Width": width})
    for depth in (16, 1024, 5000):
        verilator.lint(MEMORY, "perle_ram", {"Bits": 20, "Depth": depth})
    for depth in (3, 19, 100, 512):
        verilator.lint(BLOCK_MEMORY, "perle_block_ram", {"Bits": 64, "Depth": depth})
