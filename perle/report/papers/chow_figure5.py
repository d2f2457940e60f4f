# SPDX-License-Identifier: Apache-2.0
"""Figure 5 of chow2010: resources of multipliers by width, synthesized for the paper's device.

The paper prints only the numbers for 512 bits, in table II. `perle.report.figure5_svg` draws the figure.
"""

from __future__ import annotations

from perle.report.papers.chow2010 import AREA, CORES, DEVICE, PAPER
from perle.report.papers.table import Figure, Measured, Page, Row, computed
from perle.results import names

RESOURCES = {"LUTs": names.LUTS, "flip-flops": names.FF, "multipliers": names.DSP}
PRINTED = {("512", "LUTs"): "ours_luts", ("512", "multipliers"): "ours_multipliers"}


def printed(width: str, what: str) -> float | None:
    """Return the printed amount of a resource at a width; None if the paper only draws it."""
    claim = PRINTED.get((width, what))
    return None if claim is None else float(PAPER[claim].number)


def figure(measured: Measured, width: str, what: str) -> Figure:
    """Return the amount of a resource that the core built as in the paper needs."""
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
