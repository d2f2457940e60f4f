# SPDX-License-Identifier: Apache-2.0
"""Coverage: of the hardware by a fixed workload, of the host library and Python packages by their own tests.

Code that is not executed is not tested. The converse does not hold: whether the tests detect faults in the
code that they execute is measured by mutation (`perle.trust.mutation`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from perle.cores.registry import families
from perle.trust import coverage_host, coverage_python, coverage_rtl
from perle.trust.coverage_rtl import NAME
from perle.trust.parts import Part, Task, Wanted
from perle.trust.records import Record


def tasks(wanted: Wanted) -> Iterator[Task]:
    """Yield a task per family, one for the host library, and one per Python package."""
    for family in families():
        if wanted.family in (None, family):
            run = partial(_rtl, family, wanted.seed)
            yield Task(NAME, family, run, basis=partial(_rtl_basis, family))
    if wanted.family in (None, coverage_host.CASE):
        run = partial(_host, wanted.seed)
        yield Task(NAME, coverage_host.CASE, run, basis=lambda: (coverage_host.made_of(), {}))
    for package in coverage_python.FLOORS:
        if wanted.family in (None, package):
            yield Task(NAME, coverage_python.case(package), partial(_python, package, wanted.seed))


def _rtl_basis(family: str) -> tuple[list[Path], dict[str, Any]]:
    return coverage_rtl.made_of(family), {}


def _rtl(family: str, seed: int, _before: Record | None) -> Record:
    return coverage_rtl.compare(family, seed)


def _host(seed: int, _before: Record | None) -> Record:
    return coverage_host.compare(seed, coverage_host.shares())


def _python(package: str, seed: int, _before: Record | None) -> Record:
    return coverage_python.compare(package, seed)


def row(one: Record) -> Sequence[str]:
    """Return the figures of a record."""
    cells = []
    for name in ("lines", "ways", "toggles"):
        of, reached = int(one.counts.get(name, 0)), int(one.counts.get(f"{name} executed", 0))
        cells.append(f"{reached:,} of {of:,}" if of else "–")
    return tuple(cells)


def remarks(one: Record) -> Sequence[str]:
    """Name what was not executed, with the reasons; for software, the files that were executed in part."""
    what = "not executed" if one.case in families() else "executed in part"
    whole = one.settings.get("elsewhere", {})
    return [
        *(f"{what}: {text}" for text in one.settings["holes"]),
        *(f"not executed at all: `{name}`: {why}" for name, why in whole.items()),
    ]


COVERAGE = Part(
    NAME,
    "Coverage",
    "A workload of edge and random operations on small configurations executes every line of a "
    "multiplier's sources and takes every branch both ways, or the exception is listed with its reason; "
    "the toggle coverage (each bit in each direction) reaches the required percentage. The host library's "
    "own tests reach the required line coverage in every folder, and the quick tests of each Python "
    "package the required line and branch coverage; code that runs in other processes is not counted, and "
    "neither is a child of fork(). Of software the share of each file is told, and a reason only for files "
    "of which nothing is executed. What is missing of libperle are mostly refusals and failures that no test "
    "brings about, and ends of blocks that only an exception reaches.",
    tasks,
    ("lines", "decisions", "toggles"),
    row,
    remarks,
    software=(coverage_host.CASE, *coverage_python.FLOORS),
)
