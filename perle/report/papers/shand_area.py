# SPDX-License-Identifier: Apache-2.0
"""Whether the designs of shand1990 fit into Perle-0, by their four-input LUTs and registers.

Perle-0 has 40 × 80 active bits, each a function of four inputs and a register: 25 XC3020 with 64 blocks of
two. The counts are lower bounds: the two functions of a block share five inputs, and nothing is placed or
routed.
"""

from __future__ import annotations

from perle.papers import load
from perle.report.papers.table import Conclusion, Figure, Measured, Page, Row, combined, computed
from perle.results.names import FF, LUT, LUT4_ALONE

PAPER = load("shand1990")
DEVICE = "Perle-0, 25 XC3020"
BOARD = "board"
FIXED, RIPPLE, FAST, ONE_BIT = "bus_mul:fixed512", "mod_product:ripple", "mod_product:fast", "radix2_ripple"
DESIGNS = {
    FIXED: "bus multiplier, fixed 512 bits (rows 2 and 3)",
    "bus_mul:variable512": "bus multiplier, up to 512 bits (rows 6 to 9)",
    "reg_mul:serial": "register multiplier (rows 10, 11, 14 to 16)",
    "reg_mul:booth": "two-bit register multiplier (rows 12, 13, 17 to 19)",
    RIPPLE: "modular product unit, two bits a cycle, carries in the same adders (rows 14 to 17)",
    FAST: "modular product unit, two bits a cycle, carry completion detector (rows 18 and 19)",
    f"mod_product:{ONE_BIT}": "modular product unit, one bit a cycle, carries in the same adders",
    "mod_product:w254": "modular product unit of ours, carries by words of 32 bits",
}
NOT_PRINTED = frozenset({f"mod_product:{ONE_BIT}", "mod_product:w254"})
"""Designs of which the paper does not say that they fit."""
BUDGET = float(PAPER["pam_columns"].number * PAPER["pam_rows"].number)
YES, NO = "fits", "does not fit"


def area(measured: Measured) -> Page:
    """Return the counts of every design, the capacity of Perle-0, and whether the design fits."""
    rows, conclusions = list[Row](), list[Conclusion]()
    for spec, what in DESIGNS.items():
        luts, ffs = (measured(spec, LUT4_ALONE, name, BOARD) for name in (LUT, FF))
        for kind, figure in (("LUT4", luts), ("registers", ffs)):
            note = f"{spec}; left: all of Perle-0's"
            rows.append(computed(f"{kind}: {what}", BUDGET, figure, "cells", printed_on=DEVICE, note=note))
        conclusions.append(_fits(spec, what, luts, ffs))
    wide, units = (measured(spec, LUT4_ALONE, LUT, BOARD) for spec in (FIXED, RIPPLE))
    of_bit = combined(
        lambda unit, plain: (
            (unit / float(PAPER["factor_bits"].number)) / (plain / float(PAPER["wide"].number))
        ),
        *(units, wide),
    )
    note = (
        "LUT4 for each bit of the unit of two bits a cycle over those of the bus multiplier; printed: least"
    )
    claim = PAPER["cell_factor"]
    rows.append(computed(claim.what, float(claim.number), of_bit, claim.unit, printed_on=DEVICE, note=note))
    remarks = (
        "Counted after synthesis; a block's two functions share five inputs: all of Perle-0 is a bound.",
        "Registers of the register multiplier are in static RAM: no cell. The bus's logic is in other chips.",
    )
    return Page("shand1990.area", "Does it fit into Perle-0?", tuple(rows), tuple(conclusions), remarks)


def _fits(spec: str, what: str, luts: Figure, ffs: Figure) -> Conclusion:
    """Return whether a design fits, compared with the paper, which ran all of the printed ones."""
    printed = "not printed" if spec in NOT_PRINTED else YES
    if luts.value is None or ffs.value is None:
        return Conclusion(what, printed, None, None, "; ".join((*luts.missing, *ffs.missing)))
    most = max(luts.value, ffs.value)
    found = YES if most <= BUDGET else NO
    counts = f"{luts.value:,.0f} LUT4 and {ffs.value:,.0f} registers of {BUDGET:,.0f}"
    same = None if spec in NOT_PRINTED else found == printed
    return Conclusion(what, printed, found, same, counts)
