# SPDX-License-Identifier: Apache-2.0
"""Records where Verilator is on this machine: a file in an IP directory that is not in its MANIFEST."""

from __future__ import annotations

import os
import re
from pathlib import Path

from perle.flow.tools import ToolMissing
from perle.flow.verilator import verilator_root

HERE = "here.mk"
HEAD = """\
# SPDX-License-Identifier: Apache-2.0
# Of the machine where this directory was generated, and no part of it: leave it out when you pass it on.
"""


def write(folder: Path) -> None:
    """Write the file for `make`; only an older one that was generated is replaced.

    No file is written without Verilator, or if its path has characters that are special to `make`.
    """
    try:
        program = verilator_root() / "bin" / "verilator"
    except ToolMissing:
        return
    path = folder / HERE
    if path.is_symlink() or (path.exists() and not path.read_bytes().startswith(HEAD.encode())):
        return
    if re.fullmatch(r"[\w/.+-]+", str(program)):
        scratch = path.with_name(f".{HERE}.{os.getpid()}")
        scratch.write_text(f"{HEAD}VERILATOR_HERE = {program}\n", encoding="utf-8")
        os.replace(scratch, path)
