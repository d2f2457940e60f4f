# SPDX-License-Identifier: Apache-2.0
"""Records where Verilator and Yosys are on this machine, in a file beside the MANIFEST of an IP directory."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

from perle.flow import yosys
from perle.flow.tools import ToolMissing, venv_tool
from perle.flow.verilator import verilator_root

HERE = "here.mk"
HEAD = """\
# SPDX-License-Identifier: Apache-2.0
# Of the machine where this directory was generated, and no part of it: leave it out when you pass it on.
"""
FINDERS: dict[str, Callable[[], Path]] = {
    "VERILATOR_HERE": lambda: verilator_root() / "bin" / "verilator",
    "YOSYS_HERE": lambda: venv_tool(yosys.TOOL),
}


def write(folder: Path) -> None:
    """Write the file for `make`; only an older one that was generated is replaced.

    A tool that is missing, or whose path has characters that are special to `make`, is left out.
    """
    there = {}
    for name, find in FINDERS.items():
        try:
            program = str(find())
        except ToolMissing:
            continue
        if re.fullmatch(r"[\w/.+-]+", program):
            there[name] = program
    path = folder / HERE
    if path.is_symlink() or (path.exists() and not path.read_bytes().startswith(HEAD.encode())):
        return
    if there:
        scratch = path.with_name(f".{HERE}.{os.getpid()}")
        lines = "".join(f"{name} = {program}\n" for name, program in there.items())
        scratch.write_text(f"{HEAD}{lines}", encoding="utf-8")
        os.replace(scratch, path)
