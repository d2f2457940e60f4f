# SPDX-License-Identifier: Apache-2.0
"""IHP SG13G2 as in `ihp130`, then placed: with the wires between cells, not yet routed, and no clock tree.

The netlist of `ihp130` is placed (`perle.measure.placed`). Delays are with the wires of that placement, and
energies with their capacitance. Figures without wires are of the same netlist, which has more buffers and
other sizes than that of `ihp130`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from perle.cores.registry import Config
from perle.flow import liberty, opensta, pdk, placer
from perle.flow.circuit import Circuit
from perle.measure import gates, placed, wires
from perle.measure.design import Design, NoSuchPartError
from perle.measure.target import Job
from perle.measure.targets.ihp130 import TYPICAL, Ihp130, cells, per_cycle
from perle.results import Metrics, names

PART = "mul"
NONE = opensta.Estimate.NONE


@dataclass(frozen=True)
class Ihp130Placed:
    """The process, with cells placed."""

    before: Ihp130 = field(default_factory=Ihp130)
    name: str = names.SILICON_PLACED
    title: str = "IHP SG13G2, 130 nm, 1.2 V, standard cells placed, wires estimated"
    tools: tuple[str, ...] = (*Ihp130.tools, placer.TOOL)
    seeded: bool = False
    needs: tuple[str, ...] = (*tools, "PDK_ROOT")

    @property
    def settings(self) -> dict[str, object]:
        """Those before placement, and those of placement, buffers and wires."""
        return {
            **self.before.settings,
            "placement": [placed.UTILIZATION, placer.EFFORT, placer.SEED],
            "buffers": [*placed.LOADS_FF, *placed.STRENGTHS],
            "wires": [wires.OHM_PER_UM, wires.FF_PER_UM],
        }

    def prepare(self, design: Design, config: Config, part: str) -> Design:
        """Replace generic leaf cells by those of the library; NoSuchPartError except for a multiplier."""
        if part != PART:
            raise NoSuchPartError(f"{self.name} places {PART!r} only, not {part!r}")
        return self.before.prepare(design, config, part)

    def circuit(self, job: Job) -> Circuit:
        """Return the circuit before mapping."""
        return self.before.circuit(job)

    def run(self, job: Job) -> Metrics:
        """Map, place, analyse timing in all corners, simulate, and analyse power."""
        typical = pdk.liberty(TYPICAL)
        text = typical.read_text(encoding="utf-8")
        found = placed.placed(
            self.before.mapped(job), typical, liberty.library(text), job.workdir, job.timeout
        )
        made = found.made
        powered = gates.for_power(made, job.workdir)
        figures = cells(made) | {
            "core_um2": found.core.um2,
            "buffers_at_wires": float(found.buffers),
            names.WIRES: sum(wire.um for wire in found.wires.values()) / 1000,
            names.BARE_PERIOD: opensta.timing(
                typical, made.files, made.top, job.workdir, wires=NONE, timeout=job.timeout
            ).period_ns,
        }
        figures |= self.before.timed(made, powered, job, found.parasitics)
        seen = self.before.simulated(powered, job)
        charged = wires.switched_pj(found.wires, seen.nets, liberty.volts(text))
        products = seen.cycles / seen.products
        cycle = self.before.cycle(powered, seen, job, NONE) + charged
        energies = {names.PRODUCT_ENERGY: cycle * products, names.WIRES_ENERGY: charged * products}
        return figures | per_cycle(cycle, seen) | energies


TARGETS = (Ihp130Placed(),)
