# SPDX-License-Identifier: Apache-2.0
"""Xilinx devices, including those of the papers: area after synthesis of the core alone by Yosys.

There is no open place and route for them, hence no clock frequency. `logic_levels` is a measure of depth: the
number of cells on the longest path from register or port to register or port, where LUTs, multiplexers, carry
cells and multipliers without registers count one each. A carry cell is one bit in Virtex-E and Virtex-II,
four in Virtex-6 and 7 series, eight in UltraScale: compare only within a device.

`slices_min` (UltraScale: CLBs) is a lower bound: the number of full slices that would hold the LUTs, the
registers or the carry cells, whichever is largest. From Virtex-6 on, two LUTs of up to five inputs may share
a site. Multipliers of an UltraScale are inferred without their registers, which count as `ff`.

`xc3k` is for the chips of shand1990, which Yosys does not support: LUTs of four inputs and registers with an
enable, mapped as for a Virtex-E without carry chains, wide multiplexers and LUT memory. A CLB of an XC3000
has two of each, and its LUTs share five inputs, so this is a lower bound too. Memory is not part of these
chips.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import ceil

from perle.cores.registry import CORES, Config
from perle.flow import yosys
from perle.flow.circuit import Circuit
from perle.flow.tools import ToolError
from perle.measure.design import Design
from perle.measure.target import Job, unmapped
from perle.results import Metrics

PRIM = CORES / "prim" / "xilinx"
BLOCK = "MULT18X18S"

# Figure → pattern of the cells that it counts. A cell that matches no pattern is an error.
KINDS = {
    "lut": r"LUT[1-6]|INV",
    "ff": r"FD[RSCP]E(_1)?",
    "carry": r"MUXCY|CARRY4|CARRY8",
    "mux": r"MUXF[5-9]",
    "dsp": r"MULT18X18S?|DSP48E[12]",
    "bram": r"RAMB\w+",
    "lutram": r"RAM(16|32|64|128|256|512)(X|M)\w*",
    "srl": r"SRLC?(16|32)E?",
}
FREE = r"XORCY|MULT_AND|BUFG|GND|VCC"  # part of a slice's carry chain, or not logic

# LUTs that a memory cell occupies, if not one.
LUTS_OF = {
    "RAM16X1D": 2,
    "RAM32X1S": 2,
    "RAM32X1D": 2,
    "RAM64X1D": 2,
    "RAM128X1S": 2,
    "RAM128X1D": 4,
    "RAM256X1S": 4,
    "RAM32M": 4,
    "RAM64M": 4,
    "RAM32M16": 8,
    "RAM64M8": 8,
}
VIRTEX_2 = {"RAM32X1D": 4, "RAM64X1S": 4, "RAM64X1D": 8, "RAM128X1S": 8}


@dataclass(frozen=True)
class Slice:
    """Contents of a slice, and the number of slices in a CLB."""

    luts: int
    ffs: int
    carries: int
    per_clb: int
    shared: bool  # two small LUTs may share a site


FOUR_INPUT = Slice(2, 2, 2, 2, shared=False)
CLB_OF_1990 = Slice(2, 2, 1, 1, shared=False)
SIX_INPUT = Slice(4, 8, 1, 2, shared=True)


@dataclass(frozen=True)
class Xilinx:
    """A device family, by its name in Yosys."""

    name: str
    title: str
    slice: Slice
    family: str = ""  # if it differs from the name
    options: str = ""

    @property
    def tools(self) -> tuple[str, ...]:
        """Synthesis only."""
        return (yosys.TOOL,)

    @property
    def needs(self) -> tuple[str, ...]:
        """Its tools."""
        return self.tools

    @property
    def seeded(self) -> bool:
        """Synthesis has no seed."""
        return False

    @property
    def script(self) -> tuple[str, ...]:
        """Commands, without I/O and clock buffers; the levels are counted while cell ports are known."""
        synth = f"synth_xilinx -family {self.family or self.name} -flatten -noiopad -noclkbuf{self.options}"
        return synth, self.levels, "delete =A:blackbox"

    @property
    def levels(self) -> str:
        """The command that finds the longest path, which ends at cells with internal registers."""
        registered = "t:FD* t:RAMB* t:SRL* t:MULT18X18S t:DSP48E? r:MREG=1 %i t:DSP48E? r:PREG=1 %i"
        return f"select -set registered {registered}; tee -q -o levels.txt ltp @registered %n"

    @property
    def settings(self) -> dict[str, object]:
        """The commands."""
        return {"script": self.script}

    def prepare(self, design: Design, config: Config, part: str) -> Design:  # noqa: ARG002
        """Use the multiplier block with its register, if synthesis does not do this itself."""
        leaves = {path.name: path for path in PRIM.glob("perle_*.sv")} if self.name == "xc2v" else {}
        if not leaves.keys() & {path.name for path in design.files}:
            return design
        own = design.with_leaves(leaves)
        return replace(own, files=(PRIM / f"{BLOCK}.sv", *own.files))

    def circuit(self, job: Job) -> Circuit:
        """Return the circuit before mapping: the netlist of operators, registers and memories."""
        return unmapped(job, blackboxes=_blocks(job))

    def run(self, job: Job) -> Metrics:
        """Synthesize and count."""
        made = yosys.synthesize(
            job.design.files,
            job.design.top,
            job.design.params,
            self.script,
            job.workdir,
            blackboxes=_blocks(job),
            timeout=job.timeout,
        )
        found = re.search(r"path in .* \(length=(\d+)\)", (job.workdir / "levels.txt").read_text("utf-8"))
        if found is None:
            raise ToolError(yosys.TOOL, "ltp finds no path")
        return figures(made.cells, self.slice, virtex_2=self.name == "xc2v") | {
            "logic_levels": float(found[1])
        }


def _blocks(job: Job) -> list[str]:
    return [BLOCK] if any(path.stem == BLOCK for path in job.design.files) else []


def figures(cells: Mapping[str, int], one: Slice, *, virtex_2: bool = False) -> Metrics:
    """Return counts by kind, of LUTs also by inputs, and the minimum number of slices."""
    found = dict.fromkeys(KINDS, 0.0)
    inputs = {f"lut{n}": 0.0 for n in range(1, 7)}
    memory = 0
    for cell, count in cells.items():
        kind = next((kind for kind, pattern in KINDS.items() if re.fullmatch(pattern, cell)), None)
        if kind is None and re.fullmatch(FREE, cell) is None:
            raise ToolError(yosys.TOOL, f"cell {cell} is not counted among {', '.join(KINDS)}")
        if kind is not None:
            found[kind] += count
        if kind == "lut":
            inputs["lut1" if cell == "INV" else cell.lower()] += count
        if kind in ("lutram", "srl"):
            sizes = LUTS_OF | (VIRTEX_2 if virtex_2 else {})
            memory += count * sizes.get(cell, 1)
    places = found["lut"]
    if one.shared:
        places = inputs["lut6"] + ceil((found["lut"] - inputs["lut6"]) / 2)
    needs = ((places + memory) / one.luts, found["ff"] / one.ffs, found["carry"] / one.carries)
    slices = float(max(map(ceil, needs)))
    more = {"lutram_lut": float(memory), "slices_min": slices, "clbs_min": float(ceil(slices / one.per_clb))}
    return found | {name: count for name, count in inputs.items() if count} | more


PLAIN = " -nowidelut -nocarry -nolutram -nosrl"
TARGETS = (
    Xilinx("xc3k", "four-input LUTs and registers of an XC3000, area only", CLB_OF_1990, "xcve", PLAIN),
    Xilinx("xcve", "Xilinx Virtex-E, area only", FOUR_INPUT),
    Xilinx("xc2v", "Xilinx Virtex-II, area only", replace(FOUR_INPUT, per_clb=4)),
    Xilinx("xc6v", "Xilinx Virtex-6, area only", SIX_INPUT),
    Xilinx("xc7", "Xilinx 7 series, area only", SIX_INPUT),
    Xilinx("xcu", "Xilinx UltraScale, area only", Slice(8, 16, 1, 1, shared=True)),
)
