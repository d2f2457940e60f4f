# SPDX-License-Identifier: Apache-2.0
"""Multipliers in the contract's testbench, built to count executed lines, branches and toggles.

A *line* is a line with a statement. A *way* is an outcome of a decision: an `if` or `?:` that is true, or one
that is false and has no code for this case. A *toggle* is a change of one bit of a signal in one direction.
"""

from __future__ import annotations

import ctypes
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from perle.cores.registry import Config
from perle.flow.cache import cached, content_hash
from perle.flow.verilator import build_so, verilator_version
from perle.verify import failure
from perle.verify import testbench as contract
from perle.verify.testbench import ContractBench

HEADER = Path(__file__).with_name("sim") / "covered.h"
FLAGS = ("--assert", "--coverage-line", "--coverage-toggle", "-O3")
FLAGS_OF_STATE = ("--x-assign", "fast", "--x-initial", "fast")
CONTEXTS = 2
POINT = re.compile(r"^C '(.*)' (\d+)$")
"""A line of Verilator's coverage file: a point and its count."""
SPANS = re.compile(r"(\d+)(?:-(\d+))?")
WAYS = {"if": "true", "else": "false", "cond_then": "true", "cond_else": "false"}


@dataclass
class Counts:
    """Counts: of lines by `FILE:LINE`, of ways by `FILE:LINE:COLUMN true`, of toggles by bit."""

    lines: dict[str, int] = field(default_factory=dict)
    ways: dict[str, int] = field(default_factory=dict)
    toggles: dict[str, int] = field(default_factory=dict)

    def add(self, other: Counts) -> None:
        """Add the counts of another shape or run."""
        for mine, more in zip(self.kinds(), other.kinds(), strict=True):
            for name, count in more.items():
                mine[name] = mine.get(name, 0) + count

    def kinds(self) -> tuple[dict[str, int], ...]:
        """Return lines, ways and toggles."""
        return self.lines, self.ways, self.toggles


def fields(text: str) -> dict[str, str]:
    """Return the parts of a point by their keys: f file, l line, t type, page, o what, S lines."""
    return dict(part.split("\x02", 1) for part in text.split("\x01")[1:])


def spans(text: str) -> Iterator[int]:
    """Yield the lines of `3,5-7`."""
    for first, last in SPANS.findall(text):
        yield from range(int(first), int(last or first) + 1)


def read(path: Path, files: Sequence[Path], shape: str = "") -> Counts:
    """Read Verilator's counts for some files; toggles are distinguished by `shape`."""
    names, found = {str(file.resolve()): file.name for file in files}, Counts()
    for row in path.read_text(encoding="utf-8").splitlines():
        point = POINT.match(row)
        if point is None:
            continue
        said, count = fields(point[1]), int(point[2])
        name = names.get(said["f"])
        if name is None:
            continue
        one = Counts()
        if said["t"] == "toggle":
            one.toggles[f"{shape} {said['page']} {said['o']}"] = count
        else:
            one.lines = {f"{name}:{line}": count for line in spans(said.get("S", ""))}
            if said["t"] == "branch":
                way = WAYS[said["o"]]
                column = int(said["n"]) - (way == "false")  # Verilator's column + 1 of "true"
                one.ways[f"{name}:{said['l']}:{column} {way}"] = count
        found.add(one)
    return found


def build(config: Config) -> Path:
    """Return the counting testbench of a configuration, cached by content."""
    family = config.family
    sources = [*family.files, *family.assertions]
    params = {**config.params, "Contexts": CONTEXTS}
    made_of = [*sources, contract.DRIVER, failure.HEADER, HEADER]
    # The counts refer to the paths of the files.
    key = content_hash(made_of, [str(path) for path in family.files], params, FLAGS, verilator_version())

    def make(out: Path) -> None:
        model = f'-DCOVERED_MODEL=V{family.top} -DCOVERED_HEADER=\\"V{family.top}.h\\"'
        bench = f'-I{HEADER.parent} -DBENCH_MODEL=Covered -DBENCH_HEADER=\\"{HEADER.name}\\"'
        extra = [*FLAGS, *FLAGS_OF_STATE, "-CFLAGS", f"{failure.CFLAGS} {model} {bench}"]
        build_so(family.top, sources, [contract.DRIVER], params, out, extra=extra, opt="-O0")

    return cached(f"covered-{family.name}-{key}", ".so", make)


class CoveredBench(ContractBench):
    """The contract's testbench with two contexts, which counts what it executes in the family's files."""

    def __init__(self, config: Config) -> None:
        self.config, self.contexts = config, CONTEXTS
        self.words = -(-config.operand_bits // 32)
        self._lib = ctypes.CDLL(str(build(config)))
        self._lib.bench_open.restype = ctypes.c_void_p
        self._lib.bench_failure.restype = ctypes.c_char_p
        self._handle = ctypes.c_void_p(self._lib.bench_open())

    def __enter__(self) -> Self:
        """Return the testbench itself."""
        return self

    def counts(self) -> Counts:
        """Return the counts since the testbench was opened, for the family's own folder."""
        family = self.config.family
        own = [path for path in family.files if path.is_relative_to(family.folder)]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "coverage.dat"
            self._lib.coverage_write(str(path).encode())
            return read(path, own, self.config.name)
