# SPDX-License-Identifier: Apache-2.0
"""What PeakRDL generates from `board.rdl`: register block, C header, reference."""

from __future__ import annotations

from pathlib import Path

from perle.boards.wrapper import ADDR_BITS, Shape
from perle.flow import peakrdl

RDL = Path(__file__).with_name("board.rdl")
BUS = Path(__file__).with_name("perle_bus_pkg.sv")


def _params(shape: Shape) -> dict[str, int]:
    return {"DataWidth": shape.word_bits, "Constants": shape.const_count}


def register_block(shape: Shape, out: Path) -> list[Path]:
    """Write the AXI4-Lite register block and the bus into the folder `out`; return files in compile order."""
    block = peakrdl.regblock(RDL, out, _params(shape), ["--addr-width", str(ADDR_BITS)])
    bus = out / BUS.name
    bus.write_text(_bus(shape.word_bits, BUS.read_text(encoding="utf-8")), encoding="utf-8")
    return [*block, bus]


def _bus(word_bits: int, text: str) -> str:
    """Return the bus package for another word."""
    given = "WordBits = 64;"
    if text.count(given) != 1:
        raise ValueError(f"{BUS.name} has no `{given}`")
    return text.replace(given, f"WordBits = {word_bits};")


def c_header(shape: Shape, out: Path) -> Path:
    """Write the C header `out`: the map as a struct, fields as masks."""
    return peakrdl.cheader(RDL, out, _params(shape), ["--type-style", "hier"])


def reference(shape: Shape, out: Path) -> Path:
    """Write the register reference `out` as Markdown."""
    return peakrdl.markdown(RDL, out, _params(shape))
