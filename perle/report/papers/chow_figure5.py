# SPDX-License-Identifier: Apache-2.0
"""Figure 5 of chow2010, the resources of multipliers by width, from syntheses for the paper's device.

Of its numbers the paper prints those of 512 bits alone, in table II. `perle.report.figure5_svg` draws it.
"""

from __future__ import annotations

from perle.report.papers.chow2010 import AREA, CORES, DEVICE, PAPER
from perle.report.papers.table import Figure, Measured, Page, Row, computed
from perle.results import names

RESOURCES = {"LUTs": names.LUTS, "flip-flops": names.FF, "multipliers": names.DSP}
PRINTED = {("512", "LUTs"): "ours_luts", ("512", "multipliers"): "ours_multipliers"}


def printed(width: str, what: str) -> float | None:
    """Return what the paper prints of a width's resource; None where it only draws it."""
    claim = PRINTED.get((width, what))
    return None if claim is None else float(PAPER[claim].number)


def figure(measured: Measured, width: str, what: str) -> Figure:
    """Return what the core built as the paper's takes of a resource."""
    return measured(f"karatsuba:{CORES[width][0]}", AREA, RESOURCES[what])


def _row(measured: Measured, width: str, what: str) -> Row:
    label = f"figure 5: {what}, {width} bits ({CORES[width][0]})"
    unit = {"LUTs": "LUT"}.get(what, what)
    drawn = "" if printed(width, what) is not None else "drawn in the paper, not printed"
    return computed(
        label, printed(width, what), figure(measured, width, what), unit, printed_on=DEVICE, note=drawn
    )


def page(measured: Measured) -> Page:
    """Return LUTs, flip-flops and multipliers of the three widths."""
    rows = [_row(measured, width, what) for what in RESOURCES for width in CORES]
    remarks = ("Left, table II; here, LUTs with those that serve as memories and shift registers.",)
    return Page("chow2010.figure5", "Resources by width", tuple(rows), remarks=remarks)
