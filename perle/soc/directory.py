# SPDX-License-Identifier: Apache-2.0
"""A design's directory: sources, pins, the bus's map, and a page about what is inside and how to build it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import perle
from perle.generate.generate import licence
from perle.generate.output import MANIFEST, check_free, manifest, write
from perle.soc import design
from perle.soc.boards import Board
from perle.soc.core import Core, names
from perle.soc.design import NAME
from perle.soc.page import page
from perle.soc.pll import Clocks


@dataclass(frozen=True)
class Directory:
    """What was written; `sources` are the SystemVerilog files in compile order, relative to the folder."""

    folder: Path
    core: Core
    clocks: Clocks
    sources: list[str]


def contents(board: Board, core: Core, clocks: Clocks) -> dict[str, str]:
    """Return every file of the directory by its name: the same bytes for the same sources."""
    rtl = core.texts(device=True)
    made = design.generate(board, clocks)
    files = {
        **rtl,
        f"{NAME}.v": made.verilog,
        f"{NAME}.lpf": made.lpf,
        "csr.csv": made.csr,
        "LICENSE": licence(),
        "README.md": page(board, core, clocks, names(rtl)),
    }
    return files | {MANIFEST: manifest(files, f"{NAME}, Perle {perle.__version__}", core.ip.source_hash)}


def generate(board: Board, core: Core, clocks: Clocks, out: Path, *, force: bool = False) -> Directory:
    """Write a design's directory; FileExistsError where `out` is not empty, unless forced."""
    check_free(out, force=force)
    files = contents(board, core, clocks)
    write(files, out, force=force)
    return Directory(out, core, clocks, [name for name in names(files) if name.startswith("rtl/")])
