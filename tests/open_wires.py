# SPDX-License-Identifier: Apache-2.0
"""Routed netlists that are broken on purpose."""

from __future__ import annotations

import json
from pathlib import Path


def without_a_factor_bit(netlist: Path, folder: Path) -> Path:
    """Return a copy, in a folder, of a netlist in which one pin of every multiplier is open."""
    text = json.loads(netlist.read_text(encoding="utf-8"))
    [module] = text["modules"].values()
    multipliers = [cell for cell in module["cells"].values() if cell["type"] == "MULT18X18D"]
    assert multipliers
    for cell in multipliers:
        del cell["connections"]["A3"]
    other = folder / "other.json"
    other.write_text(json.dumps(text), encoding="utf-8")
    return other
