# SPDX-License-Identifier: Apache-2.0
"""Line coverage of the host library by its own tests, counted by the compiler (gcov).

The tests are those in C++, and the Python tests of the drivers of active memories, which need simulated ones.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

from perle.flow import tools
from perle.flow.host_make import make_host
from perle.flow.places import CHECKOUT, HOST, INSTALLED, PACKAGE, build_folder
from perle.trust import records
from perle.trust.records import Record, Run

NAME = "coverage"
CASE = "libperle"
SHARES = Path(__file__).with_suffix(".toml")
SOURCES = HOST / "src"
DRIVERS = PACKAGE / "host" / "pam"
MAKEFILE = "tests/coverage.mk"
QUICK = "not slow and not wide and not recorded"
Lines = dict[str, dict[int, int]]
"""Execution count of each line, by file relative to host/src and line number."""


def read(text: str, into: Lines) -> None:
    """Add gcov's counts, one JSON document per line; counts for the same line of a header are added."""
    for document in text.splitlines():
        if not document.startswith("{"):  # a warning
            continue
        for file in json.loads(document)["files"]:
            path = Path(file["file"])
            if not path.is_relative_to(SOURCES):
                continue
            lines = into.setdefault(path.relative_to(SOURCES).as_posix(), {})
            for line in file["lines"]:
                number = line["line_number"]
                lines[number] = lines.get(number, 0) + line["count"]


def count(only: str = "") -> Lines:
    """Run the library's tests (of those in C++, the ones whose names contain `only`); return the counts."""
    if INSTALLED:
        raise tools.ToolError("coverage", "needs a checkout: the host's tests are not installed")
    make_host("coverage", makefile=MAKEFILE, settings=[f"ONLY={only}"])
    folder = build_folder() / "counted"
    if not only:
        _drivers(folder)
    gcov: list[str | Path] = [tools.system_tool("gcov", needed_for="coverage of the host library")]
    found: Lines = {}
    for path in sorted(folder.glob("*.gcno")):
        done = tools.run([*gcov, "--json-format", "--stdout", path], cwd=folder)
        read(done.stdout, found)
    return found


def _drivers(folder: Path) -> None:
    """Run the quick tests of drivers of active memories on the instrumented library."""
    make_host("counted-library", makefile=MAKEFILE)
    pytest: list[str | Path] = [tools.venv_tool("pytest"), "-q", "-p", "no:cacheprovider", "-m", QUICK]
    tools.run([*pytest, DRIVERS], cwd=CHECKOUT, env={"PERLE_LIB": str(folder / "libperle.so")})


def ranges(numbers: Iterable[int]) -> Iterator[str]:
    """Yield `3` and `5-7` for 3, 5, 6, 7."""
    first = last = 0
    for number in [*sorted(numbers), 0]:
        if number == last + 1 and first:
            last = number
            continue
        if first:
            yield f"{first}" if first == last else f"{first}-{last}"
        first = last = number


def told(found: Lines) -> Iterator[str]:
    """Yield for each folder how much of its files was executed, without those executed completely."""
    for folder in sorted({name.partition("/")[0] for name in found}):
        files = [
            f"{name.partition('/')[2]} {reached} of {len(lines)}"
            for name, lines in sorted(found.items())
            if name.startswith(folder + "/") and (reached := sum(n > 0 for n in lines.values())) < len(lines)
        ]
        if files:
            yield f"src/{folder}: {', '.join(files)}"


def judge(mine: Run, found: Lines, floors: dict[str, float]) -> dict[str, int]:
    """Fail for folders whose coverage is below their floor; return the counts."""
    total = executed = 0
    for folder in sorted({name.partition("/")[0] for name in found} | set(floors)):
        counts = [n for name, lines in found.items() if name.startswith(folder + "/") for n in lines.values()]
        reached = sum(n > 0 for n in counts)
        total, executed = total + len(counts), executed + reached
        floor = floors.get(folder)
        if floor is None:
            mine.fail(f"no share is wanted of src/{folder}")
        elif not counts or reached < floor / 100 * len(counts):
            mine.fail(f"src/{folder}: {reached} of {len(counts)} lines, {floor}% wanted")
    return {"lines": total, "lines executed": executed}


def compare(seed: int, floors: dict[str, float], only: str = "") -> Record:
    """Run the tests, and record what they did not execute; `floors`: minimum per cent of each folder."""
    mine = Run(NAME, CASE, seed)
    found = count(only)
    figures = judge(mine, found, floors)
    mine.settings["missed"] = {
        name: list(ranges(missed))
        for name, lines in sorted(found.items())
        if (missed := [number for number, n in lines.items() if n == 0])
    }
    mine.settings["holes"] = list(told(found))
    return mine.end(figures, made_of(), ("g++",))


def shares() -> dict[str, float]:
    """Return the share of lines, in per cent, that is wanted of each folder of the library."""
    found: dict[str, float] = tomllib.loads(SHARES.read_text(encoding="utf-8"))
    return found


def made_of() -> list[Path]:
    """Return the files that the library's coverage depends on."""
    beside = sorted(path for path in (HOST / "tests").iterdir() if path.suffix in {".cpp", ".hpp", ".mk"})
    return [*records.host_files(), *beside, *sorted(DRIVERS.glob("*.py")), SHARES, Path(__file__)]
