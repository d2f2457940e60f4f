# SPDX-License-Identifier: Apache-2.0
"""A design's directory: sources, pins, the bus's map, and a page about what is inside and how to build it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import perle
from perle.generate.generate import licence, licence_of
from perle.generate.output import MANIFEST, check_free, manifest, write
from perle.soc import design
from perle.soc.boards import Board
from perle.soc.build import remove_products
from perle.soc.core import Core, IllegalSocError, names
from perle.soc.design import BAUD, NAME
from perle.soc.page import page
from perle.soc.pll import Clocks


@dataclass(frozen=True)
class Directory:
    """A written directory; `sources` are the SystemVerilog files in compile order, relative to the folder."""

    folder: Path
    core: Core
    clocks: Clocks
    sources: list[str]


THEIRS = "LICENSE.litex"
"""File with the licences of the projects that LiteX's part of a design comes from."""
BSD = "SPDX-License-Identifier: BSD-2-Clause"
FACTS = "design.json"
"""File with a design's settings, which the simulation of its routed netlist needs."""


def contents(board: Board, core: Core, clocks: Clocks, baud: int = BAUD) -> dict[str, str]:
    """Return all files of the directory by name: the same bytes for the same sources."""
    rtl = core.texts(device=True)
    made = design.generate(board, clocks, baud)
    facts = {
        "board": board.name,
        "core": core.named,
        "core_hz": clocks.core,
        "bus_hz": clocks.sys,
        "baud": baud,
    }
    files = {
        **rtl,
        f"{NAME}.v": f"// {BSD}\n{made.verilog}",
        f"{NAME}.lpf": f"# {BSD}\n{made.lpf}",
        "csr.csv": f"# {BSD}\n{made.csr}",
        FACTS: json.dumps(facts, indent=1) + "\n",
        "LICENSE": licence(),
        THEIRS: _theirs(board),
        "README.md": page(board, core, clocks, names(rtl), baud),
    }
    return files | {MANIFEST: manifest(files, f"{NAME}, Perle {perle.__version__}", core.ip.source_hash)}


def _theirs(board: Board) -> str:
    """Return the licences of LiteX and of what it needs for a board, from their packages."""
    packages = ["litex", "migen", "litex-boards", *(["liteeth"] if board.link == "ethernet" else [])]
    return "\n\n".join(f"{one}\n\n{licence_of(one).strip()}\n" for one in packages)


def generate(
    board: Board, core: Core, clocks: Clocks, out: Path, *, baud: int = BAUD, force: bool = False
) -> Directory:
    """Write a design's directory; FileExistsError if `out` is not empty, unless forced."""
    check_free(out, force=force)
    files = contents(board, core, clocks, baud)
    write(files, out, force=force)
    remove_products(out)
    return Directory(out, core, clocks, [name for name in names(files) if name.startswith("rtl/")])


@dataclass(frozen=True)
class Design:
    """The settings of a directory's design: clocks in Hz, and the baud rate of its serial line."""

    clocks: Clocks
    baud: int

    @property
    def cycles_per_bit(self) -> int:
        """Cycles of the bus's clock per bit of the serial line, rounded."""
        return round(self.clocks.sys / self.baud)


def read(folder: Path, board: Board) -> Design:
    """Return the settings of the design in a directory; IllegalSocError unless it is for this board."""
    try:
        said = json.loads((folder / FACTS).read_text(encoding="utf-8"))
        design = Design(Clocks(float(said["bus_hz"]), float(said["core_hz"])), int(said["baud"]))
        made_for = said["board"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise IllegalSocError(f"{folder} has no design of perle soc: {error}") from error
    if made_for != board.name:
        raise IllegalSocError(f"the design in {folder} is for {made_for}, not for {board.name}")
    return design
