# SPDX-License-Identifier: Apache-2.0
"""Paths of the standard cells of the 130 nm process, below $PDK_ROOT, in the layout of the PDK."""

from __future__ import annotations

import os
from pathlib import Path

from perle.flow.tools import ToolMissing

CELLS = Path("ihp-sg13g2/libs.ref/sg13g2_stdcell/lib")
CORNERS = {
    "typ": "sg13g2_stdcell_typ_1p20V_25C.lib",
    "slow": "sg13g2_stdcell_slow_1p08V_125C.lib",
    "fast": "sg13g2_stdcell_fast_1p32V_m40C.lib",
}
INSTALL = (
    "pip install ciel; ciel ls-remote --pdk-family ihp-sg13g2; "
    "ciel enable --pdk-family ihp-sg13g2 VERSION; export PDK_ROOT=~/.ciel"
)


def liberty(corner: str) -> Path:
    """Return the Liberty file of a corner (typ, slow, fast); raises ToolMissing if it does not exist."""
    root = os.environ.get("PDK_ROOT", "")
    path = Path(root) / CELLS / CORNERS[corner]
    if not root or not path.is_file():
        name = "PDK_ROOT" if not root else str(path)
        raise ToolMissing(name, INSTALL, "areas and delays in 130 nm")
    return path


def there() -> bool:
    """Whether the files of all corners exist."""
    root = os.environ.get("PDK_ROOT", "")
    return bool(root) and all((Path(root) / CELLS / name).is_file() for name in CORNERS.values())
