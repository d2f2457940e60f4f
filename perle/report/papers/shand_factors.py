# SPDX-License-Identifier: Apache-2.0
"""Factors and counts in the text of shand1990, sections 1 to 4, compared with the rebuilt machine."""

from __future__ import annotations

from collections.abc import Mapping

from perle.papers import load
from perle.report.papers.shand1990 import PAPER, Rate
from perle.report.papers.table import Compared

WHY = {
    "bus_accesses": "one of many, overlapped, its carry kept apart",
    "latency": "steps of the model",
    "commands": "in registers",
    "register_count": "the closing Charge is the next product's",
    "register_all": "8 registers loaded, 6 instructions, 4 registers read",
    "mpu_cycles": "row 18's unit, mean over chained squarings, cycle of acceptance included; its detector "
    "sees the last carry at once",
    "cube_gain": "products of a 254-bit exponent, digits 1 and 3 against single bits, the last one included",
    "native_margin": "a 32 × 32-bit product of the least length, back to back, 66 ns; native: a word product "
    "in the host's model, loads and stores included",
    "download": "at least: a bus access for each byte; words of 32 bits would take a quarter",
}
"""Claims that are checked by counting, and what is counted."""
GAINS = {"total_speedup": 1, "host_speedup": 4, "machine_speedup": 5}
"""Speed-ups claimed in section 3, with the row that the best row's rate is divided by."""
BEST = 19


def factors(counts: Mapping[str, float], rates: Mapping[int, Rate]) -> list[Compared]:
    """Return the counts of sections 1 and 4, then the speed-ups of section 3 from measured rates of rows."""
    paper = load(PAPER)
    rows = [
        Compared(paper[claim].what, float(paper[claim].number), counts.get(claim), paper[claim].unit, why)
        for claim, why in WHY.items()
    ]
    for claim, number in GAINS.items():
        known = BEST in rates and number in rates
        ours = rates[BEST].baud / rates[number].baud if known else None
        told = f"row {BEST} over row {number}, both as measured here"
        rows.append(Compared(paper[claim].what, float(paper[claim].number), ours, paper[claim].unit, told))
    return rows
