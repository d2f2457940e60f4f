# SPDX-License-Identifier: Apache-2.0
"""Questions to `perle.report.choose` over measurements made up for tests."""

from __future__ import annotations

from pathlib import Path

from perle.report.choose.choice import Choice, choose
from perle.report.choose.question import Limit, Objective, Operation, Question
from tests.stores import Given, store

T = "ecp5_8"
CELLS = {"carry": 0.0, "lutram": 0.0, "bram": 0.0, "dsp": 0.0}


def cells(lut: float, clock: float, **more: float) -> dict[str, float]:
    """Return the metrics of a core with as many flip-flops as LUTs and nothing else, its clock in MHz."""
    return {**CELLS, "lut": lut, "ff": lut, "fmax_mhz": clock, **more}


def ask(
    folder: Path, given: Given, operation: Operation, bits: int, *limits: Limit, **more: Objective
) -> Choice:
    """Return the answer on target T from a store of these measurements."""
    return choose(Question(operation, bits, (T,), limits, **more), store(folder, given))


def cores(found: Choice) -> list[str]:
    """Return the measured cores within the limits, best first."""
    return [one.candidate.point.core for one in found.fits]
