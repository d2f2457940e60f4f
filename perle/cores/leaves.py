# SPDX-License-Identifier: Apache-2.0
"""Leaf cells of Lattice's ECP5 and of IHP SG13G2, in place of the generic ones of the same module names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from perle.cores.registry import CORES

PRIM = CORES / "prim" / "ecp5"
TILE = CORES / "tile" / "ecp5"
"""ECP5 versions of the leaf cells of `tile`, with its own models of device blocks: it uses more of their
features than other families do."""

LEAVES = {
    "perle_mul_reg2.sv": ("MULT18X18D.sv", "perle_ecp5_mul.sv"),
    "perle_ram.sv": ("DP16KD.sv",),
    "perle_block_ram.sv": ("PDPW16KD.sv",),
    "perle_tile_adder.sv": ("CCU2C.sv",),
    "perle_tile_leaf_mul.sv": ("MULT18X18D.sv",),
    "perle_tile_memory.sv": ("DP16KD.sv",),
}
"""For each generic leaf cell, the files that its ECP5 version instantiates."""

BLOCKS = ("MULT18X18D", "DP16KD", "PDPW16KD", "CCU2C")
"""Device blocks that the ECP5 leaf cells instantiate."""

CARRY_SAVE = CORES / "carry_save" / "ihp130"
"""IHP SG13G2 versions of the leaf cells of `carry_save`, with models of the library cells they use."""

FOR_IHP130 = {"perle_carry_save_operands.sv": ("sg13g2_nor2_1.sv", "sg13g2_dlhrq_1.sv")}
"""For each generic leaf cell, the files that its IHP SG13G2 version instantiates."""

OF_FAMILIES = (TILE, CARRY_SAVE)
"""Folders of leaf cells that belong to one family; those that all families share are below `prim`."""


def for_ihp130(files: Collection[Path]) -> tuple[Path, ...]:
    """Return files in compile order, with IHP SG13G2 versions of the leaf cells after the cells they use."""
    there = [path.name for path in files if path.name in FOR_IHP130]
    inside = [CARRY_SAVE / part for name in there for part in FOR_IHP130[name]]
    return (*inside, *(CARRY_SAVE / path.name if path.name in there else path for path in files))


def own(names: Iterable[str]) -> dict[str, Path]:
    """Return, for each generic leaf cell among these file names, the device's own version."""
    return {name: _found(name, (TILE, PRIM)) for name in names if name in LEAVES}


def inside(names: Iterable[str]) -> dict[str, Path]:
    """Return the files that these leaf cells instantiate, by name, in compile order.

    If a leaf cell of tile is among them, tile's models of the device blocks are used.
    """
    there = [name for name in names if name in LEAVES]
    folders = (TILE, PRIM) if any((TILE / name).exists() for name in there) else (PRIM,)
    return {part: _found(part, folders) for leaf in there for part in LEAVES[leaf]}


def _found(name: str, folders: Iterable[Path]) -> Path:
    return next(folder / name for folder in folders if (folder / name).exists())


def for_ecp5(files: Mapping[str, str]) -> dict[str, str]:
    """Return texts by file name in compile order, with ECP5 leaf cells after the cells that they use."""
    folder = {name.rpartition("/")[2]: name.rpartition("/")[0] for name in files}
    before: dict[str, str] = {}
    there = [leaf for leaf in folder if leaf in LEAVES]
    made_of = inside(there)
    for leaf in there:
        for part in LEAVES[leaf]:
            home = folder[leaf]
            before[f"{home}/{part}" if home else part] = made_of[part].read_text(encoding="utf-8")
    cells = {folder[name] + "/" * bool(folder[name]) + name: path for name, path in own(there).items()}
    return before | {
        name: cells[name].read_text(encoding="utf-8") if name in cells else text
        for name, text in files.items()
    }
