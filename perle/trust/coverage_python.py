# SPDX-License-Identifier: Apache-2.0
"""Line and branch coverage of Python packages by their own tests, counted by coverage.py.

A package's tests are in its folder; those of some of its modules are with the command that uses them, in a
package above it (BESIDE). Of a file that none of them executes the reason must be told (ELSEWHERE).
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from perle.flow.places import CHECKOUT, INSTALLED, PACKAGE
from perle.flow.tools import ToolError, run, venv_tool
from perle.trust.coverage_host import NAME, QUICK, ranges
from perle.trust.records import Record, Run

FLOORS = {"apps": 93, "explore": 95, "flow": 88, "report": 95, "results": 93}
"""Packages of `perle`, and the required coverage in percent of lines and branches together."""
BESIDE = {
    "flow": ("cli/test_cache.py", "measure/test_nexus.py"),
    "report": ("cli/test_reproduce.py",),
}
"""Tests of modules of a package that are in packages above it, by their paths in `perle`."""
ELSEWHERE = {
    "report": {
        "pictures.py": "a script that writes pictures; tests draw each of them by the function it calls"
    },
}
"""Files of a package that none of these tests executes, each with the reason."""
OMITTED = ("*/test_*.py", "*/conftest.py", "*/cocotb_*.py")
Files = dict[str, dict[str, Any]]
"""Report of coverage.py for each file, by its path relative to the package."""


def case(package: str) -> str:
    """Return the name of a package's record."""
    return f"perle.{package}"


def count(package: str, only: str = "") -> Files:
    """Run a package's quick tests whose names contain `only`; return what they executed.

    Raises ToolError if one fails or there is none. Other processes that they start are not counted.
    """
    if INSTALLED:
        raise ToolError("coverage", "needs a checkout: the tests are not installed")
    folder = PACKAGE / package
    with tempfile.TemporaryDirectory() as name:
        data, report = f"--data-file={name}/data", Path(name) / "report.json"
        tool: list[str | Path] = [venv_tool("coverage")]
        pytest = ["pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", QUICK, "-k", only]
        where = [folder, *beside(package)]
        run([*tool, "run", data, "--branch", f"--source={folder}", "-m", *pytest, *where], cwd=CHECKOUT)
        run([*tool, "json", data, "-q", "-o", report, f"--omit={','.join(OMITTED)}"], cwd=CHECKOUT)
        found = json.loads(report.read_text(encoding="utf-8"))["files"]
    return {(CHECKOUT / path).relative_to(folder).as_posix(): one for path, one in found.items()}


def beside(package: str) -> list[Path]:
    """Return the tests of a package that are not in its folder."""
    return [PACKAGE / path for path in BESIDE.get(package, ())]


def unexplained(found: Files, reasons: Mapping[str, str]) -> Iterator[str]:
    """Yield a failure for each idle file without a reason and for needless reasons."""
    idle = {name for name, one in found.items() if figures({name: one})["lines executed"] == 0 < _lines(one)}
    yield from (f"nothing of {name} is executed, without a reason" for name in sorted(idle - reasons.keys()))
    yield from (f"a reason for {name}, which is executed or gone" for name in sorted(reasons.keys() - idle))


def _lines(one: dict[str, Any]) -> int:
    return int(one["summary"]["num_statements"])


def figures(found: Files) -> dict[str, int]:
    """Return the totals of lines and branches."""
    names = {
        "lines": "num_statements",
        "lines executed": "covered_lines",
        "ways": "num_branches",
        "ways executed": "covered_branches",
    }
    return {name: sum(one["summary"][key] for one in found.values()) for name, key in names.items()}


def told(found: Files) -> Iterator[str]:
    """Yield how much of each file was executed, without those executed completely."""
    for name, one in sorted(found.items()):
        done = figures({name: one})
        if done["lines executed"] < done["lines"] or done["ways executed"] < done["ways"]:
            lines = f"{done['lines executed']} of {done['lines']}"
            ways = f", decisions {done['ways executed']} of {done['ways']}" if done["ways"] else ""
            yield f"{name} {lines}{ways}"


def compare(package: str, seed: int, only: str = "") -> Record:
    """Run the tests of a package, and record what they did not execute."""
    mine = Run(NAME, case(package), seed)
    found = count(package, only)
    counts = figures(found)
    reached, of = (counts["lines" + end] + counts["ways" + end] for end in (" executed", ""))
    if reached < FLOORS[package] / 100 * of:
        mine.fail(f"{reached} of {of} lines and decisions, {FLOORS[package]}% wanted")
    mine.settings["missed"] = {
        name: list(ranges(one["missing_lines"]))
        for name, one in sorted(found.items())
        if one["missing_lines"]
    }
    mine.settings["holes"] = [", ".join(parts)] if (parts := list(told(found))) else []
    mine.settings["elsewhere"] = ELSEWHERE.get(package, {})
    if not only:
        for what in unexplained(found, ELSEWHERE.get(package, {})):
            mine.fail(what)
    made_of = [*sorted((PACKAGE / package).glob("**/*.py")), *beside(package), Path(__file__)]
    return mine.end(counts, made_of, ("coverage",))
