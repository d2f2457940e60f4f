# SPDX-License-Identifier: Apache-2.0
"""Leaf cells that are written for Lattice's ECP5, in place of the generic ones of the same module names."""

from __future__ import annotations

from collections.abc import Mapping

from perle.cores.registry import CORES

PRIM = CORES / "prim" / "ecp5"

LEAVES = {
    "perle_mul_reg2.sv": ("MULT18X18D.sv", "perle_ecp5_mul.sv"),
    "perle_ram.sv": ("DP16KD.sv",),
    "perle_block_ram.sv": ("PDPW16KD.sv",),
}
"""By name of the generic leaf cell: what the device's own is made of."""

BLOCKS = ("MULT18X18D", "DP16KD", "PDPW16KD")
"""Blocks of the device that these instantiate."""


def for_ecp5(files: Mapping[str, str]) -> dict[str, str]:
    """Return named texts in compile order, with the leaf cells of ECP5 after what those are made of."""
    inside: dict[str, str] = {}
    own: dict[str, str] = {}
    for name, text in files.items():
        folder, _, leaf = name.rpartition("/")
        if leaf in LEAVES:
            for part in LEAVES[leaf]:
                inside[f"{folder}/{part}" if folder else part] = (PRIM / part).read_text(encoding="utf-8")
            own[name] = (PRIM / leaf).read_text(encoding="utf-8")
        else:
            own[name] = text
    return inside | own
