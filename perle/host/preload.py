# SPDX-License-Identifier: Apache-2.0
"""Boards for unchanged programs: the environment for host/preload, and its reports."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from perle.flow.host_make import LIBRARY, built

PRELOAD = LIBRARY.with_name("preload.so")
LEAST_BITS = 256
PREFIX = "PERLE_PRELOAD_"
"""Prefix of the environment variables that preload.so reads."""


def preload_path() -> Path:
    """Path of the shared object for LD_PRELOAD, build/host/preload.so; built or updated first if necessary.

    Raises ToolMissing or ToolError if it cannot be built; the log is next to it.
    """
    return built(PRELOAD, "preload", ("include", "src", "preload"), "the library for LD_PRELOAD")


@dataclass(frozen=True)
class Products:
    """A board that multiplies long integers: its shared object, its clock's period, the host's timing."""

    path: Path
    clock_ps: int
    timing: str


def environment(
    preload: Path,
    boards: str | None,
    products: Products | None,
    least_bits: int = LEAST_BITS,
    report: Path | None = None,
) -> dict[str, str]:
    """Return the variables that redirect a program's calls to boards; objects already preloaded are kept.

    Raises ValueError for paths with separators of LD_PRELOAD or of the variables.
    """
    if unfit := next((one for one in " :" if one in str(preload)), None):
        raise ValueError(f"{preload}: LD_PRELOAD cannot name a path with {unfit!r}; move this checkout")
    before = os.environ.get("LD_PRELOAD", "")
    found = {"LD_PRELOAD": f"{preload}:{before}" if before else str(preload)}
    found[f"{PREFIX}LEAST"] = str(least_bits)
    if boards is not None:
        found[f"{PREFIX}BOARDS"] = boards
    if products is not None:
        if "," in str(products.path):
            raise ValueError(f"{products.path}: a path with a comma cannot be named here; set PERLE_CACHE")
        found[f"{PREFIX}PRODUCTS"] = f"{products.path},{products.clock_ps},{products.timing}"
    if report is not None:
        found[f"{PREFIX}REPORT"] = str(report)
    return found


class Calls(msgspec.Struct, frozen=True):
    """Counts of a function: calls, calls done by boards, calls in which boards failed, and board cycles."""

    calls: int
    boards: int
    failed: int
    cycles: int


class Process(msgspec.Struct, frozen=True):
    """Counts of a process, by the names of the functions that it called."""

    pid: int
    program: str
    functions: dict[str, Calls]


def reports(path: Path) -> list[Process]:
    """Return the reports of ended processes, in order; an empty list if there is no file.

    Incomplete lines are left out.
    """
    if not path.exists():
        return []
    found = []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        with suppress(msgspec.MsgspecError):
            found.append(msgspec.json.decode(line, type=Process))
    return found
