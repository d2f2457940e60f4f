# SPDX-License-Identifier: Apache-2.0
"""Coloquinte: placement of standard cells in rows, from and to files of the ISPD contests (Bookshelf)."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from perle.flow.tools import ToolError, run, venv_tool

TOOL = "coloquinte"
SITE_UM, ROW_UM = 0.48, 3.78
"""Width of a site and height of a row of IHP SG13G2's cells."""
UNIT_UM = 0.06
"""Unit of coordinates in the files, which are integers."""
SITE, ROW = round(SITE_UM / UNIT_UM), round(ROW_UM / UNIT_UM)
EFFORT, SEED = 3, 1
NAME = "cells"
"""Name of the files, without the extension."""


@dataclass(frozen=True)
class Core:
    """The area of the cells: rows of as many sites each."""

    rows: int
    sites: int

    @property
    def um2(self) -> float:
        """Its area in µm²."""
        return self.rows * ROW_UM * self.sites * SITE_UM


def core(sites: int, utilization: float) -> Core:
    """Return a nearly square core, of which cells with that number of sites occupy the given share."""
    rows = math.ceil(math.sqrt(sites * SITE_UM / utilization / ROW_UM))
    return Core(rows, math.ceil(sites / utilization / rows))


def place(
    widths: Mapping[str, int],
    nets: Iterable[Collection[str]],
    area: Core,
    workdir: Path,
    *,
    start: Mapping[str, tuple[float, float]] | None = None,
    timeout: float,
) -> dict[str, tuple[float, float]]:
    """Return the centres of cells in µm.

    `widths`: sites of each cell; `nets`: the cells of each net, whose wires are kept short. All pins are at
    the centres of cells. With `start`, centres in µm, only moves cells as far as is needed to make them fit
    and to shorten wires locally.
    """
    workdir.mkdir(parents=True, exist_ok=True)
    middle = (area.sites * SITE_UM / 2, area.rows * ROW_UM / 2)
    corners = {
        name: _corner((start or {}).get(name, middle), sites * SITE, area) for name, sites in widths.items()
    }
    files = {
        "aux": [f"RowBasedPlacement : {NAME}.nodes {NAME}.nets {NAME}.pl {NAME}.scl"],
        "nodes": _nodes(widths),
        "nets": _nets(nets),
        "pl": ["UCLA pl 1.0", *(f"{name} {x} {y} : N" for name, (x, y) in corners.items())],
        "scl": _rows(area),
    }
    for kind, lines in files.items():
        (workdir / f"{NAME}.{kind}").write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = workdir / "placed.pl"
    done.unlink(missing_ok=True)
    words: list[str | Path] = [venv_tool(TOOL), f"{NAME}.aux", "--effort", str(EFFORT), "--seed", str(SEED)]
    words += ["--save-solution", done.name, *(["--no-global"] if start is not None else [])]
    run(words, cwd=workdir, log=workdir / "coloquinte.log", timeout=timeout)
    found = _read(done)
    if found.keys() != widths.keys():
        raise ToolError(TOOL, f"placed {len(found)} cells of {len(widths)}")
    return {
        name: ((x + widths[name] * SITE / 2) * UNIT_UM, (y + ROW / 2) * UNIT_UM)
        for name, (x, y) in found.items()
    }


def _corner(centre: tuple[float, float], width: int, area: Core) -> tuple[int, int]:
    """Return the lower left corner of a cell within the core, in units."""
    x, y = (round(one / UNIT_UM) for one in centre)
    return (
        min(max(x - width // 2, 0), area.sites * SITE - width),
        min(max(y - ROW // 2, 0), (area.rows - 1) * ROW),
    )


def _nodes(widths: Mapping[str, int]) -> list[str]:
    cells = (f"{name} {sites * SITE} {ROW}" for name, sites in widths.items())
    return ["UCLA nodes 1.0", f"NumNodes : {len(widths)}", "NumTerminals : 0", *cells]


def _nets(nets: Iterable[Collection[str]]) -> list[str]:
    wired = [one for one in nets if len(one) > 1]
    lines = ["UCLA nets 1.0", f"NumNets : {len(wired)}", f"NumPins : {sum(map(len, wired))}"]
    for one in wired:
        lines += [f"NetDegree : {len(one)}", *(f"{cell} B" for cell in one)]
    return lines


def _rows(area: Core) -> list[str]:
    lines = ["UCLA scl 1.0", f"NumRows : {area.rows}"]
    for row in range(area.rows):
        lines += ["CoreRow Horizontal", f"Coordinate : {row * ROW}", f"Height : {ROW}", f"Sitewidth : {SITE}"]
        lines += ["Siteorient : N", f"SubrowOrigin : 0 NumSites : {area.sites}", "End"]
    return lines


def _read(path: Path) -> dict[str, tuple[int, int]]:
    if not path.exists():
        raise ToolError(TOOL, f"wrote no {path.name}")
    lines = re.findall(r"^(\S+)\t(-?\d+)\t(-?\d+)\t:", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {name: (int(x), int(y)) for name, x, y in lines}
