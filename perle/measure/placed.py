# SPDX-License-Identifier: Apache-2.0
"""A mapped netlist placed in rows: strong buffers at long wires, cells sized again, all placed, wires.

The clock and the enables of latches are left out: clocks are ideal. So are nets that inputs of the multiplier
drive, as nothing is known of where they come from.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from perle.flow import opensta, placer
from perle.flow.liberty import Library
from perle.flow.netlist import Cell, Gates, bits
from perle.measure.gates import FASTER, TRIES, Mapped, area, written
from perle.measure.surroundings import gated
from perle.measure.wires import Point, Wire, pins, spef, wired

UTILIZATION = 0.7
"""Share of the core that cells occupy; the rest is left for wires, clock buffers and filling."""
LOADS_FF = 30.0, 50.0, 80.0
"""Loads of an output with the drive strength 1 above which it gets a buffer, and of a buffer of strength 1.
Which of them gives the shortest period depends on the design, so each is tried."""
BUFFER = "sg13g2_buf_"
STRENGTHS = (2, 4, 8, 16)
PIN_IN, PIN_OUT = "A", "X"


@dataclass(frozen=True)
class Placed:
    """A netlist with its core and its wires; `parasitics` of these are a file beside the netlist."""

    made: Mapped
    core: placer.Core
    wires: Mapping[str, Wire]
    parasitics: Path
    buffers: int = 0


def placed(made: Mapped, liberty: Path, library: Library, folder: Path, timeout: float) -> Placed:
    """Place a netlist, with a buffer where the load of an output is large, and size its cells.

    The fastest of several results is left in `folder`.
    """
    first = wires(made.gates, library, _place(made.gates, library, folder / "first", timeout))
    tried = []
    for load in LOADS_FF:
        own = folder / f"load{load:g}"
        one = _sized(buffered(made.gates, first, library, load), liberty, library, own, timeout)
        tried.append((_period(liberty, one.made, own, one.parasitics, timeout), one))
    _, best = min(tried, key=lambda one: one[0])
    netlist, parasitics = (shutil.copy(path, folder) for path in (best.made.files[0], best.parasitics))
    return replace(
        best,
        made=replace(best.made, files=(Path(netlist),)),
        parasitics=Path(parasitics),
        buffers=len(best.made.gates.cells) - len(made.gates.cells),
    )


def _sized(gates: Gates, liberty: Path, library: Library, folder: Path, timeout: float) -> Placed:
    at = _place(gates, library, folder / "buffered", timeout)
    sized, parasitics = _written(gates, wires(gates, library, at), folder)
    period = _period(liberty, sized, folder, parasitics, timeout)
    sizes = opensta.resize(
        liberty,
        sized.files,
        sized.top,
        folder,
        wires=parasitics,
        period_ns=FASTER * period,
        tries=TRIES,
        timeout=timeout,
    )
    cells = tuple(replace(cell, kind=sizes.get(cell.name, cell.kind)) for cell in gates.cells)
    last = replace(gates, cells=cells)
    at = _place(last, library, folder / "sized", timeout, start=at)
    found = wires(last, library, at)
    made, parasitics = _written(last, found, folder)
    made = replace(made, area_um2=area(last, made.files[0], liberty, folder, timeout))
    return Placed(made, core(last, library), found, parasitics)


def _period(liberty: Path, made: Mapped, folder: Path, parasitics: Path, timeout: float) -> float:
    return opensta.timing(liberty, made.files, made.top, folder, wires=parasitics, timeout=timeout).period_ns


def core(gates: Gates, library: Library) -> placer.Core:
    """Return the core in which a netlist is placed."""
    return placer.core(sum(_widths(gates, library).values()), UTILIZATION)


def wires(gates: Gates, library: Library, at: Mapping[str, Point]) -> dict[str, Wire]:
    """Return the wires of a netlist placed at the given points."""
    return wired(pins(gates, library, _clocks(gates)), at)


def buffered(gates: Gates, found: Mapping[str, Wire], library: Library, most: float) -> Gates:
    """Return a netlist with a buffer behind each output whose load, of wires and pins, is too large for it.

    `most`: the largest load in fF of the drive strength 1. All other pins of the net are behind the buffer.
    """
    kinds = {cell.name: cell.kind for cell in gates.cells}
    taps: dict[tuple[str, str], str] = {}
    more: list[Cell] = []
    nets = [net for cell in gates.cells for net in cell.pins.values()]
    number = 1 + max(int(net[1:]) for net in nets if net[1:].isdigit())
    for net, wire in found.items():
        driver, *sinks = wire.pins
        kind = kinds[driver[0]]
        held = sum(library[kinds[cell]].inputs[pin] for cell, pin in sinks)
        load = wire.ff + held
        if load <= most * strength(kind) or strength(kind) >= STRENGTHS[-1]:
            continue
        taps[driver] = f"n{number}"
        number += 1
        size = next((one for one in STRENGTHS if load <= most * one), STRENGTHS[-1])
        pins_of = {PIN_IN: taps[driver], PIN_OUT: net}
        more.append(Cell(f"g{len(gates.cells) + len(more)}", f"{BUFFER}{size}", pins_of))
    cells = (
        replace(cell, pins={pin: taps.get((cell.name, pin), net) for pin, net in cell.pins.items()})
        for cell in gates.cells
    )
    return replace(gates, cells=(*cells, *more))


def strength(kind: str) -> int:
    """Return the drive strength in the name of a cell, sg13g2_inv_4; that of cells for constants is large."""
    size = kind.rpartition("_")[2]
    return int(size) if size.isdigit() else STRENGTHS[-1]


def _clocks(gates: Gates) -> set[str]:
    """Return the nets of the clock, of what it gates, and of the inputs."""
    ends = set(gated(gates))
    found = {net for cell in gates.cells for pin, net in cell.pins.items() if f"{cell.name}/{pin}" in ends}
    return found | {bit for port in gates.ports if port.direction == "input" for bit in bits(port)}


def _widths(gates: Gates, library: Library) -> dict[str, int]:
    per_site = placer.SITE_UM * placer.ROW_UM
    return {cell.name: round(library[cell.kind].area_um2 / per_site) for cell in gates.cells}


def _place(
    gates: Gates,
    library: Library,
    folder: Path,
    timeout: float,
    start: Mapping[str, Point] | None = None,
) -> dict[str, Point]:
    nets = [[cell for cell, _ in ends] for ends in pins(gates, library, _clocks(gates)).values()]
    widths, where = _widths(gates, library), core(gates, library)
    return placer.place(widths, nets, where, folder, start=start, timeout=timeout)


def _written(gates: Gates, found: Mapping[str, Wire], folder: Path) -> tuple[Mapped, Path]:
    """Write a netlist and the parasitics of its wires."""
    parasitics = folder / "wires.spef"
    parasitics.write_text(spef(gates.name, found), encoding="utf-8")
    return written(gates, folder, pair=False), parasitics
