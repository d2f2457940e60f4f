# SPDX-License-Identifier: Apache-2.0
"""Picture `papers/lineage.svg`: area · time and latency of the papers' systems over the years.

`python -m perle.report.pictures --write` draws it from recorded measurements; a test checks that the
committed picture is up to date.
"""

from __future__ import annotations

from perle.papers import LINEAGE
from perle.report import lineage
from perle.report.costs import AREA_TIME
from perle.report.plot_svg import Axis, Dot, stacked

PICTURE = LINEAGE.with_suffix(".svg")
YEARS = (1990, 1995, 2000, 2005, 2010, 2015, 2020, 2025, 2030)
WHAT = (
    "For each system, at its year, the LUTs times the time from one modular product to the next, and the "
    "latency of a product, all of 256 bits and measured on the same device."
)


def draw(found: list[lineage.System]) -> str:
    """Return the SVG text; systems that were not measured are left out."""

    def name(one: lineage.System) -> str:
        return one.core.partition(":")[0]

    area = [Dot(one.year, one.lut_us, name(one)) for one in found if one.lut_us is not None]
    time = [Dot(one.year, one.product_us, name(one)) for one in found if one.product_us is not None]
    title = "A modular product of 256 bits on one device: five papers and after"
    made = f"made by perle.report.lineage_svg from {LINEAGE.name}"
    panels = ((Axis(AREA_TIME, log=True), area), (Axis("latency of a product, µs", log=True), time))
    return stacked(made, title, WHAT, Axis("year", ticks=YEARS), panels)
