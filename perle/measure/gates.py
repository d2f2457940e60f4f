# SPDX-License-Identifier: Apache-2.0
"""A design as a netlist of standard cells: mapped, sized, and timed with its environment.

The multiplier is timed alone. A processing element passes its words directly to the next one, so it is timed
as in the chain: two elements in series, with all other inputs from registers.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from perle.flow import netlist, opensta, yosys
from perle.flow.netlist import Gates
from perle.flow.tools import NOT_THE_DESIGN, ToolError
from perle.measure.design import Design
from perle.measure.surroundings import FED, FED_PLACE, PAIR, PLACES, TIE, fed, in_line

# Alternative ABC scripts: which result is fastest depends on the design, so each is timed. Wires are ignored:
# `buffer -c` would use a wire-load model for the size of the design, whose wires are many times longer than
# those of the default model that the timing uses, and of a placement.
START = ("strash", "&get -n", "&st")
MAP = ("&put", "dch -f", "map -B 0.9")
END = ("buffer -N 8", "topo", "upsize -D 300", "dnsize -D 300")
ABC = {
    "syn3": (*START, "&syn3", "&syn3", "&b", *MAP, *END),
    "if": (*START, "&if -x -K 6", *MAP, *END),
    "synch2": (*START, "&synch2", *MAP, *END),
    "nf": (*START, "&synch2", "&synch2", "&nf -R 10", "&put", *END),
}
# Driver of the inputs, and load of the outputs in fF.
CONSTRAINTS = "set_driving_cell sg13g2_buf_1\nset_load 20.0 [all_outputs]\n"
TRIES = 400
# Target of sizing, relative to the period before it.
FASTER = 0.8
# Prefix of the library's cells in leaf cells.
CELLS = "sg13g2_"


@dataclass(frozen=True)
class Mapped:
    """A mapped design: `top` in the files of `folder` is timed; its gates are at each `place`."""

    gates: Gates
    files: tuple[Path, ...]
    top: str
    places: tuple[str, ...]
    cells: dict[str, int]
    area_um2: float


def synthesised(design: Design, way: Sequence[str], liberty: Path, folder: Path, timeout: float) -> Gates:
    """Map a design to the cells of a library by the ABC commands `way`."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(liberty, folder / liberty.name)
    (folder / "abc.script").write_text("\n".join(way) + "\n", encoding="utf-8")
    (folder / "constraints.sdc").write_text(CONSTRAINTS, encoding="utf-8")
    script = [
        f"synth -flatten -noabc -top {design.top}",
        f"dfflibmap -liberty {liberty.name}",
        "opt",
        f"abc -liberty {liberty.name} -constr constraints.sdc -D 300 -script abc.script",
        f"hilomap -singleton -hicell {TIE} L_HI -locell sg13g2_tielo L_LO",
        "opt_clean -purge",
    ]
    cells = [path.stem for path in design.files if path.stem.startswith(CELLS)]
    made = yosys.synthesize(
        design.files, design.top, design.params, script, folder, blackboxes=cells, timeout=timeout
    )
    return netlist.read(made.json, design.top, f"{design.top}_gates")


def written(gates: Gates, folder: Path, *, pair: bool) -> Mapped:
    """Write the design to be timed: the gates, for a processing element two in series."""
    path = folder / "gates.v"
    path.write_text(gates.verilog(), encoding="utf-8")
    counts: dict[str, int] = {}
    for cell in gates.cells:
        counts[cell.kind] = counts.get(cell.kind, 0) + 1
    if not pair:
        return Mapped(gates, (path,), gates.name, ("",), counts, 0.0)
    both = folder / "pair.v"
    both.write_text(in_line(gates), encoding="utf-8")
    return Mapped(gates, (path, both), PAIR, PLACES, counts, 0.0)


def for_power(made: Mapped, folder: Path) -> Mapped:
    """Write a mapped design for power analysis: with all inputs from registers."""
    path = folder / "power.v"
    if made.top == PAIR:
        path.write_text(in_line(made.gates, closed=True), encoding="utf-8")
        return replace(made, files=(made.files[0], path))
    path.write_text(fed(made.gates), encoding="utf-8")
    return replace(made, files=(*made.files, path), top=FED, places=(FED_PLACE,))


def mapped(
    design: Design, liberty: Path, folder: Path, *, pair: bool, ways: Sequence[str], timeout: float
) -> Mapped:
    """Map a design in several ways, use the fastest, and size the cells of its worst paths.

    ABC fails with some combinations of script and design; it is an error only if all scripts fail. `ways.log`
    has the period or the failure of each. A tool that is missing, was killed or took too long is an error at
    once: otherwise the figures would depend on the load of the machine.
    """
    best: tuple[float, str, Mapped] | None = None
    failed: ToolError | None = None
    log = folder / "ways.log"
    log.write_text("", encoding="utf-8")
    for way in ways:
        try:
            gates = synthesised(design, ABC[way], liberty, folder / way, timeout)
        except NOT_THE_DESIGN:
            raise
        except ToolError as error:
            failed = error
            _tell(log, f"{way}: {str(error).splitlines()[0]}")
            continue
        found = written(gates, folder / way, pair=pair)
        period = opensta.timing(liberty, found.files, found.top, folder / way, timeout=timeout).period_ns
        _tell(log, f"{way}: {period:g} ns")
        if best is None or period < best[0]:
            best = (period, way, found)
    if best is None:
        raise failed or ValueError("no way given")
    period, way, found = best
    sizes = opensta.resize(
        liberty,
        found.files,
        found.top,
        folder / way,
        places=found.places,
        period_ns=FASTER * period,
        tries=TRIES,
        timeout=timeout,
    )
    cells = tuple(replace(cell, kind=sizes.get(cell.name, cell.kind)) for cell in found.gates.cells)
    sized = written(replace(found.gates, cells=cells), folder, pair=pair)
    return replace(sized, area_um2=area(sized.gates, sized.files[0], liberty, folder, timeout))


def _tell(log: Path, line: str) -> None:
    with log.open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")


def area(gates: Gates, path: Path, liberty: Path, folder: Path, timeout: float) -> float:
    """Return the area of the cells in µm²."""
    shutil.copyfile(liberty, folder / liberty.name)
    script = [
        f"read_verilog {path.name}",
        f"tee -q -o area.json stat -json -liberty {liberty.name} -top {gates.name}",
    ]
    yosys.execute(script, folder, timeout=timeout)
    stat = json.loads((folder / "area.json").read_text(encoding="utf-8"))
    return float(stat["design"]["area"])
