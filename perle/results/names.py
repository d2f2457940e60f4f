# SPDX-License-Identifier: Apache-2.0
"""Names of the metrics and targets that reports and budgets use; there may be others.

Counts have no unit; the names of other metrics end with their unit.
"""

from collections.abc import Mapping

LUT = "lut"
LUTS = "luts"
"""All LUTs in use, including those that carry chains and LUT memories occupy; computed, not recorded."""
FF = "ff"
CELLS = "cells"
LEVELS = "logic_levels"
DSP = "dsp"
BRAM = "bram"
SLICES, CLBS = "slices_min", "clbs_min"
"""Lower bounds of the slices and CLBs of a Xilinx device that the counted cells occupy."""
FMAX = "fmax_mhz"
AREA = "area_um2"
PERIOD = "period_ns_typ"
ENERGY, PRODUCT_ENERGY = "energy_pj_per_cycle", "energy_pj_per_product"
"""Dynamic energy per clock cycle and per product, with the switching activity of consecutive products of
random operands."""
BARE_PERIOD, WIRES_ENERGY = "period_ns_without_wires", "energy_pj_per_product_wires"
WIRES = "wires_mm"
"""Of placed cells: the period without wires, the part of the energy that charges wires, their length."""
PAIRS_ENERGY = {pairs: f"{ENERGY}_{pairs}_pairs" for pairs in (10, 1000)}
"""Dynamic energy per cycle of a processing element that alternates between two random vectors, averaged over
10 or 1,000 such pairs."""

ECP5_FAST, ECP5_SLOW = "ecp5_8", "ecp5_6"
ECP5_45_FAST, ECP5_25_FAST = "ecp5_45_8", "ecp5_25_8"
NEXUS = "lifcl40_9"
VIRTEX_E, VIRTEX_2, VIRTEX_6 = "xcve", "xc2v", "xc6v"
LUT4_ALONE = "xc3k"
"""FPGAs of 1990: four-input LUTs and registers, without carry chains."""
PROCESSES = SILICON, SILICON_PLACED = "ihp130", "ihp130-placed"
"""Standard cells before placement, and placed."""

TAKES_LUTS = {
    "ecp5": {"carry": 2, "lutram": 6},
    "lifcl40": {"carry": 2, "lutram": 6},
    **{key: {"lutram_lut": 1} for key in ("xc3k", "xcve", "xc2v", "xc6v", "xc7", "xcu")},
}
"""LUTs that one cell of another metric occupies, by the first part of the target's name.

A memory of 16 words of four bits takes three slices of Lattice's devices: two with its bits, and one with
the write port, whose LUTs cannot be used.
"""

RATED_MHZ = {"ecp5": 200.0}
"""Clock that the multipliers of a device are rated for, by the first part of the target's name, if known."""

CAPACITY = {
    "ecp5_25": {LUTS: 24_288, FF: 24_288, DSP: 28, BRAM: 56},
    "ecp5_45": {LUTS: 43_848, FF: 43_848, DSP: 72, BRAM: 108},
    "ecp5": {LUTS: 83_640, FF: 83_640, DSP: 156, BRAM: 208},
    "lifcl40": {LUTS: 32_256, FF: 32_256, DSP: 56, BRAM: 84},
}
"""Resources of a whole device: LFE5U-25F, LFE5U-45F, LFE5U-85F and LIFCL-40."""


def luts(target: str, cells: Mapping[str, float]) -> float:
    """Return the number of all LUTs in use, from counts of the metrics LUT and those in TAKES_LUTS."""
    more = TAKES_LUTS.get(target.partition("_")[0], {})
    return cells[LUT] + sum(each * cells.get(cell, 0) for cell, each in more.items())


AT = "@"
"""Separates a target's name from a clock for which place and route is to optimize, in MHz: ecp5_8@250."""


def grade(target: str) -> str:
    """Return a target without its clock constraint: the device at its speed grade."""
    return target.partition(AT)[0]


def device(target: str) -> str:
    """Return the device of a target: its name without the speed grade, if it has one."""
    return target.rpartition("_")[0] or target


def siblings(target: str) -> tuple[str, ...]:
    """Return the targets of the other devices of a family, at the same speed grade; large devices first."""
    own, speed = device(target), grade(target).rpartition("_")[2]
    family = [one for one in CAPACITY if one.partition("_")[0] == own.partition("_")[0]]
    others = sorted((one for one in family if one != own), key=lambda one: -CAPACITY[one][LUTS])
    return tuple(f"{one}_{speed}" for one in others) if own in CAPACITY else ()
